"""Levels of doubt, one for each world: spread evenly over a distribution, in an order of their own.

What is uncertain together shares a level, in part or whole; the mean of a chance over worlds does not change.
"""

import math
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from situ.state.protocol import LIKELY

ORDERS = 4093  # orders of the levels to pick from; a prime, so that neighbours in number get unlike ones
# Odd, so that no two doubts go together.
_STEPS = (1, 577, 1153, 1733, 2311, 2887, 3467, 3733, 3907, 4001, 1447, 2099, 2693)
_FIRST = tuple(97 * k for k in range(len(_STEPS)))
_NORMAL = NormalDist()
_CERTAIN = 1e-6  # a chance that is nearer to 0 or 1 is no doubt


def given_shared(
    chance: float | NDArray[np.float64], shared: NDArray[np.float64], weight: float
) -> NDArray[np.float64]:
    """A chance in each world, given a doubt that it shares with others: the mean over worlds stays (S,). Of
    many chances it is (S, n), where the levels are a column."""
    grid, below = _normal_shares()
    chance = np.asarray(chance)
    point, own = np.interp(chance, below, grid), math.sqrt(1.0 - weight * weight)
    found = np.interp((point - weight * shared) / own, grid, below)
    sure = (chance <= _CERTAIN) | (chance >= 1 - _CERTAIN)
    return np.where(sure, (chance > LIKELY).astype(float), found)


@cache
def _normal_shares() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points, and how much of a normal distribution lies below each."""
    grid = np.linspace(-8, 8, 3201)
    return grid, np.array([_NORMAL.cdf(x) for x in grid.tolist()])


@cache
def shared_level(count: int, *words: str) -> NDArray[np.float64]:
    """A normal level for each world, evenly spread, in an order of its own for what it is about (S,)."""
    seed = 0
    for letter in "|".join(words):
        seed = (seed * 131 + ord(letter)) % 1_000_003
    return normal_levels(count)[np.random.default_rng(seed).permutation(count)]


def strata(count: int, doubt: int, numbers: int | NDArray[np.int64]) -> NDArray[np.uint16]:
    """In each world the stratum of a doubt about objects of some numbers (S, ...)."""
    orders = (_STEPS[doubt] * np.asarray(numbers) + _FIRST[doubt]) % ORDERS
    return np.asarray(level_orders(count)[:, orders])


@cache
def level_orders(count: int) -> NDArray[np.uint16]:
    """Orders of the levels at random (count, orders)."""
    rows = np.tile(np.arange(count, dtype=np.uint16), (ORDERS, 1))
    return np.ascontiguousarray(np.random.default_rng(0).permuted(rows, axis=1).T)


@cache
def normal_levels(count: int) -> NDArray[np.float64]:
    """The middle of each stratum of a normal distribution, scaled to a variance of 1."""
    levels = np.array([_NORMAL.inv_cdf((k + 0.5) / count) for k in range(count)])
    return np.asarray(levels / levels.std())
