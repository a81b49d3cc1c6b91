"""From where things were seen best, of all things at once: what the file says, whatever time is asked for."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database

_BEST = "SELECT object_id, frame, known_from, quality FROM keyframe WHERE frame <= ?"
_BEGAN = "SELECT object_id, valid_from, known_from FROM stay WHERE stay > 0"


class Vantages(NamedTuple):
    """The best frames of each thing (n,), by its number, the worse first, and from when on each was known;
    and when each thing came to another place (m,), and from when on that was known."""

    owners: NDArray[np.int64]
    frames: NDArray[np.int64]
    known: NDArray[np.float64]
    moved: NDArray[np.int64]
    came: NDArray[np.float64]
    told: NDArray[np.float64]

    @classmethod
    def read(cls, connection: Database, last_frame: int) -> Self:
        best = np.array(connection.all(_BEST, (last_frame,)), float).reshape(-1, 4)
        best = best[np.lexsort((best[:, 1], best[:, 3], best[:, 0]))]
        stays = np.array(connection.all(_BEGAN), float).reshape(-1, 3)
        return cls(
            best[:, 0].astype(np.int64), best[:, 1].astype(np.int64), best[:, 2],
            stays[:, 0].astype(np.int64), stays[:, 1], stays[:, 2],
        )  # fmt: skip

    def best(
        self, numbers: NDArray[np.int64], at: float, known: float, last_frame: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Of things by their numbers, in order: the place in that list, frame by frame from the worst to the
        best of each that was known, and since when the thing had been where it was at a time."""
        since = np.full(len(numbers), -np.inf)
        row, mine = _found(numbers, self.moved)
        mine &= (self.came <= at) & (self.told <= known)
        np.maximum.at(since, row[mine], self.came[mine])
        row, mine = _found(numbers, self.owners)
        kept = np.flatnonzero(mine & (self.frames <= last_frame) & (self.known <= known))
        return row[kept], self.frames[kept], since[row[kept]]


def _found(
    numbers: NDArray[np.int64], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where some numbers are in a list that is in order, and which of them are in it at all."""
    if not len(numbers):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    row = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return row, numbers[row] == wanted
