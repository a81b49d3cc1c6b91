"""Visual map: the appearance of places from known poses, small enough to store with a memory.

A later recording is aligned with it. Points are in camera axes and pixels are computed from them, so any
camera can be matched.
"""

import io
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform
from situ.perception.odometry.depth_sampling import sample_depth
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import grey_of
from situ.perception.odometry.odometry import Odometry
from situ.perception.odometry.place_recognition import Words, words_of
from situ.perception.odometry.rotation import angle_deg

MAX_VIEWS, MAX_FEATURES = 240, 400  # per map and per view
_MIN_FEATURES = 25  # of a view
_FORMAT = 1
_CELL_M, _SECTOR_DEG = 0.5, 30.0
_MIN_SHIFT_M, _MIN_TURN_DEG = 0.3, 15.0  # between views
_MAX_DEPTH_M = 60_000.0  # range of half-precision floats
# Matching needs some camera; this one is similar to phones.
CANONICAL = Camera(640, 480, 520.0, 520.0, 320.0, 240.0)


@dataclass(frozen=True, eq=False)
class MapView:
    """Time and pose of a view, and its features with points in camera axes.

    Points are in metres or in units of the path.
    """

    time: float
    T_world_camera: Matrix
    descriptors: NDArray[np.uint8]  # (n, 32)
    points: NDArray[np.float32]  # (n, 3)

    @classmethod
    def of(cls, time: float, T_world_camera: Matrix, features: Features, points: Matrix) -> "MapView | None":
        """View of a keyframe; None if too few features have points."""
        placed = (points[:, 2] > 0) & (np.abs(points) < _MAX_DEPTH_M).all(axis=1)
        rows = np.flatnonzero(placed)
        if len(rows) < _MIN_FEATURES:
            return None
        if len(rows) > MAX_FEATURES:
            rows = np.sort(np.random.default_rng(7).choice(rows, MAX_FEATURES, replace=False))
        # Rounded as in a file, so that a stored map is equal to one in memory.
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
        """Grid cell of position and direction; views in one cell are redundant."""
        x, y, z = self.T_world_camera[:3, 3]
        ahead = self.T_world_camera[:3, 2]
        yaw = np.degrees(np.arctan2(ahead[1], ahead[0])) // _SECTOR_DEG
        pitch = np.degrees(np.arcsin(np.clip(ahead[2], -1.0, 1.0))) // _SECTOR_DEG
        return tuple(int(v) for v in (x // _CELL_M, y // _CELL_M, z // (2 * _CELL_M), yaw, pitch))


@dataclass(frozen=True, eq=False)
class VisualMap:
    """Views in order of time. `metric`: whether points are in metres."""

    views: tuple[MapView, ...] = ()
    metric: bool = True

    def __len__(self) -> int:
        return len(self.views)

    def bounded(self, most: int = MAX_VIEWS) -> "VisualMap":
        """At most `most` views: the newest of each cell, then with older ones thinned out."""
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
        """Read what `to_bytes` wrote; raises BadFormat for anything else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                known, metric = int(stored["format"]) == _FORMAT, bool(stored["metric"])
                times, poses, counts = stored["times"], stored["poses"], stored["counts"]
                descriptors, points = stored["descriptors"], stored["points"].astype(np.float32)
        except Exception as error:  # numpy and zipfile raise many kinds for damaged bytes
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


class VisualMapBuilder:
    """Collects a visual map from RGB-D frames with known poses."""

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
        """Add a frame if it is far enough from the last view."""
        if depth is None or not self._is_new(T_world_camera):
            return
        self._latest = T_world_camera
        features = Features.of(grey_of(rgb, self._camera))
        distance, valid = sample_depth(depth, features.pixels)
        points = self._camera.backproject(features.pixels[valid] + 0.5, distance[valid])
        view = MapView.of(time, T_world_camera, features.only(np.flatnonzero(valid)), points)
        if view is None:
            return
        self._views = replace(self._views, views=(*self._views.views, view))
        if len(self._views) > 2 * MAX_VIEWS:
            self._views = self._views.bounded()

    def _is_new(self, T_world_camera: Matrix) -> bool:
        latest = self._latest
        if latest is None:
            return True
        away = float(np.linalg.norm(latest[:3, 3] - T_world_camera[:3, 3]))
        return away > _MIN_SHIFT_M or angle_deg(latest[:3, :3].T @ T_world_camera[:3, :3]) > _MIN_TURN_DEG


def map_of(odometry: Odometry) -> VisualMap:
    """Visual map of a finished or running odometry, with the current best poses."""
    keyframes, frame_poses = odometry.keyframes, odometry.frame_poses
    views = []
    for place in keyframes.places:
        row = min(
            int(np.searchsorted(frame_poses.keyframe_of[: len(frame_poses)], place.keyframe)),
            len(frame_poses) - 1,
        )
        points = place.feature_points * keyframes.scales[place.keyframe]
        pose = keyframes.poses[place.keyframe]
        view = MapView.of(float(frame_poses.time[row]), pose, place.features, points)
        if view is not None:
            views.append(view)
    return VisualMap(tuple(views), not odometry.free_scale).bounded()


def moved(view: MapView, T_out_world: Matrix, scale: float = 1.0, later: float = 0.0) -> MapView:
    """A view in another world, with its units and clock."""
    pose = view.T_world_camera.copy()
    pose[:3, 3] = transform(T_out_world, scale * pose[:3, 3])
    pose[:3, :3] = T_out_world[:3, :3] @ pose[:3, :3]
    points = (view.points * scale).astype(np.float16).astype(np.float32)
    return MapView(view.time + later, pose, view.descriptors, points)
