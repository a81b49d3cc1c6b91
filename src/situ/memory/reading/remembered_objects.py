"""Objects as the memory tells of them, built from stored versions when they are looked at."""

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, overload

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.lazy import lazily
from situ.memory.reading.version_book import LastSaid
from situ.memory.reading.version_records import Decoder, RememberedObject
from situ.memory.tables.row_types import VERSION
from situ.memory.tables.vocabulary import LABEL, Words
from situ.state.protocol import LIKELY, ByCategory, ByFate, BySize, Phrase

_LABEL, _LABEL_AT = struct.Struct("<I"), VERSION.fields["labels"][1] if VERSION.fields else 0
_LABEL_END = _LABEL_AT + _LABEL.size
_FEATURES, _FEATURES_AT = struct.Struct("<8I"), VERSION.fields["features"][1] if VERSION.fields else 0
_FEATURES_END = _FEATURES_AT + _FEATURES.size
_GROUND, _GROUND_AT = struct.Struct("<2d"), VERSION.fields["position"][1] if VERSION.fields else 0
_GROUND_END = _GROUND_AT + _GROUND.size
_UNSURE_M = 0.1  # more than half a side of what has no size, and than any rounding
_FEW_LOOKS = 3  # in space; who looks more often is better off with all of them at hand


class Versions(Protocol):
    """Numbers and stored versions of the objects at a time, by number."""

    def all(self) -> LastSaid: ...

    def count(self) -> int: ...

    def few(self) -> bool:
        """Whether all are read as soon as some."""
        ...

    def one(self, number: int) -> bytes | None: ...

    def some(self, numbers: Sequence[int]) -> Sequence[tuple[int, bytes]]:
        """Those of some numbers that there are."""
        ...

    def called(self, label: int) -> Sequence[tuple[int, bytes]]:
        """At least those that go under a label."""
        ...

    def near(self, x: float, y: float, radius: float) -> Sequence[tuple[int, bytes]]:
        """At least those within a distance over the ground of a point."""
        ...

    def words(self) -> tuple[Iterable[int], Iterable[int]]:
        """The labels and the attributes that they have gone under."""
        ...


