"""The card of a published set: what a hub shows, and what its readers need to know."""

import uuid
from dataclasses import dataclass

_SPACE = uuid.UUID("5f1d7a0e-6d0c-4c3b-9a52-1f3c8be0a6d1")


@dataclass(frozen=True)
class About:
    """What is said of a published set. Nothing here tells its seed or recipe."""

    name: str
    title: str
    benchmark: str
    tasks: dict[str, int]
    items: int
    frames: str
    licence: str
    sha256: str
    keys: bool

    @property
    def questions(self) -> int:
        return sum(self.tasks.values())

    @property
    def canary(self) -> str:
        """A string that no text has by chance: who finds it in a training corpus has found this set."""
        return str(uuid.uuid5(_SPACE, self.sha256))


def card(about: About) -> str:
    rows = "".join(f"| {task} | {count} |\n" for task, count in about.tasks.items())
    keys = (
        "Each row has its `answer`. `situ score SET REPLIES` scores replies as the benchmark does."
        if about.keys
        else "The keys are kept back. Send one reply per `id` (JSON lines with `id` and `reply`) to whoever "
        "published the set; `situ score PRIVATE REPLIES` grades it."
    )
    return f"""---
license: {about.licence}
pretty_name: {about.title} ({about.name})
task_categories:
- visual-question-answering
- video-text-to-text
language:
- en
tags:
- egocentric
- spatial
- synthetic
- situ
size_categories:
- {_size(about.questions)}
configs:
- config_name: default
  data_files:
  - split: test
    path: data/test.parquet
---
# {about.title}

{about.questions} questions about {about.items} first-person recordings. The worlds are generated, so every
key is exact, and made fresh from a seed, so none of it was on the web before.

| task | questions |
|---|---|
{rows}
```python
from datasets import load_dataset

rows = load_dataset("{about.name}", split="test")
rows[0]["frames"][0]  # a picture
```

## Fields

`id`, `item` (the recording), `task`, `question`, `options` (empty where a number is asked for), `prompt`
(what a model is told besides the pictures), `time` (moment of asking in seconds; none: at the end), `frames`
(the pictures, exactly as they are shown: `{about.frames}`){", `answer`" if about.keys else ""}.

## Answering

{keys}

The pictures are part of the task: other frames give other scores. Say it where you use others.

## Canary

This text must not appear in training corpora. canary GUID {about.canary}
"""


def _size(count: int) -> str:
    steps = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for most, name in steps if count < most), "1M<n<10M")
