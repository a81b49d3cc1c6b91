"""Odds from possible worlds: of numbers, in closed form where objects are independent given what the worlds
share; of values that the worlds name; of measures, as intervals."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.questions.programs.run import Run, Value
from situ.questions.programs.table import Margins
from situ.state.protocol import LIKELY

UNKNOWN, LESS, MORE = "unknown", "less", "more"
# A measure is right if it is this near to the truth: in metres, or as a share.
CLOSE_M, CLOSE_SHARE = 0.3, 0.1
ROUGH_SHARE = 0.25  # where it is told roughly: what a scale that is known to an eighth allows
_LEAST_ODDS = 5e-4  # less likely numbers are not told
_SURE = 1e-4  # what is as sure as this is counted without a doubt
_MOST_COUNTED = 400  # doubtful objects; the number of more is told by its mean and spread


@dataclass(frozen=True)
class Tally:
    """How likely each number of things is in each world: `shares` (worlds, n + 1)."""

    shares: NDArray[np.float64]

    @classmethod
    def of(cls, run: Run, chances: Margins) -> "Tally":
        """Of a set, given how likely each object is in it in each world. What may be one object twice is
        counted once, and what was only glimpsed as likely as not."""
        columns = np.flatnonzero((chances > _SURE).any(axis=0))
        chances = chances[:, columns] * run.table.counted[columns]
        place = {int(column): k for k, column in enumerate(columns)}
        for double in run.table.doubles(columns.tolist()):
            k, of = place[double.column], place[double.of]
            chances[:, k] = chances[:, k] * (1.0 - double.chance * chances[:, of])
        return cls(poisson_binomial(chances))

    @property
    def mean(self) -> NDArray[np.float64]:
        """How likely each number is, over all worlds."""
        return np.asarray(self.shares.mean(axis=0))

    @property
    def value(self) -> int:
        """The likeliest number; of two as likely the smaller: what is only glimpsed does not count."""
        mean = self.mean
        return int(np.flatnonzero(mean >= mean.max() * (1 - 1e-9))[0])

    @property
    def odds(self) -> dict[str, float]:
        ranked = sorted(enumerate(self.mean.tolist()), key=lambda pair: (-pair[1], pair[0]))
        return {str(k): share for k, share in ranked if share >= _LEAST_ODDS}

    def against(self, other: "Tally") -> dict[int, float]:
        """How likely each difference to another number is, world by world."""
        odds: dict[int, float] = defaultdict(float)
        for mine, theirs in zip(self.shares, other.shares, strict=True):
            joint = np.convolve(mine, theirs[::-1]) / len(self.shares)
            for k in np.flatnonzero(joint > 1e-9).tolist():
                odds[k - len(theirs) + 1] += float(joint[k])
        return odds


def poisson_binomial(chances: Margins) -> NDArray[np.float64]:
    """How likely so many of some independent things are (worlds, n + 1)."""
    worlds, number = chances.shape
    certain = (chances >= 1 - _SURE).all(axis=0)
    base, doubtful = int(certain.sum()), chances[:, ~certain][:, :_MOST_COUNTED]
    shares = np.zeros((worlds, number + 1))
    shares[:, base] = 1.0
    for k, p in enumerate(doubtful.T):
        part = shares[:, base : base + k + 2]  # more than those so far there cannot be
        moved = part[:, :-1] * p[:, None]
        part *= 1.0 - p[:, None]
        part[:, 1:] += moved
    return shares


def voted(run: Run, values: Sequence[Value | None]) -> tuple[Value, dict[str, float]]:
    """The value that most worlds give, and the odds of all; None is not known in a world. So many worlds
    cannot tell what is certain from what nearly is: one more that disagreed would still be believed in."""
    known = [value for value in values if value is not None]
    if not known:
        raise Unanswerable("what this asks is not known")
    counts, kinds = Counter(map(str, known)), {str(value): value for value in known}
    total = len(values) if run.table.certain else len(values) + 1
    odds = {value: count / total for value, count in counts.most_common()}
    if (rest := 1.0 - sum(odds.values())) > 1e-9:
        odds[UNKNOWN] = rest
    best = max(counts.values())
    return kinds[min((value for value in counts if counts[value] == best), key=_order)], odds


def _order(value: str) -> tuple[float, str]:
    try:
        return float(value), value
    except ValueError:
        return math.inf, value


@dataclass(frozen=True)
class Measured:
    """A measure over the worlds: the value that most of them are close to, its odds, and the interval that
    holds it nine times in ten."""

    value: float
    odds: Mapping[str, float]
    confidence: float
    interval: tuple[float, float]


def measured(
    run: Run, values: NDArray[np.float64], close: float = CLOSE_M, digits: int = 1, rough: bool = False
) -> Measured:
    """Of a number in each world (S,), NaN where it is not known. If `rough`, one that is not known closely is
    told roughly."""
    known = values[np.isfinite(values)]
    if not len(known):
        raise Unanswerable("what this asks is not known")
    total = len(values) if run.table.certain else len(values) + 1
    # The middle of the values has the most neighbours where there is one thing, and may lie between two.
    offers = np.unique(np.quantile(known, [0.5, 0.25, 0.75], method="nearest"))
    middle = float(np.median(known))
    for share in (CLOSE_SHARE, ROUGH_SHARE) if rough else (CLOSE_SHARE,):
        near = [np.abs(known - offer) <= max(close, share * abs(offer)) for offer in offers]
        best = max(range(len(offers)), key=lambda k: (int(near[k].sum()), -abs(offers[k] - middle)))
        value, inside = float(offers[best]), near[best]
        right = float(inside.sum()) / total
        if right > LIKELY:
            break
    told = {
        _text(round(value, digits)): right,
        MORE: float((known[~inside] > value).sum()) / total,
        LESS: float((known[~inside] < value).sum()) / total,
        UNKNOWN: 1.0 - len(known) / total,
    }
    low, high = np.quantile(known, [0.05, 0.95]).tolist()
    odds = {name: share for name, share in told.items() if share > 1e-9}
    return Measured(round(value, digits), odds, right, (round(low, 2), round(high, 2)))


def _text(value: float) -> str:
    return str(value)
