"""The frames that show an object best, and which look-alikes were seen side by side."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.memory.belief import norm3
from situ.memory.tracks import KEYFRAMES, Table

_APART_S = 5.0  # two best frames are at least this far apart
_SIDE_BY_SIDE_M = 1.5


@njit(cache=True)
def best_frames(
    rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32], time: float
) -> NDArray[np.float64]:
    """For each observation its quality if the frame is among the best of its object, else 0."""
    best = np.zeros(observed.shape[0])
    for i in range(observed.shape[0]):
        row, seen = rows[chosen[i]], observed[i]
        if time - row.key_time < _APART_S:
            continue
        quality = seen.score * seen.clarity / (1.0 + norm3(seen.offset) / 3.0)
        worst = 0
        for k in range(1, KEYFRAMES):
            if row.key_quality[k] < row.key_quality[worst]:
                worst = k
        if quality > row.key_quality[worst]:
            row.key_quality[worst] = quality
            row.key_time = time
            best[i] = quality
    return best


@njit(cache=True)
def seen_together(
    rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32]
) -> list[tuple[int, int]]:
    """Pairs of objects under one label that stand close and share the frame: surely two things."""
    pairs = [(0, 0)]
    pairs.clear()
    for i in range(observed.shape[0]):
        for j in range(i):
            if observed[i].label != observed[j].label:
                continue
            a, b = observed[i].position, observed[j].position
            apart = math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
            if apart < _SIDE_BY_SIDE_M:
                first, second = rows[chosen[i]].id, rows[chosen[j]].id
                pairs.append((min(first, second), max(first, second)))
    return pairs
