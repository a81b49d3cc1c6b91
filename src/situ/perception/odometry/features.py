"""Corners that can be told apart: how a frame is matched to one that was seen from some way off."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, rigid
from situ.perception.odometry.images import Grey
from situ.perception.odometry.tracks import Pixels

_COUNT = 1000
_NEAR_PX = 4.0
_FEWEST = 12
_TRIES = 200
_REPROJECTION_PX = 6.0
# Matches that agree by chance are few among many: with these, real frames were placed to 8 cm and 4 degrees.
_SURE_COUNT, _SURE_SHARE = 25, 0.3


@dataclass(frozen=True, eq=False)
class Features:
    """Corners and their descriptions; `landmark` is the number of the landmark at each, if that is known."""

    pixels: Pixels
    descriptors: NDArray[np.uint8]
    landmark: NDArray[np.intp]

    @classmethod
    def of(cls, grey: Grey) -> "Features":
        found, described = cv2.ORB.create(_COUNT).detectAndCompute(grey, None)
        if described is None:
            return cls(np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8), np.zeros(0, np.intp))
        pixels = np.array([corner.pt for corner in found], dtype=np.float32)
        return cls(pixels, described, np.full(len(pixels), -1, np.intp))

    def near(self, landmarks: Pixels) -> "Features":
        """Only those that lie at a landmark."""
        if not len(self.pixels) or not len(landmarks):
            return Features(self.pixels[:0], self.descriptors[:0], self.landmark[:0])
        gaps = np.linalg.norm(self.pixels[:, None] - landmarks[None], axis=2)
        nearest = gaps.argmin(axis=1)
        close = gaps.min(axis=1) < _NEAR_PX
        kept = Features(self.pixels[close], self.descriptors[close], self.landmark[close])
        return replace(kept, landmark=nearest[close].astype(np.intp))


@dataclass(frozen=True, eq=False)
class Posed:
    """A frame placed by its features: `T_now_then`, and the points and pixels that agree on it."""

    T_now_then: Matrix
    points_then: Matrix
    pixels_now: Pixels
    sure: bool  # enough of them agree to believe it as it is; else it is a guess to be refined


def posed_by(known: Features, points_then: Matrix, now: Features, camera: Camera) -> Posed | None:
    """Place a frame by features at landmarks of an earlier one; None if they do not fit."""
    if len(known.pixels) < _FEWEST or len(now.pixels) < _FEWEST:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(known.descriptors, now.descriptors)
    if len(matches) < _FEWEST:
        return None
    points = points_then[known.landmark[[m.queryIdx for m in matches]]]
    # Several features may lie at one landmark, and a pose from equal points does not exist.
    points = points * (1 + 1e-6 * np.arange(len(points))[:, None])
    pixels = now.pixels[[m.trainIdx for m in matches]]
    found = pose_from(points, pixels.astype(np.float64) + 0.5, camera, _REPROJECTION_PX)
    if found is None or len(found[1]) < _FEWEST:
        return None
    T_now_then, rows = found
    sure = len(rows) >= max(_SURE_COUNT, _SURE_SHARE * len(matches))
    return Posed(T_now_then, points[rows], pixels[rows], sure)


def pose_from(
    points: Matrix, pixels: Matrix, camera: Camera, reprojection_px: float
) -> tuple[Matrix, NDArray[np.intp]] | None:
    """`T_camera_points` on which most pairs of a point and a pixel agree, and the numbers of those."""
    try:
        solved, turn, shift, inliers = cv2.solvePnPRansac(
            points,
            pixels,
            camera.matrix,
            None,
            reprojectionError=reprojection_px,
            iterationsCount=_TRIES,
            confidence=0.999,
            flags=cv2.SOLVEPNP_SQPNP,
        )
    except cv2.error:  # it gives up in this way on points that all but coincide
        return None
    if not solved or inliers is None:
        return None
    return rigid(cv2.Rodrigues(turn)[0], shift[:, 0]), inliers[:, 0].astype(np.intp)
