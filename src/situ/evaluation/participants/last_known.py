"""Who must answer: a state around another one, in which nothing is ever gone and nothing out of sight."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import overload

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.language.focus import decide
from situ.questions.base import Question
from situ.questions.programs.true_worlds import worlds_of
from situ.questions.select import selectors
from situ.state import ObjectView, Sighting, SpatialState
from situ.state.diary import Stay, WithStays, WithVisits
from situ.state.sightings import InFrames, in_frames
from situ.state.viewed import viewed
from situ.state.visit_log import VisitLog

_MOST_NAMESAKES = 4  # that are tried one by one


def must_answer(question: Question, options: Sequence[str], state: SpatialState) -> str:
    """The answer; who must give one takes the last place that they know of, however sure they are of it."""
    try:
        return decide(question, state).among(options)
    except Unanswerable as reason:
        for fall_back in (LastKnown(state), *_one_of_each_name(question, state)):
            with suppress(Unanswerable):
                return decide(question, fall_back).among(options)
        raise reason from None  # what the memory lacks, not what the fall-back does


def _one_of_each_name(question: Question, state: SpatialState) -> "Iterator[LastKnown]":
    """As if there were no namesakes: what is asked may hold of another of them than the likeliest."""
    for which in selectors(question):
        table = worlds_of(state)
        kinds = [] if which.category is None else [which.category]
        chances = table.membership(kinds, which.attributes, ever=True).mean(axis=0)
        likeliest = np.argsort(-chances, kind="stable")[:_MOST_NAMESAKES].tolist()
        meant = [k for k in likeliest if chances[k] > 0.0]
        ids = frozenset(table.ids[meant].tolist())
        if len(ids) > 1:
            yield from (LastKnown(state, ids - {number}) for number in table.ids[meant].tolist())


class Around:
    """A state around another one."""

    def __init__(self, state: SpatialState) -> None:
        self._state = state

    @property
    def strict(self) -> bool:
        return self._state.strict

    @property
    def now(self) -> float:
        return self._state.now

    @property
    def path(self) -> Path:
        return self._state.path

    def objects(self) -> Sequence[ObjectView]:
        return self._state.objects()

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id)

    def where(self, object_id: int, time: float) -> Box | None:
        return self._state.where(object_id, time)

    def viewed(self, box: Box, before: float) -> bool:
        return viewed(self._state, box, before)

    def as_of(self, time: float) -> SpatialState:
        return self._state.as_of(time)


class LastKnown(Around):
    """Nothing is ever gone: what is not believed to be there any more is where it was last.

    Some things may be left out of it.
    """

    def __init__(self, state: SpatialState, without: frozenset[int] = frozenset()) -> None:
        super().__init__(state)
        self._without = without

    def objects(self) -> Sequence[ObjectView]:
        return [
            replace(view, presence=max(view.presence, 0.51))
            for view in super().objects()
            if view.id not in self._without
        ]

    def where(self, object_id: int, time: float) -> Box | None:
        found = super().where(object_id, time)
        if found is None:
            found = next((view.box for view in super().objects() if view.id == object_id), None)
        return found

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return _OrFaced(self._state, object_id)

    # A record that is not kept is not the same as an empty one.

    def stays(self, object_id: int) -> Sequence[Stay]:
        return self._kept.stays(object_id)

    def moved_since(self, time: float) -> Sequence[int]:
        return self._kept.moved_since(time)

    def visits(self) -> VisitLog:
        if not isinstance(self._state, WithVisits):
            raise Unanswerable("this state keeps no record of where the wearer was")
        return self._state.visits()

    @property
    def _kept(self) -> WithStays:
        if not isinstance(self._state, WithStays):
            raise Unanswerable("this state keeps no record of what was moved")
        return self._state


class _OrFaced(Sequence[Sighting], InFrames):
    """Sightings of a thing; where it was seen in none of some frames, the one that looks most towards it."""

    def __init__(self, state: SpatialState, object_id: int) -> None:
        self._state, self._id, self._seen = state, object_id, state.sightings(object_id)

    def __len__(self) -> int:
        return len(self._seen)

    @overload
    def __getitem__(self, index: int) -> Sighting: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sighting]: ...
    def __getitem__(self, index: int | slice) -> Sighting | Sequence[Sighting]:
        return self._seen[index]

    def __iter__(self) -> Iterator[Sighting]:
        return iter(self._seen)

    def __reversed__(self) -> Iterator[Sighting]:
        return reversed(self._seen)

    def in_frames(self, frames: Sequence[int]) -> Sequence[Sighting]:
        found, path = in_frames(self._seen, frames), self._state.path
        box = self._state.where(self._id, self._state.now)
        there = [frame for frame in frames if 0 <= frame - path.first_frame < len(path)]
        if found or box is None or not there:
            return found

        def turn(frame: int) -> float:
            return abs(path.headings[frame - path.first_frame].bearing_deg(box.center))

        faced = min(there, key=turn)
        return (Sighting(faced, float(path.times[faced - path.first_frame]), 0.5),)
