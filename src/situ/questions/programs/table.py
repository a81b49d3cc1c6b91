"""The table of possible worlds: what is so in each of them, as columns that are made when first asked for.

Truth is one world. A belief is many: its table is made by the memory (`situ.memory.reading.worlds`). What is
uncertain together is sampled together there, so that whatever is worked out from the table has its odds.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.questions.programs.observer import Observer
from situ.questions.rules.moves import Move, moves_by_object
from situ.questions.rules.places import Places
from situ.state.protocol import LIKELY, Skill, SpatialState
from situ.state.sightings import lately_since

T = TypeVar("T")
Margins = NDArray[np.float64]  # (worlds, objects): above 0 is in, from 1 up so clearly that it is fair to ask
Mask = NDArray[np.bool_]
FAIR_LOG_ODDS = 0.7  # between two places that something may be in
SURE, OUT = 2.0, -np.inf  # the margin of what nobody doubts, and of what is no candidate at all
_SPELLINGS = {"color": ("color", "colour"), "colour": ("color", "colour")}


@dataclass(frozen=True)
class Double:
    """Node `column` may be the object that the node `of` is: how likely in each world (n,)."""

    column: int
    of: int
    chance: NDArray[np.float64]


class WithWorlds(Skill):
    """A state that lays out its possible worlds itself: a belief."""

    @abstractmethod
    def worlds(self) -> "Worlds": ...

    @abstractmethod
    def back_at(self, time: float) -> SpatialState:
        """What was so at an earlier time, by what is known now."""


class Worlds(ABC):
    """Worlds (S) by objects (N). A key of an answer is decided in one world, its odds by how many agree."""

    def __init__(self, now: float, count: int) -> None:
        self.now, self.count = now, count
        self._kept: dict[object, Any] = {}

    @property
    @abstractmethod
    def state(self) -> SpatialState:
        """What the table is of."""

    @property
    def certain(self) -> bool:
        """Whether there is one world alone, and it is true."""
        return False

    def kept(self, key: object, make: Callable[[], T]) -> T:
        """What was worked out once for this table."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    # What there is
    ids: NDArray[np.int64]  # (N,)

    @property
    def number(self) -> int:
        return len(self.ids)

    @cached_property
    def column(self) -> dict[int, int]:
        return {int(number): k for k, number in enumerate(self.ids)}

    @property
    @abstractmethod
    def categories(self) -> Sequence[str]: ...

    @property
    @abstractmethod
    def attributes(self) -> Sequence[Mapping[str, str]]: ...

    @property
    @abstractmethod
    def real(self) -> Margins:
        """Whether each is an object at all, and no false detection."""

    @property
    def counted(self) -> NDArray[np.float64]:
        """How likely each, if it is real, was seen well enough to be listed and counted (N,)."""
        return np.ones(self.number)

    @property
    @abstractmethod
    def there(self) -> Mask:
        """Whether it has not gone (S, N)."""

    def remains_of(self, column: int) -> float:
        """How likely an object has not been seen to be gone."""
        return float(self.there[:, column].mean())

    @property
    @abstractmethod
    def placed(self) -> Mask:
        """Whether it is there, and where it is known to be."""

    @abstractmethod
    def named(self, kind: str) -> Mask:
        """Which bear a name (S, N)."""

    @abstractmethod
    def membership(self, kinds: Sequence[str], with_: Iterable[tuple[str, str]], ever: bool) -> Margins:
        """How likely each is one of the things of some kinds, given what the worlds share (S, N)."""

    def doubles(self, columns: Sequence[int]) -> Sequence[Double]:
        """Which of some nodes may be an object that an earlier one of them is already."""
        return ()

    def distinct(self, inside: Mask) -> Mask:
        """The members of a set (S, N) that count, each object once: what is an elder member again, or was
        only glimpsed, is left out."""
        columns = np.flatnonzero(inside.any(axis=0)).tolist()
        found = inside & self.counts
        for double in self.doubles(columns):
            again = self.levels_of_doubles(double.column) <= double.chance
            found[:, double.column] &= ~(again & found[:, double.of])
        return found

    @property
    def counts(self) -> Mask:
        """Which were seen well enough to be counted (S, N)."""
        return np.ones((self.count, self.number), bool)

    def levels_of_doubles(self, column: int) -> NDArray[np.float64]:
        """Of a node how likely it must be a double to be one, in each world (S,)."""
        return np.ones(self.count)

    def bears(self, key: str, value: str) -> Mask:
        """Which look so (N,); both spellings of colour are one."""
        wanted, keys = value.casefold(), _SPELLINGS.get(key, (key,))
        return np.array(
            [any(had.get(k, "").casefold() == wanted for k in keys) for had in self.attributes], bool
        )

    def name(self, column: int) -> str:
        """What a thing is called in a list: its colour and its kind."""
        had = self.attributes[column]
        colour = had.get("color") or had.get("colour") or ""
        return f"{colour} {self.categories[column]}".strip()

    # Where
    @property
    @abstractmethod
    def centers(self) -> NDArray[np.float64]:
        """Where each is, if it is in place (S, N, 3)."""

    sizes: NDArray[np.float64]  # (N, 3)
    yaws: NDArray[np.float64]  # (N,) radians
    held: Mask  # (N,) in the wearer's hands when it was last seen

    @property
    def in_hand(self) -> NDArray[np.bool_]:
        """In which worlds the wearer holds each (S, N)."""
        return np.tile(self.held, (self.count, 1))

    @cached_property
    def observer(self) -> Observer:
        return self.observer_at(self.now)

    def observer_at(self, time: float) -> Observer:
        """The wearer at a time."""
        if not len(self.state.path):
            raise Unanswerable("I have not seen anything yet")
        return Observer.of(self.state.path.heading_at(time), self.count)

    def as_walked(self, point: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        """Where a point (3,) that was passed at a time is for the wearer in each world (S, 3)."""
        return np.tile(point, (self.count, 1))

    @cached_property
    def places(self) -> Places:
        return Places.of(self.state)

    @property
    def paths(self) -> Sequence[Path]:
        """The wearer's path as it may have been in each world; a single one where nobody doubts it."""
        return (self.state.path,)

    @property
    def path_doubted(self) -> bool:
        """Whether the worlds have paths of their own."""
        return len(self.paths) > 1

    def path_in(self, world: int) -> Path:
        """The wearer's path as it may have been in a world."""
        paths = self.paths
        return paths[world if self.path_doubted else 0]

    def box_in(self, world: int, column: int) -> Box:
        """Where an object is in a world."""
        x, y, z = self.centers[world, column].tolist()
        a, b, c = self.sizes[column].tolist()
        return Box((x, y, z), (a, b, c), float(np.degrees(self.yaws[column])))

    @property
    @abstractmethod
    def rooms(self) -> NDArray[np.int64]:
        """The number of the place that each is in (S, N), -1 for none that has a name."""

    @property
    def room_margins(self) -> NDArray[np.float64]:
        """How clearly each is where it is (N,); fair from 1 up."""
        return np.full(self.number, SURE)

    def ranks(self, mask: Mask) -> NDArray[np.int64]:
        """Columns in the order in which they are meant: there at all, in view, seen lately, near."""
        if not self.number:
            return np.zeros(0, np.int64)
        times, frames = self.last
        gone = self.there.mean(axis=0) < LIKELY
        if not len(self.state.path):
            return np.lexsort((self.ids, gone))
        in_view = frames == self.state.path.index_at(self.now)
        here = self.observer
        middles = self.centers.mean(axis=0)
        gaps = np.hypot(middles[:, 0] - here.x[0], middles[:, 1] - here.y[0])
        since = lately_since(times[mask & ~gone].tolist(), self.now)
        return np.lexsort((self.ids, gaps, ~(times >= since), ~in_view, gone))

    # When
    @property
    @abstractmethod
    def last(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Time and frame of the last sighting of each (N,)."""

    @property
    @abstractmethod
    def first_times(self) -> NDArray[np.float64]: ...

    def first_frames(self, column: int) -> tuple[int, int | None]:
        """The first frame that shows a thing, and the first that shows it clearly."""

        def found() -> tuple[int, int | None]:
            first = None
            for seen in self.state.sightings(int(self.ids[column])):
                first = seen.frame if first is None else first
                if seen.clarity == 1.0:
                    return first, seen.frame
            return (-1 if first is None else first), None

        return self.kept(("first", column), found)

    @cached_property
    def in_view(self) -> Mask:
        """Which the frame of now shows (N,)."""
        frame = self.state.path.index_at(self.now) if len(self.state.path) else -1
        return np.asarray(self.last[1] == frame)

    def moves(self, since: float = -math.inf) -> Mapping[int, Sequence[Move]]:
        """The moves of each thing that was moved after a time, by its column, in order."""

        def found() -> dict[int, list[Move]]:
            moved = moves_by_object(self.state, since)
            columns = ((self.column.get(moves[0].view.id), moves) for moves in moved)
            return {column: moves for column, moves in columns if column is not None}

        return self.kept(("moves", since), found)

    def happened(self, column: int, move: Move) -> NDArray[np.bool_]:
        """In which worlds a move that is told of a thing did happen (S,)."""
        return np.ones(self.count, bool)

    def arrivals(self, column: int, move: Move) -> NDArray[np.float64]:
        """When a move ended, in each world (S,): nobody may have seen it."""
        return np.full(self.count, move.arrived)

    def by_wearer(self, column: int, move: Move) -> NDArray[np.bool_]:
        """In which worlds the wearer made a move (S,)."""
        return np.full(self.count, move.by_wearer)

    def overlooked(self, number: int) -> NDArray[np.int64]:
        """How many changes of a kind of which so many are known nobody saw, in each world (S,)."""
        return np.zeros(self.count, np.int64)

    @abstractmethod
    def as_of(self, time: float) -> "Worlds":
        """What was known at an earlier time."""

    @abstractmethod
    def back_at(self, time: float) -> "Worlds":
        """What was so at an earlier time, by what is known now; the worlds are the same ones."""