class RememberedObjects(Sequence[RememberedObject], ByCategory, BySize, ByFate):
    """Objects at a time, each read and built when looked at; most questions look at a few of hundreds."""

    def __init__(
        self, versions: Versions, at: float, pose: Callable[[], Matrix], decoder: Decoder, whole: bool
    ) -> None:
        """`pose` is asked for where something is held. `whole`: nothing of the past has been deleted."""
        self._versions = versions
        self._at = at
        self._pose = pose
        self._decoder = decoder
        self._whole = whole
        self._looks = 0
        self._found_near: dict[tuple[float, float, float], list[RememberedObject]] = {}
        self._built: dict[int, RememberedObject] = {}
        self._named: dict[str, Sequence[tuple[int, bytes]]] = {}
        self._expected: frozenset[int] = frozenset()
        self._read: dict[int, bytes | None] = {}  # what was expected, and is built when it is looked at

    @lazily
    def _said(self) -> LastSaid:
        return self._versions.all()

    @property
    def said(self) -> LastSaid:
        """The stored rows of all."""
        return self._said

    @property
    def words(self) -> Words:
        """What the numbers of names and attributes in these rows mean."""
        return self._decoder.words

    def __len__(self) -> int:
        return len(self._said.numbers)

    @overload
    def __getitem__(self, index: int) -> RememberedObject: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RememberedObject, ...]: ...
    def __getitem__(self, index: int | slice) -> RememberedObject | tuple[RememberedObject, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        said = self._said
        return self._view(said.numbers[index], said.bodies[index])

    def __iter__(self) -> Iterator[RememberedObject]:
        return map(self._view, self._said.numbers, self._said.bodies)

    @property
    def numbers(self) -> Sequence[int]:
        return self._said.numbers

    def real(self) -> list[tuple[int, float, str, Mapping[str, str]]]:
        """Of those that are likely to be real: number, how likely that is, category and attributes."""
        table, words, numbers = self._table, self._decoder.words, self._said.numbers
        rows = np.flatnonzero(table["exists"] > LIKELY)
        columns = (rows, *(table[column][rows] for column in ("exists", "labels", "features")))
        return [
            (numbers[row], chance, words.text(LABEL, labels[0]), words.attributes(features))
            for row, chance, labels, features in zip(*(each.tolist() for each in columns), strict=True)
        ]

    def _rows(self, rows: NDArray[np.int64]) -> list[RememberedObject]:
        """Some of them, by their rows in the table."""
        numbers, bodies = self._said.numbers, self._said.bodies
        built, view, at, pose = self._built, self._decoder.view, self._at, self._pose
        found = []
        for k in rows.tolist():
            number = numbers[k]
            one = built.get(number)
            if one is None:
                one = built[number] = view(number, bodies[k], at, pose)
            found.append(one)
        return found

    def _view(self, number: int, body: bytes) -> RememberedObject:
        view = self._built.get(number)
        if view is None:
            view = self._built[number] = self._decoder.view(number, body, self._at, self._pose)
        return view

    def one(self, number: int) -> RememberedObject | None:
        """An object by its number, None if there is none."""
        view = self._built.get(number)
        if view is not None:
            return view
        if number in self._expected:
            waiting, self._expected = sorted(self._expected), frozenset()
            self._read.update(dict.fromkeys(waiting))
            self._read.update(self._versions.some(waiting))
        body = self._read[number] if number in self._read else self._versions.one(number)
        return None if body is None else self._view(number, body)

    def expect(self, numbers: Iterable[int]) -> None:
        """These will be looked at, one after the other: read them together."""
        self._expected |= {number for number in numbers if number not in self._built}

    @property
    def total(self) -> int:
        """How many there are, without reading them."""
        return self._versions.count()

    def centers(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The numbers of all, and where they are over the ground (n, 2); only what is held is built."""
        (east, north), at_rest = self._spots
        spots = np.column_stack((east, north))
        for k in np.flatnonzero(~at_rest).tolist():
            spots[k] = self[k].box.center[:2]
        return np.array(self._said.numbers, np.int64), spots

    @property
    def _table(self) -> NDArray[np.void]:
        return self._said.table

    def of_volume(self, least_m3: float) -> tuple[RememberedObject, ...]:
        """Those of at least a volume, and those of unknown size; the others are not built."""
        return tuple(self._rows(np.flatnonzero(self._at_least(least_m3))))

    def _at_least(self, least_m3: float) -> NDArray[np.bool_]:
        """Which may be of at least a volume."""
        volumes, unknown = self._volumes
        return np.asarray((volumes >= least_m3 * (1 - 1e-6)) | unknown)

    @lazily
    def _volumes(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Of all in cubic metres, and of which it is not known."""
        sizes = self._table["size"]
        return sizes.prod(axis=1, dtype=float), sizes[:, 0] <= 0.0

    def gone(self) -> tuple[RememberedObject, ...]:
        table = self._table
        missed = (table["here"] < LIKELY) & (table["last_seen"] < self._at)
        return tuple(self._rows(np.flatnonzero(missed & (table["absent_since"] <= self._at))))

    def held(self) -> tuple[RememberedObject, ...]:
        return tuple(self._rows(np.flatnonzero(self._table["held"] & 1)))

    def alike(self, since: float) -> Iterator[tuple[RememberedObject, ...]]:
        real = np.flatnonzero(self._table["exists"] > LIKELY)
        table = self._table[real]
        named = self._said.named()[real]
        # A thing was seen when its version says so, and perhaps again since; unless that was deleted.
        told = table["last_seen"]
        last = np.where((told <= self._at) & self._whole, told, -np.inf)
        number = int(named.max(initial=-1)) + 1
        latest, earliest = np.full(number, -np.inf), np.full(number, np.inf)
        np.maximum.at(latest, named, table["first_seen"])
        np.minimum.at(earliest, named, last)
        doubtful = (np.bincount(named, minlength=number) > 1) & (latest > since) & (latest > earliest)
        groups: dict[int, list[int]] = {}
        for k in np.flatnonzero(doubtful[named]).tolist():
            groups.setdefault(int(named[k]), []).append(int(real[k]))
        for group in groups.values():
            yield tuple(self[k] for k in group)

    def near(
        self, x: float, y: float, radius: float, least_m3: float = 0.0, reach_m: float = math.inf
    ) -> list[RememberedObject]:
        """Those within a distance over the ground of a point, nearest first, but for what is held; the others
        are not built, nor need be those that are smaller than a volume or do not come as near as a reach."""
        key = (x, y, radius)
        if key in self._found_near:
            return self._found_near[key]
        self._looks += 1
        at_hand = "_said" in self.__dict__ or self._looks > _FEW_LOOKS or self._versions.few()
        if at_hand and (least_m3 > 0.0 or reach_m < math.inf):
            return self._near_by_table(*key, least_m3, reach_m)
        self._found_near[key] = self._near_by_table(*key) if at_hand else self._near_by_index(*key)
        return self._found_near[key]

    def _near_by_index(self, x: float, y: float, radius: float) -> list[RememberedObject]:
        found = []
        for number, body in self._versions.near(x, y, radius):
            whole = body if len(body) >= _GROUND_END else body.ljust(_GROUND_END, b"\0")
            u, v = _GROUND.unpack_from(whole, _GROUND_AT)
            gap = math.hypot(u - x, v - y)
            if gap <= radius and not whole[0] & 1:
                found.append((gap, number, body))
        return [self._view(number, body) for _, number, body in sorted(found, key=lambda item: item[:2])]

    def _near_by_table(
        self, x: float, y: float, radius: float, least_m3: float = 0.0, reach_m: float = math.inf
    ) -> list[RememberedObject]:
        (east, north), at_rest = self._spots
        gaps = np.hypot(east - x, north - y)
        kept = (gaps <= radius) & at_rest
        if least_m3 > 0.0:
            kept &= self._at_least(least_m3)
        if reach_m < math.inf:
            wide, deep = np.maximum(self._table["size"][:, :2].T, 0.0) / 2 + _UNSURE_M
            beyond = np.maximum(np.abs(east - x) - wide, 0.0), np.maximum(np.abs(north - y) - deep, 0.0)
            kept &= np.hypot(*beyond) <= reach_m
        inside = np.flatnonzero(kept)
        order = np.argsort(gaps[inside], kind="stable")  # rows come by number
        return self._rows(inside[order])

    @lazily
    def _spots(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Where all are over the ground (2, n), and which are not held."""
        table = self._table
        return np.ascontiguousarray(table["position"][:, :2].T), (table["held"] & 1) == 0

    def of_category(self, category: str) -> tuple[RememberedObject, ...]:
        """Those of a category, without building the others."""
        return tuple(self._view(number, body) for number, body in self._called(category))

    def matching(self, which: Phrase) -> Sequence[RememberedObject]:
        """Those that a phrase picks out, by number. There are many cups and one red one: of a category only
        those of the right attributes are built."""
        if which.category is None:
            return [view for view in self if which.matches(view)]
        if not which.attributes:
            return self.of_category(which.category)
        known, found = self._decoder.words.attributes, []
        for number, body in self._called(which.category):
            whole = body if len(body) >= _FEATURES_END else body.ljust(_FEATURES_END, b"\0")
            has = known(_FEATURES.unpack_from(whole, _FEATURES_AT))
            if all(has.get(key) == value for key, value in which.attributes):
                found.append(self._view(number, body))
        return found

    def _called(self, category: str) -> Sequence[tuple[int, bytes]]:
        """Numbers and versions of a category."""
        known = self._named.get(category)
        if known is None:
            wanted, label = self._decoder.words.find(LABEL, category), _LABEL.unpack_from
            rows = self._versions.called(wanted) if wanted else ()
            known = self._named[category] = [
                row for row in rows if len(row[1]) >= _LABEL_END and label(row[1], _LABEL_AT)[0] == wanted
            ]
        return known

    def names(self) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """All categories and attributes that objects have gone under, without building any."""
        return self._decoder.names(*self._versions.words())
