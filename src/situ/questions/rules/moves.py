"""Moves: how a thing went from one place of rest to the next, and who moved it."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.lazy import lazily
from situ.questions.base import Answer, Value
from situ.questions.rules.courses import UNKNOWN, Travelled, apart, rising
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.rest_walk import OUT_OF_HAND_M
from situ.questions.rules.resting import frames_between
from situ.state.diary import Stay, WithStays
from situ.state.protocol import LIKELY, ObjectView, SpatialState
from situ.state.sightings import since as seen_since

MOST_FRAMES = 12
_SHOWN = 4  # moves
IN_HAND_S = 15.0
_BESIDE_M = 0.3
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


class MoveRun:
    """The moves of a thing that ended after a time, in order; shorter than a hand's width counts as none.
    Each is told when it is looked at: of a week there are many, and mostly the first and the last will do."""

    def __init__(self, state: SpatialState, view: ObjectView, since: float = -math.inf) -> None:
        if not isinstance(state, WithStays):
            raise Unanswerable("this state keeps no record of what was moved")
        self._state, self.view, self._stays = state, view, state.stays(view.id)
        travelled = Travelled.of(self._stays)
        course, stop = travelled.course, travelled.legs
        first = bisect_right(course.arrived, since, 0, stop) if course.in_order else 0
        self._course = course
        self._early: Sequence[int] = range(first, stop)
        if not course.in_order:
            self._early = [k for k in range(stop) if course.arrived[k] > since]
        late = (self._late_move(*leg, since) for leg in travelled.late_legs)
        self._late = [move for move in late if move is not None and move.arrived > since]

    @lazily
    def _rising(self) -> bool:
        """Whether each ended after the one before."""
        before = [self._course.arrived[k] for k in self._early[-1:]]
        return self._course.in_order and rising([*before, *(move.arrived for move in self._late)])

    @lazily
    def _settled(self) -> float:
        return self._state.path.settled_until

    def __len__(self) -> int:
        return len(self._early) + len(self._late)

    def __iter__(self) -> Iterator[Move]:
        yield from map(self._early_move, self._early)
        yield from self._late

    def latest_first(self, by_wearer: bool | None = None) -> Iterator[Move]:
        """In the order of `all_moves`; those by the wearer, or by others, where that is said."""
        if not self._rising:
            yield from _by(by_wearer, sorted(self, key=lambda move: -move.arrived))
            return
        yield from _by(by_wearer, reversed(self._late))
        yield from map(self._early_move, self._early_by(by_wearer, backwards=True))

    def earliest_first(self, by_wearer: bool | None = None) -> Iterator[Move]:
        """The other way round."""
        if not self._rising:
            yield from reversed(list(self.latest_first(by_wearer)))
            return
        yield from map(self._early_move, self._early_by(by_wearer))
        yield from _by(by_wearer, self._late)

    def last_by(self, by_wearer: bool) -> Move | None:
        """The last in their order that was made by the wearer, or by others."""
        early = map(self._early_move, self._early_by(by_wearer, backwards=True))
        return next(chain(_by(by_wearer, reversed(self._late)), early), None)

    def _early_by(self, by_wearer: bool | None, backwards: bool = False) -> Iterable[int]:
        """The legs between settled rests, of those by the wearer or by others."""
        rows, turn = self._early, -1 if backwards else 1
        if by_wearer is None:
            return rows[::turn]
        if not isinstance(rows, range):
            return (k for k in rows[::turn] if self._handled(k) == by_wearer)
        cut = bisect_left(self._course.arrived, self._settled, rows.start, rows.stop)
        late = (k for k in range(cut, rows.stop)[::turn] if self._handled(k) == by_wearer)
        parts = self._settled_by(by_wearer, range(rows.start, cut), backwards), late
        return chain(*parts[::turn])

    def _settled_by(self, by_wearer: bool, rows: range, backwards: bool) -> Iterator[int]:
        """Of a week there are hundreds, and mostly it is known of all of them who made them."""
        handled, low, high = self._course.handled, rows.start, rows.stop
        find, nearest = (handled.rfind, max) if backwards else (handled.find, min)
        while found := [k for sign in (by_wearer, UNKNOWN) if (k := find(sign, low, high)) >= 0]:
            k = nearest(found)
            if self._handled(k) == by_wearer:
                yield k
            low, high = (low, k) if backwards else (k + 1, high)

    def _handled(self, k: int) -> bool:
        """Whether the wearer made one of those between two settled rests; of a way that is walked for good
        that is found once for all questions."""
        course, end = self._course, self._course.arrived[k]
        if course.handled[k] != UNKNOWN and end < self._settled:
            return bool(course.handled[k])
        i, j = course.legs[k]
        between = course.stays[i + 1 : j]
        handled = _handled(self._state, between)
        if end < self._settled and all(stay.start <= end for stay in between):
            course.handled[k] = handled
        return handled

    def __getitem__(self, n: int) -> Move:
        late = n - len(self._early)
        return self._early_move(self._early[n]) if late < 0 else self._late[late]

    def arrived(self, n: int) -> float:
        """When one of them ended."""
        late = n - len(self._early)
        return self._course.arrived[self._early[n]] if late < 0 else self._late[late].arrived

    @property
    def unended(self) -> list[int]:
        """Those of them that ended nowhere yet."""
        return [n for n, move in enumerate(self._late, len(self._early)) if move.after is None]

    def left_from(self, numbers: Sequence[int]) -> list[NDArray[np.float64]]:
        """Where some of them began, over the ground, in parts (n, 2)."""
        rows, ground = self._early, self._course.left_from
        parts = [ground[rows.start : rows.stop] if isinstance(rows, range) else ground[rows]]
        if self._late:
            parts.append(np.array([move.before.center[:2] for move in self._late]))
        return parts if len(numbers) == len(self) else [np.concatenate(parts)[[*numbers]]]

    def _early_move(self, k: int) -> Move:
        """One of those between two settled rests."""
        (i, j), stays = self._course.legs[k], self._course.stays
        handled = partial(self._handled, k)
        return Move(self.view, stays[i + 1].start, stays[j].start, stays[i].box, stays[j].box, handled)

    def _late_move(self, i: int, j: int, since: float) -> Move | None:
        state, stays = self._state, self._stays
        a, b, last_stay = stays[i], stays[j], j + 1 == len(stays)
        far = apart(a, b)
        if not last_stay and (b.start <= since or not far):
            return None
        handled = partial(_handled_between, state, stays, i, j)
        # In the hands for as long as it is seen there; afterwards it is wherever it was put.
        if b.held or (last_stay and _put_out_of_sight(state, b, handled)):
            last = last_seen(state, self.view.id)
            in_hand = state.now - last <= IN_HAND_S
            arrived = state.now if in_hand else last
            return Move(self.view, stays[i + 1].start, arrived, a.box, None, lambda: True, in_hand)
        return Move(self.view, stays[i + 1].start, b.start, a.box, b.box, handled) if far else None


def _by(by_wearer: bool | None, moves: Iterable[Move]) -> Iterable[Move]:
    return moves if by_wearer is None else (move for move in moves if move.by_wearer == by_wearer)


def moves_of(state: SpatialState, view: ObjectView, since: float = -math.inf) -> list[Move]:
    """All moves of a thing that ended after a time, in order."""
    return list(MoveRun(state, view, since))


def _handled_between(state: SpatialState, stays: Sequence[Stay], i: int, j: int) -> bool:
    """Of a run that keeps its moves: a circle of references would keep the state, too."""
    return _handled(state, stays[i + 1 : j])


def _handled(state: SpatialState, stays: Sequence[Stay]) -> bool:
    """Whether a thing was in the wearer's hands between two rests: in so short a time, also if it was no
    farther away than that. Who stands still while holding a thing does not carry it anywhere."""
    return any(stay.held for stay in stays) or any(
        math.dist(state.path.ground_at(stay.start), stay.box.center[:2]) <= OUT_OF_HAND_M for stay in stays
    )


def _put_out_of_sight(state: SpatialState, stay: Stay, handled: Callable[[], bool]) -> bool:
    """Whether a thing left the hands unseen, and is not where it should lie then; when it was seen last is
    looked up where all else holds."""
    gone = state.where(stay.object_id, state.now) is None
    return gone and handled() and last_seen(state, stay.object_id) <= stay.start


def all_runs(state: SpatialState, since: float, but: Container[int] = ()) -> list[MoveRun]:
    """The moves of each thing but some that was moved after a time, by number."""
    if not isinstance(state, WithStays):
        raise Unanswerable("this state keeps no record of what was moved")
    found = []
    for number in state.moved_since(since):
        if number not in but and (view := _moved_view(state, number)) is not None:
            run = MoveRun(state, view, since)
            if len(run):
                found.append(run)
    return found


def _moved_view(state: SpatialState, number: int) -> ObjectView | None:
    """A thing of which it counts that it was moved."""
    view = view_of(state, number)
    return view if view is not None and view.presence > LIKELY and not walks(view) else None


def all_moves(state: SpatialState, since: float) -> list[Move]:
    """Moves of all things that ended after a time, the latest first."""
    found = [move for run in all_runs(state, since) for move in run]
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
    things = [state.stays(number) for number in state.moved_since(-math.inf)]
    ways = [Travelled.of(stays) for stays in things]
    found = []
    for stays, travelled, settled in zip(things, ways, _maybe_beside(near, ways), strict=True):
        rests = [*travelled.course.rests[: travelled.rests], *travelled.late]
        puts = []
        for k in [*settled, *range(travelled.rests, len(rests))]:
            i, before = rests[k], rests[k - 1] if k else -1
            stay = stays[i]
            there = near is None or _beside(near, stay.box)
            if there and not stay.held and _handled(state, stays[before + 1 : i]):
                puts.append(i)
        if puts and _moved_view(state, stays[0].object_id) is not None:
            found += [Put(stays[i], _seen_at(state, stays, i), i + 1 == len(stays)) for i in puts]
    return found


def _maybe_beside(anchor: Box | None, ways: Sequence[Travelled]) -> list[Sequence[int]]:
    """Of each thing at least those of the settled rests at which it could be on or in another."""
    if anchor is None:
        return [range(way.rests) for way in ways]
    rested = [way.course.rested_at for way in ways]
    ground = np.concatenate([np.zeros((0, 2)), *(r[0][: w.rests] for r, w in zip(rested, ways, strict=True))])
    longest = np.concatenate([np.zeros(0), *(r[1][: w.rests] for r, w in zip(rested, ways, strict=True))])
    away = np.hypot(*(ground - anchor.center[:2]).T)
    near = np.flatnonzero(away <= longest + _BESIDE_M + anchor.longest_side)
    edges = np.cumsum([0, *(way.rests for way in ways)])
    parts = np.split(near, np.searchsorted(near, edges[1:-1]))
    return [(part - first).tolist() for part, first in zip(parts, edges[:-1].tolist(), strict=False)]


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


def listed(state: SpatialState, found: Sequence[Iterable[Move]], sure: float) -> Answer:
    """The things of some moves by name, as an answer: of each thing its moves, the latest first."""
    runs = [(move, rest) for rest in map(iter, found) if (move := next(rest, None)) is not None]
    runs.sort(key=lambda run: -run[0].arrived)
    names = list(dict.fromkeys(f"the {plain_name(move.view)}" for move, _ in runs))
    late = [move for last, rest in runs[:_SHOWN] for move in (last, *islice(rest, _SHOWN - 1))]
    late.sort(key=lambda move: (-move.arrived, move.view.id))
    frames = tuple(sorted({frame for move in late[:_SHOWN] for frame in frames_of(state, move)}))
    words = SEPARATOR.join(names) or NOTHING
    return Answer(words, 1.0, frames, {"count": len(names)}, (), sure_of(words, sure))
