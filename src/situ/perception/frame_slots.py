"""Frames handed to another process through memory that both share: a ring of slots that are used in turn.

The memory has no name and belongs to whoever has it open: nothing is left over, however a process ends.
"""

import mmap
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Vector
from situ.perception.odometry.depth_sampling import DepthUncertainty
from situ.perception.stages import InputFrame

Array = NDArray[Any]


@dataclass(frozen=True)
class Shared:
    """Where an array lies in the shared memory."""

    offset: int
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True, eq=False)
class HandedOver:
    """A frame without its pictures; these are in a slot, or come along where they do not fit into one."""

    index: int
    time: float
    rgb: Shared | Array
    depth: Shared | Array | None
    depth_uncertainty: DepthUncertainty
    up: Vector | None


class FrameSlots:
    """A view of the shared memory, from either side. Who writes makes sure that a slot was read before it is
    its turn again."""

    def __init__(self, file: int, count: int, slot_bytes: int) -> None:
        self._count, self._slot_bytes = count, slot_bytes
        self._memory = mmap.mmap(file, count * slot_bytes)
        self._written = 0

    def write(self, frame: InputFrame) -> HandedOver:
        start = self._written % self._count * self._slot_bytes
        self._written += 1
        end = start + self._slot_bytes
        rgb, middle = self._put(frame.rgb, start, end)
        depth = None if frame.depth is None else self._put(frame.depth, middle, end)[0]
        return HandedOver(frame.index, frame.time, rgb, depth, frame.depth_uncertainty, frame.up)

    def read(self, handed: HandedOver) -> InputFrame:
        """The frame, in memory of its own."""
        depth = None if handed.depth is None else self._taken(handed.depth)
        return InputFrame(
            handed.index, handed.time, self._taken(handed.rgb), depth,
            depth_uncertainty=handed.depth_uncertainty, up=handed.up,
        )  # fmt: skip

    def close(self) -> None:
        """The mapping keeps the memory open: it goes when it is told to, not when somebody tidies up."""
        self._memory.close()

    def _put(self, array: Array, start: int, end: int) -> tuple[Shared | Array, int]:
        if start + array.nbytes > end:
            return array, start
        shared = Shared(start, array.shape, array.dtype.str)
        self._at(shared)[...] = array
        return shared, start + -(-array.nbytes // 64) * 64  # the next begins on a border of cache lines

    def _taken(self, given: Shared | Array) -> Array:
        return self._at(given).copy() if isinstance(given, Shared) else given

    def _at(self, shared: Shared) -> Array:
        return np.ndarray(shared.shape, shared.dtype, self._memory, shared.offset)


def slot_bytes_for(frame: InputFrame) -> int:
    """Room for frames like this one, with depth in single precision whether it has any or not."""
    pixels: int = frame.rgb.shape[0] * frame.rgb.shape[1]
    pages = -(-(frame.rgb.nbytes + 4 * pixels + 64) // mmap.PAGESIZE)
    return int(pages * mmap.PAGESIZE)
