"""Dataset card of a published set, and its metadata in Croissant 1.0."""

import json
import uuid
from dataclasses import dataclass
from typing import Any

from situ.publishing.public_rows import columns

_SPACE = uuid.UUID("5f1d7a0e-6d0c-4c3b-9a52-1f3c8be0a6d1")


@dataclass(frozen=True)
class About:
    """Description of a published set, without its seed or recipe."""

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
    def task(self) -> str:
        """The name of the task of lmms-eval."""
        return "situ_" + "".join(c if c.isalnum() else "_" for c in self.name.lower())

    @property
    def canary(self) -> str:
        """A unique string; finding it in a training corpus shows that the set was included."""
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
key is exact. They are fresh from a seed, so none of it was on the web before.

| task | questions |
|---|---|
{rows}
```python
from datasets import load_dataset

rows = load_dataset("{about.name}", split="test")
rows[0]["frames"][0]  # a picture
```

## Fields

`id`, `item` (the recording), `task`, `question`, `options` (empty if the answer is a number), `prompt`
(the text that goes with the pictures), `time` (time of asking in seconds; null: at the end), `frames` (the
pictures as a model is shown them: `{about.frames}`){", `answer`" if about.keys else ""}.

## Answering

{keys}

The pictures are part of the task: other frames give other scores. If you use others, say so.

lmms-eval finds the table from this folder, so start it there:

```sh
cd lmms_eval
lmms_eval --include_path . --tasks {about.task} --model NAME
```

VLMEvalKit reads `vlmevalkit/{about.name}.tsv`: the multiple-choice questions.

## Canary

This text must not appear in training corpora. canary GUID {about.canary}
"""


def _size(count: int) -> str:
    steps = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for most, name in steps if count < most), "1M<n<10M")


CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "arrayShape": "cr:arrayShape",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_LEFT_OUT = "frames"  # Croissant 1.0 has no type for images inside a table


def croissant(about: About, table: str) -> str:
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about.name,
        "description": f"{about.title}: {about.questions} questions about {about.items} recordings.",
        "license": about.licence,
        "url": f"https://huggingface.co/datasets/{about.name}",
        "version": "1.0.0",
        "datePublished": "2026-01-01",
        "creator": {"@type": "sc:Organization", "name": "situ", "url": "https://huggingface.co"},
        "citeAs": f"{about.title}, made with situ",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "table",
                "name": "table",
                "contentUrl": table,
                "encodingFormat": "application/x-parquet",
                "sha256": about.sha256,
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "questions",
                "name": "questions",
                "key": {"@id": "questions/id"},
                "field": [_field(name) for name in columns(about.keys) if name != _LEFT_OUT],
            }
        ],
    }
    return json.dumps(described, indent=1) + "\n"


def _field(name: str) -> dict[str, Any]:
    kind = "sc:Float" if name == "time" else "sc:Text"
    several = {"isArray": True, "arrayShape": "-1"} if name == "options" else {}
    return {
        "@type": "cr:Field",
        "@id": f"questions/{name}",
        "name": name,
        "dataType": kind,
        "source": {"fileObject": {"@id": "table"}, "extract": {"column": name}},
        **several,
    }
