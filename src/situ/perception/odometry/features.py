"""Corners that can be told apart: how a frame is matched to one that was seen from some way off."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.images import ORB_LEVELS, Grey
from situ.perception.odometry.matching import cross_matched
from situ.perception.odometry.resection import Sightings, solve_pose
from situ.perception.odometry.sampling import agreed_pose
from situ.perception.odometry.tracks import Pixels

_COUNT = 700
NEAR_PX = 4.0
_FEWEST = 12
_TRIES = 200
# Of 256 bits: of pairs that were right one in ten, and at worst one in four, differed in more than the first,
# and at worst one in twenty in more than the second; of pairs of places that have nothing in common nearly
# all, and half. A place with hardly any pair alike is not looked at further.
_ALIKE_BITS, _LIKELY_BITS, _FEWEST_ALIKE = 48, 64, 8
_REPROJECTION_PX = 6.0
# Matches that agree by chance are few among many: with these, real frames were placed to 8 cm and 4 degrees.
_SURE_COUNT, _SURE_SHARE = 25, 0.3


@dataclass(frozen=True, eq=False)
class Features:
    """Corners and their descriptions."""

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
        """Those that lie at a landmark, and the points of these landmarks."""
        gaps, nearest = cKDTree(landmarks).query(self.pixels, distance_upper_bound=NEAR_PX)
        rows = np.flatnonzero(np.isfinite(gaps))
        return rows, points[nearest[rows]].astype(np.float32)


@dataclass(frozen=True, eq=False)
class Posed:
    """A frame placed by its features: `T_now_then`, and the points and pixels that agree on it."""

    T_now_then: Matrix
    points_then: Matrix
    pixels_now: Pixels
    rows_now: NDArray[np.intp]  # which features of this frame they are
    sigma: Vector
    sure: bool  # enough of them agree to believe it as it is; else it is a guess to be refined


def posed_by(
    known: Features, points_then: Matrix, now: Features, camera: Camera, depth_share: float = 0.02
) -> Posed | None:
    """Place a frame by features of an earlier one, whose points are known; None if they do not fit.

    `depth_share` is the relative error of the points' depths.
    """
    if len(known.pixels) < _FEWEST or len(now.pixels) < _FEWEST:
        return None
    rows_then, rows_now, apart = cross_matched(known.descriptors, now.descriptors)
    if (apart <= _ALIKE_BITS).sum() < _FEWEST_ALIKE:
        return None
    likely = apart <= _LIKELY_BITS
    rows_then, rows_now = rows_then[likely], rows_now[likely]
    if len(rows_then) < _FEWEST:
        return None
    points = points_then[rows_then].astype(np.float64)
    pixels = now.pixels[rows_now]
    found = pose_from(points, pixels.astype(np.float64) + 0.5, camera, _REPROJECTION_PX, depth_share)
    if found is None or len(found[1]) < _FEWEST:
        return None
    T_now_then, rows, sigma = found
    sure = len(rows) >= max(_SURE_COUNT, _SURE_SHARE * len(rows_then))
    return Posed(T_now_then, points[rows], pixels[rows], rows_now[rows], sigma, sure)


def pose_from(
    points: Matrix, pixels: Matrix, camera: Camera, reprojection_px: float, depth_share: float = 0.02
) -> tuple[Matrix, NDArray[np.intp], Vector] | None:
    """`T_camera_points` on which most pairs of a point and a pixel agree, the numbers of those, and the
    standard deviations of its rotation (radians) and translation."""
    off = reprojection_px / ((camera.fx + camera.fy) / 2)
    flat = (pixels - [camera.cx, camera.cy]) / [camera.fx, camera.fy]
    turn, shift, _ = agreed_pose(np.ascontiguousarray(points, dtype=float), flat, off, _TRIES)
    seen = points @ turn.T + shift
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = np.linalg.norm(seen[:, :2] / seen[:, 2:] - flat, axis=1)
        rows = np.flatnonzero((seen[:, 2] > 0) & (gaps < off))
    return refined(points, pixels, camera, rigid(turn, shift), rows, depth_share)


def refined(
    points: Matrix,
    pixels: Matrix,
    camera: Camera,
    T_camera_points: Matrix,
    rows: NDArray[np.intp],
    depth_share: float,
) -> tuple[Matrix, NDArray[np.intp], Vector] | None:
    """As `pose_from`, by robust least squares from a pose that is nearly right and some of the pairs, with
    depths that may be off a little."""
    rows = rows[points[rows, 2] > 0]
    if len(rows) < _FEWEST:
        return None
    depth = points[rows, 2]
    flat = (pixels[rows] - [camera.cx, camera.cy]) / [camera.fx, camera.fy]
    seen = Sightings(
        points[rows] / depth[:, None], np.zeros((len(rows), 3)), 1 / depth, depth_share / depth, flat
    )
    focal = (camera.fx + camera.fy) / 2
    turn = T_camera_points[:3, :3]
    fit = solve_pose(seen, turn, -turn.T @ T_camera_points[:3, 3], focal, 1.0, None)
    if fit.inliers.sum() < _FEWEST or not np.isfinite(fit.centre).all():
        return None
    spread = np.sqrt(np.abs(np.diag(fit.covariance)))
    sigma = np.array([spread[:3].max(), np.linalg.norm(spread[3:])])
    placed = rigid(fit.R_camera_world, -fit.R_camera_world @ fit.centre)
    return placed, rows[fit.inliers], sigma
