"""What became of objects between before and after a cut: moved, added, removed, swapped, or nothing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer
from situ.questions.programs.run import described
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.world import InWorlds, World
from situ.state.protocol import SpatialState
from situ.state.sightings import since
from situ.state.viewed import viewed

Change = Literal["moved", "added", "removed", "swapped", "unchanged"]
MOVED_M = 0.4  # less is within what a person puts down to their memory
SWAPPED_M = 0.5  # how near to each other's old places two things come that changed places
_REACH_M = 2 * SWAPPED_M  # from where a thing was, within which a belief looks for what took its place
_JUST_S = 1e-6  # before the cut
_SAME_M = 1e-9  # what was as near as this was the same thing


class Fate(NamedTuple):
    """What became of one object, and by how much the finding could err without changing."""

    change: Change
    margin_m: float


def fates_in(world: World, columns: Sequence[int], split: float) -> list[Fate | None]:
    """What became of some objects; None where that is not known."""
    found = {k: _fate(world, k, split, ()) for k in columns}
    # With what stayed nobody changed places.
    moved = [k for k, fate in found.items() if fate and fate.change == "moved"]
    if moved:
        among = sorted({*columns, *_partners(world, moved, split)})
        found |= {k: _fate(world, k, split, among) for k in moved}
    return [found[k] for k in columns]


def _before(world: World, column: int, split: float) -> Box | None:
    return world.where_at(column, split - _JUST_S)


def _gone(world: World, column: int) -> bool | None:
    """Whether it has gone; None if it was moved unseen: where to nobody knows."""
    try:
        return world.where_now(column) is None
    except Unanswerable:
        return None


def _fate(world: World, column: int, split: float, among: Sequence[int]) -> Fate | None:
    """What became of an object, given all with which it may have changed places."""
    gone, now = _gone(world, column), world.box(column)
    if split - _JUST_S >= world.now:  # there is no after
        return Fate("unchanged", MOVED_M) if gone is False else None
    before = _before(world, column, split)
    if before is None:  # what was merely not shown before is not new
        new = gone is False and viewed(world.state, now, split)
        return None if gone is not False else Fate("added", 1.0) if new else Fate("unchanged", 0.0)
    if gone or gone is None:
        return Fate("removed", 1.0) if gone else None
    moved = _apart(now, before)
    if moved < MOVED_M:
        return Fate("unchanged", MOVED_M - moved)
    gap = _partner_gap(world, now, before, split, among)
    if math.isnan(gap):
        return None
    if gap < SWAPPED_M:
        return Fate("swapped", min(moved - MOVED_M, SWAPPED_M - gap))
    return Fate("moved", min(moved - MOVED_M, gap - SWAPPED_M))


def _partner_gap(world: World, now: Box, before: Box, split: float, among: Sequence[int]) -> float:
    """How far the best partner's places are from an exchange: infinite where there is none that moved itself,
    not a number where nobody knows where one is that may be."""
    # Keys tell how clear the case is, for which every other thing counts.
    reach, found = math.inf if world.certain else _REACH_M, math.inf
    for other in among:
        there = world.box(other)
        away = _apart(there, before)
        if away > reach:
            continue
        if (gone := _gone(world, other)) is None:
            return math.nan
        was = _before(world, other, split)
        if was is None or _apart(was, before) < _SAME_M or gone or _apart(there, was) < MOVED_M:
            continue
        found = min(found, max(_apart(now, was), away))
    return found


def _partners(world: World, moved: Sequence[int], split: float) -> list[int]:
    """The objects with which some may have changed places."""
    table = world.run.table
    real = table.real[world.number] >= 0 if world.certain else table.real[world.number] > 0
    if not world.certain:
        near = np.zeros(table.number, bool)
        for box in (_before(world, k, split) for k in moved):
            if box is not None:
                away = table.centers[world.number, :, :2] - box.center[:2]
                near |= np.hypot(*away.T) <= _REACH_M
        real = real & near
    return [int(k) for k in np.flatnonzero(real)]


def _apart(one: Box, other: Box) -> float:
    """Between the middles of two boxes, over the ground."""
    return math.dist(one.center[:2], other.center[:2])


@operator
@dataclass(frozen=True)
class Fates(InWorlds):
    """What became of one object between before and after a time; or which of several claims, each a change of
    an object, is true."""

    tag: ClassVar[str] = "fate"
    fair: ClassVar[float] = 0.2

    of: tuple[Set, ...]
    split: float
    claims: tuple[Change, ...] = ()
    names: tuple[str, ...] = ()

    def checked(self, place: str) -> None:
        if not self.of or (len(self.of) > 1 and not self.claims):
            raise fault(f"{place}.of", "'fate' is of one set, or of as many as there are claims")
        if self.claims and not len(self.of) == len(self.claims) == len(self.names):
            raise fault(f"{place}.claims", f"{len(self.of)} sets need as many claims and names")

    def in_world(self, world: World) -> Answer:
        columns = [world.run.table.column[world.only(one).id] for one in self.of]
        fates: list[Fate] = []
        for which, fate in zip(self.of, fates_in(world, columns, self.split), strict=True):
            if fate is None:
                raise Unanswerable(f"where {described(which, 'the')} was is not known for either clip")
            fates.append(fate)
        number = int(world.run.table.ids[columns[0]])
        if not self.claims:
            shown = frames_beside(world.state, self.split, number)
            return Answer(fates[0].change, fates[0].margin_m, shown, things=(number,))
        true = [k for k, fate in enumerate(fates) if fate.change == self.claims[k]]
        if len(true) != 1:
            raise Unanswerable(f"{len(true)} of the {len(self.claims)} claims are true, not one")
        number = int(world.run.table.ids[columns[true[0]]])
        shown = frames_beside(world.state, self.split, number)
        return Answer(self.names[true[0]], min(fate.margin_m for fate in fates), shown)


def frames_beside(state: SpatialState, split: float, number: int) -> tuple[int, ...]:
    """The first clear view of an object on each side of the cut."""
    frames = []
    seen = state.sightings(number)
    first = next((s for s in seen if s.clarity == 1.0), None)
    later = next((s for s in since(seen, split) if s.clarity == 1.0), None)
    if first is not None and first.time < split:
        frames.append(first.frame)
    if later is not None:
        frames.append(later.frame)
    return tuple(sorted(set(frames)))
