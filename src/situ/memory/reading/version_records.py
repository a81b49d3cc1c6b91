"""Stored versions of objects as records: what a version says of an object, at any time."""

import math
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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
from situ.state.protocol import LIKELY, ObjectView

_FROM_OFFSET = plain(from_offset)  # one thing in the hands; reading a memory needs no compiler
_UNKNOWN_SIZE_M = 0.1  # a side of what nobody stated the size of: something that a hand takes
_HELD_SPREAD_M = 0.3  # how far hands move what they hold while nobody looks
_AGENT_MPS, _FARTHEST_WALK_M = 0.6, 4.0  # how far an agent may have come since it was seen
_SHARES = 32  # where the shares of the labels begin in a version
_MOST_KEPT = 4096  # versions
_MOST_NAMES = 16  # sets of words at hand: neighbours in a table are mostly called alike
Names = tuple[frozenset[str], frozenset[tuple[str, str]]]
# The fields of VERSION in order, without gaps; a third as slow as by way of numpy.
LAYOUT = struct.Struct("<BI3d6f3f3f3f3d3fBqI3I3f8I")
assert LAYOUT.size == VERSION.itemsize
# The first of them: whether in the hands, where, and how large; then where to the wearer, how likely it is
# here, and when it was last seen and missed. Most of the others are words.
_PLACED, _STAYING = struct.Struct("<B4x3d24x3f"), struct.Struct("<B4x3d24x3f3f4xf4x8x2d")


@dataclass(frozen=True)
class RememberedObject(ObjectView):
    """An object with all that the memory knows about it.

    `here` is how likely it still is where `box` says; it falls with time and with every look in vain.
    `remains` is the same by looks alone: what nobody looked for may have been moved, but has not gone.
    `labels` is the confidence-weighted vote. `held` says that it was last seen in the wearer's hands.
    `motion` is how things of its kind move: "fixed", "portable" or "agent".
    What tells whether it is one of its own: of so many looks at its place (`looked`) it was `found` in some;
    its squared distance from its place is `misfit` times what was stated; `origin` says why it was begun (see
    births.py); `track` is the number of its track as told last, and `track_runs` how often that changed.
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
    found: float = 0.0
    looked: float = 0.0
    misfit: float = 1.0
    origin: int = 0
    track: int = -1
    track_runs: int = 0

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


class Timeline:
    """The stays of one object: where it was at any time, without looking it up again for each."""

    def __init__(self, began: Sequence[float], said: Sequence[bytes | None]) -> None:
        self.began, self._said = list(began), said
        self._stays: dict[int, _Stay | None] = {}  # those that were asked about; of a week there are many
        self._in_order = self.began == sorted(self.began)

    def number(self, at: float) -> int:
        """Of the stay at a time, -1 before all of them."""
        if self._in_order:
            return bisect_right(self.began, at) - 1
        return max((k for k, began in enumerate(self.began) if began <= at), default=-1)

    def _stay(self, k: int) -> "_Stay | None":
        if k not in self._stays:
            body = self._said[k] if k >= 0 else None
            self._stays[k] = None if body is None else _Stay.of(body)
        return self._stays[k]

    def settled_since(self, at: float) -> float:
        """Since when it was where it was at a time; that time, if it was carried or had been missed."""
        k = self.number(at)
        stay = self._stay(k) if self._in_order else None
        if stay is None or stay.offset is not None or (at > stay.last and at >= stay.absent):
            return at
        return self.began[k]

    def carried_since(self, at: float) -> float:
        """Since when it was carried as it was at a time; that time, if it was not."""
        k = self.number(at)
        stay = self._stay(k) if self._in_order else None
        return at if stay is None or stay.offset is None else self.began[k]

    def settled_until(self, number: int) -> float:
        """When the first stay after so many began: what is said of these holds of all times before."""
        if not self._in_order:
            return -math.inf
        return self.began[number] if number < len(self.began) else math.inf

    def where(self, at: float, pose: Callable[[], Matrix]) -> Box | None:
        """The box at a time, None if it had not been seen by then or was gone."""
        stay = self._stay(self.number(at))
        if stay is None or _remains(stay.here, at, stay.last, stay.absent) < LIKELY:
            return None
        if stay.offset is not None:
            x, y, z = _FROM_OFFSET(np.array([stay.offset]), pose())[0].tolist()
            return Box((x, y, z), stay.box.size)
        return stay.box

    def ended(self, k: int) -> float:
        """When the stay after one began."""
        return self.began[k + 1] if k + 1 < len(self.began) else math.inf

    def held(self, k: int) -> bool:
        """Whether it was carried during a stay."""
        body = self._said[k] or b"\0"
        return body[0] & 1 == 1

    def carried(
        self, held: Sequence[int], rows: NDArray[np.int64], times: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Of times (n,), each with the row of its stay among some when it was carried: where it was to the
        wearer (n, 3), and whether it was there."""
        stays = [stay for stay in map(self._stay, held) if stay is not None and stay.offset is not None]
        told = np.array([(*(stay.offset or ()), stay.here, stay.last, stay.absent) for stay in stays])[rows]
        here, last, absent = told[:, 3:].T
        remains = np.where((times > last) & (times >= absent), here, 1.0)  # as in `_remains`
        return told[:, :3], remains >= LIKELY

    def size(self, k: int) -> tuple[float, float, float]:
        """Of its box during a stay of which anything was said."""
        stay = self._stay(k)
        assert stay is not None
        return stay.box.size


