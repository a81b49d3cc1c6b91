"""When the frames were of runs that have been looked into: of a week, in a tenth of the room of poses."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple, Self

from situ.memory.file.packing import PoseBlock
from situ.memory.reading.runs_at_hand import RunsAtHand

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


def moments_at_hand() -> RunsAtHand[Moments]:
    return RunsAtHand(_MOST, Moments.of)
