"""What tells whether a move that a memory tells of did happen, and how many nobody saw.

The weights were learned on generated days with known truth (`python -m benchmarks.moves --write`).
"""

import math
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from situ.questions.rules.moves import Move

if TYPE_CHECKING:
    from situ.memory.reading.state import MemoryState

MOVES = (
    "one", "by wearer", "out of sight", "log metres", "log metres x by wearer", "log seen before",
    "log seen after", "log odds", "fixed", "log seconds", "log longest side",
)  # fmt: skip
_MOST_LOOKS = 40  # at a thing before and after a move; more tell nothing new
_LEAST_M = 0.05  # added to lengths before their logarithm: what stays put has one too


def move_features(state: "MemoryState", move: Move) -> tuple[float, ...]:
    """Of one move, in the order of `MOVES`."""
    view = move.view
    after = before = 0
    for seen in islice(reversed(state.sightings(view.id)), 8 * _MOST_LOOKS):
        after += seen.time > move.arrived
        before += seen.time < move.left
        if before >= _MOST_LOOKS:
            break
    by, away = float(move.by_wearer), 0.0 if move.after is None else math.log(_LEAST_M + move.distance_m)
    presence = min(max(view.presence, 1e-3), 1 - 1e-3)
    return (
        1.0, by, float(move.after is None), away, away * by,
        math.log1p(before), math.log1p(min(after, _MOST_LOOKS)),
        math.log(presence / (1.0 - presence)), float(getattr(view, "motion", "") == "fixed"),
        math.log1p(max(0.0, move.arrived - move.left)), math.log(_LEAST_M + view.box.longest_side),
    )  # fmt: skip


def poisson_levels(mean: float, level: NDArray[np.float64]) -> NDArray[np.int64]:
    """The numbers that a Poisson distribution has at some levels between 0 and 1."""
    found, below, share, k = np.zeros(len(level), np.int64), 0.0, math.exp(-mean), 0
    while below < level.max() and k < 100:
        below += share
        k += 1
        share *= mean / k
        found += level > below
    return found