class _Stay(NamedTuple):
    box: Box
    offset: tuple[float, ...] | None  # where it is to the wearer, if held
    here: float
    last: float
    absent: float

    @classmethod
    def of(cls, body: bytes) -> "_Stay":
        whole = body if len(body) >= _STAYING.size else body.ljust(_STAYING.size, b"\0")
        held, x, y, z, a, b, c, u, v, w, here, last, absent = _STAYING.unpack_from(whole)
        return cls(Box((x, y, z), _size(a, b, c)), (u, v, w) if held & 1 else None, here, last, absent)


def _remains(here: float, at: float, last: float, absent: float) -> float:
    """How likely a thing has not gone, by looks alone. Seen there later on, it was there."""
    return here if at > last and at >= absent else 1.0  # NaN: never missed


def _size(x: float, y: float, z: float) -> tuple[float, float, float]:
    return (x, y, z) if x > 0.0 else (_UNKNOWN_SIZE_M,) * 3


class _Version(NamedTuple):
    """What a version says whenever it is asked, and what depends on when that is."""

    fields: dict[str, Any]  # of the record
    held: bool
    agent: bool
    offset: tuple[float, ...]
    here: float
    hazard: float
    last: float
    absent: float


class Decoder:
    """Versions as objects at a time. What does not depend on the time is read once: the same few hundred
    versions are asked for again and again."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._known: dict[bytes, _Version] = {}
        self._resting: dict[bytes, tuple[Box, bool]] = {}
        self._names: dict[tuple[tuple[int, ...], tuple[int, ...]], Names] = {}
        self._labels: dict[tuple[int, ...], tuple[str, tuple[tuple[str, int], ...]]] = {}

    def names(self, labels: Iterable[int], features: Iterable[int]) -> Names:
        """Categories and attributes by their numbers; every question asks for the same few."""
        key = (tuple(labels), tuple(features))
        if key not in self._names:
            if len(self._names) >= _MOST_NAMES:
                self._names.clear()
            pairs = (item for feature in key[1] for item in self.words.attributes((feature,)).items())
            self._names[key] = frozenset(self.words.text(LABEL, n) for n in key[0]), frozenset(pairs)
        return self._names[key]

    def _spelt(self, labels: tuple[int, ...]) -> tuple[str, tuple[tuple[str, int], ...]]:
        """What labels are in words: the first, and each that there is with the place of its share."""
        known = self._labels.get(labels)
        if known is None:
            if len(self._labels) >= _MOST_KEPT:
                self._labels.clear()
            text = self.words.text
            called = tuple((text(LABEL, n), _SHARES + k) for k, n in enumerate(labels) if n)
            known = self._labels[labels] = text(LABEL, labels[0]), called
        return known

    def view(self, number: int, body: bytes, at: float, pose: Callable[[], Matrix]) -> RememberedObject:
        """A version as an object: less surely in place the longer it was not seen, or carried along.
        `pose` is asked for where it is held."""
        version = self._known.get(body)
        if version is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            version = self._known[body] = self._read(body)
        fields, held, agent, offset, here, hazard, last, absent = version
        in_place = 1.0 if at <= last else here * p_stays(hazard, at - last)
        own = {**fields, "id": number, "here": in_place, "remains": _remains(here, at, last, absent)}
        if held:
            x, y, z = _FROM_OFFSET(np.array([offset]), pose())[0].tolist()
            own["box"] = Box((x, y, z), fields["box"].size)
            _widen(own, min(_HELD_SPREAD_M * (1 + 0.02 * max(0.0, at - last)), 2.0) ** 2, upwards=True)
        elif agent and at > last:
            _widen(own, min(_AGENT_MPS * (at - last), _FARTHEST_WALK_M) ** 2, upwards=False)
        return RememberedObject(**own)

    def resting(self, body: bytes) -> tuple[Box, bool]:
        """Where a version says that an object is, as it was written down, and whether in the hands."""
        known = self._resting.get(body)
        if known is None:
            if len(self._resting) >= _MOST_KEPT:
                self._resting.clear()
            whole = body if len(body) >= _PLACED.size else body.ljust(_PLACED.size, b"\0")
            row = _PLACED.unpack_from(whole)
            known = self._resting[body] = Box(row[1:4], row[4:]), bool(row[0] & 1)
        return known

    def _read(self, body: bytes) -> _Version:
        row = LAYOUT.unpack(body if len(body) == LAYOUT.size else body.ljust(LAYOUT.size, b"\0"))
        held, moves = row[0] & 1, row[0] >> 1
        spread, (sx, sy, sz) = row[5:11], row[11:14]
        exists, here, hazard, first, last, absent = row[17:23]
        found, looked, misfit, origin, track, track_runs = row[23:29]
        category, called = self._spelt(row[29:32])
        box = Box(row[2:5], _size(sx, sy, sz))
        fields = {
            "category": category,
            "box": box,
            "attributes": self.words.attributes(row[35:]),
            "presence": exists,
            "spread_m": _width(spread),
            "spread": spread,
            "labels": {text: row[k] for text, k in called},
            "seen_count": row[1],
            "first_seen": first,
            "last_seen": last,
            "held": held == 1,
            "absent_since": absent,
            "motion": NAMES[moves],
            "found": found,
            "looked": looked,
            "misfit": misfit,
            "origin": origin,
            "track": track,
            "track_runs": track_runs,
        }
        return _Version(fields, held == 1, moves == AGENT, row[14:17], here, hazard, last, absent)


def _widen(own: dict[str, Any], more: float, upwards: bool) -> None:
    """A place that is known less well than when it was seen, by so many square metres along each axis."""
    xx, xy, xz, yy, yz, zz = own["spread"]
    own["spread"] = (xx + more, xy, xz, yy + more, yz, zz + more if upwards else zz)
    own["spread_m"] = _width(own["spread"])


def _width(spread: tuple[float, ...]) -> float:
    """One standard deviation of a position, over its axes."""
    return math.sqrt((spread[0] + spread[3] + spread[5]) / 3)
