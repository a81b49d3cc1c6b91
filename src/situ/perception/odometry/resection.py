"""Camera pose from landmarks by robust least squares (resection).

A landmark is a ray from its anchor camera and an inverse depth with a standard deviation. The depth
uncertainty widens the residual along the epipolar line: a landmark of unknown depth constrains the pose only
across that line, one of known depth in both directions. The same equations therefore cover the first frames,
where others use an essential matrix, and later ones, where others use PnP.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.images import Mask
from situ.perception.odometry.least_squares import Array, solved, turned_by
from situ.perception.odometry.rotation import nearest_rotation

_MIN_INVERSE_DEPTH = 1e-4  # 1 / metres
# Landmarks closer than this share of their anchor depth, or behind the camera, are ignored.
_NEAREST, _SQUARED_BEHIND = 0.05, -1e6
# Cauchy scales in standard deviations. They shrink, so that a wrong start does not reject good landmarks.
_SCALES = np.array([20.0, 8.0, 4.0, 2.5, 2.5, 2.5, 2.5, 2.5])
_INLIER_SIGMAS = 3.5
_MIN_NOISE_PX, _MAX_NOISE_PX = 0.08, 3.0  # bounds of the estimated noise
# Squared standard deviations of a shift up to which the motion counts as a rotation in place. Landmarks of
# one anchor share errors, so noise alone reaches tens.
_MAX_ROTATION_EVIDENCE, _MAX_ROTATION_EVIDENCE_STANDING = 85.0, 300.0
_NEGLIGIBLE_M = 0.0015


@dataclass(frozen=True, eq=False)
class Sightings:
    """Landmarks observed in one frame: world rays from anchor positions, and inverse depths."""

    rays: Matrix  # (n, 3), world directions whose length gives z = 1 in the anchor camera
    anchors: Matrix  # (n, 3), world positions of the anchor cameras
    inverse_depth: Vector
    sigma: Vector
    seen: Matrix  # (n, 2) image-plane coordinates in this frame

    def only(self, mask: NDArray[np.generic]) -> "Sightings":
        return Sightings(
            self.rays[mask], self.anchors[mask], self.inverse_depth[mask], self.sigma[mask], self.seen[mask]
        )

    def __len__(self) -> int:
        return len(self.rays)

    def arrays(self) -> "SightingArrays":
        """The same as contiguous arrays for compiled functions."""
        columns = (self.rays, self.anchors, self.inverse_depth, self.sigma, self.seen)
        return SightingArrays(*(np.ascontiguousarray(column, dtype=float) for column in columns))


class SightingArrays(NamedTuple):
    """Sightings as the compiled functions read them."""

    rays: Array
    anchors: Array
    inverse_depth: Array
    sigma: Array
    seen: Array


class CameraEstimate(NamedTuple):
    """Pose, focal length (pixels) and noise (pixels) during an estimation."""

    rotation: Array  # R_camera_world
    centre: Array
    focal: float
    noise_px: float


class PositionPrior(NamedTuple):
    """Gaussian prior of the camera position."""

    centre: Array
    information: Array  # (3, 3)


@dataclass(frozen=True, eq=False)
class Fit:
    """Estimated pose. `covariance`: small rotation in camera axes, then position in the world."""

    R_camera_world: Matrix
    centre: Vector
    covariance: Matrix
    inliers: Mask
    noise_px: float
    cost: float

    @property
    def T_world_camera(self) -> Matrix:
        return rigid(self.R_camera_world.T, self.centre)


def fixed_position(centre: Vector) -> PositionPrior:
    """Prior that fixes the camera position."""
    return PositionPrior(centre, np.eye(3) * 1e12)


def is_pure_rotation(shift: Vector, covariance: Matrix, on_the_spot: bool = False) -> bool:
    """Wald test: whether a shift is insignificant given its covariance.

    The threshold is higher if an IMU reports that the wearer stands `on_the_spot`.
    """
    if float(np.linalg.norm(shift)) < _NEGLIGIBLE_M:
        return True
    evidence = float(shift @ np.linalg.solve(covariance, shift))
    return evidence < (_MAX_ROTATION_EVIDENCE_STANDING if on_the_spot else _MAX_ROTATION_EVIDENCE)


def solve_pose(
    seen: Sightings,
    R_camera_world: Matrix,
    centre: Vector,
    focal: float,
    noise_px: float,
    prior: PositionPrior | None,
    free_scale: bool = False,
) -> Fit:
    """Pose by robust, damped Gauss-Newton from a start; the pixel noise is re-estimated from the
    residuals."""
    squared = np.empty(len(seen))
    if prior is None:
        prior = PositionPrior(np.zeros(3), np.zeros((3, 3)))
    prior = PositionPrior(
        np.ascontiguousarray(prior.centre, dtype=float), np.ascontiguousarray(prior.information)
    )
    sightings = seen.arrays()
    start = CameraEstimate(
        nearest_rotation(R_camera_world), np.array(centre, dtype=float), float(focal), float(noise_px)
    )
    camera, likely = _gauss_newton(sightings, start, prior, squared, free_scale)
    # Covariance around the prior depths: the fitted depths would make it too small.
    depths = sightings.inverse_depth.copy()
    normal, _ = normal_equations(sightings, camera, _SCALES[-1], squared, depths, free_scale)
    normal[3:, 3:] += prior.information
    normal_equations(sightings, camera, _SCALES[-1], squared, likely, free_scale)
    inliers = (squared < _INLIER_SIGMAS**2) & (squared >= 0)
    cost = float(np.sum(np.minimum(np.abs(squared), _INLIER_SIGMAS**2)))
    covariance = np.asarray(np.linalg.inv(normal + 1e-9 * np.eye(6)), dtype=np.float64)
    return Fit(camera.rotation, camera.centre, covariance, inliers, camera.noise_px, cost)


@dataclass(frozen=True, eq=False)
class Terms:
    """Residuals of a pose and their derivatives by the inverse depths."""

    residual: Matrix  # (n, 2) pixels
    by_depth: Matrix  # (n, 2)


def linearise(seen: Sightings, rotation: Matrix, centre: Vector, focal: float) -> Terms:
    """Residuals and depth derivatives of all landmarks at a fixed pose."""
    moved = (seen.anchors - centre) @ rotation.T
    point = seen.rays @ rotation.T + seen.inverse_depth[:, None] * moved
    z = np.where(np.abs(point[:, 2:]) > 1e-6, point[:, 2:], 1e-6)
    flat = point[:, :2] / z
    return Terms(focal * (seen.seen - flat), focal / z * (moved[:, :2] - flat * moved[:, 2:]))


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def normal_equations(
    sightings: SightingArrays,
    camera: CameraEstimate,
    scale: float,
    squared: Array,
    likely: Array,
    free_scale: bool,
) -> tuple[Array, Array]:
    """Normal matrix (6, 6) and right side (6,) of robust least squares around a pose.

    Residuals get Cauchy weights of `scale` standard deviations. `squared` receives each landmark's squared
    Mahalanobis distance, negative behind the camera. Depth uncertainty widens the residual along the epipolar
    line (Sherman-Morrison).

    `likely` holds the inverse depths of the linearisation. They move to the most likely values given the
    pose; otherwise distant landmarks that are assumed near would pull the camera. With a free scale they only
    move away, since a shorter step with nearer points explains the same image motion.
    """
    rays, anchors, inverse_depth, sigma, seen = sightings
    rotation, centre, focal, noise_px = camera
    normal, right = np.zeros((6, 6)), np.zeros(6)
    by_x, by_y = np.empty(6), np.empty(6)
    variance = noise_px * noise_px
    for k in range(len(rays)):
        px = py = pz = mx = my = mz = 0.0
        for i in range(3):
            away = anchors[k, i] - centre[i]
            towards = rays[k, i] + likely[k] * away
            px += rotation[0, i] * towards
            py += rotation[1, i] * towards
            pz += rotation[2, i] * towards
            mx += rotation[0, i] * away
            my += rotation[1, i] * away
            mz += rotation[2, i] * away
        if pz < _NEAREST:
            likely[k], squared[k] = inverse_depth[k], _SQUARED_BEHIND
            continue
        x, y, f = px / pz, py / pz, focal / pz
        off_x, off_y = focal * (seen[k, 0] - x), focal * (seen[k, 1] - y)
        # Derivatives by a small rotation (point x gradient), by the centre, and by the inverse depth.
        by_x[0], by_x[1], by_x[2] = -f * py * x, f * (pz + px * x), -f * py
        by_y[0], by_y[1], by_y[2] = -f * (pz + py * y), f * px * y, f * px
        for i in range(3):
            by_x[3 + i] = -likely[k] * f * (rotation[0, i] - x * rotation[2, i])
            by_y[3 + i] = -likely[k] * f * (rotation[1, i] - y * rotation[2, i])
        deep_x, deep_y = f * (mx - x * mz), f * (my - y * mz)
        off_x += deep_x * (likely[k] - inverse_depth[k])
        off_y += deep_y * (likely[k] - inverse_depth[k])
        depth_variance = sigma[k] * sigma[k]
        gain = depth_variance / (variance + depth_variance * (deep_x * deep_x + deep_y * deep_y))
        nearer = gain * (deep_x * off_x + deep_y * off_y)
        if free_scale:
            nearer = min(nearer, 0.0)
        likely[k] = max(inverse_depth[k] + nearer, _MIN_INVERSE_DEPTH)
        xx = (1.0 - gain * deep_x * deep_x) / variance
        xy = -gain * deep_x * deep_y / variance
        yy = (1.0 - gain * deep_y * deep_y) / variance
        length = xx * off_x * off_x + 2.0 * xy * off_x * off_y + yy * off_y * off_y
        weight = 1.0 / (1.0 + length / (scale * scale))
        squared[k] = length
        for i in range(6):
            to_x, to_y = weight * (by_x[i] * xx + by_y[i] * xy), weight * (by_x[i] * xy + by_y[i] * yy)
            right[i] += to_x * off_x + to_y * off_y
            for j in range(i + 1):
                normal[i, j] += to_x * by_x[j] + to_y * by_y[j]
    for i in range(6):
        for j in range(i):
            normal[j, i] = normal[i, j]
    return normal, right


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _gauss_newton(
    sightings: SightingArrays, camera: CameraEstimate, prior: PositionPrior, squared: Array, free_scale: bool
) -> tuple[CameraEstimate, Array]:
    """Damped Gauss-Newton with shrinking Cauchy scales: camera estimate and likely inverse depths.

    In the later steps the noise is re-estimated from the median residual. `squared` receives the squared
    Mahalanobis distances before the last step.
    """
    likely = sightings.inverse_depth.copy()
    for step in range(len(_SCALES)):
        normal, right = normal_equations(sightings, camera, _SCALES[step], squared, likely, free_scale)
        rotation, centre, noise_px = camera.rotation, camera.centre, camera.noise_px
        for i in range(3):
            for j in range(3):
                normal[3 + i, 3 + j] += prior.information[i, j]
                right[3 + i] += prior.information[i, j] * (prior.centre[j] - centre[j])
        damped = normal.copy()
        for i in range(6):
            damped[i, i] += 1e-6 * normal[i, i] + 1e-9
        delta = solved(damped, right)
        rotation = turned_by(delta[:3], rotation)
        moved, most = centre.copy(), 0.0
        for i in range(6):
            most = max(most, abs(delta[i]))
        for i in range(3):
            moved[i] += delta[3 + i]
        if step >= 3:
            # The median of the squared length of two unit normal components is 1.386.
            measured = noise_px * np.sqrt(median_size(squared) / 1.386) if len(squared) else noise_px
            noise_px = min(max(measured, _MIN_NOISE_PX), _MAX_NOISE_PX)
        camera = CameraEstimate(rotation, moved, camera.focal, noise_px)
        if step >= 3 and most < 1e-7:
            break
    return camera, likely


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def median_size(values: Array) -> float:
    """Median of absolute values by Hoare's selection; compiles much faster than NumPy's median."""
    left, half = values.copy(), len(values) // 2
    for i in range(len(left)):
        left[i] = abs(left[i])
    low, high = 0, len(left) - 1
    while low < high:
        pivot, i, j = left[(low + high) // 2], low, high
        while i <= j:
            while left[i] < pivot:
                i += 1
            while left[j] > pivot:
                j -= 1
            if i <= j:
                left[i], left[j] = left[j], left[i]
                i, j = i + 1, j - 1
        if half <= j:
            high = j
        elif half >= i:
            low = i
        else:
            break
    middle: float = left[half]
    if len(left) % 2 == 0:
        below = left[0]
        for i in range(half):
            below = max(below, left[i])
        middle = 0.5 * (below + middle)
    return middle
