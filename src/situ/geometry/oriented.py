"""Boxes of any orientation, as in annotated room scans, and distances between boxes."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.pose import Matrix, Vector

Vec3 = tuple[float, float, float]
Axes = tuple[Vec3, Vec3, Vec3]
_ORTHONORMAL_SLACK = 1e-2  # tolerance of rotation matrices in files
_TOUCHING = 1e-6  # metres: boxes that share a face do not overlap


@dataclass(frozen=True)
class OrientedBox(Box):
    """A box with free orientation: `axes` are its x, y and z as unit vectors in the world; yaw is unused."""

    axes: Axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    def __post_init__(self) -> None:
        product = np.asarray(self.axes) @ np.asarray(self.axes).T
        if not np.allclose(product, np.eye(3), atol=_ORTHONORMAL_SLACK):
            raise BadInput(f"a box's axes must be three unit vectors at right angles, got {self.axes}")

    @property
    def bottom(self) -> float:
        return self.center[2] - self._half_height

    @property
    def top(self) -> float:
        return self.center[2] + self._half_height

    def corners(self) -> Matrix:
        signs = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]) / 2
        corners: Matrix = signs * self.size @ np.asarray(self.axes) + self.center
        return corners

    def to_local(self, points: ArrayLike) -> Matrix:
        local: Matrix = (np.asarray(points, dtype=float) - self.center) @ np.asarray(self.axes).T
        return local

    def closest_point(self, point: ArrayLike) -> Vector:
        half = np.asarray(self.size) / 2
        nearest: Vector = np.clip(self.to_local(point), -half, half) @ np.asarray(self.axes) + self.center
        return nearest

    def overlaps(self, other: Box, slack: float = 0.0) -> bool:
        x, y, z = (max(side - 2 * max(slack, _TOUCHING), 0.0) for side in self.size)
        return box_gap(replace(self, size=(x, y, z)), other) == 0.0

    def upright(self) -> Box:
        """Smallest upright box around this one, with the heading of its most horizontal long side."""
        level = sorted(range(3), key=lambda i: abs(self.axes[i][2]))[:2]
        ahead = self.axes[max(level, key=lambda i: self.size[i])]
        yaw = float(np.degrees(np.arctan2(ahead[1], ahead[0])))
        local = Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), yaw).to_local(self.corners())
        low, high = local.min(axis=0), local.max(axis=0)
        size = high - low
        return Box(self.center, (float(size[0]), float(size[1]), float(size[2])), yaw)

    @property
    def _half_height(self) -> float:
        return sum(abs(axis[2]) * side for axis, side in zip(self.axes, self.size, strict=True)) / 2


def box_axes(box: Box) -> Matrix:
    """The box's x, y and z directions as rows."""
    if isinstance(box, OrientedBox):
        return np.asarray(box.axes)
    origin: Matrix = np.asarray(box.center)
    return np.asarray(box.to_local(np.eye(3) + origin)).T


def box_gap(first: Box, second: Box) -> float:
    """Distance in metres between the closest points of two boxes; 0 if they touch or overlap."""
    if type(first) is type(second) is Box and first.yaw_deg == second.yaw_deg == 0.0:
        (x, y, z), (u, v, w) = first.center, second.center
        (a, b, c), (d, e, f) = first.size, second.size
        return math.hypot(
            max(0.0, abs(x - u) - (a + d) / 2),
            max(0.0, abs(y - v) - (b + e) / 2),
            max(0.0, abs(z - w) - (c + f) / 2),
        )
    return _leaning_gap(first, second)


@lru_cache(maxsize=4096)  # several questions use the same two boxes
def _leaning_gap(first: Box, second: Box) -> float:
    # Bounded least squares in the six local coordinates of the closest points.
    directions = np.hstack([box_axes(first).T, -box_axes(second).T])
    half = np.maximum(np.concatenate([first.size, second.size]) / 2, 1e-9)
    offset = np.asarray(second.center) - np.asarray(first.center)
    from scipy.optimize import lsq_linear  # slow to import

    solution = lsq_linear(directions, offset, (-half, half), method="bvls")
    gap = float(np.linalg.norm(directions @ solution.x - offset))
    return gap if gap > 1e-9 else 0.0


def gap_between(a: Box, b: Box) -> float:
    """Free horizontal width between two upright boxes, 0 if they overlap."""
    gap = 0.0
    east, north = b.center[0] - a.center[0], b.center[1] - a.center[1]
    for yaw in {a.yaw_deg, b.yaw_deg}:
        for turn in (0.0, 90.0):  # scalar code, because it runs for many samples
            angle = math.radians(yaw + turn)
            apart = abs(east * math.cos(angle) + north * math.sin(angle))
            gap = max(gap, apart - _half_width(a, angle) - _half_width(b, angle))
    return gap


def _half_width(box: Box, angle: float) -> float:
    """Half of the horizontal width of a box along a direction."""
    own = angle - math.radians(box.yaw_deg)
    return (abs(math.cos(own)) * box.size[0] + abs(math.sin(own)) * box.size[1]) / 2
