"""One run of a program over a table of worlds: sets are worked out once, for one observer."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from situ.english import with_article
from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.oriented import box_gap
from situ.questions.programs.observer import Observer
from situ.questions.programs.schema import Measure, Set
from situ.questions.programs.table import OUT, Margins, Worlds
from situ.state.protocol import LIKELY

T = TypeVar("T")
Value = str | int | float
Numbers = NDArray[np.float64]  # (worlds, objects) or (worlds,)


@dataclass(frozen=True)
class Entry:
    """One of a list, of groups, or of what is compared: its name, how likely it belongs there, its number
    where it has one, and the objects. Of an object also how far it is from the observer and in which
    direction, and how long ago it was seen last."""

    name: str
    chance: float
    number: float | None = None
    things: tuple[int, ...] = ()
    distance_m: float | None = None
    bearing_deg: float | None = None
    age_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        return _plain(self)


@dataclass(frozen=True)
class Result:
    """What an ask answers.

    `odds` are over values, with "unknown" for worlds that do not say; `confidence` is that of `value`.
    `margin` is the distance to the nearest decision boundary: from `fair` up it is fair to ask.
    `interval` holds a measure nine times in ten. `things` are ids, the one meant first. `nearest` is the
    nearest object of the kind where a list is empty.
    """

    ask: str
    value: Value
    odds: Mapping[str, float]
    confidence: float
    margin: float = 0.0
    evidence: tuple[int, ...] = ()
    things: tuple[int, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    what: str = ""
    unit: str = ""
    interval: tuple[float, float] | None = None
    entries: tuple[Entry, ...] = ()
    nearest: Entry | None = None
    fair: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """Plain data; what does not apply is left out. The margin is in fair units."""
        plain = _plain(self)
        plain |= {"odds": {name: round(share, 4) for name, share in self.odds.items()}}
        plain |= {"numbers": {name: round(number, 4) for name, number in self.numbers.items()}}
        plain |= {
            "margin": round(self.margin / self.fair, 3),
            "entries": [one.to_json() for one in self.entries],
        }
        return plain if self.nearest is None else plain | {"nearest": self.nearest.to_json()}


def _plain(record: Any) -> dict[str, Any]:
    parts = {part.name: getattr(record, part.name) for part in fields(record)}
    return {
        name: round(value, 4)
        if isinstance(value, float)
        else list(value)
        if isinstance(value, tuple)
        else value
        for name, value in parts.items()
        if value is not None and value != ""
    }


class NoneSeen(Unanswerable):
    """Nothing is in a set that has to name something."""

    def __init__(self, which: Set | None) -> None:
        super().__init__(f"I have not seen {described(which)}")
        self.which = which


class _Gone(Unanswerable):
    """What is meant is nowhere that is known."""

    def __init__(self, which: Set | None) -> None:
        name = described(which, "the")
        super().__init__(f"{name} is no longer where I saw it, and I do not know where it went")


class _Anywhere(Unanswerable):
    """What is meant was seen too long ago to say where it is, though nobody saw it gone."""

    def __init__(self, which: Set | None) -> None:
        super().__init__(f"{described(which, 'the')} may have been moved since I saw it last, long ago")


class Run:
    """The sets and measures of one program in a table, each worked out once."""

    def __init__(self, table: Worlds, observer: Observer | None = None) -> None:
        self.table = table
        self._observer = observer
        self._sets: dict[tuple[Set, bool], Margins] = {}
        self._kept: dict[object, Any] = {}
        self._measures: dict[Measure, Numbers] = {}
        self._gaps: Numbers | None = None
        self._turns: Numbers | None = None

    @property
    def observer(self) -> Observer:
        return self._observer or self.table.observer

    def kept(self, key: object, make: Callable[[], T]) -> T:
        """What was worked out once for this run."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def seen_by(self, observer: Observer) -> "Run":
        """The same worlds for somebody else."""
        return Run(self.table, observer)

    def set(self, which: Set | None, raw: bool = False) -> Margins:
        """The margins of a set. `raw`: it says something of things that another set names; else what is left
        open means what is there now."""
        if which is None:
            return self.table.real if raw else self.there_only(self.table.real)
        found = self._sets.get((which, raw))
        if found is None:
            found = self._sets[which, raw] = which.margins(self, raw)
        return found

    def there_only(self, margins: Margins) -> Margins:
        """A set without what has gone."""
        return np.where(self.table.there, margins, OUT)

    def measure(self, which: Measure) -> Numbers:
        """A number of each object in each world, NaN where it has none."""
        found = self._measures.get(which)
        if found is None:
            found = self._measures[which] = which.numbers(self)
        return found

    # ------------------------------------------------------------------ the one meant
    def meant(self, which: Set | None, placed: bool = True, strict: bool = False) -> NDArray[np.int64]:
        """The column of the object that is meant in each world (S,); -1 where there is none, and where it
        must be known where it is now (`placed`) but is not. `strict`: on truth there is one alone."""
        margins = self.set(which)
        inside = margins > 0
        if strict and self.table.certain and (number := int((margins[0] >= 0).sum())) != 1:
            raise Unanswerable(f"the words pick out {number} of the objects seen, not one")
        if not inside.any():
            raise self._none(which)
        order = self.table.ranks(np.asarray(inside.any(axis=0)))
        first = order[inside[:, order].argmax(axis=1)]
        known = inside.any(axis=1)
        if placed:
            known &= self.table.placed[np.arange(self.table.count), first]
            if not known.any():
                left = self.table.there[np.arange(self.table.count), first]
                raise (_Anywhere if left[inside.any(axis=1)].mean() > LIKELY else _Gone)(which)
        return np.where(known, first, -1)

    def _none(self, which: Set | None) -> Unanswerable:
        """Why a set names nothing: there was none, or it has gone."""
        return _Gone(which) if which and (self.set(which, raw=True) > 0).any() else NoneSeen(which)

    def anchors(self, which: Set) -> tuple[NDArray[np.int64], Margins]:
        """The columns that are in a set in some world, and the set."""
        margins = self.set(which)
        columns = np.flatnonzero((margins > 0).any(axis=0))
        if not len(columns):
            raise self._none(which)
        return columns, margins

    # ------------------------------------------------------------------ geometry
    def local(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
        """How far points (S,) are from the middle of each object over the ground, along its axes (S, N)."""
        east, north = x[:, None] - self.table.centers[..., 0], y[:, None] - self.table.centers[..., 1]
        cos, sin = np.cos(self.table.yaws), np.sin(self.table.yaws)
        return east * cos + north * sin, -east * sin + north * cos

    def ground_gaps(self) -> Numbers:
        """Metres over the ground from the observer to the closest point of each object."""
        if self._gaps is None:
            self._gaps = self._ground_gaps()
        return self._gaps

    def _ground_gaps(self) -> Numbers:
        ahead, aside = self.local(self.observer.x, self.observer.y)
        half = self.table.sizes / 2
        return np.hypot(np.maximum(0, np.abs(ahead) - half[:, 0]), np.maximum(0, np.abs(aside) - half[:, 1]))

    def bearings(self) -> Numbers:
        """Degrees to the middle of each object: 0 ahead, positive to the right, in (-180, 180]."""
        if self._turns is None:
            self._turns = self._bearings()
        return self._turns

    def _bearings(self) -> Numbers:
        here = self.observer
        if here.yaw is None:
            raise Unanswerable("which way somebody faces there must be said: give 'facing'")
        east = self.table.centers[..., 0] - here.x[:, None]
        north = self.table.centers[..., 1] - here.y[:, None]
        cos, sin = np.cos(here.yaw)[:, None], np.sin(here.yaw)[:, None]
        return np.degrees(np.arctan2(east * sin - north * cos, east * cos + north * sin))

    def box_gaps(self, anchor: int) -> Numbers:
        """Metres between the closest points of each object and another (S, N)."""
        table = self.table
        if not table.yaws.any():
            beyond = (
                np.abs(table.centers - table.centers[:, [anchor]]) - (table.sizes + table.sizes[anchor]) / 2
            )
            return np.asarray(np.sqrt((np.maximum(0, beyond) ** 2).sum(axis=-1)))
        turned = np.degrees(table.yaws).tolist()
        sizes = [(a, b, c) for a, b, c in table.sizes.tolist()]
        rows = []
        for centers in table.centers.tolist():
            boxes = [Box((x, y, z), s, t) for (x, y, z), s, t in zip(centers, sizes, turned, strict=True)]
            rows.append([box_gap(box, boxes[anchor]) for box in boxes])
        return np.array(rows)

    def box(self, column: int) -> Box:
        """Where an object is in the first world."""
        x, y, z = self.table.centers[0, column].tolist()
        a, b, c = self.table.sizes[column].tolist()
        return Box((x, y, z), (a, b, c), float(np.degrees(self.table.yaws[column])))

    # ------------------------------------------------------------------ what an answer rests on
    def members(self, margins: Margins) -> list[int]:
        """The columns that are in a set in most worlds."""
        return np.flatnonzero((margins > 0).mean(axis=0) > LIKELY + 1e-9).tolist()

    def ids(self, columns: list[int]) -> tuple[int, ...]:
        return tuple(int(self.table.ids[k]) for k in columns)

    def entry(self, column: int, chance: float) -> Entry:
        """An object as one of a list: where it is for the observer, and how old that is."""
        table, here = self.table, self.observer
        known = table.placed[:, column]
        distance = bearing = None
        if known.any():
            distance = round(float(np.median(self.ground_gaps()[known, column])), 2)
            if here.yaw is not None:
                turn = np.radians(self.bearings()[known, column])
                bearing = round(math.degrees(math.atan2(np.sin(turn).mean(), np.cos(turn).mean())), 1)
        seen = float(table.last[0][column])
        age = round(table.now - seen, 3) if math.isfinite(seen) else None
        return Entry(table.name(column), chance, None, self.ids([column]), distance, bearing, age)

    def clear_frames(self, columns: list[int]) -> tuple[int, ...]:
        """Of each thing the first frame that shows it clearly."""
        found = (self.table.first_frames(k)[1] for k in columns)
        return tuple(sorted({frame for frame in found if frame is not None}))

    def last_frames(self, columns: list[int]) -> tuple[int, ...]:
        frames = self.table.last[1][columns].tolist()
        return tuple(sorted({frame for frame in frames if frame >= 0}))


def fairness(margins: Margins) -> float:
    """How far the nearest object is from changing sides."""
    finite = np.abs(margins[np.isfinite(margins)])
    return float(finite.min(initial=99.0))


def described(which: Set | None, article: str = "a") -> str:
    """What a set is called in a refusal, as far as it has a name."""
    kind, looks = getattr(which, "kind", None), getattr(which, "with_", ())
    if kind is None and not looks:
        inner = getattr(which, "of", None)
        name = described(inner, article) if isinstance(inner, Set) else "any such thing"
        return f"{name} {which.words}".strip() if which is not None else name
    noun = " ".join([*(value for _, value in looks), kind or "object"])
    return with_article(noun) if article == "a" else f"{article} {noun}".strip()
