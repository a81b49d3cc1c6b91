"""Asks that are worked out world by world, for what no set or measure says: routes, views, histories."""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.questions.base import Answer
from situ.questions.programs.run import NoneSeen, Result, Run, Value, described
from situ.questions.programs.schema import Ask, Set
from situ.questions.programs.tallies import measured, voted
from situ.questions.programs.true_worlds import worlds_of
from situ.questions.rules.moves import Move, moves_of, view_of
from situ.state.protocol import ObjectView, Sighting, SpatialState

T = TypeVar("T")


@dataclass(frozen=True)
class World:
    """One world of a table: what is so there has a definite answer."""

    run: Run
    number: int

    @property
    def state(self) -> SpatialState:
        """What all worlds have in common: sightings, pictures, visits."""
        return self.run.table.state

    @property
    def now(self) -> float:
        return self.run.table.now

    @property
    def certain(self) -> bool:
        return self.run.table.certain

    @property
    def path(self) -> Path:
        return self.run.table.path_in(self.number)

    def view(self, column: int) -> ObjectView:
        """An object, where it is in this world."""
        table = self.run.table
        return ObjectView(
            int(table.ids[column]), table.categories[column], self.box(column), table.attributes[column]
        )

    def box(self, column: int) -> Box:
        return self.run.table.box_in(self.number, column)

    def members(self, which: Set | None, surely: bool = False) -> list[int]:
        """The columns of a set, the one that is meant first. On truth also what was only glimpsed, unless
        they are to count `surely`: no question may hinge on it."""
        order, inside = self.run.kept(("order", which, surely), lambda: self._order(which, surely))
        return [k for k, so in zip(order, inside[self.number], strict=True) if so]

    def _order(self, which: Set | None, surely: bool) -> tuple[list[int], list[list[bool]]]:
        """The columns that are in a set in any world, in the order in which they are meant, and in which
        worlds each is."""
        margins = self.run.set(which)
        inside = margins >= 0 if self.certain and not surely else margins > 0
        anywhere = np.asarray(inside.any(axis=0))
        order = self.run.table.ranks(anywhere)
        order = order[anywhere[order]]
        return order.tolist(), inside[:, order].tolist()

    def first(self, which: Set) -> ObjectView:
        """The object that is meant."""
        found = self.members(which)
        if not found:
            raise NoneSeen(which)
        return self.view(found[0])

    def only(self, which: Set) -> ObjectView:
        """The same; on truth there is one alone."""
        found = self.members(which)
        if not found or (self.certain and len(found) > 1):
            name = described(which, "the")
            raise Unanswerable(f"'{name}' picks out {len(found)} of the objects seen, not one")
        return self.view(found[0])

    def meant(self, which: Set) -> int:
        """The column of the object that is meant, of those that surely count."""
        found = self.members(which, surely=True)
        if not found:
            raise NoneSeen(which)
        return found[0]

    def where_now(self, column: int) -> Box | None:
        """Where an object is now, None if it has gone. Where to it was moved unseen nobody knows."""
        table = self.run.table
        if not table.there[self.number, column]:
            return None
        if not table.placed[self.number, column]:
            raise Unanswerable(f"the {table.name(column)} may have been moved since it was seen")
        return self.box(column)

    def where_at(self, column: int, time: float) -> Box | None:
        """Where it was at an earlier time, None if that is not known: the same in all worlds."""
        number = int(self.run.table.ids[column])
        return self.run.kept(("where", number, time), lambda: self.state.where(number, time))

    def moves(self, column: int, since: float | None = None, told: bool = False) -> list[Move]:
        """The moves of an object that happened in this world and ended after a time, in order. `told`: all
        that are known. How likely each happened was learned on days with few moves; it serves lists of
        changes, and is too low for an object that is asked about."""
        table, view = self.run.table, self.run.kept(("believed", column), lambda: self._believed(column))
        moves = self.run.kept(("moves of", column), lambda: moves_of(self.state, view))
        begin, here = -math.inf if since is None else since, self.number
        if self.certain:
            return [move for move in moves if move.arrived > begin]
        so = [move for move in moves if told or table.happened(column, move)[here]]
        if since is not None:
            so = [move for move in so if table.arrivals(column, move)[here] > begin]
        return [replace(move, by_wearer=bool(table.by_wearer(column, move)[here])) for move in so]

    def doubled(self, column: int, which: Set) -> bool:
        """Whether an object of a set is another one of it that turned up after the last look at it."""
        table, inside = self.run.table, (self.run.set(which) > 0).any(axis=0)
        pairs = self.run.kept(("doubles", which), lambda: table.doubles(np.flatnonzero(inside).tolist()))
        return any(
            column in (pair.column, pair.of)
            and bool(table.levels_of_doubles(pair.column)[self.number] <= pair.chance[self.number])
            and self._in_turn(pair.column, pair.of)
            for pair in pairs
        )

    def _in_turn(self, one: int, other: int) -> bool:
        """Whether the one of two objects was never seen again once the other had turned up."""
        spans = []
        for column in (one, other):
            sightings = self.state.sightings(int(self.run.table.ids[column]))
            spans.append((sightings[0].time, sightings[-1].time) if sightings else (math.inf, -math.inf))
        (first, last), (its_first, its_last) = spans
        return first > its_last or its_first > last

    def _believed(self, column: int) -> ObjectView:
        """An object as the state reports it, with what only the state knows of it."""
        found = view_of(self.state, int(self.run.table.ids[column]))
        return self.view(column) if found is None else found

    def boxes(self, which: Set) -> list[Box]:
        """Where the members of a set are that surely count."""
        return [self.box(k) for k in sorted(self.members(which, surely=True))]

    def kept(self, key: object, find: Callable[[], T]) -> T:
        """What is the same in all worlds, found once."""
        return self.run.kept(key, find)

    # ------------------------------------------------------------------ as a state of its own
    strict: ClassVar[bool] = False

    def objects(self) -> Sequence[ObjectView]:
        """The objects that are real in this world."""
        return [self.view(int(k)) for k in np.flatnonzero(self.run.table.real[self.number] > 0)]

    def where(self, object_id: int, time: float) -> Box | None:
        column = self.run.table.column.get(object_id)
        if column is None or time < self.now:
            return self.state.where(object_id, time)
        return self.where_now(column)

    def as_of(self, time: float) -> SpatialState:
        return self.state.as_of(time)

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self.state.sightings(object_id)


