"""What was last said of every object, as of any two times, from columns that are read once.

A lookup in the file takes one search for each object. Who asks about one time after the other, of a file that
nobody writes into meanwhile, is better off with all versions at hand.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from situ.lazy import lazily
from situ.memory.file.database import Database
from situ.memory.tables.row_types import VERSION

_OBJECTS = "SELECT id, born, died FROM object ORDER BY id"
_STAYS = "SELECT object_id, stay, valid_from, known_from FROM stay ORDER BY object_id, stay"
_VERSIONS = (
    "SELECT object_id, stay, known_from, body FROM version ORDER BY object_id, stay, known_from LIMIT ?"
)
_NO_ROWS = np.zeros(0, np.int64)
_MOST = 20_000  # versions, of some 200 bytes each; every connection keeps its own


@dataclass(frozen=True, eq=False)
class LastSaid:
    """What was last said of each of some objects: their numbers in order, and the versions, also as rows.
    `named` gives what goes by one name one number (n,)."""

    numbers: Sequence[int]
    bodies: Sequence[bytes]
    table: NDArray[np.void]
    named: Callable[[], NDArray[np.int64]]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, bytes]]) -> Self:
        numbers, bodies = [], []
        for number, body in rows:
            numbers.append(number)
            bodies.append(body)
        table = table_of(bodies)
        return cls(numbers, bodies, table, lambda: numbered_names(table))


def table_of(bodies: Sequence[bytes]) -> NDArray[np.void]:
    """Versions as rows; what later columns said of old ones is nothing."""
    joined = b"".join(bodies)
    if len(joined) != VERSION.itemsize * len(bodies):
        joined = b"".join(body.ljust(VERSION.itemsize, b"\0") for body in bodies)
    return np.frombuffer(joined, VERSION)


def numbered_names(table: NDArray[np.void]) -> NDArray[np.int64]:
    """A number for each version; those of one label and the same attributes share it."""
    names = np.column_stack([table["labels"][:, :1], np.sort(table["features"], axis=1)])
    order = np.lexsort(names.T)  # as `np.unique` of rows would number them, several times as fast
    numbers = np.zeros(len(names), np.int64)
    numbers[order[1:]] = (names[order[1:]] != names[order[:-1]]).any(axis=1).cumsum()
    return numbers


@dataclass(frozen=True, eq=False)
class VersionBook:
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
        if at == known:
            since, until = self._spans
            last = ((since <= at) & (at < until)).nonzero()[0]
        else:
            last = self._last(at, known)
        numbers = self.versions[last, 0].astype(np.int64).tolist()
        bodies = [self.bodies[k] for k in last.tolist()]
        return LastSaid(numbers, bodies, self.table[last], lambda: self._names[last])

    def called(self, at: float, known: float, label: int) -> list[tuple[int, bytes]]:
        """Number and version of those that go under a label; the others are not looked at."""
        return self._among(self._by_label.get(label, _NO_ROWS), at, known)

    def some(self, at: float, known: float, numbers: Sequence[int]) -> list[tuple[int, bytes]]:
        """Number and version of those of some objects that there are, in that order."""
        starts, stops = (np.searchsorted(self.versions[:, 0], numbers, side) for side in ("left", "right"))
        rows = [np.arange(a, b) for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
        return self._among(np.concatenate([_NO_ROWS, *rows]), at, known)

    def _among(self, rows: NDArray[np.int64], at: float, known: float) -> list[tuple[int, bytes]]:
        """Those of some versions that were the last of their objects."""
        if at == known:
            since, until = self._spans
            last = rows[(since[rows] <= at) & (at < until[rows])]
        else:
            last = rows[np.isin(rows, self._last(at, known))]
        numbers = self.versions[last, 0].astype(np.int64).tolist()
        return [(number, self.bodies[k]) for number, k in zip(numbers, last.tolist(), strict=True)]

    @lazily
    def _by_label(self) -> dict[int, NDArray[np.int64]]:
        """Which versions say that an object goes under a label, in order."""
        labels = self.table["labels"][:, 0]
        order = labels.argsort(kind="stable")
        starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
        runs = np.split(order, starts[1:]) if len(starts) else []
        return {int(labels[run[0]]): run for run in runs}

    def _last(self, at: float, known: float) -> NDArray[np.int64]:
        """Which versions these are."""
        holding = np.full(len(self.objects), -1.0)  # the stay of each object that holds
        begun = (self.stays[:, 2] <= at) & (self.stays[:, 3] <= known)
        holding[self.of_stay[begun]] = self.stays[begun, 1]  # the last of an object comes last and stays
        holding[(self.objects[:, 1] > known) | (self.objects[:, 2] <= known)] = -1.0
        of, said_of = self.of_version, self.versions
        said = np.flatnonzero((said_of[:, 1] == holding[of]) & (said_of[:, 2] <= known))
        owner = of[said]
        ends = np.ones(len(said), bool)
        np.not_equal(owner[1:], owner[:-1], out=ends[:-1])
        return said[ends]

    @lazily
    def _names(self) -> NDArray[np.int64]:
        return numbered_names(self.table)

    @lazily
    def stay_of(self) -> NDArray[np.int64]:
        """The place of the stay of each version in their list (k,), -1 if there is none."""
        wide = 1.0 + max(rows[:, 1].max(initial=0.0) for rows in (self.stays, self.versions))
        keys, wanted = (rows[:, 0] * wide + rows[:, 1] for rows in (self.stays, self.versions))
        if not len(keys):
            return np.full(len(wanted), -1)
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[found] == wanted, found, -1)

    @lazily
    def _spans(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """From when on and until when each version is the last of its object, for who asks what was known at
        the very time that is asked about: worked out once for all times."""
        begun, over = self._held()
        said, of = self.versions, self.stay_of
        told = np.full(len(said), np.inf)  # when more was said of the same stay
        told[:-1] = np.where(of[1:] == of[:-1], said[1:, 2], np.inf)
        born, died = self.objects[self.of_version, 1], self.objects[self.of_version, 2]
        since = np.maximum(np.maximum(begun[of], said[:, 2]), born)
        since[of < 0] = np.inf
        return since, np.minimum(np.minimum(over[of], told), died)

    def _held(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """When each stay had begun and was known to have, and when that was so of a later one."""
        begun = np.maximum(self.stays[:, 2], self.stays[:, 3])
        over = [np.inf] * len(begun)
        owners, since = self.of_stay.tolist(), begun.tolist()
        for k in range(len(since) - 2, -1, -1):
            if owners[k] == owners[k + 1]:
                over[k] = min(over[k + 1], since[k + 1])
        return begun, np.array(over)
