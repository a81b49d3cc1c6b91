"""Samples of a belief: each is a definite world in which any question has a definite answer.

Every object has draws of its own, which depend on its number alone and cover each of its doubts evenly (a
Latin hypercube): of 64 samples a thing that is 75 % real is in exactly 48. So the odds of an answer do not
change with what else is remembered, and are the same today as when the past is asked again.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.memory.remembered import RememberedObject
from situ.memory.state import MemoryState, Place
from situ.state.protocol import Candidate, ObjectView, Phrase, Sighting

SAMPLES = 64
_LEAST_SIGMA_M = 0.01
_ORDERS = 4093  # orders of the strata to pick from; a prime, so that neighbours in number get unlike ones
_REAL, _KIND, _THERE, _X, _Y, _Z = range(6)
_MULTIPLIERS = (1, 577, 1153, 1733, 2311, 2887)
_Fields = dict[str, object]


class SampledState:
    """One draw: which objects are real, which are still in place, and where each of them is."""

    strict: ClassVar[bool] = False

    def __init__(
        self, state: MemoryState, views: Mapping[int, ObjectView], doubt: Mapping[int, tuple[float, float]]
    ) -> None:
        """`doubt`: for each object how likely its name, and its being in place, must be to hold here."""
        self._state = state
        self._views = views
        self._doubt = doubt
        self.now = state.now
        self.path: Path = state.path

    def objects(self) -> Sequence[ObjectView]:
        return tuple(self._views.values())

    def candidates(self, which: Phrase) -> Sequence[Candidate]:
        found = []
        for c in self._state.candidates(which):
            view = self._views.get(c.id)
            if view is not None:
                name, place = self._doubt[c.id]
                there, remains = float(place <= c.there), float(place <= c.remains)
                if name <= c.kind:
                    found.append(Candidate(view, c.seen, 1.0, 1.0, there, remains))
        return found

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id) if object_id in self._views else ()

    def places(self) -> Sequence[Place]:
        return self._state.places()

    def where(self, object_id: int, time: float) -> Box | None:
        """Where it is in this draw; what has left its place is nowhere that is known."""
        view = self._views.get(object_id)
        if view is None or time < self.now:
            return None if view is None else self._state.where(object_id, time)
        believed = self._state.object(object_id)
        there = believed is not None and self._doubt[object_id][1] <= believed.here
        return view.box if there else None

    def as_of(self, time: float) -> "SampledState":
        if time >= self.now:
            return self
        earlier = self._state.as_of(time)
        views = {view.id: view for view in earlier.objects() if view.presence > 0.5}
        return SampledState(earlier, views, dict.fromkeys(views, (0.0, 0.5)))


class Draws:
    """What all samples say of some objects: whether each is real, and where, as arrays."""

    def __init__(self, objects: Sequence[RememberedObject], count: int = SAMPLES) -> None:
        self.objects = objects
        self.count = count
        self._numbers = np.array([view.id for view in objects], np.int64)

    def _strata(self, doubt: int) -> NDArray[np.uint16]:
        """For each sample and object the stratum of a doubt (count, n)."""
        table = _orders(self.count)
        order = (self._numbers * _MULTIPLIERS[doubt] + 97 * doubt) % _ORDERS
        return table[:, order]

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
        normal = _normal(self.count)
        unit = np.stack([normal[self._strata(axis)] for axis in (_X, _Y, _Z)], axis=2)
        return np.asarray(means + np.einsum("nij,snj->sni", lower, unit))


def draw(
    state: MemoryState, count: int = SAMPLES, objects: Sequence[RememberedObject] | None = None
) -> Iterator[SampledState]:
    """Samples of a belief, or of what it says of some objects, each made when it is its turn."""
    remembered = tuple(state.objects() if objects is None else objects)
    draws = Draws(remembered, count)
    # Records are filled directly, and what does not change is set out once; see `situ.memory.remembered`.
    fixed: list[tuple[_Fields, _Fields]] = [
        (
            {
                "id": v.id,
                "category": v.category,
                "attributes": v.attributes,
                "presence": 1.0,
                "spread_m": 0.0,
            },
            {"size": v.box.size, "yaw_deg": v.box.yaw_deg},
        )
        for v in remembered
    ]
    names, stays = draws.names().tolist(), draws.stays().tolist()
    for k, (places, exist) in enumerate(zip(draws.centers().tolist(), draws.real().tolist(), strict=True)):
        views = _views(fixed, places, exist)
        doubt = {v.id: (names[k][i], stays[k][i]) for i, v in enumerate(remembered)}
        yield SampledState(state, views, doubt)


@cache
def _orders(count: int) -> NDArray[np.uint16]:
    """Orders of the strata at random (count, orders)."""
    rows = np.tile(np.arange(count, dtype=np.uint16), (_ORDERS, 1))
    return np.ascontiguousarray(np.random.default_rng(0).permuted(rows, axis=1).T)


@cache
def _normal(count: int) -> NDArray[np.float64]:
    """The middle of each stratum of a normal distribution, scaled to a variance of 1."""
    normal = NormalDist()
    levels = np.array([normal.inv_cdf((k + 0.5) / count) for k in range(count)])
    return np.asarray(levels / levels.std())


def _views(
    fixed: Sequence[tuple[_Fields, _Fields]], centers: Sequence[Sequence[float]], exist: Sequence[bool]
) -> dict[int, ObjectView]:
    """The objects of one draw, by number."""
    views: dict[int, ObjectView] = {}
    for (of_view, of_box), center, exists in zip(fixed, centers, exist, strict=True):
        if exists:
            view: ObjectView = object.__new__(ObjectView)
            box: Box = object.__new__(Box)
            box.__dict__.update(of_box, center=tuple(center))
            view.__dict__.update(of_view, box=box)
            views[view.id] = view
    return views
