"""Lists of what changed, and how often something was put somewhere."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.questions.programs.run import Entry, Result, Run
from situ.questions.programs.schema import Ask, Set, fault, operator
from situ.questions.programs.table import SURE
from situ.questions.rules.landmarks import on_gap, plain_name
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.moves import Move, Put, all_puts, begin, frames_of, listed_frames, view_of, walks
from situ.questions.rules.relations import INSIDE, ON, related
from situ.questions.rules.resting import frames_between
from situ.questions.rules.wearer import heading_now, last_frame
from situ.state.diary import WithStays
from situ.state.protocol import LIKELY, ObjectView

MOVED_M = 0.4
ALL_ACTS = 0.9  # of such counts on generated days, seen by a detector with faults, so many were right
GUESSED_ON = 0.6  # how likely an object is where it seems to have been put, though nobody saw it there
_PUTS_SHOWN, _SHOWN_S = 4, 2.0


@dataclass(frozen=True)
class _Where(Ask):
    """In a place, at an object, or anywhere; since a time."""

    since: float | None = None
    place: str | None = None
    at: Set | None = None

    def checked(self, place: str) -> None:
        if self.place is not None and self.at is not None:
            raise fault(place, "give a place or a set ('at'), not both")

    def _anchors(self, run: Run) -> list[Box]:
        return [] if self.at is None else [run.box(int(k)) for k in run.anchors(self.at)[0]]

    def _there(self, run: Run, box: Box, anchors: Sequence[Box]) -> bool:
        if self.at is not None:
            return any(on_gap(box, anchor) is not None for anchor in anchors)
        return self.place is None or run.table.places.tag_of(box.center) == self.place

    def _expect(self, run: Run, moves: Sequence[Move]) -> None:
        """The places of all these will be asked for: find them at once."""
        if self.place is not None and self.at is None:
            boxes = [box for move in moves for box in (move.before, move.after) if box is not None]
            run.table.places.expect([box.center for box in boxes])

    def _so(self, run: Run, column: int, move: Move) -> NDArray[np.bool_]:
        """In which worlds a move happened, and ended after the time."""
        so = run.table.happened(column, move)
        return so if self.since is None else so & (run.table.arrivals(column, move) > self.since)

    def _listed(
        self,
        run: Run,
        words: Sequence[str],
        entries: Sequence[Entry],
        held: NDArray[np.bool_],
        frames: set[int],
    ) -> Result:
        """A list, and how well it is expected to agree with what is so (F1): `held` (worlds, entries) says in
        which worlds each holds."""
        value = SEPARATOR.join(words) or NOTHING
        sure = 1.0
        if not run.table.certain:
            right = held.sum(axis=1)
            both = right + run.table.overlooked(len(words)) + len(words)
            agree = np.where(both > 0, 2 * right / np.maximum(both, 1), 1.0)
            sure = float((agree.sum() + 0.5) / (len(agree) + 1))
        return Result(
            self.tag, value, {value: sure}, sure, SURE, tuple(sorted(frames)), numbers={"count": len(words)},
            entries=tuple(entries),
        )  # fmt: skip


@operator
@dataclass(frozen=True)
class Changes(_Where):
    """What has changed since a time, anywhere, in a place or at an object: moved, gone, brought."""

    tag: ClassVar[str] = "changes"

    def answer(self, run: Run) -> Result:
        anchors = self._anchors(run)
        said: dict[str, tuple[str, int, NDArray[np.bool_]]] = {}
        frames: set[int] = set()
        by_column = run.table.moves(begin(self.since))
        self._expect(run, [move for moves in by_column.values() for move in moves])
        ends = [(k, min(m, key=_arrived), max(reversed(m), key=_arrived)) for k, m in by_column.items()]
        for k, first, last in sorted(ends, key=lambda one: -one[2].arrived):
            words = self._words(run, k, first, last, anchors)
            if words:
                so = np.logical_or.reduce([self._so(run, k, move) for move in by_column[k]])
                said[f"the {plain_name(first.view)}"] = words, k, so
                frames.update(frames_of(run.table.state, last)[-2:])
        for view in self._gone(run):
            k = run.table.column[view.id]
            if k not in by_column and self._there(run, view.box, anchors):
                said[f"the {plain_name(view)}"] = "is gone", k, ~run.table.there[:, k]
                frames.update(last_frame(run.table.state, view.id))
        held = (
            np.stack([so for _, _, so in said.values()], axis=1)
            if said
            else np.zeros((run.table.count, 0), bool)
        )
        entries = [Entry(name, float(so.mean()), None, run.ids([k])) for name, (_, k, so) in said.items()]
        return self._listed(
            run, [f"{name} {words}" for name, (words, _, _) in said.items()], entries, held, frames
        )

    def _words(self, run: Run, column: int, first: Move, last: Move, anchors: Sequence[Box]) -> str:
        before = self._there(run, first.before, anchors)
        somewhere = self.place is not None or self.at is not None
        if last.after is not None and run.table.there[:, column].mean() < LIKELY:
            return "is gone" if before else ""
        if last.after is None and last.in_hand:
            return "is in your hands" if before else ""
        if last.after is None:
            return ("was taken away" if somewhere else "was moved") if before else ""
        after = self._there(run, last.after, anchors)
        if before and after:
            apart = math.dist(first.before.center, last.after.center)
            return "was moved" if apart > MOVED_M else ""
        return "was taken away" if before else "was brought here" if after else ""

    def _gone(self, run: Run) -> list[ObjectView]:
        """Objects that are not where they were, and were still there at the time."""
        found, state = [], run.table.state
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


@operator
@dataclass(frozen=True)
class Taken(_Where):
    """What was taken from a place or an object and is elsewhere now, the latest first; if `brought`, what was
    brought there from elsewhere and is there now."""

    tag: ClassVar[str] = "taken"

    brought: bool = False

    def answer(self, run: Run) -> Result:
        anchors, by_column = self._anchors(run), run.table.moves(begin(self.since))
        self._expect(run, [move for moves in by_column.values() for move in moves])
        found: dict[int, list[Move]] = {}
        for k, moves in by_column.items():
            is_there = run.table.there[:, k].mean() >= LIKELY and self._there(run, self._now(run, k), anchors)
            counting = [move for move in moves if self._counts(move, is_there)]
            mine = [move for move in counting if self._there(run, move.before, anchors) != self.brought]
            if mine:
                found[k] = sorted(mine, key=lambda move: -move.arrived)
        order = sorted(found, key=lambda k: -found[k][0].arrived)
        names: dict[str, NDArray[np.bool_]] = {}
        for k in order:
            so = np.logical_or.reduce([self._so(run, k, move) for move in found[k]])
            name = f"the {plain_name(found[k][0].view)}"
            names[name] = names[name] | so if name in names else so
        held = np.stack([*names.values()], axis=1) if names else np.zeros((run.table.count, 0), bool)
        entries = [Entry(name, float(so.mean())) for name, so in names.items()]
        frames = listed_frames(run.table.state, [found[k] for k in order])
        return self._listed(run, [*names], entries, held, {*frames})

    @staticmethod
    def _now(run: Run, column: int) -> Box:
        view = view_of(run.table.state, int(run.table.ids[column]))
        return run.box(column) if view is None else view.box

    def _counts(self, move: Move, is_there: bool) -> bool:
        """Whether a move counts, if it began where it should; `is_there`: the object is there now. What is
        there now was not taken away, unless it is in the hands."""
        if self.brought:
            return is_there and move.after is not None
        return not is_there or move.after is None


@operator
@dataclass(frozen=True)
class TimesPut(Ask):
    """How many times the wearer put something on or into the object that is meant."""

    tag: ClassVar[str] = "times_put"

    of: Set

    def answer(self, run: Run) -> Result:
        state, one = run.table.state, run.meant(self.of, placed=False)
        column = int(np.bincount(one[one >= 0]).argmax())
        number = int(run.table.ids[column])
        anchor = view_of(state, number)
        assert anchor is not None
        puts = [
            put
            for put in all_puts(state, anchor.box)
            if _carried(run, put.stay.box, anchor) and not _refuted(run, put)
        ]
        guessed = sum(not put.seen for put in puts)
        times = sorted((put.stay.start for put in puts), reverse=True)[:_PUTS_SHOWN]
        frames = {
            frame for time in times for frame in frames_between(state, time, min(state.now, time + _SHOWN_S))
        }
        evidence = tuple(sorted(frames)) or last_frame(state, number)
        # An object that vanished from the hands before a piece of furniture is on it rather than not.
        sure = 1.0 if run.table.certain else ALL_ACTS * GUESSED_ON**guessed
        value = len(puts)
        return Result("times_put", value, {str(value): sure}, sure, 1.0, evidence, (), {"count": value})


def _refuted(run: Run, put: Put) -> bool:
    """Whether an object was only guessed to have been put there, and then was not there."""
    if put.seen or run.table.certain or not put.latest:
        return False
    column = run.table.column.get(put.stay.object_id)
    return column is not None and run.table.remains_of(column) < LIKELY


def _carried(run: Run, box: Box, anchor: ObjectView) -> bool:
    here = heading_now(run.table.state)
    return any(related(here, box, anchor.box, relation) for relation in (ON, INSIDE))
