"""Samples of a belief: each is a definite world in which any question has a definite answer.

Every object has draws of its own, which depend on its number alone and cover each of its doubts evenly (a
Latin hypercube): of 64 samples a thing that is 75 % real is in exactly 48. So the odds of an answer do not
change with what else is remembered, and are the same today as when the past is asked again.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.path_doubt import PathSamples
from situ.lazy import lazily
from situ.memory.reading.levels import ORDERS, level_orders, normal_levels
from situ.memory.reading.path_samples import SampledPath
from situ.memory.reading.place_book import Place
from situ.memory.reading.state import MemoryState
from situ.memory.reading.version_records import RememberedObject
from situ.state.candidates import InOrder, Ordered, ranked
from situ.state.protocol import LIKELY, Candidate, ObjectView, Phrase, Sighting, SpatialState

SAMPLES = 64  # an answer of even odds is then off by 6 %, less where strata even it out
_LEAST_SIGMA_M = 0.01  # what is known exactly would have no spread to take a root of
_REAL, _KIND, _THERE, _X, _Y, _Z = range(6)
_MULTIPLIERS = (1, 577, 1153, 1733, 2311, 2887)  # odd steps for each doubt, so that no two go together
_FIRST = 97 * np.arange(6)[:, None]  # where each doubt begins, so that the first thing has unlike ones, too
_Drawn = tuple[Candidate, int, float, float]


class SampledCandidate(Candidate):
    """A candidate in one draw: real, and of its kind. Where it is there is worked out if somebody asks; most
    are passed over. What a draw is sure of is no property, because it is asked for thousands of times."""

    id: int = 0
    chance: ClassVar[float] = 1.0
    likely: ClassVar[bool] = True
    possible: ClassVar[bool] = True
    _views: Callable[[int], ObjectView]
    _column: int

    def __getattr__(self, name: str) -> ObjectView:
        if name != "view":
            raise AttributeError(name)
        view = self.__dict__["view"] = self._views(self._column)
        return view

    @property
    def left(self) -> bool:
        return self.remains >= LIKELY


class SampledState(Ordered):
    """One draw: which objects are real, which are still in place, and where each of them is."""

    strict: ClassVar[bool] = False

    def __init__(self, worlds: "Worlds", number: int) -> None:
        self._worlds = worlds
        self._number = number
        self._state = self.believed = worlds.state  # which says the same of the past in all draws
        self._views: dict[int, ObjectView] = {}
        self.now = self._state.now
        self.path: Path = worlds.path(number)

    def objects(self) -> Sequence[ObjectView]:
        real = self._worlds.real[self._number]
        return tuple(self._view(k) for k in range(len(real)) if real[k])

    def candidates(self, which: Phrase) -> InOrder:
        return InOrder(self.each_meant(which))

    def each_meant(self, which: Phrase) -> Iterator[Candidate]:
        """The candidates in the order in which they are meant, each made when it is its turn."""
        return map(self._candidate, self._worlds.meant(which)[self._number])

    def candidates_near(self, which: Phrase, point: Sequence[float], radius: float) -> list[Candidate]:
        """Those within a distance over the ground of a point, in that order."""
        x, y = float(point[0]), float(point[1])
        near = self._worlds.near(x, y, radius)[self._number]
        drawn = (each for each in self._worlds.meant(which)[self._number] if near[each[1]])
        found = []
        for thing in map(self._candidate, drawn):
            east, north, _ = thing.view.box.center
            if math.hypot(east - x, north - y) <= radius:
                found.append(thing)
        return found

    def _candidate(self, drawn: _Drawn) -> Candidate:
        believed, column, there, remains = drawn
        thing: SampledCandidate = object.__new__(SampledCandidate)
        thing.__dict__.update(
            id=believed.id, seen=believed.seen, last=believed.last, real=1.0, kind=1.0,
            there=there, remains=remains, _views=self._view, _column=column,
        )  # fmt: skip
        return thing

    def _view(self, column: int) -> ObjectView:
        view = self._views.get(column)
        if view is None:
            view = self._views[column] = self._worlds.view(self._number, column)
        return view

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id) if self._has(object_id) else ()

    def _has(self, object_id: int) -> bool:
        column = self._worlds.column.get(object_id)
        return column is not None and self._worlds.real[self._number][column]

    def places(self) -> Sequence[Place]:
        return self._worlds.places(self._number)

    def where(self, object_id: int, time: float) -> Box | None:
        """Where it is in this draw, None if it has gone. Where to a thing was moved unseen nobody knows."""
        if not self._has(object_id):
            return None
        if time < self.now:
            return self._state.where(object_id, time)
        column = self._worlds.column[object_id]
        believed, stays = self._worlds.objects[column], self._worlds.stays[self._number][column]
        if stays > believed.remains:
            return None
        if stays > believed.here and self._worlds.unseen_moves:
            raise Unanswerable(f"the {believed.category} may have been moved since it was seen")
        return self._worlds.box(self._number, column)

    def viewed(self, box: Box, before: float) -> bool:
        return self._state.viewed(box, before)

    def settled_since(self, object_id: int, time: float) -> float:
        return self._state.settled_since(object_id, time)

    def as_of(self, time: float) -> SpatialState:
        return self if time >= self.now else self._state.as_of(time)


class Worlds:
    """The draws of some objects, laid out so that each sample looks at little."""

    def __init__(self, state: MemoryState, objects: Sequence[RememberedObject], count: int) -> None:
        self.state = state
        self.objects = objects
        self.unseen_moves = True
        self.column = {view.id: k for k, view in enumerate(objects)}
        self._draws = Draws(objects, count, state)
        self._real, self._names, self._stays = self._draws.real(), self._draws.names(), self._draws.stays()
        self._numbers: Sequence[int] = range(count)  # of the samples
        self._near: dict[tuple[float, float, float], list[list[bool]]] = {}
        self._moved = True  # whether things are elsewhere in each sample
        self._meant: dict[tuple[str | None, tuple[tuple[str, str], ...]], list[list[_Drawn]]] = {}

    @lazily
    def real(self) -> list[list[bool]]:
        found: list[list[bool]] = self._real.tolist()
        return found

    @lazily
    def stays(self) -> list[list[float]]:
        found: list[list[float]] = self._stays.tolist()
        return found

    @lazily
    def _centers(self) -> NDArray[np.float64]:
        return self._draws.centers()

    @lazily
    def _spots(self) -> list[list[list[float]]]:
        """Where each thing is in each sample."""
        found: list[list[list[float]]] = self._centers.tolist()
        return found

    def path(self, number: int) -> Path:
        """The path of a sample."""
        samples = self.state.path_samples
        if samples is None:
            return self.state.path
        sample = samples.only(self._numbers[number] % len(samples))
        return SampledPath(self.state.path, sample, self.state.moment)

    def places(self, number: int) -> Sequence[Place]:
        """The places of a sample, where they are for the wearer now."""
        samples, places = self.state.path_samples, self.state.places()
        if samples is None or not places:
            return places
        times = np.array([place.last for place in places])
        means = np.array([place.mean for place in places])[None]
        sample = samples.only(self._numbers[number] % len(samples))
        moved = sample.seen_from(self.state.moment, means, times)[0].tolist()
        return [place._replace(mean=(x, y, z)) for place, (x, y, z) in zip(places, moved, strict=True)]

    def meant(self, which: Phrase) -> list[list[_Drawn]]:
        """Of each sample the candidates of the belief that are drawn, in the order in which they are meant:
        with its column, and whether it is in place and has not gone."""
        key = (which.category, which.attributes)
        found = self._meant.get(key)
        if found is None:
            found = self._meant[key] = self._find_meant(which)
        return found

    def _find_meant(self, which: Phrase) -> list[list[_Drawn]]:
        fitting = [self.state.candidate(v, which) for v in self.objects if which.matches(v)]
        order = ranked(fitting, self.state.path, self.state.now)
        columns = [self.column[thing.id] for thing in order]
        bears = self._names[:, columns] <= np.array([thing.kind for thing in order])
        there = self._stays[:, columns] <= np.array([thing.there for thing in order])
        left = self._stays[:, columns] <= np.array([thing.remains for thing in order])
        found: list[list[_Drawn]] = [[] for _ in self._numbers]
        samples, places = np.nonzero(self._real[:, columns] & bears)
        rows = zip(
            samples.tolist(),
            places.tolist(),
            there[samples, places].astype(float).tolist(),
            left[samples, places].astype(float).tolist(),
            strict=True,
        )
        for sample, k, is_there, remains in rows:
            found[sample].append((order[k], columns[k], is_there, remains))
        return found

    def near(self, x: float, y: float, radius: float) -> list[list[bool]]:
        """Whether each thing may be within a distance over the ground of a point, in each sample."""
        key = x, y, radius
        if key not in self._near:
            believed = np.array([view.box.center for view in self.objects]).reshape(1, -1, 3)
            spots = self._centers if self._moved else believed.repeat(len(self._numbers), axis=0)
            squared = (spots[..., 0] - x) ** 2 + (spots[..., 1] - y) ** 2
            self._near[key] = (squared <= radius * radius * (1.0 + 1e-9)).tolist()  # whoever asks is exact
        return self._near[key]

    def view(self, number: int, column: int) -> ObjectView:
        """An object in a sample."""
        return sampled_view(self.objects[column], self._spots[number][column] if self._moved else None)

    def box(self, number: int, column: int) -> Box:
        """Where an object is in a sample."""
        believed = self.objects[column].box
        return sampled_box(believed, self._spots[number][column]) if self._moved else believed

    def alike(self) -> list[int]:
        """Keep of the samples that differ in where things are alone one each: how many there were. What
        nobody saw happen has not happened in them."""
        self._moved = self.unseen_moves = False
        doubts = np.array([(v.called(v.category), v.remains) for v in self.objects], dtype=float).reshape(
            -1, 2
        )
        facts = [self._real, self._names <= doubts[:, 0], self._stays <= doubts[:, 1]]
        rows = np.packbits(np.concatenate(facts, axis=1), axis=1)
        alike: dict[bytes, list[int]] = {}
        for k, row in enumerate(rows):
            alike.setdefault(row.tobytes(), []).append(k)
        groups = [alike[row] for row in sorted(alike)]
        first = [group[0] for group in groups]
        self._numbers = first
        self._real, self._names, self._stays = self._real[first], self._names[first], self._stays[first]
        return [len(group) for group in groups]


def sampled_box(believed: Box, center: Sequence[float]) -> Box:
    """A box elsewhere."""
    x, y, z = center
    return Box((x, y, z), believed.size, believed.yaw_deg)


def sampled_view(believed: ObjectView, center: Sequence[float] | None) -> ObjectView:
    """An object of which a draw says that it is real, and where."""
    box = believed.box if center is None else sampled_box(believed.box, center)
    return ObjectView(believed.id, believed.category, box, believed.attributes)


class Draws:
    """What all samples say of some objects: whether each is real, and where, as arrays."""

    def __init__(
        self, objects: Sequence[RememberedObject], count: int = SAMPLES, state: MemoryState | None = None
    ) -> None:
        """`state`: places are as the wearer has them, whose way from there to here may be in doubt."""
        self.objects = objects
        self.count = count
        self._state = state
        self._numbers = np.array([view.id for view in objects], np.int64)

    def _strata(self, doubt: int) -> NDArray[np.uint16]:
        """For each sample and object the stratum of a doubt (count, n)."""
        drawn: NDArray[np.uint16] = self._drawn[doubt]
        return drawn

    @lazily
    def _drawn(self) -> NDArray[np.uint16]:
        """The strata of all doubts (doubts, count, n); one look for all takes as long as one for each."""
        orders = (np.outer(_MULTIPLIERS, self._numbers) + _FIRST) % ORDERS
        return level_orders(self.count)[:, orders].swapaxes(0, 1)

    def _levels(self, doubt: int) -> NDArray[np.float64]:
        return (self._strata(doubt) + 0.5) / self.count

    def real(self) -> NDArray[np.bool_]:
        """Whether each object is real in each sample (count, n)."""
        presence = np.array([view.presence for view in self.objects])
        return np.asarray(self._levels(_REAL) <= presence)

    def names(self) -> NDArray[np.float64]:
        """How likely its name must be for each object to bear it in each sample (count, n)."""
        return self._levels(_KIND)

    def stays(self) -> NDArray[np.float64]:
        """How likely it must be in place for each object to be there in each sample (count, n)."""
        return self._levels(_THERE)

    def centers(self) -> NDArray[np.float64]:
        """Where each object is in each sample, if it is in place (count, n, 3)."""
        means = np.array([view.box.center for view in self.objects]).reshape(-1, 3)
        wide = np.array([view.covariance for view in self.objects]).reshape(-1, 3, 3)
        lower = np.linalg.cholesky(wide + np.eye(3) * _LEAST_SIGMA_M**2)
        normal = normal_levels(self.count)
        unit = np.stack([normal[self._strata(axis)] for axis in (_X, _Y, _Z)], axis=2)
        return self._as_walked(np.asarray(means + np.einsum("nij,snj->sni", lower, unit)))

    def _as_walked(self, centers: NDArray[np.float64]) -> NDArray[np.float64]:
        """What was seen some way back is as far off as the way since is; what is held comes along."""
        state, samples = self._state, None if self._state is None else self._state.path_samples
        if state is None or samples is None or not len(self.objects):
            return centers
        seen = [_last_seen(state, view) for view in self.objects]
        times = np.array(
            [state.moment if view.held else at for view, at in zip(self.objects, seen, strict=True)]
        )
        rows = np.arange(self.count) % len(samples)
        drawn = PathSamples(samples.doubt, samples.errors[rows], samples.astray[rows])
        held = np.array([view.held for view in self.objects])
        return np.where(held[None, :, None], centers, drawn.seen_from(state.moment, centers, times))


def _last_seen(state: MemoryState, view: RememberedObject) -> float:
    last = next(reversed(state.sightings(view.id)), None)
    return view.last_seen if last is None else last.time


def draw(
    state: MemoryState, count: int = SAMPLES, objects: Sequence[RememberedObject] | None = None
) -> Iterator[SampledState]:
    """Samples of a belief, or of what it says of some objects, each made when it is its turn."""
    worlds = Worlds(state, tuple(state.objects() if objects is None else objects), count)
    return (SampledState(worlds, number) for number in range(count))


def draw_alike(
    state: MemoryState, objects: Sequence[RememberedObject], count: int = SAMPLES
) -> Iterator[tuple[SampledState, int]]:
    """The samples in which different things are real or in place, and how often each comes."""
    worlds = Worlds(state, objects, count)
    return ((SampledState(worlds, number), times) for number, times in enumerate(worlds.alike()))
