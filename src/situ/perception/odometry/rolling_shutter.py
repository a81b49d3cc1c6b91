"""Rolling shutter: image lines are read one after the other, so a rotating camera shifts each differently.

The readout time is estimated from the residuals of landmarks. It is 0 for a global shutter, and negative if
the last line is read first, as with a camera held upside down.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from situ.compiled import njit
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.images import Pixels, bearings, pixels
from situ.perception.odometry.resection import CameraEstimate, Fit, Sightings, normal_equations

_USUAL_READOUT_S = 0.02  # prior sigma of the readout time; phones need 0.005 to 0.03 s
_MAX_GAP_S = 0.25  # between frames, to estimate the rotation rate during one
# Frames that carry the information of one independent frame: they share landmarks and their errors.
_CORRELATED_FRAMES = 20.0
# Share of a readout error that remains visible: keyframes and depths were estimated with the same error.
_VISIBLE_SHARE = 0.2
_MIN_SIGMA_S = 0.002  # of the readout time; below it the estimate is kept
_MIN_LANDMARKS = 30
_STEP_S = 0.002  # of the numerical derivative
_NOT_ROBUST = 1e6  # Cauchy scale that gives all inliers the same weight


@dataclass(eq=False)
class RollingShutter:
    """Readout time and rotation rate of the camera.

    `readout`: seconds from the first line to the last, negative if the last is read first. `rate`: rotation
    vector per second in the latest frame (camera axes).
    """

    camera: Camera
    rate: Vector = field(default_factory=lambda: np.zeros(3))
    readout: float = 0.0
    information: float = _USUAL_READOUT_S**-2.0
    adaptive: bool = True  # False with an unknown lens, whose distortion looks similar

    def set_rotation(self, turn: Matrix, gap: float) -> None:
        """Set the rotation rate from `R_now_last` over `gap` seconds."""
        self.rate = cv2.Rodrigues(turn)[0][:, 0] / gap if gap < _MAX_GAP_S else np.zeros(3)

    def bearings(self, points: Pixels) -> Matrix:
        """Image-plane coordinates (n, 2) of points, corrected to the middle of the readout."""
        flat = bearings(self.camera, points)
        if self.readout and self.rate.any():
            flat += self.readout * self.shift_per_second(points)
        return flat

    def rectified_pixels(self, points: Pixels) -> Pixels:
        """`bearings` as pixels."""
        return pixels(self.camera, self.bearings(points))

    def shift_per_second(self, points: Pixels) -> Matrix:
        """Derivative of `bearings` by the readout time.

        Lines run along the longer side of the sensor, so they are columns of an upright image.
        """
        camera = self.camera
        upright = camera.height > camera.width
        lines = camera.width if upright else camera.height
        line = (points[:, 0 if upright else 1] + 0.5) / lines
        shift_per_second: Matrix = _rotation_shift(bearings(camera, points), line, self.rate)
        return shift_per_second

    def update_readout(
        self, seen: Sightings, ray_shift: Matrix, shift: Matrix, fit: Fit, focal: float
    ) -> float:
        """Improve the readout time, with the pose free; returns the change in seconds.

        `ray_shift` (world axes) and `shift` (image plane) are the derivatives of
        landmark rays and observations by the readout time.
        """
        if not self.adaptive or len(seen) < _MIN_LANDMARKS or not self.rate.any():
            return 0.0
        less, now, more = (
            _misfit(replace(seen, rays=seen.rays + by * ray_shift, seen=seen.seen + by * shift), fit, focal)
            for by in (-_STEP_S, 0.0, _STEP_S)
        )
        curvature = max(1e-9, (less + more - 2.0 * now) / (2.0 * _STEP_S**2)) / _CORRELATED_FRAMES
        gradient = (less - more) / (4.0 * _STEP_S) / _CORRELATED_FRAMES
        self.information = min(self.information + _VISIBLE_SHARE**2 * curvature, _MIN_SIGMA_S**-2.0)
        change = gradient * min(_VISIBLE_SHARE / self.information, 1.0 / curvature)
        self.readout += change
        return change


def _misfit(seen: Sightings, fit: Fit, focal: float) -> float:
    """Squared residuals in standard deviations after a linear update of the pose."""
    squared, depths = np.empty(len(seen)), seen.inverse_depth.copy()
    camera = CameraEstimate(fit.R_camera_world, fit.centre, focal, fit.noise_px)
    normal, right = normal_equations(seen.arrays(), camera, _NOT_ROBUST, squared, depths, False)
    return float(squared.sum() - right @ np.linalg.solve(normal, right))


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _rotation_shift(flat: Matrix, line: Vector, rate: Vector) -> Matrix:
    """Shift of image-plane coordinates per second of readout, under a rotation rate."""
    made = np.empty_like(flat)
    for k in range(len(flat)):
        x, y = flat[k]
        towards = rate[0] * y - rate[1] * x
        early = 0.5 - line[k]
        made[k, 0] = early * (rate[1] - rate[2] * y - x * towards)
        made[k, 1] = early * (rate[2] * x - rate[0] - y * towards)
    return made
