"""When the frames were of runs that have been looked into: of a week, in a tenth of the room of poses."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

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

    @classmethod
    def whole(cls, times: NDArray[np.float64]) -> Self:
        """Of frames that go by their places in the list."""
        return cls(range(len(times)), array("d", times.tobytes()))


def moments_at_hand() -> RunsAtHand[Moments]:
    return RunsAtHand(_MOST, Moments.of)
