"""How what a set holds is spread: the numbers behind the figures that papers print of their own sets."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.evaluation.describe import MOST_LISTED, in_view, published_sizes, recordings_of

WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
# Words that every question has, whatever it is about.
EVERY_DAY = frozenset((
    "a", "about", "all", "am", "an", "and", "are", "as", "at", "be", "before", "been", "by", "did", "do",
    "does", "each", "else", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "last", "many", "me", "more", "my", "now", "of", "on", "one", "or", "other", "out", "over",
    "own", "so", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "two", "up", "was", "we", "were", "what", "when", "where", "which", "who", "with", "you", "your",
))  # fmt: skip


@dataclass(frozen=True)
class Distribution:
    """Numbers, or words with how often each occurs; `published` are numbers for the same words."""

    name: str
    values: tuple[float, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)


def distributions(dataset: Dataset) -> list[Distribution]:
    """Of recordings, questions, tasks, answers and strata; what is the same everywhere is left out."""
    rows = dataset.questions
    tasks = Counter(row.task for row in rows)
    published = {t: n for t, n in published_sizes(dataset).tasks.items() if t in tasks}
    found = [
        *_of_recordings(dataset),
        Distribution("questions of a recording", _floats(Counter(row.item for row in rows).values())),
        Distribution("words of a question", tuple(float(len(row.text.split())) for row in rows)),
        Distribution("tasks", counts=tasks, published=published),
        *_of_answers(rows),
        *_of_strata(rows),
    ]
    return [one for one in found if len(set(one.values)) > 1 or len(one.counts) > 1]


def common_words(rows: Sequence[QuestionRow], most: int = 60) -> list[tuple[str, int]]:
    """The words of questions and options that say what they are about, the commonest first."""
    said = Counter(
        word for row in rows for text in (row.text, *row.options) for word in WORD.findall(text.lower())
    )
    telling = [(word, n) for word, n in said.items() if len(word) > 1 and word not in EVERY_DAY]
    return sorted(telling, key=lambda told: (-told[1], told[0]))[:most]


def _of_recordings(dataset: Dataset) -> Iterator[Distribution]:
    recordings = list(recordings_of(dataset))
    yield Distribution("frames of a recording", _floats(len(r) for r in recordings))
    yield Distribution(
        "seconds of a recording", tuple(float(r.path.times[-1] - r.path.times[0]) for r in recordings)
    )
    yield Distribution("things in a recording", _floats(len(r.objects) for r in recordings))
    yield Distribution("things in view in a frame", tuple(in_view(recordings)))


def _of_answers(rows: Sequence[QuestionRow]) -> Iterator[Distribution]:
    """True numbers where a task counts, else its answers where they are few."""
    for task in sorted({row.task for row in rows}):
        answers = [row.answer for row in rows if row.task == task]
        if all(answer.isdigit() for answer in answers):
            yield Distribution(f"true counts, {task}", _floats(map(int, answers)))
        elif len(set(answers)) <= MOST_LISTED:
            yield Distribution(f"answers, {task}", counts=Counter(answers))


def _of_strata(rows: Sequence[QuestionRow]) -> Iterator[Distribution]:
    for name in sorted({name for row in rows for name in row.strata}):
        values = [row.strata[name] for row in rows if row.strata.get(name) is not None]
        if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
            yield Distribution(name, _floats(values))
        elif len(set(map(str, values))) <= MOST_LISTED:
            yield Distribution(name, counts=Counter(map(str, values)))


def _floats(values: Iterable[Any]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
