"""The table of possible worlds: what is so in each of them, as columns that are made when first asked for.

Truth is one world. A belief is many: its table is made by the memory (`situ.memory.reading.worlds`). What is
uncertain together is sampled together there, so that whatever is worked out from the table has its odds.
"""

import math
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.english import name_key
from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.programs.observer import Observer
from situ.questions.rules.moves import Move, moves_by_object
from situ.questions.rules.places import Places
from situ.state.candidates import lately_since
from situ.state.protocol import LIKELY, Skill, SpatialState

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

    @staticmethod
    def of(state: SpatialState) -> "Worlds":
        """The table of a state."""
        if isinstance(state, WithWorlds):
            return state.worlds()
        return _true_worlds(state)

    @property
    @abstractmethod
    def state(self) -> SpatialState:
        """What the table is of."""

    @property
    def certain(self) -> bool:
        """Whether there is one world alone, and it is true."""
        return False

    def kept(self, key: object, make: Callable[[], Any]) -> Any:
        """What was worked out once for this table."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

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

        kept: tuple[int, int | None] = self.kept(("first", column), found)
        return kept

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

        kept: dict[int, list[Move]] = self.kept(("moves", since), found)
        return kept

    def happened(self, column: int, move: Move) -> NDArray[np.bool_]:
        """In which worlds a move that is told of a thing did happen (S,)."""
        return np.ones(self.count, bool)

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


class TrueWorlds(Worlds):
    """One world, and it is sure but for what was only glimpsed: nobody may hinge a question on that."""

    def __init__(self, state: SpatialState) -> None:
        super().__init__(state.now, 1)
        self._state = state
        self._views = tuple(state.objects())
        boxes = [state.where(view.id, state.now) for view in self._views]
        self._gone = np.array([box is None for box in boxes], bool)
        self._boxes: list[Box] = [box or view.box for box, view in zip(boxes, self._views, strict=True)]
        self.ids = np.array([view.id for view in self._views], np.int64)
        self.sizes = np.array([box.size for box in self._boxes]).reshape(-1, 3)
        self.yaws = np.radians([box.yaw_deg for box in self._boxes])

    @property
    def state(self) -> SpatialState:
        return self._state

    @property
    def certain(self) -> bool:
        return True

    @cached_property
    def categories(self) -> Sequence[str]:
        return [view.category for view in self._views]

    @cached_property
    def attributes(self) -> Sequence[Mapping[str, str]]:
        return [view.attributes for view in self._views]

    @cached_property
    def real(self) -> Margins:
        presence = np.array([view.presence for view in self._views])
        return ((presence - LIKELY) * 2 * SURE)[None]

    @cached_property
    def there(self) -> Mask:
        return np.asarray(~self._gone[None])

    @property
    def placed(self) -> Mask:
        return self.there

    @cached_property
    def _keys(self) -> list[str]:
        return [name_key(category) for category in self.categories]

    def named(self, kind: str) -> Mask:
        wanted = name_key(kind)
        return np.array([[key == wanted for key in self._keys]], bool).reshape(1, -1)

    def membership(self, kinds: Sequence[str], with_: Iterable[tuple[str, str]], ever: bool) -> Margins:
        found = self.real > 0
        if kinds:
            found = found & np.logical_or.reduce([self.named(kind) for kind in kinds])
        for key, value in with_:
            found = found & self.bears(key, value)
        return (found if ever else found & self.there).astype(float)

    @cached_property
    def centers(self) -> NDArray[np.float64]:
        return np.array([box.center for box in self._boxes]).reshape(1, -1, 3)

    @cached_property
    def held(self) -> Mask:  # type: ignore[override]
        stays = getattr(self.state, "stays", None)
        if stays is None:
            return np.zeros(self.number, bool)
        return np.array([bool((kept := stays(int(i))) and kept[-1].held) for i in self.ids], bool)

    @cached_property
    def _located(self) -> Any:
        return self.places.locate(self.centers[0])

    @cached_property
    def rooms(self) -> NDArray[np.int64]:
        return np.asarray(self._located.place)[None]

    @cached_property
    def room_margins(self) -> NDArray[np.float64]:
        return np.asarray(self._located.margin) / FAIR_LOG_ODDS

    @cached_property
    def last(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        seen = [self.state.sightings(int(number)) for number in self.ids]
        times = np.array([one[-1].time if one else -math.inf for one in seen])
        return times, np.array([one[-1].frame if one else -1 for one in seen], np.int64)

    @cached_property
    def first_times(self) -> NDArray[np.float64]:
        seen = [self.state.sightings(int(number)) for number in self.ids]
        return np.array([one[0].time if one else math.inf for one in seen])

    def as_of(self, time: float) -> Worlds:
        return Worlds.of(self.state.as_of(time))

    def back_at(self, time: float) -> Worlds:
        return self.as_of(min(time, self.now))


_MOMENTS = 8  # several questions are asked of each
_TABLES: "OrderedDict[int, TrueWorlds]" = OrderedDict()


def _true_worlds(state: SpatialState) -> TrueWorlds:
    """The table of a truth; states are told apart by identity, and each is kept by its table."""
    found = _TABLES.pop(id(state), None)
    if found is None:
        found = TrueWorlds(state)
        if len(_TABLES) >= _MOMENTS:
            _TABLES.popitem(last=False)
    _TABLES[id(state)] = found
    return found
