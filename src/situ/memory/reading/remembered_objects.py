"""Objects as the memory tells of them, built from stored versions when they are looked at."""

import math
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from situ.compiled import plain
from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.memory.tables.motion import AGENT, NAMES
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.rates import p_stays
from situ.memory.tables.row_types import VERSION
from situ.memory.tables.vocabulary import LABEL, Words
from situ.state.protocol import LIKELY, ByCategory, BySize, ObjectView

_FROM_OFFSET = plain(from_offset)  # one thing in the hands; reading a memory needs no compiler
_UNKNOWN_SIZE_M = 0.1
_HELD_SPREAD_M = 0.3
_AGENT_MPS, _FARTHEST_WALK_M = 0.6, 4.0  # how far an agent may have come since it was seen
# The fields of VERSION in order, without gaps; a third as slow as by way of numpy.
LAYOUT = struct.Struct("<BI3d6f3f3f3f3d3I3f8I")
assert LAYOUT.size == VERSION.itemsize
_LABEL, _LABEL_AT = struct.Struct("<I"), VERSION.fields["labels"][1] if VERSION.fields else 0
_LABEL_END = _LABEL_AT + _LABEL.size
_GROUND, _GROUND_AT = struct.Struct("<2d"), VERSION.fields["position"][1] if VERSION.fields else 0
_GROUND_END = _GROUND_AT + _GROUND.size


@dataclass(frozen=True)
class RememberedObject(ObjectView):
    """An object with all that the memory knows about it.

    `here` is how likely it still is where `box` says; it falls with time and with every look in vain.
    `remains` is the same by looks alone: what nobody looked for may have been moved, but has not gone.
    `labels` is the confidence-weighted vote. `held` says that it was last seen in the wearer's hands.
    `motion` is how things of its kind move: "fixed", "portable" or "agent".
    """

    here: float = 1.0
    remains: float = 1.0
    spread: tuple[float, ...] = (0.0,) * 6  # xx xy xz yy yz zz of the covariance of the position
    labels: Mapping[str, float] = field(default_factory=dict)
    seen_count: int = 0
    first_seen: float = 0.0
    last_seen: float = 0.0
    held: bool = False
    absent_since: float = math.nan
    motion: str = "portable"

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Of the position, (3, 3) in square metres."""
        xx, xy, xz, yy, yz, zz = self.spread
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def called(self, category: str | None) -> float:
        """How likely it is what it is called. Votes of one pair of eyes err alike: n are worth their root."""
        if category is None or len(self.labels) < 2:
            return 1.0
        weight = math.sqrt(max(self.seen_count, 1))
        best = max(self.labels.values())
        votes = {label: math.pow(share / best, weight) for label, share in self.labels.items()}
        return votes.get(category, 0.0) / sum(votes.values())


class Versions(Protocol):
    """Numbers and stored versions of the objects at a time, by number."""

    def all(self) -> Sequence[tuple[int, bytes]]: ...

    def count(self) -> int: ...

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


class RememberedObjects(Sequence[RememberedObject], ByCategory, BySize):
    """Objects at a time, each read and built when looked at; most questions look at a few of hundreds."""

    def __init__(self, versions: Versions, at: float, pose: Callable[[], Matrix], words: Words) -> None:
        """`pose` is asked for where something is held."""
        self._versions = versions
        self._at = at
        self._pose = pose
        self._words = words
        self._built: dict[int, RememberedObject] = {}
        self._expected: frozenset[int] = frozenset()

    @cached_property
    def _rows(self) -> Sequence[tuple[int, bytes]]:
        return self._versions.all()

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> RememberedObject: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RememberedObject, ...]: ...
    def __getitem__(self, index: int | slice) -> RememberedObject | tuple[RememberedObject, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        return self._view(*self._rows[index])

    def _view(self, number: int, body: bytes) -> RememberedObject:
        view = self._built.get(number)
        if view is None:
            view = self._built[number] = build(number, body, self._at, self._pose, self._words)
        return view

    def one(self, number: int) -> RememberedObject | None:
        """An object by its number, None if there is none."""
        view = self._built.get(number)
        if view is None and number in self._expected:
            waiting, self._expected = sorted(self._expected), frozenset()
            for other, its in self._versions.some(waiting):
                self._view(other, its)
            return self._built.get(number)
        if view is None and (body := self._versions.one(number)) is not None:
            return self._view(number, body)
        return view

    def expect(self, numbers: Iterable[int]) -> None:
        """These will be looked at, one after the other: read them together."""
        self._expected |= {number for number in numbers if number not in self._built}

    @property
    def total(self) -> int:
        """How many there are, without reading them."""
        return self._versions.count()

    def centers(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The numbers of all, and where they are over the ground (n, 2); only what is held is built."""
        table = self._table
        spots = table["position"][:, :2].copy()
        for k in np.flatnonzero(table["held"] & 1).tolist():
            spots[k] = self[k].box.center[:2]
        return np.array([number for number, _ in self._rows], np.int64), spots

    @property
    def _table(self) -> NDArray[np.void]:
        return np.frombuffer(b"".join(body.ljust(LAYOUT.size, b"\0") for _, body in self._rows), VERSION)

    def of_volume(self, least_m3: float) -> tuple[RememberedObject, ...]:
        """Those of at least a volume, and those of unknown size; the others are not built."""
        sizes = self._table["size"]
        kept = (sizes.prod(axis=1, dtype=float) >= least_m3 * (1 - 1e-6)) | (sizes[:, 0] <= 0.0)
        return tuple(self[k] for k in np.flatnonzero(kept).tolist())

    def near(self, x: float, y: float, radius: float) -> list[RememberedObject]:
        """Those within a distance over the ground of a point, nearest first, but for what is held; the others
        are not built."""
        found = []
        for number, body in self._versions.near(x, y, radius):
            whole = body if len(body) >= _GROUND_END else body.ljust(_GROUND_END, b"\0")
            u, v = _GROUND.unpack_from(whole, _GROUND_AT)
            gap = math.hypot(u - x, v - y)
            if gap <= radius and not whole[0] & 1:
                found.append((gap, number, body))
        return [self._view(number, body) for _, number, body in sorted(found, key=lambda item: item[:2])]

    def of_category(self, category: str) -> tuple[RememberedObject, ...]:
        """Those of a category, without building the others."""
        wanted = self._words.find(LABEL, category)
        if not wanted:
            return ()
        label = _LABEL.unpack_from
        return tuple(
            self._view(number, body)
            for number, body in self._versions.called(wanted)
            if len(body) >= _LABEL_END and label(body, _LABEL_AT)[0] == wanted
        )

    def names(self) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """All categories and attributes that objects have gone under, without building any."""
        labels, features = self._versions.words()
        pairs = (item for feature in features for item in self._words.attributes((feature,)).items())
        return frozenset(self._words.text(LABEL, label) for label in labels), frozenset(pairs)


