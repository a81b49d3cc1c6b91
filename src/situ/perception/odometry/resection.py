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
from situ.perception.odometry.pose_equations import normal_equations, pose_steps
from situ.perception.odometry.turning import nearest_rotation

Mask = NDArray[np.bool_]
# Whitened residuals: the Cauchy scale shrinks so that early, wrong poses do not throw good landmarks out.
_SCALES = np.array([20.0, 8.0, 4.0, 2.5, 2.5, 2.5, 2.5, 2.5])
_INLIER = 3.5
_NOISE_PX = np.array([0.08, 3.0])  # least and most
# A turn in place is believed until the shift is this many squared standard deviations. Landmarks share the
# errors of their anchors, so that honest noise reaches tens.
_SIGNIFICANT, _SIGNIFICANT_STANDING = 85.0, 300.0
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
    free_scale: bool = False,
) -> Fit:
    """Robust, damped Gauss-Newton from a starting pose; the noise is re-estimated from the residuals."""
    squared = np.empty(len(seen))
    given = [np.ascontiguousarray(column, dtype=float) for column in vars(seen).values()]
    pulled = np.zeros(3) if prior is None else np.ascontiguousarray(prior.centre, dtype=float)
    information = np.zeros((3, 3)) if prior is None else np.ascontiguousarray(prior.information)
    rotation, position, noise, likely = pose_steps(
        *given,
        nearest_rotation(R_camera_world),
        np.array(centre, dtype=float),
        float(focal),
        float(noise_px),
        _SCALES,
        pulled,
        information,
        _NOISE_PX,
        squared,
        free_scale,
    )
    at = (rotation, position, float(focal), noise, _SCALES[-1], squared)
    # Of the depths as they were known before: those that now fit best would make all look surer than it is.
    normal, _ = normal_equations(*given, *at, given[2].copy(), free_scale)
    normal[3:, 3:] += information
    normal_equations(*given, *at, likely, free_scale)
    inliers = (squared < _INLIER**2) & (squared >= 0)
    cost = float(np.sum(np.minimum(np.abs(squared), _INLIER**2)))
    covariance = np.asarray(np.linalg.inv(normal + 1e-9 * np.eye(6)), dtype=np.float64)
    return Fit(rotation, position, covariance, inliers, noise, cost)


@dataclass(frozen=True, eq=False)
class Terms:
    """Residuals of a pose, and their derivatives by the inverse depths."""

    residual: Matrix  # (n, 2) pixels
    by_depth: Matrix  # (n, 2)


def linearise(seen: Sightings, rotation: Matrix, centre: Vector, focal: float) -> Terms:
    """The measurement equations around a pose that is taken as known."""
    moved = (seen.anchors - centre) @ rotation.T
    point = seen.rays @ rotation.T + seen.inverse_depth[:, None] * moved
    z = np.where(np.abs(point[:, 2:]) > 1e-6, point[:, 2:], 1e-6)
    flat = point[:, :2] / z
    return Terms(focal * (seen.seen - flat), focal / z * (moved[:, :2] - flat * moved[:, 2:]))
