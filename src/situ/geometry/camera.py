"""Pinhole cameras: pixels to rays and back."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from situ.geometry.pose import Matrix, inverse, transform


@dataclass(frozen=True)
class Camera:
    """Intrinsics of an undistorted camera. Pixel centres are at half-integers: the image spans [0, width].

    >>> import situ
    >>> camera = situ.Camera.from_fov(640, 480, 90)
    >>> round(camera.fx), camera.project([0, 0, 2]).tolist()
    (320, [320.0, 240.0])
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    @classmethod
    def from_fov(cls, width: int, height: int, horizontal_fov_deg: float) -> "Camera":
        """Camera with square pixels and a centred principal point."""
        focal = width / 2 / math.tan(math.radians(horizontal_fov_deg) / 2)
        return cls(width, height, focal, focal, width / 2, height / 2)

    @property
    def horizontal_fov_deg(self) -> float:
        return math.degrees(math.atan(self.cx / self.fx) + math.atan((self.width - self.cx) / self.fx))

    @property
    def matrix(self) -> Matrix:
        """The 3x3 intrinsic matrix K."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def resized(self, width: int, height: int) -> "Camera":
        """The same view at another resolution."""
        sx, sy = width / self.width, height / self.height
        return Camera(width, height, self.fx * sx, self.fy * sy, self.cx * sx, self.cy * sy)

    def project(self, points_camera: ArrayLike) -> Matrix:
        """Pixels (..., 2) of points in camera axes; NaN for points that are not in front."""
        points = np.asarray(points_camera, dtype=float)
        z = np.where(points[..., 2] > 1e-9, points[..., 2], np.nan)
        return np.stack([self.fx * points[..., 0] / z + self.cx, self.fy * points[..., 1] / z + self.cy], -1)

    def project_world(self, T_world_camera: Matrix, points_world: ArrayLike) -> Matrix:
        """Pixels (..., 2) of points in the world."""
        return self.project(transform(inverse(T_world_camera), points_world))

    def backproject(self, pixels: ArrayLike, depth: ArrayLike) -> Matrix:
        """Points in camera axes from pixels (..., 2) and depth along the optical axis (not along the ray)."""
        uv = np.asarray(pixels, dtype=float)
        z = np.asarray(depth, dtype=float)
        return np.stack(
            [
                (uv[..., 0] - self.cx) / self.fx * z,
                (uv[..., 1] - self.cy) / self.fy * z,
                z + 0.0 * uv[..., 0],
            ],
            -1,
        )

    def points(self, depth: Matrix) -> Matrix:
        """Point image (height, width, 3) in camera axes from a depth image; NaN where depth is missing."""
        rows, columns = np.mgrid[: self.height, : self.width] + 0.5
        return self.backproject(np.stack([columns, rows], -1), np.where(depth > 0, depth, np.nan))
