"""What became of things between before and after a cut: one rule, for one world or for many at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True)
class Fates:
    """Of some things, with all that one of them may have changed places with, what became of each in each
    world. Worlds are rows and things are columns; what was before the cut is the same in all worlds."""

    state: SpatialState
    split: float
    things: Sequence[ObjectView]
    centers: NDArray[np.float64]  # where each thing is, if it has not gone
    real: NDArray[np.bool_]  # whether it is one of the things of a world
    gone: NDArray[np.bool_]
    lost: NDArray[np.bool_]  # whether it was moved unseen: where to nobody knows
    # By column; a cache of a method would hold the state in a circle of references.
    _were: dict[int, Box | None] = field(default_factory=dict)

    def of(self, number: int, worlds: Sequence[int]) -> list[Fate | None]:
        """The fate of a thing in some worlds in which it is real, None where that is not known."""
        k, rows = [view.id for view in self.things].index(number), np.array(worlds, int)
        gone = self.gone[rows, k]
        here = ~(gone | self.lost[rows, k])
        if self.split - _JUST_S >= self.state.now:  # there is no after
            return [Fate("unchanged", MOVED_M) if is_here else None for is_here in here.tolist()]
        before = self._was(k)
        if before is None:
            known = zip(worlds, here.tolist(), strict=True)
            return [self._not_there_before(k, world) if is_here else None for world, is_here in known]
        moved, gaps = _apart(self.centers[rows, k], before), np.full(len(rows), np.nan)
        far = here & (moved >= MOVED_M)
        if far.any():
            gaps[far] = self._partner_gaps(k, rows[far], before)
        found = zip(gone.tolist(), here.tolist(), moved.tolist(), gaps.tolist(), strict=True)
        return [_compared(*each) for each in found]

    def _was(self, k: int) -> Box | None:
        if k not in self._were:
            self._were[k] = self.state.where(self.things[k].id, self.split - _JUST_S)
        return self._were[k]

    def _not_there_before(self, k: int, world: int) -> Fate:
        """What was merely not shown before is not new."""
        x, y, z = self.centers[world, k].tolist()
        new = viewed(self.state, replace(self.things[k].box, center=(x, y, z)), self.split)
        return Fate("added", 1.0) if new else Fate("unchanged", 0.0)

    def _partner_gaps(self, k: int, rows: NDArray[np.int64], before: Box) -> NDArray[np.float64]:
        """How far the best partner's places are from an exchange: infinite where there is none that moved
        itself, not a number where nobody knows where one is that may be."""
        centers = self.centers[rows]
        away = _apart(centers, before)
        # Keys tell how clear the case is, for which every other thing counts.
        near = self.real[rows] & (away <= (np.inf if self.state.strict else _REACH_M))
        gaps = np.full(len(rows), np.inf)
        for other in np.flatnonzero(near.any(axis=0)).tolist():
            was = self._was(other)
            if was is None or _apart(np.array(was.center), before) < _SAME_M:
                continue
            from_there = _apart(centers, was)
            fits = near[:, other] & ~self.gone[rows, other] & (from_there[:, other] >= MOVED_M)
            gap = np.maximum(from_there[:, k], away[:, other])
            gaps[fits] = np.minimum(gaps, gap)[fits]
        gaps[(near & self.lost[rows]).any(axis=1)] = np.nan
        return gaps


def fates_in(state: SpatialState, things: Sequence[Candidate], split: float) -> list[Fate | None]:
    """What became of some things in a state that is one world."""
    alone = _one_world(state, things, split)
    found = {thing.id: alone.of(thing.id, [0])[0] for thing in things}
    # With what stayed nobody changed places.
    moved = [number for number, fate in found.items() if fate and fate.change in ("moved", "swapped")]
    if moved:
        among = _one_world(state, (*things, *partners(state, moved, split)), split)
        found |= {number: among.of(number, [0])[0] for number in moved}
    return [found[thing.id] for thing in things]


def _one_world(state: SpatialState, things: Sequence[Candidate], split: float) -> Fates:
    views = list({thing.id: thing.view for thing in things}.values())
    gone, lost = [], []
    for view in views:
        try:
            gone.append(state.where(view.id, state.now) is None)
            lost.append(False)
        except Unanswerable:
            gone.append(False)
            lost.append(True)
    centers, real = np.array([[view.box.center for view in views]]), np.ones((1, len(views)), bool)
    return Fates(state, split, views, centers, real, np.array([gone]), np.array([lost]))


def partners(state: SpatialState, numbers: Sequence[int], split: float) -> Sequence[Candidate]:
    """The things with which some may have changed places."""
    if state.strict:
        return state.candidates(Selector())
    places = [state.where(number, split - _JUST_S) for number in numbers]
    found = (candidates_near(state, Selector(), box.center, _REACH_M) for box in places if box is not None)
    return [thing for things in found for thing in things]


def _compared(gone: bool, here: bool, moved: float, partner_gap: float) -> Fate | None:
    """Of a thing that was there before: how far it was moved, and how far its best partner is from an
    exchange."""
    if gone:
        return Fate("removed", 1.0)
    if not here:
        return None
    if moved < MOVED_M:
        return Fate("unchanged", MOVED_M - moved)
    if math.isnan(partner_gap):
        return None
    if partner_gap < SWAPPED_M:
        return Fate("swapped", min(moved - MOVED_M, SWAPPED_M - partner_gap))
    return Fate("moved", min(moved - MOVED_M, partner_gap - SWAPPED_M))


def _apart(centers: NDArray[np.float64], box: Box) -> NDArray[np.float64]:
    x, y, _ = box.center
    return np.asarray(np.hypot(centers[..., 0] - x, centers[..., 1] - y))
