"""The frames that show an object best, and which look-alikes were seen side by side."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.sightings import PICTURES
from situ.memory.tables.tracks import KEYFRAMES, Table
from situ.memory.tracker.belief import norm3


@njit(cache=True)
def view_quality(score: float, clarity: float, offset: NDArray[np.float64]) -> float:
    """Surely named, clearly seen and near."""
    quality: float = score * clarity / (1.0 + norm3(offset) / 3.0)
    return quality


@njit(cache=True)
def best_frames(
    rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32], time: float, best: NDArray[np.float64]
) -> bool:
    """For each observation its quality if the frame is among the best of its object, else 0."""
    some = False
    for i in range(observed.shape[0]):
        if chosen[i] < 0:
            continue
        row, seen = rows[chosen[i]], observed[i]
        if time - row.key_time < PICTURES.apart_s:
            continue
        quality = view_quality(seen.score, seen.clarity, seen.offset)
        worst = 0
        for k in range(1, KEYFRAMES):
            if row.key_quality[k] < row.key_quality[worst]:
                worst = k
        if quality > row.key_quality[worst]:
            row.key_quality[worst] = quality
            row.key_time = time
            best[i] = quality
            some = True
    return some


@njit(cache=True)
def seen_together(
    rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32], pairs: NDArray[np.int64]
) -> int:
    """Pairs of objects that stand close and share the frame: surely two things. The count of them, which may
    be more than there is room for."""
    count = 0
    for i in range(observed.shape[0]):
        for j in range(i):
            a, b = observed[i].position, observed[j].position
            apart = math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
            if apart < (
                PICTURES.side_by_side_m if observed[i].label == observed[j].label else PICTURES.in_one_place_m
            ):
                first, second = rows[chosen[i]].id, rows[chosen[j]].id
                if count < pairs.shape[0]:
                    pairs[count, 0], pairs[count, 1] = min(first, second), max(first, second)
                count += 1
    return count
