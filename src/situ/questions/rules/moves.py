"""Moves: how a thing went from one place of rest to the next, and who moved it."""

import math
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer, Value
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.resting import OUT_OF_HAND_M, RESTING_S, SAME_PLACE_M, frames_between
from situ.state.diary import Stay, WithStays
from situ.state.protocol import LIKELY, ObjectView, SpatialState
from situ.state.sightings import since as seen_since

MOST_FRAMES = 12
IN_HAND_S = 15.0
_LATELY_S, _FARTHER = 1800.0, 8.0
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
    handled: Callable[[], bool]
    in_hand: bool = False

    @cached_property
    def by_wearer(self) -> bool:
        """Looked up where it matters: that reads the way walked."""
        return self.handled()

    @property
    def distance_m(self) -> float:
        return math.inf if self.after is None else math.dist(self.before.center, self.after.center)


def moves_of(state: SpatialState, view: ObjectView, since: float = -math.inf) -> list[Move]:
    """The moves of a thing that ended after a time, in order; shorter than a hand's width counts as none."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    stays = list(state.stays(view.id))
    rests = list(_rests(stays))
    moves = []
    for (a, i), (b, j) in pairwise(rests):
        last_stay, far = j + 1 == len(stays), math.dist(a.box.center, b.box.center) > SAME_PLACE_M
        if not last_stay and (b.start <= since or not far):
            continue
        handled = partial(_handled, state, stays[i + 1 : j])
        # In the hands for as long as it is seen there; afterwards it is wherever it was put.
        if b.held or (last_stay and _put_out_of_sight(state, b) and handled()):
            last = last_seen(state, view.id)
            in_hand = state.now - last <= IN_HAND_S
            arrived = state.now if in_hand else last
            moves.append(Move(view, stays[i + 1].start, arrived, a.box, None, lambda: True, in_hand))
        elif far:
            moves.append(Move(view, stays[i + 1].start, b.start, a.box, b.box, handled))
    return [move for move in moves if move.arrived > since]


def _rests(stays: Sequence[Stay]) -> Iterator[tuple[Stay, int]]:
    """The stays at rest with their numbers, and the last one; nobody holds a thing still for so long."""
    for i, stay in enumerate(stays):
        end = stays[i + 1].start if i + 1 < len(stays) else math.inf
        if i + 1 == len(stays) or (not stay.held and end - stay.start >= RESTING_S):
            yield stay, i


def _handled(state: SpatialState, stays: Sequence[Stay]) -> bool:
    """Whether a thing was in the wearer's hands between two rests: in so short a time, also if it was no
    farther away than that. Who stands still while holding a thing does not carry it anywhere."""
    return any(stay.held for stay in stays) or any(
        state.path.heading_at(stay.start).ground_distance(stay.box.center) <= OUT_OF_HAND_M for stay in stays
    )


def _put_out_of_sight(state: SpatialState, stay: Stay) -> bool:
    """Whether a thing left the hands unseen, and is not where it should lie then."""
    return state.where(stay.object_id, state.now) is None and last_seen(state, stay.object_id) <= stay.start


def all_moves(
    state: SpatialState,
    since: float,
    at: Callable[[list[Box]], Sequence[bool]] | None = None,
    but: Container[int] = (),
) -> list[Move]:
    """Moves of all things but some that ended after a time, the latest first; or of those alone that were
    ever at some place: `at` tells of boxes which are."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    found: list[Move] = []
    numbers = [number for number in state.moved_since(since) if number not in but]
    if at is not None:
        stays = [stay for number in numbers for stay in state.stays(number) if not stay.held]
        there = at([stay.box for stay in stays])
        been = {stay.object_id for stay, is_there in zip(stays, there, strict=True) if is_there}
        numbers = [number for number in numbers if number in been]
    for number in numbers:
        view = view_of(state, number)
        if view is not None and view.presence > LIKELY and not walks(view):
            found += moves_of(state, view, since)
    return sorted(found, key=lambda move: -move.arrived)


@dataclass(frozen=True)
class Put:
    """A stay that began when the wearer put a thing down; a guess of its place if it was not `seen` there."""

    stay: Stay
    seen: bool


def all_puts(state: SpatialState, near: Box | None = None) -> list[Put]:
    """Every time that the wearer put a thing down, or did so at some box; also what was put back where it had
    been, and what was first seen in the hands."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    found = []
    for number in state.moved_since(-math.inf):
        view = view_of(state, number)
        if view is not None and view.presence > LIKELY and not walks(view):
            stays, before = list(state.stays(number)), -1
            for stay, i in _rests(stays):
                there = near is None or _beside(near, stay.box)
                if there and not stay.held and _handled(state, stays[before + 1 : i]):
                    found.append(Put(stay, _seen_at(state, stays, i)))
                before = i
    return found


def _beside(anchor: Box, box: Box) -> bool:
    """Whether a thing could be on or in another: wide enough for every rule of that."""
    reach = box.longest_side + 0.3
    x, y = anchor.beside(box.center)  # most are far off
    if abs(x) - anchor.size[0] / 2 > reach or abs(y) - anchor.size[1] / 2 > reach:
        return False
    return anchor.distance_to_point(box.center) <= reach


def _seen_at(state: SpatialState, stays: Sequence[Stay], i: int) -> bool:
    """Whether a thing was seen during a stay; else its place is a guess."""
    seen = next(seen_since(state.sightings(stays[i].object_id), stays[i].start), None)
    return seen is not None and (i + 1 == len(stays) or seen.time < stays[i + 1].start)


def late_moves(state: SpatialState, mine: bool) -> tuple[list[Move], float]:
    """The latest moves (by the wearer, if `mine`), the latest first, and since when none is left out: some
    way back, and farther only if there are few. Of days nothing more is needed to know what was last."""
    span = _LATELY_S
    while True:
        since = max(state.now - span, state.path.start)
        moves = [move for move in all_moves(state, since) if move.by_wearer or not mine]
        if len({move.view.id for move in moves}) > 1 or since <= state.path.start:
            return moves, since
        span *= _FARTHER


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


def listed(state: SpatialState, moves: Sequence[Move], sure: float) -> Answer:
    """The things of some moves by name, as an answer."""
    names = list(dict.fromkeys(f"the {plain_name(move.view)}" for move in moves))
    frames = tuple(sorted({frame for move in moves[:4] for frame in frames_of(state, move)}))
    words = SEPARATOR.join(names) or NOTHING
    return Answer(words, 1.0, frames, {"count": len(names)}, (), sure_of(words, sure))