class Timeline:
    """The stays of one object: where it was at any time, without looking it up again for each."""

    def __init__(self, stays: Sequence[tuple[float, bytes | None]]) -> None:
        self._began = [began for began, _ in stays]
        self._stays = [None if body is None else _Stay.of(body) for _, body in stays]
        self._in_order = self._began == sorted(self._began)

    def where(self, at: float, pose: Callable[[], Matrix]) -> Box | None:
        """The box at a time, None if it had not been seen by then or was gone."""
        k = bisect_right(self._began, at) - 1
        if not self._in_order:
            k = max((k for k, began in enumerate(self._began) if began <= at), default=-1)
        stay = self._stays[k] if k >= 0 else None
        if stay is None or _remains(stay.here, at, stay.last, stay.absent) < LIKELY:
            return None
        if stay.offset is not None:
            x, y, z = _FROM_OFFSET(np.array([stay.offset]), pose())[0].tolist()
            return Box((x, y, z), stay.box.size)
        return stay.box


class _Stay(NamedTuple):
    box: Box
    offset: tuple[float, ...] | None  # where it is to the wearer, if held
    here: float
    last: float
    absent: float

    @classmethod
    def of(cls, body: bytes) -> "_Stay":
        row = LAYOUT.unpack(body.ljust(LAYOUT.size, b"\0"))
        x, y, z = row[2:5]
        return cls(
            Box((x, y, z), _size(*row[11:14])), row[14:17] if row[0] & 1 else None, row[18], row[21], row[22]
        )


def _remains(here: float, at: float, last: float, absent: float) -> float:
    """How likely a thing has not gone, by looks alone. Seen there later on, it was there."""
    return here if at > last and at >= absent else 1.0  # NaN: never missed


def _size(x: float, y: float, z: float) -> tuple[float, float, float]:
    return (x, y, z) if x > 0.0 else (_UNKNOWN_SIZE_M,) * 3


def build(number: int, body: bytes, at: float, pose: Callable[[], Matrix], words: Words) -> RememberedObject:
    """A version as an object at a time: less surely in place the longer it was not seen, or carried along."""
    row = LAYOUT.unpack(body.ljust(LAYOUT.size, b"\0"))
    held, moves = row[0] & 1, row[0] >> 1
    hits, x, y, z = row[1:5]
    spread, (sx, sy, sz), offset = row[5:11], row[11:14], row[14:17]
    exists, here, hazard, first, last, absent = row[17:23]
    labels, shares, features = row[23:26], row[26:29], row[29:]
    remains = _remains(here, at, last, absent)
    here = 1.0 if at <= last else here * p_stays(hazard, at - last)
    if held:
        x, y, z = _FROM_OFFSET(np.array([offset]), pose())[0].tolist()
        grown = min(_HELD_SPREAD_M * (1 + 0.02 * max(0.0, at - last)), 2.0) ** 2
        xx, xy, xz, yy, yz, zz = spread
        spread = (xx + grown, xy, xz, yy + grown, yz, zz + grown)
    elif moves == AGENT and at > last:
        walked = min(_AGENT_MPS * (at - last), _FARTHEST_WALK_M) ** 2
        xx, xy, xz, yy, yz, zz = spread
        spread = (xx + walked, xy, xz, yy + walked, yz, zz)
    # Filling the fields directly takes a fifth of the time that a frozen record's own constructor takes.
    view: RememberedObject = object.__new__(RememberedObject)
    view.__dict__.update(
        id=number,
        category=words.text(LABEL, labels[0]),
        box=Box((x, y, z), _size(sx, sy, sz)),
        attributes=words.attributes(features),
        presence=exists,
        spread_m=math.sqrt((spread[0] + spread[3] + spread[5]) / 3),
        here=here,
        remains=remains,
        spread=spread,
        labels={words.text(LABEL, k): share for k, share in zip(labels, shares, strict=True) if k},
        seen_count=hits,
        first_seen=first,
        last_seen=last,
        held=held == 1,
        absent_since=absent,
        motion=NAMES[moves],
    )
    return view
