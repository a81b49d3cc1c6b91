"""What was last said of every object, as of any two times, from columns that are read once.

A lookup in the file takes one search for each object. Who asks about one time after the other, of a file that
nobody writes into meanwhile, is better off with all versions at hand.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database
from situ.memory.tables.row_types import VERSION

_OBJECTS = "SELECT id, born, died FROM object ORDER BY id"
_STAYS = "SELECT object_id, stay, valid_from, known_from FROM stay ORDER BY object_id, stay"
_VERSIONS = (
    "SELECT object_id, stay, known_from, body FROM version ORDER BY object_id, stay, known_from LIMIT ?"
)
_MOST = 20_000  # versions, of some 200 bytes each; every connection keeps its own


class LastSaid(NamedTuple):
    """What was last said of each of some objects: their numbers in order, and the versions, also as rows."""

    numbers: Sequence[int]
    bodies: Sequence[bytes]
    table: NDArray[np.void]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, bytes]]) -> Self:
        numbers, bodies = [], []
        for number, body in rows:
            numbers.append(number)
            bodies.append(body)
        return cls(numbers, bodies, table_of(bodies))


def table_of(bodies: Sequence[bytes]) -> NDArray[np.void]:
    """Versions as rows; what later columns said of old ones is nothing."""
    joined = b"".join(bodies)
    if len(joined) != VERSION.itemsize * len(bodies):
        joined = b"".join(body.ljust(VERSION.itemsize, b"\0") for body in bodies)
    return np.frombuffer(joined, VERSION)


class VersionBook(NamedTuple):
    """Objects (n, 3), their stays (m, 4) and the versions of those (k, 3), in order, with the bodies and rows
    of these; and the places of the objects of stays (m,) and of versions (k,) in their list."""

    objects: NDArray[np.float64]
    stays: NDArray[np.float64]
    versions: NDArray[np.float64]
    bodies: Sequence[bytes]
    table: NDArray[np.void]
    of_stay: NDArray[np.int64]
    of_version: NDArray[np.int64]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep."""
        versions = connection.all(_VERSIONS, (_MOST + 1,))
        if len(versions) > _MOST:
            return None
        bodies = [row[3] for row in versions]
        objects = np.array(connection.all(_OBJECTS), float).reshape(-1, 3)
        stays = np.array(connection.all(_STAYS), float).reshape(-1, 4)
        said = np.array([row[:3] for row in versions], float).reshape(-1, 3)
        of_stay, of_version = (np.searchsorted(objects[:, 0], rows[:, 0]) for rows in (stays, said))
        return cls(objects, stays, said, bodies, table_of(bodies), of_stay, of_version)

    def views(self, at: float, known: float) -> LastSaid:
        """For each object that was alive as known at a time, the latest version of the stay that holds at
        another; what had not come anywhere yet is left out."""
        holding = np.full(len(self.objects), -1.0)  # the stay of each object that holds
        begun = (self.stays[:, 2] <= at) & (self.stays[:, 3] <= known)
        holding[self.of_stay[begun]] = self.stays[begun, 1]  # the last of an object comes last and stays
        holding[(self.objects[:, 1] > known) | (self.objects[:, 2] <= known)] = -1.0
        of, said_of = self.of_version, self.versions
        said = np.flatnonzero((said_of[:, 1] == holding[of]) & (said_of[:, 2] <= known))
        owner = of[said]
        ends = np.ones(len(said), bool)
        np.not_equal(owner[1:], owner[:-1], out=ends[:-1])
        last = said[ends]
        numbers = said_of[last, 0].astype(np.int64).tolist()
        return LastSaid(numbers, [self.bodies[k] for k in last.tolist()], self.table[last])
