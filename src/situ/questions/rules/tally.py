"""How many of several things: the odds of each number, from the probability of each thing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from situ.state.protocol import Candidate

_SURE = 1e-4  # what is as sure as this is counted without a doubt
_LEAST_ODDS = 5e-4  # less likely numbers are not told


class Tally:
    """The distribution of a number of things (Poisson binomial); `value` is its mode.

    Of two numbers that are equally likely the smaller is meant: what is only glimpsed does not count.
    """

    def __init__(self, chances: Sequence[float]) -> None:
        doubtful = [p for p in chances if _SURE < p < 1 - _SURE]
        self.least = sum(p >= 1 - _SURE for p in chances)
        self.shares: NDArray[np.float64] = np.array([1 - doubtful[0], doubtful[0]] if doubtful else [1.0])
        for p in doubtful[1:]:
            self.shares = np.convolve(self.shares, (1 - p, p))
        shares = self.shares.tolist()
        least = max(shares) * (1 - 1e-9)
        self.value = self.least + next(k for k, share in enumerate(shares) if share >= least)

    @property
    def odds(self) -> dict[str, float]:
        """The likeliest numbers with their probabilities, likeliest first."""
        ranked = sorted(enumerate(self.shares.tolist()), key=lambda item: (-item[1], item[0]))
        return {str(self.least + k): share for k, share in ranked if share >= _LEAST_ODDS}

    def more_than(self, other: "Tally") -> tuple[float, float]:
        """The probabilities that this number is larger than another, and that they are equal."""
        ahead = self.least - other.least
        joint = np.outer(self.shares, other.shares)
        gaps = ahead + np.subtract.outer(np.arange(len(self.shares)), np.arange(len(other.shares)))
        return float(joint[gaps > 0].sum()), float(joint[gaps == 0].sum())


def surest(found: Sequence[Candidate], chances: Sequence[float], number: int) -> tuple[Candidate, ...]:
    """The so many things that most likely are the ones counted, by id."""
    order = sorted(range(len(found)), key=lambda k: (-chances[k], found[k].id))[:number]
    return tuple(found[k] for k in sorted(order, key=lambda k: found[k].id))


def first_shares(chances: Sequence[float]) -> list[float]:
    """For things in order, how likely each is the first of those that are there at all."""
    shares, none = [], 1.0
    for p in chances:
        shares.append(none * p)
        none *= 1.0 - p
    return shares
