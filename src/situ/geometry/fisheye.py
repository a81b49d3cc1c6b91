"""Project Aria's fisheye model: six radial, two tangential and four thin-prism terms ("Fisheye624")."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix

PARAMETERS = 15  # numbers in Aria's calibration of this model
_INVERSE_STEPS = 12  # Newton steps, enough for double precision


@dataclass(frozen=True)
class Fisheye624:
    """Focal length, principal point and distortion. Pixel centres are at half-integers, as everywhere."""

    width: int
    height: int
    focal: float
    cx: float
    cy: float
    radial: tuple[float, ...]
    tangential: tuple[float, ...]
    prism: tuple[float, ...]

    @classmethod
    def from_parameters(cls, width: int, height: int, parameters: ArrayLike) -> "Fisheye624":
        """Lens from Aria's 15 parameters, which assume pixel centres at integers."""
        values = np.asarray(parameters, dtype=float)
        if values.shape != (PARAMETERS,) or not np.isfinite(values).all():
            raise BadInput(f"a Fisheye624 camera has {PARAMETERS} finite parameters, got {values.tolist()}")
        p = [float(v) for v in values]
        return cls(
            width, height, p[0], p[1] + 0.5, p[2] + 0.5, tuple(p[3:9]), tuple(p[9:11]), tuple(p[11:15])
        )

    def resized(self, width: int, height: int) -> "Fisheye624":
        """The same lens with square pixels at another resolution."""
        scale = width / self.width
        return Fisheye624(
            width,
            height,
            self.focal * scale,
            self.cx * scale,
            self.cy * scale,
            self.radial,
            self.tangential,
            self.prism,
        )

    def project(self, points_camera: ArrayLike) -> Matrix:
        """Pixels (..., 2) of points in camera axes; NaN for points that are not in front."""
        points = np.asarray(points_camera, dtype=float)
        z = np.where(points[..., 2] > 1e-9, points[..., 2], np.nan)
        slope = points[..., :2] / z[..., None]
        radius = np.linalg.norm(slope, axis=-1, keepdims=True)
        theta = np.arctan(radius)
        scale = np.where(radius > 1e-9, self._bent(theta) / np.maximum(radius, 1e-9), 1.0)
        return self._decentred(slope * scale) * self.focal + (self.cx, self.cy)

    def unproject(self, pixels: ArrayLike) -> Matrix:
        """Unit rays (..., 3) in camera axes; the inverse of `project`."""
        target = (np.asarray(pixels, dtype=float) - (self.cx, self.cy)) / self.focal
        bent = target.copy()
        for _ in range(_INVERSE_STEPS):
            bent = bent + target - self._decentred(bent)
        length = np.linalg.norm(bent, axis=-1, keepdims=True)
        theta = length.copy()
        for _ in range(_INVERSE_STEPS):
            slope = (self._bent(theta + 1e-6) - self._bent(theta - 1e-6)) / 2e-6
            theta = np.clip(theta + (length - self._bent(theta)) / slope, 0.0, np.pi / 2)
        direction = np.where(length > 1e-12, bent / np.maximum(length, 1e-12), 0.0)
        return np.concatenate([direction * np.sin(theta), np.cos(theta)], axis=-1)

    def _bent(self, theta: Matrix) -> Matrix:
        """Distance from the optical axis on the sensor (focal lengths) of a ray at an angle to it."""
        squared = theta * theta
        factor, power = np.ones_like(theta), np.ones_like(theta)
        for coefficient in self.radial:
            power = power * squared
            factor = factor + coefficient * power
        bent: Matrix = theta * factor
        return bent

    def _decentred(self, xy: Matrix) -> Matrix:
        squared = np.sum(xy * xy, axis=-1)
        p, s = self.tangential, self.prism
        along = 2 * (xy[..., 0] * p[0] + xy[..., 1] * p[1])
        return np.stack(
            [
                xy[..., 0] * (1 + along) + squared * (p[0] + s[0] + s[1] * squared),
                xy[..., 1] * (1 + along) + squared * (p[1] + s[2] + s[3] * squared),
            ],
            axis=-1,
        )


def rectifying_map(lens: Fisheye624, camera: Camera, R_lens_camera: Matrix) -> Matrix:
    """Fisheye pixel of each pixel of a pinhole camera (height, width, 2)."""
    rays = camera.points(np.ones((camera.height, camera.width)))
    return lens.project(rays @ R_lens_camera.T)
