"""From scores of options to what a guess earns."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.audit.exposure import Exposure

MOST_NUMBERS = 8  # answers that are tried where a question offers none
Choices = Callable[[QuestionRow], tuple[str, ...]]
Scores = Sequence[float]


@dataclass(frozen=True, eq=False)
class Scorer:
    """The answers that a question allows, and how likely a learner holds each of them."""

    choices: Choices
    score: Callable[[Sequence[QuestionRow], Exposure], Sequence[Scores]]


def credits_of(
    rows: Sequence[QuestionRow], choices: Choices, scores: Sequence[Scores], inverted: bool = False
) -> list[float]:
    """What the likeliest guess earns, or the least likely; of equal ones each is guessed equally often."""
    return [_credit(row, choices(row), own, inverted) for row, own in zip(rows, scores, strict=True)]


def _credit(row: QuestionRow, options: Sequence[str], scores: Scores, inverted: bool) -> float:
    if not options:
        return 0.0
    best = (min if inverted else max)(scores)
    picked = [option for option, score in zip(options, scores, strict=True) if score == best]
    return picked.count(row.answer) / len(picked)


def each(
    score: Callable[[QuestionRow, Exposure], Scores],
) -> Callable[[Sequence[QuestionRow], Exposure], list[Scores]]:
    """Scores of many questions from those of one."""
    return lambda rows, seen: [score(row, seen) for row in rows]


def choices_from(known: Sequence[QuestionRow]) -> Choices:
    """The options, or for free answers those that are common among known questions."""
    common = tuple(answer for answer, _ in Counter(row.answer for row in known).most_common(MOST_NUMBERS))
    return lambda row: row.options or common
