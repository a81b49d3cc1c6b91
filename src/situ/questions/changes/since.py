"""What has changed since a time: anywhere, in a room or at a piece of furniture; and what was taken away."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer, question_kind
from situ.questions.changes.moved import MOVED_M
from situ.questions.rules.dates import in_time
from situ.questions.rules.landmarks import on_gap, plain_name
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.moves import (
    WHOLE_LIST,
    Move,
    OfMoves,
    begin,
    frames_of,
    listed,
    moves_by_object,
    sure_of,
    walks,
)
from situ.questions.rules.places import Places, place_of
from situ.questions.rules.twins import own_histories
from situ.questions.select import Selector, with_article
from situ.state.diary import WithStays
from situ.state.protocol import LIKELY, ObjectView, SpatialState


@dataclass(frozen=True)
class _Somewhere(OfMoves):
    """In a place, at a thing, or anywhere; since a time."""

    since: float | None = None
    place: str = ""
    anchor: Selector | None = None

    def _anchors(self, state: SpatialState) -> list[ObjectView]:
        if self.anchor is None:
            return []
        anchors = [thing.view for thing in state.candidates(self.anchor) if thing.likely]
        if not anchors:
            raise Unanswerable(f"I have not seen {with_article(self.anchor.singular)}")
        return anchors

    def _at(self, state: SpatialState, box: Box, anchors: list[ObjectView]) -> bool:
        if self.anchor is not None:
            return any(on_gap(box, anchor.box) is not None for anchor in anchors)
        return not self.place or place_of(state, box.center) == self.place

    def _expect(self, state: SpatialState, boxes: Iterable[Box | None]) -> None:
        """The places of some boxes will be asked for: find them at once, if there is to be one."""
        if self.place and self.anchor is None:
            Places.of(state).expect([box.center for box in boxes if box is not None])

    def _sure(self, state: SpatialState, moves: list[Move]) -> float:
        """How likely nothing is missing from some moves, and none of them came before."""
        since = begin(self.since)
        return WHOLE_LIST * own_histories(state, state.objects(), since) * in_time(state, moves, since)


@question_kind
@dataclass(frozen=True)
class TakenAway(_Somewhere):
    """What was taken from a place or a piece of furniture and is elsewhere now, the latest first; if
    `brought`, what was brought there from elsewhere and is there now."""

    brought: bool = False

    kind: ClassVar[str] = "taken_away"

    @property
    def text(self) -> str:
        act = "brought to" if self.brought else "taken from"
        return f"What was {act} the {self.place or (self.anchor or Selector()).singular}?"

    def answer(self, state: SpatialState) -> Answer:
        anchors = self._anchors(state)
        by_object = moves_by_object(state, begin(self.since))
        now = {moves[0].view.id: state.where(moves[0].view.id, state.now) for moves in by_object}
        self._expect(state, [*now.values(), *(move.before for moves in by_object for move in moves)])
        there = {number for number, box in now.items() if box is not None and self._at(state, box, anchors)}
        found = []
        for moves in by_object:
            counting = [move for move in moves if self._counts(move, move.view.id in there)]
            mine = [m for m in counting if self._at(state, m.before, anchors) != self.brought]
            found.append(sorted(mine, key=lambda move: -move.arrived))
        sure = self._sure(state, [moves[-1] for moves in found if moves])
        return listed(state, found, sure)

    def _counts(self, move: Move, is_there: bool) -> bool:
        """Whether a move counts, if it began where it should; `is_there`: the object is there now. What is
        there now was not taken away, unless it is in the hands."""
        if self.brought:
            return is_there and move.after is not None
        return not is_there or move.after is None


@question_kind
@dataclass(frozen=True)
class Changes(_Somewhere):
    """What has changed since a time, anywhere, in a place or at a thing: moved, gone, brought."""

    kind: ClassVar[str] = "changes"

    @property
    def text(self) -> str:
        where = f" in the {self.place}" if self.place else ""
        where = f" at the {self.anchor.singular}" if self.anchor is not None else where
        return f"What has changed{where}?"

    def answer(self, state: SpatialState) -> Answer:
        anchors = self._anchors(state)
        said: dict[str, str] = {}
        frames: set[int] = set()
        by_object = moves_by_object(state, begin(self.since))
        ends = [(min(moves, key=_arrived), max(reversed(moves), key=_arrived)) for moves in by_object]
        self._expect(state, (box for first, last in ends for box in (first.before, last.after)))
        for first, last in sorted(ends, key=lambda pair: -pair[1].arrived):
            words = self._words(state, first, last, anchors)
            if words:
                said[f"the {plain_name(first.view)}"] = words
                frames.update(frames_of(state, last)[-2:])
        moved = {first.view.id for first, _ in ends}
        gone = [v for v in self._gone(state) if v.id not in moved and self._at(state, v.box, anchors)]
        said |= {f"the {plain_name(view)}": "is gone" for view in gone}
        seen = [state.sightings(view.id) for view in gone]  # a memory reads the last of all together
        frames.update(each[-1].frame for each in seen if each)
        parts = [f"{name} {words}" for name, words in said.items()]
        words = SEPARATOR.join(parts) or NOTHING
        odds = sure_of(words, self._sure(state, [first for first, _ in ends]))
        return Answer(words, 1.0, tuple(sorted(frames)), {"count": len(parts)}, (), odds)

    def _words(self, state: SpatialState, first: Move, last: Move, anchors: list[ObjectView]) -> str:
        before = self._at(state, first.before, anchors)
        now = state.where(last.view.id, state.now)
        if now is None and last.after is not None:
            return "is gone" if before else ""
        if last.after is None and last.in_hand:
            return "is in your hands" if before else ""
        if last.after is None:
            return ("was taken away" if self.place or anchors else "was moved") if before else ""
        after = self._at(state, last.after, anchors)
        if before and after:
            apart = math.dist(first.before.center, last.after.center)
            return "was moved" if apart > MOVED_M else ""
        return "was taken away" if before else "was brought here" if after else ""

    def _gone(self, state: SpatialState) -> list[ObjectView]:
        """Things that are not where they were, and were still there at the time."""
        found = []
        for view in state.objects():
            left = getattr(view, "absent_since", math.nan)
            fixed = getattr(view, "motion", "") == "fixed"  # furniture that is out of sight is not gone
            if view.presence <= LIKELY or left <= begin(self.since) or fixed or walks(view):
                continue
            if state.where(view.id, state.now) is None:
                if not isinstance(state, WithStays) or math.isnan(left):
                    seen = state.sightings(view.id)
                    if self.since is not None and seen and state.where(view.id, self.since) is None:
                        continue
                found.append(view)
        return found


def _arrived(move: Move) -> float:
    return move.arrived
