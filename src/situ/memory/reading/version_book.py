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
from situ.memory.reading.pieces import Pieces
from situ.memory.reading.version_spans import VersionSpans
from situ.memory.tables.row_types import VERSION

_OBJECTS = "SELECT id, born, died FROM object ORDER BY id"
_STAYS = "SELECT object_id, stay, valid_from, known_from FROM stay ORDER BY object_id, stay"
_VERSIONS = (
    "SELECT object_id, stay, known_from, body FROM version WHERE (object_id, stay, known_from) > (?, ?, ?) "
    "ORDER BY object_id, stay, known_from LIMIT ?"
)
_NO_ROWS = np.zeros(0, np.int64)
# Versions, of some 200 bytes each; every connection keeps its own. A week of a house has half as many.
_MOST, _AT_ONCE = 1_000_000, 20_000
_WIDTH = VERSION.itemsize


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
    """Versions as rows."""
    return np.frombuffer(_joined(bodies), VERSION)


def _joined(bodies: Sequence[bytes]) -> bytes:
    """Versions of one width; what later columns said of old ones is nothing."""
    joined = b"".join(bodies)
    if len(joined) != _WIDTH * len(bodies):
        joined = b"".join(body.ljust(_WIDTH, b"\0") for body in bodies)
    return joined


def numbered_names(table: NDArray[np.void]) -> NDArray[np.int64]:
    """A number for each version; those of one label and the same attributes share it. Versions of one object
    follow each other and mostly have one name: only where it changes is there anything to sort."""
    said = np.column_stack([table["labels"][:, :1], table["features"]])
    starts = np.ones(len(said), bool)
    starts[1:] = (said[1:] != said[:-1]).any(axis=1)
    names = np.sort(said[starts, 1:], axis=1)
    order = np.lexsort((*names.T, said[starts, 0]))  # several times as fast as `np.unique` of rows
    labels, names = said[starts, 0][order], names[order]
    numbers = np.zeros(len(order), np.int64)
    new = (names[1:] != names[:-1]).any(axis=1) | (labels[1:] != labels[:-1])
    numbers[order[1:]] = new.cumsum()
    return np.asarray(numbers[starts.cumsum() - 1])


