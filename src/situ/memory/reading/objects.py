"""Objects as a memory reports them: stored versions as records, each made when it is looked at."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from struct import Struct
from typing import overload

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.memory.reading.stays import UNKNOWN_SIZE_M, from_offset_uncompiled
from situ.memory.tables.motion import AGENT, NAMES
from situ.memory.tables.rates import p_stays
from situ.memory.tables.row_types import SHARES, VERSION
from situ.memory.tables.vocabulary import LABEL, Words
from situ.state.protocol import ObjectView

# How far hands move what they hold while nobody looks: so many metres, growing by a share of that for each
# second, and no farther than the last.
HELD_SPREAD_M, HELD_GROWTH_S, HELD_MOST_M = 0.3, 0.02, 2.0
# How far an agent may have come since it was seen: metres a second, as people stroll, and at most.
AGENT_MPS, FARTHEST_WALK_M = 0.6, 4.0
# The fields of VERSION in order, without gaps; a third as slow as by way of numpy.
_LAYOUT = Struct("<BI3d6f3f3f3f3d3fBqI3I3f8I")
assert _LAYOUT.size == VERSION.itemsize


@dataclass(frozen=True)
class RememberedObject(ObjectView):
    """An object with all that the memory knows about it.

    `here` is how likely it still is where `box` says; it falls with time and with every negative observation.
    `remains` is the same by observations alone: what nobody looked for may have been moved, but has not gone.
    `labels` is the confidence-weighted vote. `held` says that it was last seen in the wearer's hands.
    `motion` is how things of its kind move: "fixed", "portable" or "agent".
    What tells whether it is one object: of the `looked` observations of its place it was `found` in some; its
    squared distance from its place is `misfit` times what was stated; `origin` says why its track was
    initialised (see births.py); `track` is the detector's track number, `track_runs` how often that changed.
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


class Decoder:
    """Versions as objects at a time, by a vocabulary."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def view(self, number: int, body: bytes, at: float, pose: Matrix) -> RememberedObject:
        """A version as an object: less surely in place the longer it was not seen, or carried along by the
        wearer at `pose`."""
        row = _LAYOUT.unpack(body.ljust(_LAYOUT.size, b"\0"))
        held, moves = row[0] & 1, row[0] >> 1
        exists, here, hazard, first, last, absent = row[17:23]
        size = row[11:14] if row[11] > 0.0 else (UNKNOWN_SIZE_M,) * 3
        text, labels = self.words.text, row[29 : 29 + SHARES]
        view = RememberedObject(
            number, text(LABEL, labels[0]), Box(row[2:5], size), self.words.attributes(row[35:]), exists,
            _width(row[5:11]), here if at > last else 1.0, here if at > last and at >= absent else 1.0,
            row[5:11], {text(LABEL, n): row[32 + k] for k, n in enumerate(labels) if n}, row[1], first, last,
            held == 1, absent, NAMES[moves], *row[23:29],
        )  # fmt: skip
        if at > last:
            view = replace(view, here=here * p_stays(hazard, at - last))
        if held:
            x, y, z = from_offset_uncompiled(np.array([row[14:17]]), pose)[0].tolist()
            box = Box((x, y, z), size)
            moved = min(HELD_SPREAD_M * (1 + HELD_GROWTH_S * max(0.0, at - last)), HELD_MOST_M)
            return replace(_widened(view, moved**2, upwards=True), box=box)
        if moves == AGENT and at > last:
            return _widened(view, min(AGENT_MPS * (at - last), FARTHEST_WALK_M) ** 2, upwards=False)
        return view


def _widened(view: RememberedObject, more: float, upwards: bool) -> RememberedObject:
    """A place that is known less well than when it was seen, by so many square metres along each axis."""
    xx, xy, xz, yy, yz, zz = view.spread
    spread = (xx + more, xy, xz, yy + more, yz, zz + more if upwards else zz)
    return replace(view, spread=spread, spread_m=_width(spread))


def _width(spread: tuple[float, ...]) -> float:
    """One standard deviation of a position, over its axes."""
    return math.sqrt((spread[0] + spread[3] + spread[5]) / 3)


class RememberedObjects(Sequence[RememberedObject]):
    """Objects at a time, each made when it is looked at; most questions look at a few of hundreds."""

    def __init__(
        self,
        numbers: NDArray[np.int64],
        table: NDArray[np.void],
        at: float,
        pose: Matrix,
        decoder: Decoder,
    ) -> None:
        """`table` has the version of each object; `pose` is the wearer's."""
        self.numbers, self.table, self.words = numbers, table, decoder.words
        self._at, self._pose, self._decoder = at, pose, decoder
        self._row = {number: k for k, number in enumerate(numbers.tolist())}
        self._made: dict[int, RememberedObject] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> RememberedObject: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RememberedObject, ...]: ...
    def __getitem__(self, index: int | slice) -> RememberedObject | tuple[RememberedObject, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        k = range(len(self))[index]
        if k not in self._made:
            body = self.table[k].tobytes()
            self._made[k] = self._decoder.view(int(self.numbers[k]), body, self._at, self._pose)
        return self._made[k]

    def __iter__(self) -> Iterator[RememberedObject]:
        return map(self.__getitem__, range(len(self)))

    def one(self, number: int) -> RememberedObject | None:
        """An object by its number, None if there is none."""
        row = self._row.get(number)
        return None if row is None else self[row]

    def rows_of(self, numbers: Sequence[int]) -> list[int]:
        """The rows of some objects, of those that there are."""
        return [self._row[number] for number in numbers if number in self._row]

    def of_category(self, category: str) -> list[RememberedObject]:
        """Those of a category, by number."""
        wanted = self.words.find(LABEL, category)
        rows = np.flatnonzero(self.table["labels"][:, 0] == wanted) if wanted else ()
        return [self[int(k)] for k in rows]

    def centers(self) -> NDArray[np.float64]:
        """Where all are over the ground (n, 2)."""
        spots = self.table["position"][:, :2].astype(float)
        for k in np.flatnonzero(self.table["held"] & 1).tolist():
            spots[k] = self[k].box.center[:2]
        return spots

    def near(self, x: float, y: float, radius: float, least_m3: float = 0.0) -> list[RememberedObject]:
        """Those within a distance over the ground of a point, nearest first, but for what is held; those that
        are known to be smaller than a volume are left out."""
        table = self.table
        gaps = np.hypot(table["position"][:, 0] - x, table["position"][:, 1] - y)
        kept = (gaps <= radius) & ((table["held"] & 1) == 0)
        if least_m3 > 0.0:
            unknown = table["size"][:, 0] <= 0.0
            kept &= unknown | (table["size"].prod(axis=1, dtype=float) >= least_m3 * (1 - 1e-6))
        inside = np.flatnonzero(kept)
        return [self[int(k)] for k in inside[np.argsort(gaps[inside], kind="stable")]]
