"""When a move ended, as far as sightings tell: between the last one before it and the first one after it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from situ.questions.rules.moves import Move, moves_by_object
from situ.state.protocol import SpatialState
from situ.state.sightings import before, since

# Of the things that the wearer put down out of view, so many were carried on unseen for a while.
CARRIED_ON = 0.15
_TRIES = 20  # equally likely times that stand for a doubtful one
_LONG_UNSEEN_S = 180.0  # what was put down this long before a time was put down before it


@dataclass(frozen=True)
class Ended:
    """The times between which a move ended, and the one it is dated by. What was in the wearer's hands was
    put down soon after it was last seen there, if it was not carried on unseen; what somebody else moved may
    have come at any time."""

    earliest: float
    dated: float
    latest: float
    by_wearer: bool

    def after(self, time: float) -> float:
        """How likely it was after a time."""
        if not self.by_wearer:
            return _share_after(time, self.earliest, self.latest)
        tail = _share_after(time, self.dated, self.latest)
        return CARRIED_ON * tail + (1.0 - CARRIED_ON) * (time < self.dated)

    def times(self) -> list[float]:
        """Equally likely times."""
        first = self.dated if self.by_wearer else self.earliest
        tail = round(CARRIED_ON * _TRIES) if self.by_wearer else _TRIES
        spread = [first + (k + 0.5) / tail * (self.latest - first) for k in range(tail)]
        return [self.dated] * (_TRIES - tail) + spread

    def within(self, seconds: float) -> float:
        """How likely its date is right to some seconds."""
        return sum(abs(time - self.dated) <= seconds for time in self.times()) / _TRIES


def _share_after(time: float, start: float, end: float) -> float:
    """The share of a span after a time."""
    if time < start or end <= start:
        return float(time < start or time < end)
    return max(0.0, (end - time) / (end - start))


def ended(state: SpatialState, move: Move) -> Ended:
    """Between which times a move ended."""
    if move.in_hand:
        return Ended(move.arrived, move.arrived, move.arrived, True)
    return Ended(_seen_before(state, move), move.arrived, _seen_again(state, move), move.by_wearer)


def _seen_before(state: SpatialState, move: Move) -> float:
    last = next(before(state.sightings(move.view.id), move.arrived), None)
    return move.left if last is None else last.time


def _seen_again(state: SpatialState, move: Move) -> float:
    first = next(since(state.sightings(move.view.id), move.arrived), None)
    return move.arrived if first is None else first.time


def ended_after(state: SpatialState, move: Move, time: float) -> float:
    """How likely a move ended after a time; sightings are looked up only where they can tell. What somebody
    else moved is dated by its first sighting at the new place."""
    if time == -math.inf:  # whoever moved it: to tell who that was takes a look at the way walked
        return 1.0
    if move.by_wearer:
        return 1.0 if time < move.arrived else ended(state, move).after(time)
    return 0.0 if move.arrived <= time else _share_after(time, _seen_before(state, move), move.arrived)


def in_order(state: SpatialState, last: Move, others: Sequence[Move]) -> float:
    """How likely a move ended after each of some others."""
    sure, dated = 1.0, ended(state, last)
    for other in others:
        if other.arrived > dated.earliest - _LONG_UNSEEN_S:
            its = ended(state, other)
            if its.latest > dated.earliest:
                sure *= 1.0 - sum(its.after(time) for time in dated.times()) / _TRIES
    return sure


def in_time(state: SpatialState, moves: Sequence[Move], since: float) -> float:
    """How likely all of some moves ended after a time, and no other did; of each thing the first will do."""
    if since == -math.inf:
        return 1.0
    # Before any later move of it a thing was seen at its new place, which was after that time.
    first = {move.view.id: move for move in sorted(moves, key=lambda move: -move.arrived)}
    sure = min((ended_after(state, move, since) for move in first.values()), default=1.0)
    if since > state.path.start:
        # A thing that is told in any case is told only once.
        for moves in moves_by_object(state, since - _LONG_UNSEEN_S, but=first):
            for move in moves:
                if move.arrived <= since:
                    sure = min(sure, 1.0 - ended_after(state, move, since))
    return sure
