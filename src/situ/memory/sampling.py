"""Samples of a belief: each is a definite world in which any question has a definite answer."""

from collections.abc import Sequence

import numpy as np

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.memory.state import MemoryState
from situ.state.protocol import ObjectView, Sighting

_LEAST_SIGMA_M = 0.01


class SampledState:
    """One draw: which objects are real, which are still in place, and where each of them is.

    A thing that has left its place is put where some other thing is, since that is where things tend
    to be; its old place is what the memory would say, and is likely wrong by then.
    """

    def __init__(self, state: MemoryState, rng: np.random.Generator) -> None:
        self._state = state
        self._views: dict[int, ObjectView] = {}
        remembered = state.objects()
        if not remembered:
            return
        count = len(remembered)
        centres = np.array([view.box.center for view in remembered])
        wide = np.array([view.covariance for view in remembered]) + np.eye(3) * _LEAST_SIGMA_M**2
        drawn = centres + (np.linalg.cholesky(wide) @ rng.normal(size=(count, 3, 1)))[:, :, 0]
        real = rng.random(count) <= [view.presence for view in remembered]
        left = rng.random(count) > [view.here for view in remembered]
        elsewhere = centres[rng.integers(count, size=count), :2] + rng.normal(size=(count, 2))
        drawn[left, :2] = elsewhere[left]
        for k in np.flatnonzero(real).tolist():
            view = remembered[k]
            x, y, z = drawn[k].tolist()
            box = Box((x, y, z), view.box.size, view.box.yaw_deg)
            self._views[view.id] = ObjectView(view.id, view.category, box, view.attributes)

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
        return SampledState(self._state.as_of(time), np.random.default_rng(0))
