"""The frames that show an object best."""

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
