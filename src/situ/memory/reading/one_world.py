"""One of the possible worlds of a belief, as a state of its own: what is asked has a definite answer there.

What no program says yet is answered in each of these, one after the other; they are those of the table.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.memory.reading.path import SampledPath
from situ.memory.reading.places import Place
from situ.memory.reading.state import MemoryState
from situ.memory.reading.worlds import COUNT, BelievedWorlds
from situ.questions.programs.table import Mask
from situ.state.candidates import InOrder, Ordered, ranked
from situ.state.protocol import Candidate, ObjectView, Phrase, Sighting, SpatialState


class OneWorld(Ordered):
    """A world of a table: which objects are real there, which are still in place, and where each is."""

    strict: ClassVar[bool] = False

    def __init__(self, table: BelievedWorlds, number: int) -> None:
        self._table, self._number = table, number
        self._state = self.believed = table.memory  # which says the same of the past in all worlds
        self._real = table.real[number] > 0
        self._there, self._placed = table.there[number], table.placed[number]
        self._views: dict[int, ObjectView] = {}
        samples = self._state.path_samples
        self._sample = None if samples is None else samples.only(number % len(samples))
        path = self._state.path
        self.path = path if self._sample is None else SampledPath(path, self._sample, self._state.moment)
        self.now = table.now

    def objects(self) -> Sequence[ObjectView]:
        return tuple(self._view(k) for k in np.flatnonzero(self._real).tolist())

    def _view(self, column: int) -> ObjectView:
        """An object of which it is sure here that it is real, and where."""
        view = self._views.get(column)
        if view is None:
            believed = self._state.object(int(self._table.ids[column]))
            assert believed is not None
            box = self._box(column, believed.box)
            view = ObjectView(believed.id, believed.category, box, believed.attributes)
            self._views[column] = view
        return view

    def _box(self, column: int, believed: Box) -> Box:
        x, y, z = self._table.centers[self._number, column].tolist()
        return Box((x, y, z), believed.size, believed.yaw_deg)

    def candidates(self, which: Phrase) -> InOrder:
        return InOrder(self.each_meant(which))

    def each_meant(self, which: Phrase) -> Iterator[Candidate]:
        return self._candidates(which, self._real)

    def _candidates(self, which: Phrase, among: Mask) -> Iterator[Candidate]:
        """Those of some columns, in the order in which they are meant, each made when it is its turn."""
        order = self._table.kept(("meant", which), lambda: self._order(which))
        bears = self._bears(which.category)
        for column in order[(self._real & among & bears)[order]].tolist():
            seen = self._state.sightings(int(self._table.ids[column]))
            there, left = float(self._placed[column]), float(self._there[column])
            yield Candidate(self._view(column), seen, 1.0, 1.0, there, left)

    def _order(self, which: Phrase) -> NDArray[np.int64]:
        """The columns that words may pick out, in the order in which they are meant."""
        state, place = self._state, self._table.column
        found = [thing for thing in state.candidates(which) if thing.id in place]
        return np.array([place[thing.id] for thing in ranked(found, state.path, state.now)], np.int64)

    def _bears(self, kind: str | None) -> Mask:
        table = self._table
        if kind is None:
            return np.ones(table.number, bool)
        named: Mask = table.kept(("bears", kind), lambda: table.named(kind))
        mine: Mask = named[self._number]
        return mine

    def candidates_near(self, which: Phrase, point: Sequence[float], radius: float) -> list[Candidate]:
        """Those within a distance over the ground of a point, in that order."""
        away = self._table.centers[self._number, :, :2] - np.asarray(point, float)[:2]
        near = np.hypot(away[:, 0], away[:, 1]) <= radius
        return list(self._candidates(which, near))

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id) if self._has(object_id) else ()

    def _has(self, object_id: int) -> bool:
        column = self._table.column.get(object_id)
        return column is not None and bool(self._real[column])

    def places(self) -> Sequence[Place]:
        """Where they are for the wearer now."""
        places = self._state.places()
        if self._sample is None or not places:
            return places
        times, means = np.array([one.last for one in places]), np.array([one.mean for one in places])
        moved = self._sample.seen_from(self._state.moment, means[None], times)[0].tolist()
        return [place._replace(mean=(x, y, z)) for place, (x, y, z) in zip(places, moved, strict=True)]

    def where(self, object_id: int, time: float) -> Box | None:
        """Where it is in this world, None if it has gone. Where to a thing was moved unseen nobody knows."""
        if not self._has(object_id):
            return None
        if time < self.now:
            return self._state.where(object_id, time)
        column = self._table.column[object_id]
        if not self._there[column]:
            return None
        view = self._view(column)
        if not self._placed[column]:
            raise Unanswerable(f"the {view.category} may have been moved since it was seen")
        return view.box

    def viewed(self, box: Box, before: float) -> bool:
        return self._state.viewed(box, before)

    def settled_since(self, object_id: int, time: float) -> float:
        return self._state.settled_since(object_id, time)

    def as_of(self, time: float) -> SpatialState:
        return self if time >= self.now else self._state.as_of(time)


def draw(state: MemoryState, count: int = COUNT) -> Iterator[OneWorld]:
    """The possible worlds of a belief, one after the other."""
    table = state.worlds() if count == COUNT else BelievedWorlds(state, count=count)
    return (OneWorld(table, number) for number in range(count))
