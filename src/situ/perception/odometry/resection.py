"""Where the camera is, from landmarks whose depth is known well, badly or not at all.

A landmark is a ray from the camera that first saw it, and an inverse depth with a standard deviation. How
badly the depth is known enters each residual's covariance: a landmark of unknown depth then constrains the
camera only across its epipolar line, one of known depth in both directions. So there is no switch between
an essential matrix and PnP; the first frames and the last ones are solved by the same equations.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.turning import exp_rotation, nearest_rotation

Mask = NDArray[np.bool_]
# Whitened residuals: the Cauchy scale shrinks so that early, wrong poses do not throw good landmarks out.
_SCALES = (20.0, 8.0, 4.0, 2.5, 2.5, 2.5, 2.5, 2.5)
_INLIER = 3.5
_SMALLEST_NOISE_PX = 0.08
# A turn in place is believed until the shift is this many squared standard deviations. Landmarks share the
# errors of their anchors, so that honest noise reaches tens.
_SIGNIFICANT, _SIGNIFICANT_STANDING = 60.0, 240.0
_NEGLIGIBLE_M = 0.0015


@dataclass(frozen=True, eq=False)
class Sightings:
    """Landmarks as one frame sees them: world rays from anchors, inverse depths along the anchors' z."""

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


@dataclass(frozen=True, eq=False)
class Motion:
    """What is expected of the camera's centre before the image is looked at: a Gaussian."""

    centre: Vector
    information: Matrix  # (3, 3)


@dataclass(frozen=True, eq=False)
class Fit:
    """A solved pose. `covariance` is of (small rotation in camera axes, centre in the world)."""

    R_camera_world: Matrix
    centre: Vector
    covariance: Matrix
    inliers: Mask
    noise_px: float
    cost: float

    @property
    def T_world_camera(self) -> Matrix:
        return rigid(self.R_camera_world.T, self.centre)


def held_at(centre: Vector) -> Motion:
    """The certainty that the camera did not leave a place."""
    return Motion(centre, np.eye(3) * 1e12)


def is_rotation(shift: Vector, covariance: Matrix, on_the_spot: bool = False) -> bool:
    """Wald test: whether a shift of the camera is too small against its own uncertainty to be believed.

    It takes more evidence where an IMU says that the wearer stands `on_the_spot`.
    """
    if float(np.linalg.norm(shift)) < _NEGLIGIBLE_M:
        return True
    evidence = float(shift @ np.linalg.solve(covariance, shift))
    return evidence < (_SIGNIFICANT_STANDING if on_the_spot else _SIGNIFICANT)


def solve_pose(
    seen: Sightings,
    R_camera_world: Matrix,
    centre: Vector,
    focal: float,
    noise_px: float,
    prior: Motion | None,
) -> Fit:
    """Robust, damped Gauss-Newton from a starting pose; the noise is re-estimated from the residuals."""
    rotation, position = nearest_rotation(R_camera_world), np.array(centre, dtype=float)
    noise = noise_px
    normal = np.eye(6)
    for step, scale in enumerate(_SCALES):
        terms = linearise(seen, rotation, position, focal, noise)
        weights = 1.0 / (1.0 + terms.squared / scale**2)
        normal, right = _normal_equations(terms, weights)
        if prior is not None:
            normal[3:, 3:] += prior.information
            right[3:] += prior.information @ (prior.centre - position)
        damped = normal + 1e-6 * np.diag(np.diag(normal)) + 1e-9 * np.eye(6)
        delta = np.asarray(np.linalg.solve(damped, right), dtype=np.float64)
        rotation = exp_rotation(delta[:3]) @ rotation
        position = position + delta[3:]
        if step >= 3:
            noise = _noise(terms, noise)
            if np.abs(delta).max() < 1e-7:
                break
    terms = linearise(seen, rotation, position, focal, noise)
    inliers = (terms.squared < _INLIER**2) & (terms.depth_sign > 0)
    cost = float(np.sum(np.minimum(terms.squared, _INLIER**2)))
    covariance = np.asarray(np.linalg.inv(normal + 1e-9 * np.eye(6)), dtype=np.float64)
    return Fit(rotation, position, covariance, inliers, noise, cost)


@dataclass(frozen=True, eq=False)
class Terms:
    """Residuals of a pose, their derivatives by the pose and by the inverse depths, and their information."""

    residual: Matrix  # (n, 2) pixels
    by_pose: NDArray[np.float64]  # (n, 2, 6)
    by_depth: Matrix  # (n, 2)
    information: NDArray[np.float64]  # (n, 2, 2)
    squared: Vector  # (n,) squared Mahalanobis length
    depth_sign: Vector


def linearise(seen: Sightings, rotation: Matrix, centre: Vector, focal: float, noise_px: float) -> Terms:
    """The measurement equations around a pose."""
    baseline = seen.anchors - centre
    point = (seen.rays + seen.inverse_depth[:, None] * baseline) @ rotation.T
    z = np.where(np.abs(point[:, 2]) > 1e-6, point[:, 2], 1e-6)
    x, y = point[:, 0] / z, point[:, 1] / z
    residual = focal * (seen.seen - np.stack([x, y], axis=1))
    zero, one = np.zeros_like(x), np.ones_like(x)
    # d(x, y) / d(point), rows of the pinhole's derivative
    row_x = np.stack([one, zero, -x], axis=1) * (focal / z)[:, None]
    row_y = np.stack([zero, one, -y], axis=1) * (focal / z)[:, None]
    by_pose = np.empty((len(x), 2, 6))
    for row, gradient in enumerate((row_x, row_y)):
        by_pose[:, row, :3] = np.cross(point, gradient)
        by_pose[:, row, 3:] = -seen.inverse_depth[:, None] * (gradient @ rotation)
    moved = baseline @ rotation.T
    by_depth = np.stack([np.sum(row_x * moved, axis=1), np.sum(row_y * moved, axis=1)], axis=1)
    information = _marginal_information(by_depth, seen.sigma, noise_px)
    squared = np.einsum("ni,nij,nj->n", residual, information, residual)
    return Terms(residual, by_pose, by_depth, information, squared, np.sign(point[:, 2]))


def _marginal_information(by_depth: Matrix, sigma: Vector, noise_px: float) -> NDArray[np.float64]:
    """Inverse of (noise^2 I + sigma^2 j j'), by Sherman and Morrison."""
    variance = noise_px**2
    gain = sigma**2 / (variance + sigma**2 * np.sum(by_depth**2, axis=1))
    outer = by_depth[:, :, None] * by_depth[:, None, :]
    information: NDArray[np.float64] = (np.eye(2) - gain[:, None, None] * outer) / variance
    return information


def _normal_equations(terms: Terms, weights: Vector) -> tuple[Matrix, Vector]:
    weighted = np.swapaxes(terms.by_pose, 1, 2) @ (terms.information * weights[:, None, None])
    flat = weighted.transpose(1, 0, 2).reshape(6, -1)
    return flat @ terms.by_pose.reshape(-1, 6), flat @ terms.residual.reshape(-1)


def _noise(terms: Terms, noise_px: float) -> float:
    """Pixel noise from the median residual. For two normal components the median of the square is 1.386."""
    measured = noise_px * float(np.sqrt(np.median(terms.squared) / 1.386))
    return float(np.clip(measured, _SMALLEST_NOISE_PX, 3.0))
