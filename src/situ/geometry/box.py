"""Upright boxes: the extents of objects."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from situ.geometry.pose import Matrix, Vector

_HALVES = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]) / 2


@dataclass(frozen=True)
class Box:
    """An upright box: centre, full extents along its own axes, and yaw."""

    center: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw_deg: float = 0.0

    @property
    def longest_side(self) -> float:
        return max(self.size)

    @property
    def volume(self) -> float:
        return self.size[0] * self.size[1] * self.size[2]

    @property
    def bottom(self) -> float:
        return self.center[2] - self.size[2] / 2

    @property
    def top(self) -> float:
        return self.center[2] + self.size[2] / 2

    def corners(self) -> Matrix:
        """The eight corners (8, 3) in the world."""
        return _HALVES * self.size @ _turn(self.yaw_deg).T + self.center

    def to_local(self, points: ArrayLike) -> Matrix:
        """Points (..., 3) in the box's axes, with the origin at its centre."""
        return (np.asarray(points, dtype=float) - self.center) @ _turn(self.yaw_deg)

    def beside(self, point: tuple[float, float, float]) -> tuple[float, float]:
        """Ground offset of a point from the centre, along the box's own axes."""
        if self.yaw_deg == 0.0:  # same result without slow small arrays
            return point[0] - self.center[0], point[1] - self.center[1]
        x, y, _ = self.to_local(point).tolist()
        return x, y

    def contains(self, point: ArrayLike, slack: float = 0.0) -> bool:
        local = np.abs(self.to_local(point))
        return bool(np.all(local <= np.asarray(self.size) / 2 + slack))

    def closest_point(self, point: ArrayLike) -> Vector:
        """The point of the box nearest to a world point."""
        if self.yaw_deg == 0.0:  # same result without slow small arrays
            x, y, z = point if isinstance(point, tuple) else np.asarray(point, dtype=float).tolist()
            (u, v, w), (a, b, c) = self.center, self.size
            return np.array(
                (
                    min(max(x - u, -a / 2), a / 2) + u,
                    min(max(y - v, -b / 2), b / 2) + v,
                    min(max(z - w, -c / 2), c / 2) + w,
                )
            )
        half = np.asarray(self.size) / 2
        local = np.clip(self.to_local(point), -half, half)
        nearest: Vector = local @ _turn(self.yaw_deg).T + self.center
        return nearest

    def distance_to_point(self, point: ArrayLike) -> float:
        away: Vector = np.asarray(point, dtype=float) - self.closest_point(point)
        return math.sqrt(away.dot(away))

    def overlaps(self, other: "Box", slack: float = 0.0) -> bool:
        """Whether two boxes interpenetrate by more than `slack` (separating axis test)."""
        if min(self.top, other.top) - max(self.bottom, other.bottom) <= slack:
            return False
        mine, theirs = self.corners()[:4, :2], other.corners()[:4, :2]
        for yaw in (self.yaw_deg, other.yaw_deg):
            for axis in _turn(yaw)[:2, :2].T:
                a, b = mine @ axis, theirs @ axis
                if min(a.max(), b.max()) - max(a.min(), b.min()) <= slack:
                    return False
        return True


def ground_gaps(boxes: Sequence[Box], points: ArrayLike) -> Matrix:
    """Ground distances in metres (boxes, n) from points (n, 2 or more) to the closest points of boxes."""
    ground = np.asarray(points, dtype=float)[:, :2]
    if not boxes:
        return np.zeros((0, len(ground)))
    yaws = np.radians([box.yaw_deg for box in boxes])[:, None]
    away = ground - np.array([box.center[:2] for box in boxes])[:, None]
    half = np.array([box.size[:2] for box in boxes])[:, None] / 2
    along = np.abs(away[..., 0] * np.cos(yaws) + away[..., 1] * np.sin(yaws)) - half[..., 0]
    across = np.abs(away[..., 1] * np.cos(yaws) - away[..., 0] * np.sin(yaws)) - half[..., 1]
    return np.asarray(np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0)))


def _turn(yaw_deg: float) -> Matrix:
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
