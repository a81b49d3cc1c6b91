"""Samples of a belief: each is a definite world in which any question has a definite answer."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.memory.state import MemoryState, RememberedObject
from situ.state.protocol import ObjectView, Sighting

_LEAST_SIGMA_M = 0.01


class SampledState:
    """One draw: which objects are real, which are still in place, and where each of them is.

    A thing that has left its place is put where some other thing is, since that is where things tend
    to be; its old place is what the memory would say, and is likely wrong by then.
    """

    def __init__(self, state: MemoryState, rng: np.random.Generator) -> None:
        self._state = state
        self._moved: dict[int, Box | None] = {}
        self._views: list[ObjectView] = []
        remembered = state.objects()
        draws = rng.random((len(remembered), 2))
        for view, (real, still) in zip(remembered, draws.tolist(), strict=True):
            if real > view.presence:
                continue
            box = _jitter(view, rng)
            if still > view.here:
                other = remembered[int(rng.integers(len(remembered)))].box.center
                box = replace(box, center=(other[0] + rng.normal(), other[1] + rng.normal(), box.center[2]))
            self._moved[view.id] = box
            self._views.append(replace(view, box=box, presence=1.0, spread_m=0.0, here=1.0))

    @property
    def now(self) -> float:
        return self._state.now

    @property
    def path(self) -> Path:
        return self._state.path

    def objects(self) -> Sequence[ObjectView]:
        return self._views

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id) if object_id in self._moved else ()

    def where(self, object_id: int, time: float) -> Box | None:
        if object_id not in self._moved:
            return None
        if time >= self.now:
            return self._moved[object_id]
        return self._state.where(object_id, time)

    def as_of(self, time: float) -> "SampledState":
        return SampledState(self._state.as_of(time), np.random.default_rng(0))


def _jitter(view: RememberedObject, rng: np.random.Generator) -> Box:
    wide = view.covariance + np.eye(3) * _LEAST_SIGMA_M**2
    x, y, z = (np.asarray(view.box.center) + np.linalg.cholesky(wide) @ rng.normal(size=3)).tolist()
    return replace(view.box, center=(x, y, z))
