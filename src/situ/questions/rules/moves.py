"""Moves: how a thing went from one place of rest to the next, and who moved it."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Value
from situ.questions.rules.resting import OUT_OF_HAND_M, RESTING_S, SAME_PLACE_M, frames_between
from situ.state.diary import Stay, WithStays
from situ.state.protocol import LIKELY, ObjectView, SpatialState
from situ.state.sightings import since as seen_since

MOST_FRAMES = 12
_SHOWN = 4  # moves
IN_HAND_S = 15.0
_BESIDE_M = 0.3
# Of lists of what was moved on generated days, and of the times of moves, so many were right.
WHOLE_LIST, WHEN_MOVED = 0.85, 0.85
PEOPLE = frozenset({"person", "housemate", "man", "woman", "child", "dog", "cat"})


@dataclass(frozen=True)
class OfMoves:
    """What questions about moves have in common."""

    frame: ClassVar[str] = "places of rest, one after the other; no direction is involved"
    margin_unit: ClassVar[str] = "metres of position error that would change the answer"
    min_margin: ClassVar[float] = 0.2

    @property
    def options(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Move:
    """From rest to rest. `after` is None for what is in hand, or was put out of sight."""

    view: ObjectView
    left: float
    arrived: float
    before: Box
    after: Box | None
    by_wearer: bool
    in_hand: bool = False

    @property
    def distance_m(self) -> float:
        return math.inf if self.after is None else math.dist(self.before.center, self.after.center)


def moves_of(state: SpatialState, view: ObjectView, since: float = -math.inf) -> list[Move]:
    """All moves of an object that ended after a time, in order; less than a hand's width is none."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    stays = state.stays(view.id)
    found = (_move(state, view, stays, i, j, since) for i, j in pairwise(_rests(stays)))
    return [move for move in found if move is not None and move.arrived > since]


def _rests(stays: Sequence[Stay]) -> list[int]:
    """The stays in which an object rested, by number; and the last one, wherever it is."""
    last = len(stays) - 1
    return [i for i in range(last + 1) if i == last or _at_rest(stays[i], stays[i + 1].start)]


def _at_rest(stay: Stay, end: float) -> bool:
    """Whether an object rested during a stay; nobody holds one still for so long."""
    return not stay.held and end - stay.start >= RESTING_S


def _apart(a: Stay, b: Stay) -> bool:
    """Whether two stays were more than a hand's width from each other."""
    return math.dist(a.box.center, b.box.center) > SAME_PLACE_M


def _move(
    state: SpatialState, view: ObjectView, stays: Sequence[Stay], i: int, j: int, since: float
) -> Move | None:
    """The move from one rest to the next, if it was one, and ended after a time."""
    a, b, last_stay = stays[i], stays[j], j + 1 == len(stays)
    far = _apart(a, b)
    if not last_stay and (b.start <= since or not far):
        return None
    left, between = stays[i + 1].start, stays[i + 1 : j]
    # In the hands for as long as it is seen there; afterwards it is wherever it was put.
    if b.held or (last_stay and _put_out_of_sight(state, b, between)):
        last = last_seen(state, view.id)
        in_hand = state.now - last <= IN_HAND_S
        return Move(view, left, state.now if in_hand else last, a.box, None, True, in_hand)
    return Move(view, left, b.start, a.box, b.box, _handled(state, between)) if far else None


def _handled(state: SpatialState, stays: Sequence[Stay]) -> bool:
    """Whether an object was in the wearer's hands between two rests: in so short a time, also if it was no
    farther away than that. Who stands still while holding it does not carry it anywhere."""
    return any(stay.held for stay in stays) or any(
        math.dist(state.path.ground_at(stay.start), stay.box.center[:2]) <= OUT_OF_HAND_M for stay in stays
    )


def _put_out_of_sight(state: SpatialState, stay: Stay, between: Sequence[Stay]) -> bool:
    """Whether an object left the hands unseen, and is not where it should lie then."""
    gone = state.where(stay.object_id, state.now) is None
    return gone and _handled(state, between) and last_seen(state, stay.object_id) <= stay.start


