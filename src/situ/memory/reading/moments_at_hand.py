"""When the frames were of runs that have been looked into: of a week, in a tenth of the room of poses."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple, Self

from situ.memory.file.packing import PoseBlock

_MOST = 8192  # runs, of two kilobytes each


class Moments(NamedTuple):
    """The numbers of the frames of a run, and their times."""

    frames: Sequence[int]
    times: Sequence[float]

    @classmethod
    def of(cls, block: PoseBlock) -> Self:
        first, last = int(block.frames[0]), int(block.frames[-1])
        whole = last - first + 1 == len(block.frames)  # nothing in between was forgotten
        frames = range(first, last + 1) if whole else array("q", block.frames.tobytes())
        return cls(frames, array("d", block.times.tobytes()))


class MomentsAtHand:
    """Found by frame and by time without asking the file."""

    def __init__(self) -> None:
        self._first_frames: list[int] = []
        self._first_times: list[float] = []
        self._runs: list[Moments] = []

    def add(self, block: PoseBlock) -> None:
        if not len(block.times):
            return
        first = int(block.frames[0])
        k = bisect_right(self._first_frames, first)
        if k and self._first_frames[k - 1] == first:
            return
        if len(self._runs) >= _MOST:
            for column in (self._first_frames, self._first_times, self._runs):
                column.clear()
            k = 0
        self._first_frames.insert(k, first)
        self._first_times.insert(k, float(block.times[0]))
        self._runs.insert(k, Moments.of(block))

    def of(self, frame: int) -> Moments | None:
        """The run that holds a frame, if it is one of these."""
        k = bisect_right(self._first_frames, frame) - 1
        return self._runs[k] if k >= 0 and frame <= self._runs[k].frames[-1] else None

    def at(self, time: float) -> Moments | None:
        """The run in which a time falls; at its very end another may begin."""
        k = bisect_right(self._first_times, time) - 1
        return self._runs[k] if k >= 0 and time < self._runs[k].times[-1] else None
