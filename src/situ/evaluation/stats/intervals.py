"""Intervals of scores: Wilson's, with the number of independent answers that the recordings are worth.

Over many questions of few recordings the plain interval is far too narrow. Here a score p with the clustered
variance V is taken for p (1 − p) / V independent answers, and Student's t takes the place of the normal
quantile. `benchmarks/coverage.py` shows that the intervals hold what they promise, from 4 recordings on.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.stats.aggregate import MICRO, Aggregate, Floats, totals
from situ.evaluation.stats.clusters import LEAST_RECORDINGS, Clustered, clustered

Z_95 = 1.959963984540054
TOO_FEW = "too few recordings for an interval"


class Interval(NamedTuple):
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def wilson(right: float, total: float, z: float = Z_95) -> Interval:
    """Wilson score interval of a share: honest for small samples and near 0 and 1."""
    if total == 0:
        return Interval(0.0, 1.0)
    share = right / total
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    middle = share + z * z / (2 * total)
    scale = 1 + z * z / total
    low = 0.0 if share <= 0 else max(0.0, (middle - spread) / scale)
    return Interval(low, 1.0 if share >= 1 else min(1.0, (middle + spread) / scale))


def interval_of(records: Sequence[AnswerRecord], aggregate: Aggregate) -> Interval | None:
    """95 % interval of a score over recordings; None where there are too few of them."""
    return score_interval(aggregate, *without_items(records)) if records else None


def without_items(records: Sequence[AnswerRecord]) -> tuple[list[str], Floats, Floats]:
    tasks, _, sums, counts = totals(records)
    return tasks, sums, counts


def score_interval(
    aggregate: Aggregate, tasks: Sequence[str], sums: Floats, counts: Floats, z: float = Z_95
) -> Interval | None:
    """The interval of a score from the points and questions of each recording (rows) in each task.

    None where recordings are too few, also if each has but one question: one right answer is 21 to 100 %, and
    holds a true 90 % in nine of ten sets.
    """
    if not aggregate.macro and one_each(sums, counts):
        if len(sums) < LEAST_RECORDINGS:
            return None
        return wilson(float(sums.sum()), float(counts.sum()), z)
    found = clustered(aggregate, tasks, sums, counts)
    if found is None:
        return None
    quantile = found.quantile(2 * NormalDist().cdf(z) - 1)
    worth = _independent_answers(found, _deviating(sums, counts))
    if worth is None:  # all but one recording are alike: each counts as one answer, right or wrong
        worth = found.recordings
        quantile = Clustered(found.value, np.zeros(1), found.shares).quantile(2 * NormalDist().cdf(z) - 1)
    value = min(1.0, max(0.0, found.value))
    return wilson(value * worth, worth, quantile)


def one_each(sums: Floats, counts: Floats) -> bool:
    """Whether every recording has one question, right or wrong: then answers are independent."""
    return bool((counts.sum(axis=1) == 1).all() and np.isin(sums, (0.0, 1.0)).all())


def _deviating(sums: Floats, counts: Floats) -> int:
    """How many recordings are not all right, or not all wrong, whichever are fewer."""
    points, questions = sums.sum(axis=1), counts.sum(axis=1)
    return int(min((points < questions).sum(), (points > 0).sum()))


def _independent_answers(found: Clustered, deviating: int) -> float | None:
    """How many independent answers the questions are worth; None where too little varies to tell."""
    spread = found.value * (1 - found.value)
    if spread <= 0 or found.variance <= 0:
        return None
    worth = spread / found.variance
    return worth if deviating > 1 or worth < found.recordings else None


def clustered_wilson(right: Sequence[float], clusters: Sequence[str], z: float = Z_95) -> Interval:
    """The interval of a share whose answers come in clusters; everything is possible where these are few."""
    names = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    sums, counts = np.zeros((len(names), 1)), np.zeros((len(names), 1))
    for answer, cluster in zip(right, clusters, strict=True):
        sums[names[cluster]] += answer
        counts[names[cluster]] += 1
    return score_interval(MICRO, [""], sums, counts, z) or Interval(0.0, 1.0)
