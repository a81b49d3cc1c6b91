"""What an attack achieved, when that is a leak, and which recordings an attack learns from."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.stats.intervals import Z_95, Interval, clustered_wilson

FOLDS = 2
TOLERANCE = 0.03
OVERALL = "overall"


@dataclass(frozen=True)
class AttackResult:
    """How one attack does on one task, or overall.

    `chance` is 1 / number of options, or for answers that are numbers the share of the most common one.
    `low_of_all` is the lower end of an interval that holds for all attacks of the audit together: the
    higher one of the two halves that were guessed from each other. Within a half guesses do not depend on
    each other; between the halves they do, as the same luck teaches one and is met in the other.
    """

    task: str
    attack: str
    questions: int
    accuracy: float
    interval: Interval
    low_of_all: float
    chance: float

    @property
    def leaks(self) -> bool:
        return self.accuracy > self.chance + TOLERANCE and self.low_of_all > self.chance

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "interval": list(self.interval), "leaks": self.leaks}


@dataclass(frozen=True)
class Outcome:
    """What one attack earned on one question: 1, 0, or the expectation where it draws lots."""

    item: str
    credit: float
    chance: float
    half: int = 0


def result(task: str, attack: str, outcomes: Sequence[Outcome], z_of_all: float) -> AttackResult:
    """The share right with intervals; recordings, not questions, are independent."""
    halves = [[o for o in outcomes if o.half == half] for half in range(FOLDS)]
    return AttackResult(
        task,
        attack,
        len(outcomes),
        float(np.mean([o.credit for o in outcomes])),
        _interval(outcomes, Z_95),
        max(_interval(half, z_of_all).low for half in halves if half),
        float(np.mean([o.chance for o in outcomes])),
    )


def _interval(outcomes: Sequence[Outcome], z: float) -> Interval:
    return clustered_wilson([o.credit for o in outcomes], [o.item for o in outcomes], z)


def chance(rows: Sequence[QuestionRow]) -> float:
    """What a guesser expects who knows the task but not the question."""
    return sum(chances(rows)) / len(rows)


def chances(rows: Sequence[QuestionRow]) -> list[float]:
    """The same for each question of a task."""
    usual = Counter(row.answer for row in rows).most_common(1)[0][1] / len(rows)
    return [1 / len(row.options) if row.options else usual for row in rows]


def folds(
    rows: Sequence[QuestionRow], count: int = FOLDS
) -> Iterator[tuple[list[QuestionRow], list[QuestionRow]]]:
    """Questions to learn from and questions to guess, in turn; a recording is never in both."""
    items = sorted({row.item for row in rows})
    order = np.random.default_rng(0).permutation(len(items))
    fold_of = {items[i]: position % count for position, i in enumerate(order)}
    for fold in range(count):
        known = [row for row in rows if fold_of[row.item] != fold]
        asked = [row for row in rows if fold_of[row.item] == fold]
        if asked:
            yield known or asked, asked  # a single recording can only be learnt from itself
