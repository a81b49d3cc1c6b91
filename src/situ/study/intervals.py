"""Confidence intervals over people and recordings.

Answers of one person are correlated, and so are answers about one recording. The variance of a score is that
over people plus that over recordings minus that over their pairs (two-way clustering, Cameron, Gelbach and
Miller), and at least as large as each of the first two. A score p with variance V is worth p (1 - p) / V
independent answers, as in `evaluation/stats/intervals.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.stats.aggregate import Aggregate
from situ.evaluation.stats.clusters import Clustered, clustered
from situ.evaluation.stats.intervals import Interval, wilson

TOO_FEW_PEOPLE = "over recordings alone: too few people for an interval over people"


@dataclass(frozen=True)
class Vote:
    """A scored answer of one person."""

    person: int
    record: AnswerRecord

    @property
    def points(self) -> float:
        return self.record.points


@dataclass(frozen=True)
class Spread:
    """A score with its variance over people and recordings, and the numbers of both."""

    value: float
    variance: float
    freedom: float
    worth_at_most: float

    @property
    def quantile(self) -> float:
        from scipy.special import stdtrit  # slow to import

        return float(stdtrit(self.freedom, 0.975))


def spread_of(votes: Sequence[Vote], values: Sequence[float], aggregate: Aggregate) -> Spread | None:
    """Score and variance; None with fewer than four people or recordings, which do not determine a
    variance."""
    people = _clusters(votes, values, [str(v.person) for v in votes], aggregate)
    recordings = _clusters(votes, values, [v.record.item for v in votes], aggregate)
    if people is None or recordings is None:
        return None
    pairs = _clusters(votes, values, [f"{v.person} {v.record.item}" for v in votes], aggregate)
    shared = pairs.variance if pairs is not None else 0.0
    variance = max(people.variance + recordings.variance - shared, people.variance, recordings.variance)
    freedom = min(people.freedom, recordings.freedom)
    return Spread(people.value, variance, freedom, min(people.recordings, recordings.recordings))


def share_interval(found: Spread) -> Interval:
    """Wilson interval of a share of points, which stays within 0 and 1."""
    value = min(1.0, max(0.0, found.value))
    apart = value * (1 - value)
    worth = apart / found.variance if apart > 0 and found.variance > 0 else found.worth_at_most
    return wilson(value * worth, worth, found.quantile)


def mean_interval(found: Spread) -> Interval:
    """Interval of any mean."""
    half = found.quantile * math.sqrt(found.variance)
    return Interval(found.value - half, found.value + half)


def _clusters(
    votes: Sequence[Vote], values: Sequence[float], names: Sequence[str], aggregate: Aggregate
) -> Clustered | None:
    rows = {name: i for i, name in enumerate(dict.fromkeys(names))}
    tasks = sorted({vote.record.task for vote in votes})
    column = {task: i for i, task in enumerate(tasks)}
    sums, counts = np.zeros((len(rows), len(tasks))), np.zeros((len(rows), len(tasks)))
    for vote, value, name in zip(votes, values, names, strict=True):
        sums[rows[name], column[vote.record.task]] += value
        counts[rows[name], column[vote.record.task]] += 1
    return clustered(aggregate, tasks, sums, counts)
