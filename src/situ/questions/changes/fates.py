"""What became of things between before and after a cut."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.select import Selector
from situ.state.candidates import candidates_near
from situ.state.protocol import Candidate, ObjectView, SpatialState
from situ.state.viewed import viewed

Change = Literal["moved", "added", "removed", "swapped", "unchanged"]
MOVED_M = 0.4  # less is within what a person puts down to their memory
SWAPPED_M = 0.5  # how near to each other's old places two things come that changed places
_REACH_M = 2 * SWAPPED_M  # from where a thing was, within which a belief looks for what took its place
_JUST_S = 1e-6  # before the cut
_SAME_M = 1e-9  # what was as near as this was the same thing


class Fate(NamedTuple):
    """What became of one thing, and by how much the finding could err without changing."""

    change: Change
    margin_m: float


def fates_in(state: SpatialState, things: Sequence[Candidate], split: float) -> list[Fate | None]:
    """What became of some things; None where that is not known."""
    world = _World(state, split)
    found = {thing.id: world.fate(thing.view, ()) for thing in things}
    # With what stayed nobody changed places.
    moved = [number for number, fate in found.items() if fate and fate.change == "moved"]
    if moved:
        among = [thing.view for thing in (*things, *partners(state, moved, split))]
        found |= {thing.id: world.fate(thing.view, among) for thing in things if thing.id in moved}
    return [found[thing.id] for thing in things]


class _World:
    """Where things were just before the cut, and are now: each looked up once."""

    def __init__(self, state: SpatialState, split: float) -> None:
        self._state, self._split = state, split
        self._before: dict[int, Box | None] = {}

    def before(self, thing: ObjectView) -> Box | None:
        if thing.id not in self._before:
            self._before[thing.id] = self._state.where(thing.id, self._split - _JUST_S)
        return self._before[thing.id]

    def gone(self, thing: ObjectView) -> bool | None:
        """Whether it has gone; None if it was moved unseen: where to nobody knows."""
        try:
            return self._state.where(thing.id, self._state.now) is None
        except Unanswerable:
            return None

    def fate(self, thing: ObjectView, among: Sequence[ObjectView]) -> Fate | None:
        """What became of a thing, given all with which it may have changed places."""
        gone = self.gone(thing)
        if self._split - _JUST_S >= self._state.now:  # there is no after
            return Fate("unchanged", MOVED_M) if gone is False else None
        before = self.before(thing)
        if before is None:  # what was merely not shown before is not new
            new = gone is False and viewed(self._state, thing.box, self._split)
            return None if gone is not False else Fate("added", 1.0) if new else Fate("unchanged", 0.0)
        if gone or gone is None:
            return Fate("removed", 1.0) if gone else None
        moved = _apart(thing.box, before)
        if moved < MOVED_M:
            return Fate("unchanged", MOVED_M - moved)
        gap = self._partner_gap(thing, before, among)
        if math.isnan(gap):
            return None
        if gap < SWAPPED_M:
            return Fate("swapped", min(moved - MOVED_M, SWAPPED_M - gap))
        return Fate("moved", min(moved - MOVED_M, gap - SWAPPED_M))

    def _partner_gap(self, thing: ObjectView, before: Box, among: Sequence[ObjectView]) -> float:
        """How far the best partner's places are from an exchange: infinite where there is none that moved
        itself, not a number where nobody knows where one is that may be."""
        # Keys tell how clear the case is, for which every other thing counts.
        reach, found = math.inf if self._state.strict else _REACH_M, math.inf
        for other in among:
            away = _apart(other.box, before)
            if away > reach:
                continue
            if (gone := self.gone(other)) is None:
                return math.nan
            was = self.before(other)
            if was is None or _apart(was, before) < _SAME_M or gone or _apart(other.box, was) < MOVED_M:
                continue
            found = min(found, max(_apart(thing.box, was), away))
        return found


def partners(state: SpatialState, numbers: Sequence[int], split: float) -> Sequence[Candidate]:
    """The things with which some may have changed places."""
    if state.strict:
        return state.candidates(Selector())
    places = [state.where(number, split - _JUST_S) for number in numbers]
    found = (candidates_near(state, Selector(), box.center, _REACH_M) for box in places if box is not None)
    return [thing for things in found for thing in things]


def _apart(one: Box, other: Box) -> float:
    """Between the middles of two boxes, over the ground."""
    return math.dist(one.center[:2], other.center[:2])
