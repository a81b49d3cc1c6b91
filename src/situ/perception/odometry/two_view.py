"""Two-view structure from motion: relative pose up to scale, and inverse depths."""

from dataclasses import dataclass

import cv2
import numpy as np

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.images import Mask
from situ.perception.odometry.resection import Sightings, linearise, solve_pose

# Residual of the best rotation (pixels) above which a point shows parallax instead of noise.
_PARALLAX_PX = 8.0
_MIN_MOVED, _MIN_MOVED_SHARE = 20, 0.12
_NOISE_PX = 0.3
_EXPLAINED_PX = 3.0
_TOGETHER_PX, _TOGETHER_SHARE = 4.0, 0.6
_SMEARED_PX, _SMEARED_SHARE = 12.0, 0.75


@dataclass(frozen=True, eq=False)
class TwoViews:
    """Pose of the second camera in the first, at distance 1, and inverse depths in the first camera."""

    R_second_first: Matrix
    centre: Vector
    inverse_depth: Vector
    sigma: Vector
    inliers: Mask


def has_parallax(residuals: Vector) -> bool:
    """Whether enough points deviate from the best rotation. `residuals` in pixels."""
    moved = int(np.sum(residuals > _PARALLAX_PX))
    return moved >= max(_MIN_MOVED, _MIN_MOVED_SHARE * len(residuals))


def explains_more(structure: TwoViews, residuals: Vector) -> bool:
    """Whether the structure explains clearly more points than the best rotation.

    Wrong tracks always leave residuals, and an essential matrix can fit a few of anything.
    """
    gained = int(structure.inliers.sum()) - int(np.sum(residuals < _EXPLAINED_PX))
    return gained >= max(_MIN_MOVED, _MIN_MOVED_SHARE * len(residuals))


def moves_together(first: Matrix, second: Matrix, residuals: Vector, focal: float) -> bool:
    """Whether a rigid scene explains most of the motion: by a rotation, or by epipolar geometry.

    Blur and rolling shutter smear fast rotations over several pixels, but nearly all points stay close.
    """
    if np.mean(residuals < _TOGETHER_PX) > 0.5 or np.mean(residuals < _SMEARED_PX) > _SMEARED_SHARE:
        return True
    # USAC gives up bad samples early: the same result as plain RANSAC at a sixth of the cost.
    _, mask = cv2.findEssentialMat(first, second, np.eye(3), method=cv2.USAC_FAST, threshold=1.0 / focal)
    return mask is not None and float(np.mean(mask)) > _TOGETHER_SHARE


def two_views(first: Matrix, second: Matrix, focal: float) -> TwoViews | None:
    """Relative pose and structure from bearings (n, 2), or None if they are inconsistent."""
    essential, _ = cv2.findEssentialMat(
        first, second, np.eye(3), method=cv2.RANSAC, prob=0.9999, threshold=1.0 / focal
    )
    if essential is None or essential.shape != (3, 3):
        return None
    _, rotation, shift, _ = cv2.recoverPose(essential, first, second, np.eye(3))
    centre = -rotation.T @ shift[:, 0]
    rays = np.concatenate([first, np.ones((len(first), 1))], axis=1)
    for _ in range(4):
        depth, sigma = triangulate(rays, second, rotation, centre, focal)
        seen = Sightings(rays, np.zeros_like(rays), depth, sigma, second)
        fit = solve_pose(seen, rotation, centre, focal, _NOISE_PX, None, free_scale=True)
        length = float(np.linalg.norm(fit.centre))
        if not 0.2 < length < 5.0:
            return None
        rotation, centre = fit.R_camera_world, fit.centre / length
    depth, sigma = triangulate(rays, second, rotation, centre, focal)
    in_front = depth > -3 * sigma
    if (fit.inliers & in_front).sum() < 0.6 * len(first):
        return None
    return TwoViews(rotation, centre, np.maximum(depth, 1e-4), sigma, fit.inliers & in_front)


def triangulate(
    rays: Matrix, second: Matrix, rotation: Matrix, centre: Vector, focal: float
) -> tuple[Vector, Vector]:
    """Inverse depths in the first camera and their standard deviations, for a known second camera."""
    depth = np.zeros(len(rays))
    curvature = np.ones(len(rays))
    for _ in range(4):
        seen = Sightings(rays, np.zeros_like(rays), depth, np.ones(len(rays)), second)
        terms = linearise(seen, rotation, centre, focal)
        curvature = np.maximum(np.sum(terms.by_depth**2, axis=1), 1e-6)
        depth = np.clip(depth + np.sum(terms.by_depth * terms.residual, axis=1) / curvature, -0.5, 20.0)
    return depth, _NOISE_PX / np.sqrt(curvature)
