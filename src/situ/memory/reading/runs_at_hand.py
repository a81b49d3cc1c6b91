"""Runs of frames that have been looked into, found by frame and by time without asking the file."""

from bisect import bisect_right
from collections.abc import Callable
from typing import Generic, TypeVar

from situ.memory.file.packing import PoseBlock

Kept = TypeVar("Kept")
_MOST_BLOCKS = 128  # a question that goes through more looks at each of them once


class RunsAtHand(Generic[Kept]):
    """What is kept of each run, of so many at most: then it begins anew."""

    def __init__(self, most: int, kept_of: Callable[[PoseBlock], Kept]) -> None:
        self._most, self._kept_of = most, kept_of
        self._first_frames: list[int] = []
        self._first_times: list[float] = []
        self._runs: list[tuple[int, float, Kept]] = []  # with the last frame and its time

    def add(self, block: PoseBlock) -> None:
        if not len(block.times):
            return
        first = int(block.frames[0])
        k = bisect_right(self._first_frames, first)
        if k and self._first_frames[k - 1] == first:
            return
        if len(self._runs) >= self._most:
            for column in (self._first_frames, self._first_times, self._runs):
                column.clear()
            k = 0
        self._first_frames.insert(k, first)
        self._first_times.insert(k, float(block.times[0]))
        self._runs.insert(k, (int(block.frames[-1]), float(block.times[-1]), self._kept_of(block)))

    def of(self, frame: int) -> Kept | None:
        """The run that holds a frame, if it is one of these."""
        k = bisect_right(self._first_frames, frame) - 1
        return self._runs[k][2] if k >= 0 and frame <= self._runs[k][0] else None

    def at(self, time: float) -> Kept | None:
        """The run in which a time falls; at its very end another may begin."""
        k = bisect_right(self._first_times, time) - 1
        return self._runs[k][2] if k >= 0 and time < self._runs[k][1] else None


def blocks_at_hand() -> RunsAtHand[PoseBlock]:
    """Whole runs: a question looks into the same few again and again."""
    return RunsAtHand(_MOST_BLOCKS, lambda block: block)
