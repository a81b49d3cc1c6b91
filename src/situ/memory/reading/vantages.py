"""From where things were seen best, of all things at once: what the file says, whatever time is asked for."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database
from situ.memory.file.packing import PoseBlock

_BEST = "SELECT object_id, frame, known_from, quality FROM keyframe WHERE frame <= ?"
_BEGAN = "SELECT object_id, valid_from, known_from FROM stay WHERE stay > 0"


class Vantages(NamedTuple):
    """The best frames of each thing (n,), by its number, the worse first, and from when on each was known;
    when they were seen, in which place and where (n, 2) the wearer was; and when each thing came to another
    place (m,), and from when on that was known."""

    owners: NDArray[np.int64]
    frames: NDArray[np.int64]
    known: NDArray[np.float64]
    times: NDArray[np.float64]
    places: NDArray[np.int64]
    ground: NDArray[np.float64]
    moved: NDArray[np.int64]
    came: NDArray[np.float64]
    told: NDArray[np.float64]

    @classmethod
    def read(cls, connection: Database, blocks: Sequence[PoseBlock], last_frame: int) -> Self:
        """What `blocks`, which hold the frames up to one, say of those that show things best."""
        best = np.array(connection.all(_BEST, (last_frame,)), float).reshape(-1, 4)
        best = best[np.lexsort((best[:, 1], best[:, 3], best[:, 0]))]
        stays = np.array(connection.all(_BEGAN), float).reshape(-1, 3)
        frames = best[:, 1].astype(np.int64)
        table = np.concatenate([np.zeros((16, 0)), *(block.table for block in blocks)], axis=1)
        ground = np.concatenate([np.zeros((0, 2)), *(block.positions[:, :2] for block in blocks)])
        k = np.minimum(np.searchsorted(table[15], frames), max(0, table.shape[1] - 1))
        # A frame that was forgotten says nothing, nor does one whose place has no name.
        held = (table[15, k] == frames) & (table[13, k] > 0) if table.shape[1] else np.zeros(len(k), bool)
        best, frames, k = best[held], frames[held], k[held]
        return cls(
            best[:, 0].astype(np.int64), frames, best[:, 2],
            table[0, k], table[13, k].astype(np.int64), ground[k],
            stays[:, 0].astype(np.int64), stays[:, 1], stays[:, 2],
        )  # fmt: skip

    def best(
        self, numbers: NDArray[np.int64], at: float, known: float, last_frame: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of things by their numbers, in order: the place in that list, and which of the best frames, from
        the worst to the best of each: those that were known, since the thing was where it was at a time."""
        since = np.full(len(numbers), -np.inf)
        row, mine = _found(numbers, self.moved)
        mine &= (self.came <= at) & (self.told <= known)
        np.maximum.at(since, row[mine], self.came[mine])
        row, mine = _found(numbers, self.owners)
        mine &= (self.frames <= last_frame) & (self.known <= known) & (self.times >= since[row])
        kept = np.flatnonzero(mine)
        return row[kept], kept


def _found(
    numbers: NDArray[np.int64], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where some numbers are in a list that is in order, and which of them are in it at all."""
    if not len(numbers):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    row = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return row, numbers[row] == wanted
