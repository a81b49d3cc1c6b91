"""Comparing two runs on the same questions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.errors import BadInput
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.stats import student
from situ.evaluation.stats.aggregate import Aggregate, Floats, totals
from situ.evaluation.stats.clusters import Clustered, clustered
from situ.evaluation.stats.intervals import Interval, one_each

CONFIDENCE = 0.95
OVER_RECORDINGS, MCNEMAR = "t over recordings", "exact McNemar"


@dataclass(frozen=True)
class Comparison:
    """Run B against run A on the questions that both have.

    `p` is that of `test`: Student's t over recordings, or McNemar's exact test where every recording has one
    question. `interval` is that of B − A. Both are None where there are too few recordings.
    """

    questions: int
    items: int
    score_a: float
    score_b: float
    interval: Interval | None
    only_a: int
    only_b: int
    p: float | None
    test: str

    @property
    def difference(self) -> float:
        return self.score_b - self.score_a


def compare(a: Sequence[AnswerRecord], b: Sequence[AnswerRecord], aggregate: Aggregate) -> Comparison:
    """Paired comparison of the questions that both runs have."""
    mine, theirs = _shared(a, b)
    tasks, items, sums_a, counts = totals(mine)
    _, _, sums_b, _ = totals(theirs)
    only_a = sum(x.points > y.points for x, y in zip(mine, theirs, strict=True))
    only_b = sum(x.points < y.points for x, y in zip(mine, theirs, strict=True))
    interval, p = paired_test(aggregate, tasks, sums_b - sums_a, counts)
    test = OVER_RECORDINGS
    if not aggregate.macro and one_each(sums_a, counts) and one_each(sums_b, counts):
        p, test = mcnemar(only_a, only_b), MCNEMAR
    scores = aggregate.score(mine), aggregate.score(theirs)
    return Comparison(len(mine), len(items), *scores, interval, only_a, only_b, p, test)


def _shared(
    a: Sequence[AnswerRecord], b: Sequence[AnswerRecord]
) -> tuple[list[AnswerRecord], list[AnswerRecord]]:
    of_a, of_b = {r.id: r for r in a}, {r.id: r for r in b}
    shared = sorted(of_a.keys() & of_b.keys())
    if not shared:
        raise BadInput("the two runs share no question; compare runs on the same question set")
    keys_differ = [i for i in shared if of_a[i].key != of_b[i].key]
    if keys_differ:
        raise BadInput(
            f"the two runs disagree about the right answer of {len(keys_differ)} questions (first: "
            f"{keys_differ[0]}); they come from different question sets"
        )
    return [of_a[i] for i in shared], [of_b[i] for i in shared]


def paired_test(
    aggregate: Aggregate, tasks: Sequence[str], gaps: Floats, counts: Floats
) -> tuple[Interval | None, float | None]:
    """Interval and p-value of a difference from the gaps in points of each recording in each task."""
    found = clustered(aggregate, tasks, gaps, counts)
    if found is None:
        return None, None
    differing = int((gaps != 0).any(axis=1).sum())
    if differing == 0:
        return _at_least(found, 0.0), 1.0
    error = math.sqrt(found.variance)
    # The signs of n recordings that differ can all agree by chance in 2 of 2^n cases: no p is below that.
    least = 2.0 ** (1 - differing)
    tail = 2 * student.tail(abs(found.value) / error, found.freedom) if error > 0 else 0.0
    return _at_least(found, found.quantile(CONFIDENCE) * error), min(1.0, max(tail, least))


def _at_least(found: Clustered, half: float) -> Interval:
    """The interval, no narrower than what Wilson allows for a share that no recording showed."""
    alike = Clustered(found.value, np.zeros(1), found.shares)
    square = alike.quantile(CONFIDENCE) ** 2
    floor = square / (found.recordings + square) / 2 if half == 0.0 else 0.0
    half = max(half, floor)
    return Interval(max(-1.0, found.value - half), min(1.0, found.value + half))


def mcnemar(only_a: int, only_b: int) -> float:
    """Whether the questions that only one of the two got right split evenly: exact, for independent ones."""
    from scipy.special import bdtr  # loaded when needed: it is slow to import

    return min(1.0, 2 * float(bdtr(min(only_a, only_b), only_a + only_b, 0.5)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that may be read together."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return [float(p) for p in adjusted]


def holm_known(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction over the tests that could be made."""
    corrected = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(corrected) for p in p_values]
