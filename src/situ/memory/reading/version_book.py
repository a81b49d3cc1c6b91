"""What was last said of every object, as of any two times, from columns that are read once.

A lookup in the file takes one search for each object. Who asks about one time after the other, of a file that
nobody writes into meanwhile, is better off with all versions at hand.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database

_OBJECTS = "SELECT id, born, died FROM object ORDER BY id"
_STAYS = "SELECT object_id, stay, valid_from, known_from FROM stay ORDER BY object_id, stay"
_VERSIONS = (
    "SELECT object_id, stay, known_from, body FROM version ORDER BY object_id, stay, known_from LIMIT ?"
)
_MOST = 20_000  # versions, of some 200 bytes each; every connection keeps its own


class VersionBook(NamedTuple):
    """Objects (n, 3), their stays (m, 4) and the versions of those (k, 3) with their bodies, in order."""

    objects: NDArray[np.float64]
    stays: NDArray[np.float64]
    versions: NDArray[np.float64]
    bodies: Sequence[bytes]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep."""
        versions = connection.all(_VERSIONS, (_MOST + 1,))
        if len(versions) > _MOST:
            return None
        return cls(
            np.array(connection.all(_OBJECTS), float).reshape(-1, 3),
            np.array(connection.all(_STAYS), float).reshape(-1, 4),
            np.array([row[:3] for row in versions], float).reshape(-1, 3),
            [row[3] for row in versions],
        )

    def views(self, at: float, known: float) -> list[tuple[int, bytes]]:
        """For each object that was alive as known at a time, the latest version of the stay that holds at
        another; what had not come anywhere yet is left out."""
        rows = np.searchsorted(self.objects[:, 0], self.stays[:, 0])  # of the object of each stay
        holding = np.full(len(self.objects), -1.0)  # the stay of each object that holds
        begun = (self.stays[:, 2] <= at) & (self.stays[:, 3] <= known)
        holding[rows[begun]] = self.stays[begun, 1]  # the last of an object comes last and stays
        holding[~((self.objects[:, 1] <= known) & (self.objects[:, 2] > known))] = -1.0
        owner = np.searchsorted(self.objects[:, 0], self.versions[:, 0])
        said = np.flatnonzero((self.versions[:, 1] == holding[owner]) & (self.versions[:, 2] <= known))
        last = said[np.flatnonzero(np.diff(owner[said], append=-1))]
        numbers = self.versions[last, 0].astype(np.int64).tolist()
        return [(number, self.bodies[k]) for number, k in zip(numbers, last.tolist(), strict=True)]
