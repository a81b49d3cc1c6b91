"""How often a thing is found where it is looked at: what is found in few looks is likely no thing at all."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from situ.memory.reading.state import MemoryState

_FRAMES = 256  # evenly of the whole path: enough to tell how often a place is looked at
# What lies so far ahead, and so far aside of each metre ahead, is in the picture of any usual camera.
_NEAREST_M, _FARTHEST_M, _ASIDE, _BELOW = 0.5, 5.0, 0.6, 0.45


def found_share(
    memory: "MemoryState",
    ids: NDArray[np.int64],
    believed: NDArray[np.float64],
    about: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of the frames that had the place of each in the picture while it was about (from, until), the share
    that show it, and how many they are; what stands in between is not known."""
    path, kept = memory.path, len(memory.path.numbers)
    if not kept or not len(ids):
        return np.zeros(len(ids)), np.zeros(len(ids))
    rows = np.unique(np.linspace(0, kept - 1, min(kept, _FRAMES)).round().astype(np.int64))
    poses, times, frames = path.poses[rows], path.times[rows], path.numbers[rows]
    away = (believed[None] - poses[:, None, :3, 3]).astype(np.float32)
    right, down, ahead = np.moveaxis(away @ poses[:, :3, :3].astype(np.float32), 2, 0)
    inside = (ahead > _NEAREST_M) & (ahead < _FARTHEST_M)
    inside &= (np.abs(right) < _ASIDE * ahead) & (np.abs(down) < _BELOW * ahead)
    inside &= (times[:, None] >= about[0]) & (times[:, None] <= about[1])
    frame, column = np.nonzero(inside)
    shown = memory.observed.shown(ids[column], frames[frame])
    looks, seen = (np.bincount(k, minlength=len(ids)) for k in (column, column[shown]))
    return (seen + 0.5) / (looks + 1.0), looks.astype(float)
