"""Samples of a belief: each is a definite world in which any question has a definite answer."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.memory.remembered import RememberedObject
from situ.memory.state import MemoryState, Place
from situ.state.protocol import ObjectView, Sighting

_LEAST_SIGMA_M = 0.01
_Fields = dict[str, object]


class SampledState:
    """One draw: which objects are real, which are still in place, and where each of them is."""

    def __init__(self, state: MemoryState, views: Mapping[int, ObjectView]) -> None:
        self._state = state
        self._views = views
        self.now = state.now
        self.path: Path = state.path

    def objects(self) -> Sequence[ObjectView]:
        return tuple(self._views.values())

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id) if object_id in self._views else ()

    def places(self) -> Sequence[Place]:
        return self._state.places()

    def where(self, object_id: int, time: float) -> Box | None:
        if object_id not in self._views:
            return None
        return self._views[object_id].box if time >= self.now else self._state.where(object_id, time)

    def as_of(self, time: float) -> "SampledState":
        earlier = self._state.as_of(time)
        return (
            SampledState(earlier, {view.id: view for view in earlier.objects()}) if time < self.now else self
        )


def draw(
    state: MemoryState,
    count: int,
    rng: np.random.Generator,
    objects: Sequence[RememberedObject] | None = None,
) -> Iterator[SampledState]:
    """Samples of a belief, or of what it says of some objects, each made when it is its turn."""
    remembered = state.objects() if objects is None else objects
    centers, real = _draws(state, count, rng, remembered)
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
    for places, exist in zip(centers.tolist(), real.tolist(), strict=True):
        yield SampledState(state, _views(fixed, places, exist))


def draw_nearest(
    state: MemoryState,
    count: int,
    rng: np.random.Generator,
    objects: Sequence[RememberedObject],
    spot: tuple[float, float],
) -> Iterator[tuple[int, Box] | None]:
    """The same samples, of each only the object that is nearest to a spot on the ground; None if none is."""
    centers, real = _draws(state, count, rng, objects)
    if not objects:
        yield from (None for _ in range(count))
        return
    gaps = np.where(real, np.hypot(centers[..., 0] - spot[0], centers[..., 1] - spot[1]), np.inf)
    nearest = gaps.argmin(axis=1)
    which = np.arange(count), nearest
    for k, (x, y, z), exists in zip(
        nearest.tolist(), centers[which].tolist(), real[which].tolist(), strict=True
    ):
        yield (objects[k].id, Box((x, y, z), objects[k].box.size, objects[k].box.yaw_deg)) if exists else None


def _draws(
    state: MemoryState, count: int, rng: np.random.Generator, remembered: Sequence[RememberedObject]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Where each object is in each sample (count, n, 3), and whether it is at all (count, n).

    A thing that has left its place is put where some other thing is, since that is where things tend
    to be; its old place is what the memory would say, and is likely wrong by then.
    """
    total = len(remembered)
    if not total:
        return np.zeros((count, 0, 3)), np.zeros((count, 0), bool)
    centers = np.array([view.box.center for view in remembered])
    wide = np.array([view.covariance for view in remembered]) + np.eye(3) * _LEAST_SIGMA_M**2
    drawn = centers + np.einsum("nij,snj->sni", np.linalg.cholesky(wide), rng.normal(size=(count, total, 3)))
    real = rng.random((count, total)) <= [view.presence for view in remembered]
    left = rng.random((count, total)) > [view.here for view in remembered]
    gone = int(left.sum())
    if gone:
        drawn[left, :2] = state.some_places(gone, rng)[:, :2] + rng.normal(size=(gone, 2))
    return drawn, real


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