def moves_by_object(state: SpatialState, since: float, but: Container[int] = ()) -> list[list[Move]]:
    """The moves of each object but some that was moved after a time, by number."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    views = (_moved_view(state, number) for number in state.moved_since(since) if number not in but)
    found = (moves_of(state, view, since) for view in views if view is not None)
    return [moves for moves in found if moves]


def _moved_view(state: SpatialState, number: int) -> ObjectView | None:
    """A thing of which it counts that it was moved."""
    view = view_of(state, number)
    return view if view is not None and view.presence > LIKELY and not walks(view) else None


def all_moves(state: SpatialState, since: float) -> list[Move]:
    """Moves of all objects that ended after a time, the latest first."""
    found = [move for moves in moves_by_object(state, since) for move in moves]
    return sorted(found, key=lambda move: -move.arrived)


@dataclass(frozen=True)
class Put:
    """A stay that began when the wearer put a thing down; a guess of its place if it was not `seen` there.
    The `latest` of a thing is followed by no other."""

    stay: Stay
    seen: bool
    latest: bool


def all_puts(state: SpatialState, near: Box | None = None) -> list[Put]:
    """Every time that the wearer put a thing down, or did so at some box; also what was put back where it had
    been, and what was first seen in the hands."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    found = []
    for number in state.moved_since(-math.inf):
        stays, puts, before = state.stays(number), [], -1
        for i in _rests(stays):
            there = near is None or _beside(near, stays[i].box)
            if there and not stays[i].held and _handled(state, stays[before + 1 : i]):
                puts.append(i)
            before = i
        if puts and _moved_view(state, number) is not None:
            found += [Put(stays[i], _seen_at(state, stays, i), i + 1 == len(stays)) for i in puts]
    return found


def _beside(anchor: Box, box: Box) -> bool:
    """Whether a thing could be on or in another: wide enough for every rule of that."""
    reach = box.longest_side + _BESIDE_M
    x, y = anchor.beside(box.center)  # most are far off
    if abs(x) - anchor.size[0] / 2 > reach or abs(y) - anchor.size[1] / 2 > reach:
        return False
    return anchor.distance_to_point(box.center) <= reach


def _seen_at(state: SpatialState, stays: Sequence[Stay], i: int) -> bool:
    """Whether a thing was seen during a stay; else its place is a guess."""
    seen = next(seen_since(state.sightings(stays[i].object_id), stays[i].start), None)
    return seen is not None and (i + 1 == len(stays) or seen.time < stays[i + 1].start)


def view_of(state: SpatialState, number: int) -> ObjectView | None:
    """One object by its number."""
    one = getattr(state, "object", None)  # a memory looks up a single object at the cost of one
    if one is not None:
        found: ObjectView | None = one(number)
        return found
    return next((view for view in state.objects() if view.id == number), None)


def frames_of(state: SpatialState, move: Move) -> tuple[int, ...]:
    """Frames around a move: of its beginning and of its end."""
    begin = frames_between(state, max(state.path.start, move.left - 2.0), move.left + 2.0)
    end = frames_between(state, move.arrived - 2.0, min(state.now, move.arrived + 2.0))
    return tuple(sorted({*begin, *end})[:MOST_FRAMES])


def walks(view: ObjectView) -> bool:
    """Whether a thing moves by itself: that a person is elsewhere is no change of the place."""
    return getattr(view, "motion", "") == "agent" or view.category in PEOPLE


def last_seen(state: SpatialState, object_id: int) -> float:
    """When a thing was seen last."""
    last = next(reversed(state.sightings(object_id)), None)
    return state.path.start if last is None else last.time


def begin(since: float | None) -> float:
    """The time from which on something counts; None is always."""
    return -math.inf if since is None else since


def sure_of(value: Value, sure: float) -> dict[str, float]:
    """The odds of an answer that has no stated rival."""
    return {str(value): min(1.0, sure)}


def listed_frames(state: SpatialState, by_object: Sequence[Sequence[Move]]) -> tuple[int, ...]:
    """Frames of the last of some moves, given by object, the latest first."""
    late = [move for moves in by_object[:_SHOWN] for move in moves[:_SHOWN]]
    late.sort(key=lambda move: (-move.arrived, move.view.id))
    return tuple(sorted({frame for move in late[:_SHOWN] for frame in frames_of(state, move)}))
