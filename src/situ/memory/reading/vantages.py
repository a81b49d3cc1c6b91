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
    """The best frames of all things (n,), one thing after the other, the worse first, and from when on each
    was known; when they were seen, in which place and where (n, 2) the wearer was. `first` is where the
    frames of each number begin, up to one without any. And when things came to other places (m,), in order,
    and from when on that was known."""

    first: NDArray[np.int64]
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
        stays = stays[np.lexsort((stays[:, 1], stays[:, 0]))]
        highest = int(max(best[:, 0].max(initial=0.0), stays[:, 0].max(initial=0.0)))
        return cls(
            np.searchsorted(best[:, 0], np.arange(highest + 3)), frames, best[:, 2],
            table[0, k], table[13, k].astype(np.int64), ground[k],
            stays[:, 0].astype(np.int64), stays[:, 1], stays[:, 2],
        )  # fmt: skip

    def best(
        self, numbers: NDArray[np.int64], at: float, known: float, last_frame: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of things by their numbers: the place in that list, and which of the best frames, from the worst to
        the best of each: those that were known, since the thing was where it was at a time."""
        first, numbers = self.first, np.minimum(numbers, len(self.first) - 2)  # of later ones there are none
        begin = first[numbers]
        count = first[numbers + 1] - begin
        end = count.cumsum()
        row = np.arange(len(numbers)).repeat(count)
        seen = np.arange(len(row)) + (begin - end + count)[row]
        came = (self.came <= at) & (self.told <= known)
        since = np.full(len(first), -np.inf)
        since[self.moved[came]] = self.came[came]  # the last of a thing comes last and stays
        mine = (self.frames[seen] <= last_frame) & (self.known[seen] <= known)
        mine &= self.times[seen] >= since[numbers][row]
        return row[mine], seen[mine]


class Walked(NamedTuple):
    """Where the wearer was in which place (n,), by place: frames, spots (n, 2) and numbers of places."""

    frames: NDArray[np.int64]
    spots: NDArray[np.float64]
    places: NDArray[np.int64]

    @classmethod
    def read(cls, blocks: Sequence[PoseBlock]) -> Self:
        parts = [block.placed for block in blocks]
        frames = np.concatenate([np.zeros(0, np.int64), *(part[0] for part in parts)])
        spots = np.concatenate([np.zeros((0, 2)), *(part[1] for part in parts)])
        places = np.concatenate([np.zeros(0, np.int64), *(part[2] for part in parts)])
        order = np.argsort(places, kind="stable")
        return cls(frames[order], spots[order], places[order])
