"""Samples of a belief: each is a definite world in which any question has a definite answer."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.memory.remembered import RememberedObject
from situ.memory.state import MemoryState
from situ.state.protocol import ObjectView, Sighting

_LEAST_SIGMA_M = 0.01


class SampledState:
    """One draw: which objects are real, which are still in place, and where each of them is."""

    def __init__(self, state: MemoryState, views: Mapping[int, ObjectView]) -> None:
        self._state = state
        self._views = views

    @property
    def now(self) -> float:
        return self._state.now

    @property
    def path(self) -> Path:
        return self._state.path

    def objects(self) -> Sequence[ObjectView]:
        return tuple(self._views.values())

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id) if object_id in self._views else ()

    def where(self, object_id: int, time: float) -> Box | None:
        if object_id not in self._views:
            return None
        return self._views[object_id].box if time >= self.now else self._state.where(object_id, time)

    def as_of(self, time: float) -> "SampledState":
        return draw(self._state.as_of(time), 1, np.random.default_rng(0))[0]


def draw(
    state: MemoryState,
    count: int,
    rng: np.random.Generator,
    objects: Sequence[RememberedObject] | None = None,
) -> list[SampledState]:
    """Samples of a belief, or of what it says of some objects.

    A thing that has left its place is put where some other thing is, since that is where things tend
    to be; its old place is what the memory would say, and is likely wrong by then.
    """
    remembered = state.objects() if objects is None else objects
    total = len(remembered)
    if not total:
        return [SampledState(state, {}) for _ in range(count)]
    centres = np.array([view.box.center for view in remembered])
    wide = np.array([view.covariance for view in remembered]) + np.eye(3) * _LEAST_SIGMA_M**2
    drawn = centres + np.einsum("nij,snj->sni", np.linalg.cholesky(wide), rng.normal(size=(count, total, 3)))
    real = rng.random((count, total)) <= [view.presence for view in remembered]
    left = rng.random((count, total)) > [view.here for view in remembered]
    elsewhere = centres[rng.integers(total, size=(count, total)), :2] + rng.normal(size=(count, total, 2))
    drawn[left, :2] = elsewhere[left]
    return [SampledState(state, _views(remembered, *draws)) for draws in zip(drawn, real, strict=True)]


def _views(
    remembered: Sequence[RememberedObject], places: NDArray[np.float64], real: NDArray[np.bool_]
) -> dict[int, ObjectView]:
    views = {}
    for k in np.flatnonzero(real).tolist():
        view = remembered[k]
        x, y, z = places[k].tolist()
        box = Box((x, y, z), view.box.size, view.box.yaw_deg)
        views[view.id] = ObjectView(view.id, view.category, box, view.attributes)
    return views
