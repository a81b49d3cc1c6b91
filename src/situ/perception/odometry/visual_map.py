"""Visual map: what a place looked like from where, small enough to be kept, so that it is known again on
another day. Points are in camera axes and pixels follow from them, so that any camera may see them again."""

import io
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform
from situ.perception.odometry.depth_reading import sample_depth
from situ.perception.odometry.engine import Odometry
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import grey_of
from situ.perception.odometry.places import Words, words_of
from situ.perception.odometry.turning import angle_deg

MOST_VIEWS, MOST_FEATURES = 240, 400
_FEWEST_FEATURES = 25
_FORMAT = 1
_CELL_M, _SECTOR_DEG = 0.5, 30.0
_NEWS_M, _NEWS_DEG = 0.3, 15.0
_FARTHEST_M = 60_000.0  # what half floats can hold
# Matching needs a camera, but none in particular: this one is like those of phones.
CANONICAL = Camera(640, 480, 520.0, 520.0, 320.0, 240.0)


@dataclass(frozen=True, eq=False)
class MapView:
    """A keyframe: when and from where, and its corners with their points in camera axes, in metres or in the
    units of the path."""

    time: float
    T_world_camera: Matrix
    descriptors: NDArray[np.uint8]  # (n, 32)
    points: NDArray[np.float32]  # (n, 3)

    @classmethod
    def of(cls, time: float, T_world_camera: Matrix, features: Features, points: Matrix) -> "MapView | None":
        """None where too little is to be seen."""
        placed = (points[:, 2] > 0) & (np.abs(points) < _FARTHEST_M).all(axis=1)
        rows = np.flatnonzero(placed)
        if len(rows) < _FEWEST_FEATURES:
            return None
        if len(rows) > MOST_FEATURES:
            rows = np.sort(np.random.default_rng(7).choice(rows, MOST_FEATURES, replace=False))
        # As they come back from a file, so that it makes no difference whether they have been there.
        kept = points[rows].astype(np.float16).astype(np.float32)
        return cls(float(time), np.asarray(T_world_camera, dtype=float), features.descriptors[rows], kept)

    @cached_property
    def features(self) -> Features:
        return Features((CANONICAL.project(self.points) - 0.5).astype(np.float32), self.descriptors)

    @cached_property
    def words(self) -> Words:
        return words_of(self.features)

    @property
    def _cell(self) -> tuple[int, ...]:
        """Views of one cell show the same."""
        x, y, z = self.T_world_camera[:3, 3]
        ahead = self.T_world_camera[:3, 2]
        yaw = np.degrees(np.arctan2(ahead[1], ahead[0])) // _SECTOR_DEG
        pitch = np.degrees(np.arcsin(np.clip(ahead[2], -1.0, 1.0))) // _SECTOR_DEG
        return tuple(int(v) for v in (x // _CELL_M, y // _CELL_M, z // (2 * _CELL_M), yaw, pitch))


@dataclass(frozen=True, eq=False)
class VisualMap:
    """Views in order of time. `metric`: whether their points are in metres."""

    views: tuple[MapView, ...] = ()
    metric: bool = True

    def __len__(self) -> int:
        return len(self.views)

    def bounded(self, most: int = MOST_VIEWS) -> "VisualMap":
        """The newest view of each cell; still too many, and older ones are thinned."""
        newest = {view._cell: view for view in self.views}
        kept = sorted(newest.values(), key=lambda view: view.time)
        while len(kept) > most:
            del kept[: len(kept) // 2 : 2]
        return replace(self, views=tuple(kept))

    def joined(self, other: "VisualMap") -> "VisualMap":
        return replace(self, views=(*self.views, *other.views)).bounded()

    def only(self, keep: Iterable[bool]) -> "VisualMap":
        return replace(self, views=tuple(v for v, yes in zip(self.views, keep, strict=True) if yes))

    @property
    def times(self) -> NDArray[np.float64]:
        return np.array([view.time for view in self.views])

    @property
    def poses(self) -> NDArray[np.float64]:
        return np.array([view.T_world_camera for view in self.views]).reshape(-1, 4, 4)

    def to_bytes(self) -> bytes:
        out = io.BytesIO()
        np.savez(
            out, allow_pickle=False, format=_FORMAT, metric=self.metric, times=self.times, poses=self.poses,
            counts=np.array([len(view.points) for view in self.views], dtype=np.int64),
            descriptors=np.concatenate([np.zeros((0, 32), np.uint8), *(v.descriptors for v in self.views)]),
            points=np.concatenate([np.zeros((0, 3)), *(v.points for v in self.views)]).astype(np.float16),
        )  # fmt: skip
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "VisualMap":
        """What `to_bytes` wrote; raises BadFormat for anything else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                known, metric = int(stored["format"]) == _FORMAT, bool(stored["metric"])
                times, poses, counts = stored["times"], stored["poses"], stored["counts"]
                descriptors, points = stored["descriptors"], stored["points"].astype(np.float32)
        except Exception as error:  # numpy and zipfile raise a dozen kinds for damaged bytes
            raise BadFormat(f"a visual map is damaged ({str(error)[:80]})") from error
        total = int(counts.sum())
        whole = (
            known
            and poses.shape == (len(times), 4, 4)
            and counts.shape == times.shape
            and (counts >= 0).all()
            and descriptors.shape == (total, 32)
            and descriptors.dtype == np.uint8
            and points.shape == (total, 3)
            and bool(np.isfinite(poses).all() and np.isfinite(points).all() and np.isfinite(times).all())
        )
        if not whole:
            raise BadFormat("a visual map is damaged, or was written by another version")
        cuts = np.cumsum(counts)[:-1]
        parts = zip(times, poses, np.split(descriptors, cuts), np.split(points, cuts), strict=True)
        return cls(
            tuple(MapView(float(t), pose, d, p) for t, pose, d, p in parts) if len(times) else (), metric
        )


class Sights:
    """Collects a map along poses that are given, from pictures with depth."""

    def __init__(self, camera: Camera, metric: bool = True) -> None:
        self._camera, self._views = camera, VisualMap(metric=metric)
        self._latest: Matrix | None = None

    @property
    def visual_map(self) -> VisualMap:
        return self._views.bounded()

    def look(
        self,
        time: float,
        T_world_camera: Matrix,
        rgb: NDArray[np.uint8],
        depth: NDArray[np.floating] | None,
    ) -> None:
        """Take a frame if it is some way from the last that was taken."""
        if depth is None or not self._news(T_world_camera):
            return
        self._latest = T_world_camera
        features = Features.of(grey_of(rgb, self._camera))
        distance, valid = sample_depth(depth, features.pixels)
        points = self._camera.backproject(features.pixels[valid] + 0.5, distance[valid])
        view = MapView.of(time, T_world_camera, features.only(np.flatnonzero(valid)), points)
        if view is None:
            return
        self._views = replace(self._views, views=(*self._views.views, view))
        if len(self._views) > 2 * MOST_VIEWS:
            self._views = self._views.bounded()

    def _news(self, T_world_camera: Matrix) -> bool:
        latest = self._latest
        if latest is None:
            return True
        away = float(np.linalg.norm(latest[:3, 3] - T_world_camera[:3, 3]))
        return away > _NEWS_M or angle_deg(latest[:3, :3].T @ T_world_camera[:3, :3]) > _NEWS_DEG


def map_of(odometry: Odometry) -> VisualMap:
    """What odometry has seen, each place at the best pose that is known by now."""
    keyframes, trail = odometry.keyframes, odometry.trail
    views = []
    for place in keyframes.places:
        row = min(int(np.searchsorted(trail.hung[: len(trail)], place.keyframe)), len(trail) - 1)
        points = place.feature_points * keyframes.scales[place.keyframe]
        pose = keyframes.poses[place.keyframe]
        view = MapView.of(float(trail.time[row]), pose, place.features, points)
        if view is not None:
            views.append(view)
    return VisualMap(tuple(views), not odometry.free_scale).bounded()


def moved(view: MapView, T_out_world: Matrix, scale: float = 1.0, later: float = 0.0) -> MapView:
    """A view in another world, in its units and on its clock."""
    pose = view.T_world_camera.copy()
    pose[:3, 3] = transform(T_out_world, scale * pose[:3, 3])
    pose[:3, :3] = T_out_world[:3, :3] @ pose[:3, :3]
    points = (view.points * scale).astype(np.float16).astype(np.float32)
    return MapView(view.time + later, pose, view.descriptors, points)
