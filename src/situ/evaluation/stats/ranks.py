"""Ranks that a set can tell: who may stand where, given which differences are real."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from situ.evaluation.stats.paired import Comparison, holm_known

LEVEL = 0.05


class Rank(NamedTuple):
    """The place by score, and the first and last place that the set does not rule out."""

    place: int
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.place}" if self.first == self.last else f"{self.place} ({self.first}–{self.last})"


def ranks(scores: Sequence[float], pairs: Mapping[tuple[int, int], Comparison]) -> list[Rank]:
    """A rank for each score. `pairs` maps (a, b) to B − A; p-values are corrected over all of them.

    A system may be at place 1 + (systems shown to be better) at best, and at n − (systems shown to be worse)
    at worst. A pair without a p-value, for want of recordings, shows nothing.
    """
    corrected = holm_known([pair.p for pair in pairs.values()])
    better = [0] * len(scores)
    worse = [0] * len(scores)
    for ((a, b), pair), p in zip(pairs.items(), corrected, strict=True):
        if p is None or p >= LEVEL:
            continue
        winner, loser = (b, a) if pair.difference > 0 else (a, b)
        better[loser] += 1
        worse[winner] += 1
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    place = {i: 1 + sum(scores[j] > scores[i] for j in order) for i in order}
    return [Rank(place[i], 1 + better[i], len(scores) - worse[i]) for i in range(len(scores))]
