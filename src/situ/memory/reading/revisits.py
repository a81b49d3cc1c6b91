"""Whether the wearer was at a spot before, in days of frames: runs of frames are known by where they led, and
few are looked into."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path import Passing, latest_visit
from situ.memory.file.packing import PoseBlock, first_of_each_cell
from situ.memory.reading.history import History

_THINNED_M = 0.6  # no spot of a run is farther than this from one that is kept of it


class Trace(NamedTuple):
    """Where a run of frames led: its spots, thinned, and the box around them."""

    spots: NDArray[np.float64]
    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def of(cls, block: PoseBlock) -> "Trace":
        ground = block.positions[:, :2]
        spots = ground[first_of_each_cell(ground, np.zeros(len(ground), np.int64))]
        (x, y), (u, v) = ground.min(axis=0).tolist(), ground.max(axis=0).tolist()
        return cls(spots, (x, y), (u, v))

    def least_m(self, x: float, y: float, wanted_m: float) -> float:
        """No frame of the run was nearer to a spot than this; worked out no better than it takes to see that
        none was as near as wanted."""
        aside = max(self.low[0] - x, x - self.high[0], 0.0), max(self.low[1] - y, y - self.high[1], 0.0)
        least = math.hypot(*aside)
        if least > wanted_m:
            return least
        gaps = np.hypot(self.spots[:, 0] - x, self.spots[:, 1] - y)
        return max(least, float(gaps.min()) - _THINNED_M)

    def most_m(self, x: float, y: float) -> float:
        """No frame of the run was farther from a spot than this."""
        aside = max(x - self.low[0], self.high[0] - x), max(y - self.low[1], self.high[1] - y)
        return math.hypot(*aside)


def came_by(
    history: History, here: tuple[float, float], last_frame: int, near_m: float, away_m: float
) -> Passing | None:
    """See `Path.came_by`. Where nobody came that near, the gap is at most the true one, and the frame one of
    those about it."""
    left, nearest, least = -1, -1, math.inf
    for first, frames in reversed(history.run_lengths(last_frame, -math.inf)):
        trace = trace_of(history, first, frames)
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


def trace_of(history: History, first: int, frames: int) -> Trace:
    """Where a run of frames led, read once."""
    known: Trace | None = history.cached.traces.get((first, frames))
    if known is None:
        block = history.block_of(first)
        assert block is not None
        known = history.cached.traces[(first, frames)] = Trace.of(block)
    return known


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