@dataclass(frozen=True)
class InWorlds(Ask, ABC):
    """An ask that is answered in one world after another; their votes are its odds. `fair` is the margin from
    which on it is fair to ask, in the unit of the ask."""

    fair: ClassVar[float] = 1.0
    measure: ClassVar[bool] = False  # a number that worlds hardly repeat
    of_path: ClassVar[bool] = False  # and of nothing else: the same in all worlds that have one path

    @abstractmethod
    def in_world(self, world: World) -> Answer:
        """The answer in one world. Raises Unanswerable where it has none."""

    def answer(self, run: Run) -> Result:
        alike = self.of_path and not run.table.path_doubted
        if not alike:
            return together(self.tag, run, answers(self.in_world, run), self.measure, self.fair)
        one = together(
            self.tag, run, [self.in_world(World(run, 0))] * run.table.count, self.measure, self.fair
        )
        return replace(one, odds={str(one.value): 1.0}, confidence=1.0)  # nobody doubts the path


def in_worlds(ask: Callable[[SpatialState], Answer], state: SpatialState) -> Result:
    """What a function of a state answers in the possible worlds of a belief, one after the other."""
    run = Run(worlds_of(state))
    found = answers(ask, run)
    measure = any(one is not None and isinstance(one.value, float) for one in found)
    return together("", run, found, measure, 1.0)


def answers(ask: Callable[[World], Answer], run: Run) -> list[Answer | None]:
    """The answer in each world, None where there is none. Raises Unanswerable where no world has one."""

    def answer(number: int) -> Answer | None:
        try:
            return ask(World(run, number))
        except Unanswerable:
            return None

    found = [answer(number) for number in range(run.table.count)]
    if not any(found):
        ask(World(run, 0))  # which says why
    return found


def together(tag: str, run: Run, found: Sequence[Answer | None], measure: bool, fair: float) -> Result:
    """The answers of all worlds as one: the value that most give, of the object that most mean."""
    known = [one for one in found if one is not None]
    value: Value
    if measure:
        over = measured(run, np.array([math.nan if one is None else float(one.value) for one in found]))
        value, odds, sure = over.value, dict(over.odds), over.confidence
        lead = min(known, key=lambda one: abs(float(one.value) - over.value))
    else:
        value, odds = voted(run, [None if one is None else one.value for one in found])
        sure = odds[str(value)]
        agreed = [one for one in known if one.value == value]
        things = Counter(one.things for one in agreed).most_common(1)[0][0]
        lead = next(one for one in agreed if one.things == things)
    return Result(
        tag, value, odds, sure, lead.margin, lead.evidence, lead.things, lead.numbers or {},
        interval=_interval(known, lead), fair=fair,
    )  # fmt: skip


def _interval(known: Sequence[Answer], lead: Answer) -> tuple[float, float] | None:
    """The middle nine tenths of the distance to what the answer is about."""
    same = [one.numbers or {} for one in known if one.things == lead.things]
    distances = [numbers["distance_m"] for numbers in same if "distance_m" in numbers]
    if not distances:
        return None
    low, high = np.quantile(distances, [0.05, 0.95]).tolist()
    return round(low, 2), round(high, 2)