@dataclass(frozen=True, eq=False)
class VersionBook:
    """Objects (n, 3), their stays (m, 4) and the versions of those (k, 3), in order, with the bodies of these
    in rows of one width and how wide each was (k,); and the places of the objects of stays (m,) and of
    versions (k,) in their list."""

    objects: NDArray[np.float64]
    stays: NDArray[np.float64]
    versions: NDArray[np.float64]
    bodies: bytes
    widths: NDArray[np.uint16]
    of_stay: NDArray[np.int64]
    of_version: NDArray[np.int64]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep."""
        read = _read_versions(connection)
        if read is None:
            return None
        said, bodies, widths = read
        objects = np.array(connection.all(_OBJECTS), float).reshape(-1, 3)
        stays = np.array(connection.all(_STAYS), float).reshape(-1, 4)
        of_stay, of_version = (np.searchsorted(objects[:, 0], rows[:, 0]) for rows in (stays, said))
        return cls(objects, stays, said, bodies, widths, of_stay, of_version)

    def __len__(self) -> int:
        return len(self.versions)

    @lazily
    def table(self) -> NDArray[np.void]:
        """The bodies as rows."""
        return np.frombuffer(self.bodies, VERSION)

    @lazily
    def _bytes(self) -> NDArray[np.uint8]:
        return np.frombuffer(self.bodies, np.uint8).reshape(-1, _WIDTH)

    def bodies_of(self, rows: NDArray[np.int64]) -> list[bytes]:
        """Versions as the file has them."""
        return [*self.cut(rows)]

    def cut(self, rows: NDArray[np.int64]) -> Pieces:
        """The same, each when it is looked at."""
        starts = rows * _WIDTH
        return Pieces(self.bodies, starts.tolist(), (starts + self.widths[rows]).tolist())

    def views(self, at: float, known: float) -> LastSaid:
        """For each object that was alive as known at a time, the latest version of the stay that holds at
        another; what had not come anywhere yet is left out."""
        last = self._among(np.arange(len(self.objects)), at, known)
        rows = np.frombuffer(self._bytes.take(last, axis=0), VERSION)  # much faster than from the table
        return LastSaid(self._numbers(last), self.cut(last), rows, lambda: self._names[last])

    def called(self, at: float, known: float, label: int) -> list[tuple[int, bytes]]:
        """Number and version of those that go under a label; of the others no more is looked at than of those
        that ever did."""
        last = self._among(self._by_label.get(label, _NO_ROWS), at, known)
        return self._told(last[self.table["labels"][last, 0] == label])

    def some(self, at: float, known: float, numbers: Sequence[int]) -> list[tuple[int, bytes]]:
        """Number and version of those of some objects that there are, in that order."""
        if not len(self.objects):
            return []
        found = np.minimum(np.searchsorted(self.objects[:, 0], numbers), len(self.objects) - 1)
        return self._told(self._among(found[self.objects[found, 0] == numbers], at, known))

    def _told(self, rows: NDArray[np.int64]) -> list[tuple[int, bytes]]:
        return list(zip(self._numbers(rows), self.bodies_of(rows), strict=True))

    def _numbers(self, rows: NDArray[np.int64]) -> list[int]:
        numbers: list[int] = self.objects[self.of_version[rows], 0].astype(np.int64).tolist()
        return numbers

    def _among(self, objects: NDArray[np.int64], at: float, known: float) -> NDArray[np.int64]:
        """The last versions of those of some objects, by their places in the list, that had any."""
        if at == known:
            born, died = self._lives
            return self._spans.at(objects[(born[objects] <= at) & (at < died[objects])], at)
        last = np.full(len(self.objects), -1)
        rows = self._last(at, known)
        last[self.of_version[rows]] = rows
        return last[objects][last[objects] >= 0]

    @lazily
    def _lives(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """From when until when there was each object: of a week most have been taken for others since."""
        born, died = self.objects[:, 1:].T.copy()
        return born, died

    @lazily
    def _by_label(self) -> dict[int, NDArray[np.int64]]:
        """The objects of which some version says that they go under a label, by their places in the list."""
        pairs = np.column_stack([self.table["labels"][:, 0], self.of_version])
        new = np.ones(len(pairs), bool)  # versions of one object follow each other
        new[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
        of: dict[int, set[int]] = {}
        for label, one in pairs[new].tolist():
            of.setdefault(label, set()).add(one)
        return {label: np.array(sorted(objects)) for label, objects in of.items()}

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
    def _spans(self) -> VersionSpans:
        """From when on and until when each version is the last of its object, for who asks what was known at
        the very time that is asked about: worked out once for all times."""
        begun, over = self._held()
        said, of = self.versions, self.stay_of
        told = np.full(len(said), np.inf)  # when more was said of the same stay
        told[:-1] = np.where(of[1:] == of[:-1], said[1:, 2], np.inf)
        if not len(begun):
            return VersionSpans.of(self.of_version, np.full(len(said), np.inf), told)
        born, died = self.objects[self.of_version, 1], self.objects[self.of_version, 2]
        since = np.maximum(np.maximum(begun[of], said[:, 2]), born)
        since[of < 0] = np.inf
        return VersionSpans.of(self.of_version, since, np.minimum(np.minimum(over[of], told), died))

    def _held(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """When each stay had begun and was known to have, and when that was so of a later one."""
        begun = np.maximum(self.stays[:, 2], self.stays[:, 3])
        over = [np.inf] * len(begun)
        owners, since = self.of_stay.tolist(), begun.tolist()
        for k in range(len(since) - 2, -1, -1):
            if owners[k] == owners[k + 1]:
                over[k] = min(over[k + 1], since[k + 1])
        return begun, np.array(over)


def _read_versions(connection: Database) -> tuple[NDArray[np.float64], bytes, NDArray[np.uint16]] | None:
    """All versions (k, 3), each column in one piece, their bodies and how wide these were; None where there
    are too many. All rows at once would take several times the room of what is kept of them."""
    columns: list[NDArray[np.float64]] = [np.zeros((3, 0))]
    widths: list[NDArray[np.uint16]] = [np.zeros(0, np.uint16)]
    bodies: list[bytes] = []
    last, count = (-1, -1, -np.inf), 0
    while rows := connection.all(_VERSIONS, (*last, _AT_ONCE)):
        count += len(rows)
        if count > _MOST:
            return None
        last = rows[-1][:3]
        *keys, said = zip(*rows, strict=True)
        columns.append(np.array(keys, float))
        widths.append(np.fromiter(map(len, said), np.uint16, len(said)))
        bodies.append(_joined(said))
    return np.concatenate(columns, axis=1).T, b"".join(bodies), np.concatenate(widths)
