"""Intervals for scores: Wilson for shares of independent questions, bootstrap over recordings for all scores.

Questions about one recording stand or fall together, so recordings are what is drawn again.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from situ.evaluate.answer import AnswerRecord
from situ.evaluate.stats.aggregate import Aggregate, Floats, totals

Z_95 = 1.959963984540054
DRAWS = 2000


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
    return Interval(max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def draws_of(clusters: int, draws: int = DRAWS, seed: int = 0) -> Floats:
    """How often each cluster is drawn in each resample, (draws, clusters)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=draws).astype(float)


def cluster_bootstrap(records: Sequence[AnswerRecord], aggregate: Aggregate, draws: int = DRAWS) -> Interval:
    """95 % interval of a score by drawing recordings with replacement.

    Where every question earned the same the bootstrap has nothing to vary; then the Wilson interval is given.
    """
    if not records:
        return Interval(0.0, 1.0)
    tasks, items, sums, counts = totals(records)
    points = {record.points for record in records}
    if len(items) == 1 or len(points) == 1:
        return wilson(float(sums.sum()), len(records))
    drawn = draws_of(len(items), draws)
    return percentiles(aggregate.value(tasks, drawn @ sums, drawn @ counts))


def percentiles(values: Floats) -> Interval:
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))


def simultaneous_z(comparisons: int, confidence: float = 0.95) -> float:
    """The z at which that many independent intervals all hold with the given confidence (Šidák)."""
    each = confidence ** (1 / max(1, comparisons))
    return NormalDist().inv_cdf(0.5 + each / 2)


def clustered_wilson(right: Sequence[bool], clusters: Sequence[str], z: float = Z_95) -> Interval:
    """Wilson interval for answers that come in clusters, such as all questions about one recording.

    Answers of one cluster tend to be right or wrong together, so they count for less than as many
    independent ones: both numbers are divided by the design effect.
    """
    total, share = len(right), sum(right) / max(1, len(right))
    if not 0.0 < share < 1.0:
        return wilson(sum(right), total, z)
    excess: dict[str, float] = {}
    for answer, cluster in zip(right, clusters, strict=True):
        excess[cluster] = excess.get(cluster, 0.0) + answer - share
    effect = max(1.0, sum(e * e for e in excess.values()) / (total * share * (1 - share)))
    return wilson(sum(right) / effect, total / effect, z)
