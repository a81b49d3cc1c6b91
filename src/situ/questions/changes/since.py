"""What has changed since a time: anywhere, in a room or at a piece of furniture; and what was taken away."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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
    MoveRun,
    OfMoves,
    all_runs,
    begin,
    frames_of,
    listed,
    sure_of,
    walks,
)
from situ.questions.rules.places import Places, place_of
from situ.questions.rules.twins import own_histories
from situ.questions.select import Selector, with_article
from situ.state.diary import WithStays
from situ.state.protocol import LIKELY, ByFate, ObjectView, SpatialState


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
        runs = all_runs(state, begin(self.since))
        now = {run.view.id: state.where(run.view.id, state.now) for run in runs}
        self._expect(state, now.values())
        there = {number for number, box in now.items() if box is not None and self._at(state, box, anchors)}
        moves = [(run, self._may_count(run, run.view.id in there)) for run in runs]
        counting = np.flatnonzero(self._began_there(state, moves, anchors) != self.brought)
        edges = np.cumsum([0, *(len(rows) for _, rows in moves)])
        found: list[tuple[MoveRun, list[int]]] = []
        for k in np.unique(np.searchsorted(edges, counting, side="right") - 1).tolist():
            (run, rows), (first, after) = moves[k], edges[k : k + 2]
            mine = counting[(counting >= first) & (counting < after)] - first
            found.append((run, sorted((rows[n] for n in mine.tolist()), key=lambda n: -run.arrived(n))))
        sure = self._sure(state, [run[rows[-1]] for run, rows in found])
        return listed(state, [map(run.__getitem__, rows) for run, rows in found], sure)

    def _may_count(self, run: MoveRun, is_there: bool) -> Sequence[int]:
        """Which of a thing's moves count, if they began where they should; `is_there`: it is there now."""
        if self.brought:
            return sorted({*range(len(run))} - {*run.unended}) if is_there else ()
        # What is there now was not taken away, unless it is in the hands.
        return run.unended if is_there else range(len(run))

    def _began_there(
        self, state: SpatialState, moves: list[tuple[MoveRun, Sequence[int]]], anchors: list[ObjectView]
    ) -> NDArray[np.bool_]:
        """Whether each of some moves of each thing began there, one after the other; of a week there are
        many."""
        if not self.place or self.anchor is not None:
            began = (run[n].before for run, rows in moves for n in rows)
            return np.array([self._at(state, box, anchors) for box in began], bool)
        places = Places.of(state)
        parts = (part for run, rows in moves if rows for part in run.left_from(rows))
        ground = np.concatenate([np.zeros((0, 2)), *parts])
        there = places.near(self.place, ground)
        there[there] = [tag == self.place for tag in places.tags_of(ground[there])]
        return there


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
        runs = all_runs(state, begin(self.since))
        ends = [(next(run.earliest_first()), next(run.latest_first())) for run in runs]
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
        views = state.objects()
        for view in views.gone() if isinstance(views, ByFate) else views:
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
