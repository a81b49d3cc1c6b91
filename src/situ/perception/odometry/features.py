"""ORB features: matching of frames taken from different positions, and poses from the matches."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.images import Grey, Pixels
from situ.perception.odometry.orb import ORB_LEVELS, cross_matched
from situ.perception.odometry.ransac import ransac_p3p
from situ.perception.odometry.resection import Sightings, solve_pose

_COUNT = 700  # ORB features per frame
NEAR_PX = 4.0
_MIN_INLIERS = 12  # of a pose
_RANSAC_ITERATIONS = 200  # at most
# Hamming distances of 256-bit descriptors. Of correct matches 10 % (worst case 25 %) exceed the first and
# at worst 5 % the second; of matches between unrelated places nearly all and half.
_ALIKE_BITS, _LIKELY_BITS, _MIN_ALIKE = 48, 64, 8
_REPROJECTION_PX = 6.0
# Inliers (count, share of matches) of a pose that needs no refinement: 8 cm and 4 degrees on real frames.
_CONFIDENT_COUNT, _CONFIDENT_SHARE = 25, 0.3


@dataclass(frozen=True, eq=False)
class Features:
    """Corner positions and descriptors."""

    pixels: Pixels
    descriptors: NDArray[np.uint8]

    @classmethod
    def of(cls, grey: Grey) -> "Features":
        found, described = cv2.ORB.create(_COUNT, *ORB_LEVELS).detectAndCompute(grey, None)
        if described is None:
            return cls(np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8))
        return cls(np.array([corner.pt for corner in found], dtype=np.float32), described)

    def only(self, rows: NDArray[np.generic]) -> "Features":
        return Features(self.pixels[rows], self.descriptors[rows])

    def near(self, landmarks: Pixels, points: Matrix) -> tuple[NDArray[np.intp], Matrix]:
        """Indices of features within a few pixels of a landmark, and the points of those landmarks."""
        gaps, nearest = cKDTree(landmarks).query(self.pixels, distance_upper_bound=NEAR_PX)
        rows = np.flatnonzero(np.isfinite(gaps))
        return rows, points[nearest[rows]].astype(np.float32)


@dataclass(frozen=True, eq=False)
class FeaturePose:
    """Pose of a frame from feature matches: `T_now_then`, and the inlier points and pixels."""

    T_now_then: Matrix
    points_then: Matrix
    pixels_now: Pixels
    rows_now: NDArray[np.intp]  # feature indices of the inliers in this frame
    sigma: Vector
    confident: bool  # enough inliers to use the pose as it is; otherwise it is a starting point


def pose_from_features(
    known: Features, points_then: Matrix, now: Features, camera: Camera, depth_share: float = 0.02
) -> FeaturePose | None:
    """Pose of a frame from matches with features of known points; None if too few agree.

    `depth_share` is the relative error of the depths of the points.
    """
    if len(known.pixels) < _MIN_INLIERS or len(now.pixels) < _MIN_INLIERS:
        return None
    rows_then, rows_now, apart = cross_matched(known.descriptors, now.descriptors)
    if (apart <= _ALIKE_BITS).sum() < _MIN_ALIKE:
        return None
    likely = apart <= _LIKELY_BITS
    rows_then, rows_now = rows_then[likely], rows_now[likely]
    if len(rows_then) < _MIN_INLIERS:
        return None
    points = points_then[rows_then].astype(np.float64)
    pixels = now.pixels[rows_now]
    found = ransac_pose(points, pixels.astype(np.float64) + 0.5, camera, _REPROJECTION_PX, depth_share)
    if found is None or len(found[1]) < _MIN_INLIERS:
        return None
    T_now_then, rows, sigma = found
    confident = len(rows) >= max(_CONFIDENT_COUNT, _CONFIDENT_SHARE * len(rows_then))
    return FeaturePose(T_now_then, points[rows], pixels[rows], rows_now[rows], sigma, confident)


def ransac_pose(
    points: Matrix, pixels: Matrix, camera: Camera, reprojection_px: float, depth_share: float = 0.02
) -> tuple[Matrix, NDArray[np.intp], Vector] | None:
    """`T_camera_points` by RANSAC, the indices of its inliers, and the standard deviations of its rotation
    (radians) and translation."""
    off = reprojection_px / ((camera.fx + camera.fy) / 2)
    flat = (pixels - [camera.cx, camera.cy]) / [camera.fx, camera.fy]
    turn, shift, _ = ransac_p3p(np.ascontiguousarray(points, dtype=float), flat, off, _RANSAC_ITERATIONS)
    seen = points @ turn.T + shift
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = np.linalg.norm(seen[:, :2] / seen[:, 2:] - flat, axis=1)
        rows = np.flatnonzero((seen[:, 2] > 0) & (gaps < off))
    return refined_pose(points, pixels, camera, rigid(turn, shift), rows, depth_share)


def refined_pose(
    points: Matrix,
    pixels: Matrix,
    camera: Camera,
    T_camera_points: Matrix,
    rows: NDArray[np.intp],
    depth_share: float,
) -> tuple[Matrix, NDArray[np.intp], Vector] | None:
    """Robust least squares from an approximate pose, for the given rows; returns the same as `ransac_pose`.

    Depths may deviate by their relative error.
    """
    rows = rows[points[rows, 2] > 0]
    if len(rows) < _MIN_INLIERS:
        return None
    depth = points[rows, 2]
    flat = (pixels[rows] - [camera.cx, camera.cy]) / [camera.fx, camera.fy]
    seen = Sightings(
        points[rows] / depth[:, None], np.zeros((len(rows), 3)), 1 / depth, depth_share / depth, flat
    )
    focal = (camera.fx + camera.fy) / 2
    turn = T_camera_points[:3, :3]
    fit = solve_pose(seen, turn, -turn.T @ T_camera_points[:3, 3], focal, 1.0, None)
    if fit.inliers.sum() < _MIN_INLIERS or not np.isfinite(fit.centre).all():
        return None
    spread = np.sqrt(np.abs(np.diag(fit.covariance)))
    sigma = np.array([spread[:3].max(), np.linalg.norm(spread[3:])])
    placed = rigid(fit.R_camera_world, -fit.R_camera_world @ fit.centre)
    return placed, rows[fit.inliers], sigma
