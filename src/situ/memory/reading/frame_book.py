"""When every frame was taken, and from where, in columns that are read once; see `version_book`."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database
from situ.memory.file.packing import PoseBlock
from situ.memory.reading.moments import Moments

_LENGTH = "SELECT coalesce(sum(frames), 0) FROM chunk"
_RUNS = "SELECT first_frame, poses FROM chunk ORDER BY first_frame"
# Frames of up to 150 bytes each; every connection keeps its own. A week at 1 fps is 600,000.
_MOST = 1_000_000


@dataclass(frozen=True, eq=False)
class FrameBook:
    """The frames of a file of which none was forgotten: each is found by its number. Their times; where the
    wearer was (n, 3); and the columns of their poses, as in a `PoseBlock`."""

    moments: Moments
    positions: NDArray[np.float64]
    columns: tuple[NDArray[np.float64], ...]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep, or some are missing."""
        count = int(connection.one(_LENGTH)[0])
        if not 0 < count <= _MOST:
            return None
        positions, known = np.empty((count, 3)), 0
        columns: list[NDArray[np.float64]] = []
        for first_frame, body in connection.execute(_RUNS):
            block = PoseBlock.unpack(first_frame, body)
            columns = columns or [np.empty(count) for _ in block.table]
            until = known + len(block.frames)
            if until > count or not np.array_equal(block.frames, np.arange(known, until)):
                return None
            positions[known:until] = block.positions
            for column, part in zip(columns, block.table, strict=True):
                column[known:until] = part
            known = until
        if known < count:
            return None
        times = columns[0]
        return cls(Moments.whole(times), positions, tuple(_in_short(column, times) for column in columns))

    def __len__(self) -> int:
        return len(self.positions)

    def poses_of(self, frames: NDArray[np.int64]) -> PoseBlock:
        """Some frames as if they were a run."""
        return PoseBlock(-1, np.array([column[frames] for column in self.columns]))


def _in_short(column: NDArray[np.float64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """A column that says nothing new takes no room: corrections of exact poses, when frames were known."""
    if (column == column[0]).all():
        return np.broadcast_to(column[:1].copy(), len(column))
    return times if np.array_equal(column, times) else column
