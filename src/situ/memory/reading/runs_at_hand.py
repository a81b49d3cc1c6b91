"""Runs of frames that a question has looked into: it looks into the same few again and again."""

from bisect import bisect_right

from situ.memory.file.packing import PoseBlock

_MOST = 128  # a question that goes through more looks at each of them once


class RunsAtHand:
    """Found by frame and by time without asking the file."""

    def __init__(self) -> None:
        self._first_frames: list[int] = []
        self._first_times: list[float] = []
        self._runs: list[tuple[int, float, PoseBlock]] = []  # with the last frame and its time

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
        self._runs.insert(k, (int(block.frames[-1]), float(block.times[-1]), block))

    def of(self, frame: int) -> PoseBlock | None:
        """The run that holds a frame, if it is one of these."""
        k = bisect_right(self._first_frames, frame) - 1
        return self._runs[k][2] if k >= 0 and frame <= self._runs[k][0] else None

    def at(self, time: float) -> PoseBlock | None:
        """The run in which a time falls; at its very end another may begin."""
        k = bisect_right(self._first_times, time) - 1
        return self._runs[k][2] if k >= 0 and time < self._runs[k][1] else None
