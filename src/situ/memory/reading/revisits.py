"""Whether the wearer was at a spot before, in days of frames: runs of frames are known by where they led, and
few are looked into."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path import Passing, latest_visit
from situ.memory.file.packing import PoseBlock
from situ.memory.reading.history import History


def came_by(
    history: History, here: tuple[float, float], last_frame: int, near_m: float, away_m: float
) -> Passing | None:
    """See `Path.came_by`. Where nobody came that near, the gap is at most the true one, and the frame one of
    those about it."""
    left, nearest, least = -1, -1, math.inf
    for first, frames in reversed(history.run_lengths(last_frame, -math.inf)):
        trace = history.trace(first, frames)
        if left < 0 and trace.most_m(*here) > away_m:
            left = _last_beyond(history, first, here, last_frame, away_m)
        if left < 0:
            continue
        gap = trace.least_m(*here, near_m)
        if gap <= near_m:
            found = _nearest_in(history, first, here, left, near_m)
            if found is not None and found.gap_m <= near_m:
                return found
            gap = math.inf if found is None else found.gap_m
        if gap < least:
            nearest, least = first, gap
    if left < 0:
        return None
    block = history.block_of(max(nearest, 0))
    return Passing(max(nearest, 0), history.start if block is None else float(block.times[0]), least)


def _last_beyond(
    history: History, first: int, here: tuple[float, float], last_frame: int, away_m: float
) -> int:
    """The last frame of a run that is farther from a spot than a distance, -1 if there is none."""
    block = history.block_of(first)
    assert block is not None
    beyond = np.flatnonzero((_gaps(block, here) > away_m) & (block.frames <= last_frame))
    return int(block.frames[beyond[-1]]) if len(beyond) else -1


def _nearest_in(
    history: History, first: int, here: tuple[float, float], before: int, near_m: float
) -> Passing | None:
    """The nearest that a run came to a spot before a frame, on the latest visit if there was one."""
    block = history.block_of(first)
    assert block is not None
    gaps = _gaps(block, here)[block.frames < before]
    if not len(gaps):
        return None
    k = latest_visit(gaps, near_m)
    return Passing(int(block.frames[k]), float(block.times[k]), float(gaps[k]))


def _gaps(block: PoseBlock, here: tuple[float, float]) -> NDArray[np.float64]:
    gaps: NDArray[np.float64] = np.hypot(block.positions[:, 0] - here[0], block.positions[:, 1] - here[1])
    return gaps
