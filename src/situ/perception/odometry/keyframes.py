"""Keyframes: anchors of landmarks, and places that can be recognised again after tracking was lost."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, inverse, rigid
from situ.perception.odometry.images import Grey
from situ.perception.odometry.tracks import Pixels, new_points

_PATCH_PX = 31
_FEWEST_MATCHES = 25
_REPROJECTION_PX = 3.0
_REMEMBERED = 60


@dataclass(frozen=True, eq=False)
class Place:
    """Descriptors of landmarks in one keyframe, and where those landmarks are in that camera's axes."""

    keyframe: int
    descriptors: NDArray[np.uint8]
    points_camera: Matrix


@dataclass(frozen=True, eq=False)
class Recognised:
    """A frame matched to a remembered place: its pose, and the landmarks that agreed."""

    keyframe: int
    T_world_camera: Matrix
    pixels: Pixels
    points_world: Matrix


class Keyframes:
    """Poses of all keyframes, and appearance of those that are far enough apart to be worth remembering."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self.poses: NDArray[np.float64] = np.zeros((0, 4, 4))
        self.places: list[Place] = []
        self._orb = cv2.ORB_create(800)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)

    def add(self, T_world_camera: Matrix) -> int:
        self.poses = np.concatenate([self.poses, T_world_camera[None]])
        return len(self.poses) - 1

    def remember(self, keyframe: int, grey: Grey, pixels: Pixels, points_camera: Matrix) -> None:
        """Keep what a keyframe looks like around its landmarks. The oldest but one make room for new ones."""
        kept, descriptors = self._describe(grey, pixels)
        if len(kept) < _FEWEST_MATCHES:
            return
        self.places.append(Place(keyframe, descriptors, points_camera[kept]))
        if len(self.places) > _REMEMBERED:
            del self.places[1::2]

    def recognise(self, grey: Grey) -> Recognised | None:
        """The pose of a frame that looks like a remembered place, or None."""
        pixels = new_points(grey, np.zeros((0, 2), np.float32))
        kept, descriptors = self._describe(grey, pixels)
        if len(kept) < _FEWEST_MATCHES:
            return None
        pixels = pixels[kept]
        best: Recognised | None = None
        for place in self.places:
            found = self._match(place, pixels, descriptors)
            if found is not None and (best is None or len(found.pixels) > len(best.pixels)):
                best = found
        return best

    def _describe(self, grey: Grey, pixels: Pixels) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        # Upright descriptors: heads hardly roll, and an angle measured at weak corners is mostly noise.
        points = [cv2.KeyPoint(float(x), float(y), _PATCH_PX, 0, 1, 0, i) for i, (x, y) in enumerate(pixels)]
        described, descriptors = self._orb.compute(cv2.GaussianBlur(grey, (0, 0), 1.0), points)
        if descriptors is None:
            return np.zeros(0, np.intp), np.zeros((0, 32), np.uint8)
        return np.array([p.class_id for p in described], dtype=np.intp), descriptors

    def _match(self, place: Place, pixels: Pixels, descriptors: NDArray[np.uint8]) -> Recognised | None:
        pairs = self._matcher.knnMatch(descriptors, place.descriptors, k=2)
        good = [p[0] for p in pairs if len(p) == 2 and p[0].distance < 0.8 * p[1].distance]
        if len(good) < _FEWEST_MATCHES:
            return None
        here = pixels[[m.queryIdx for m in good]]
        there = place.points_camera[[m.trainIdx for m in good]]
        solved, turn, shift, inliers = cv2.solvePnPRansac(
            there,
            (here + 0.5).astype(np.float64),
            self._camera.matrix,
            None,
            reprojectionError=_REPROJECTION_PX,
            iterationsCount=200,
            flags=cv2.SOLVEPNP_SQPNP,
        )
        if not solved or inliers is None or len(inliers) < max(_FEWEST_MATCHES, 0.5 * len(good)):
            return None
        rows = inliers[:, 0]
        pose = self.poses[place.keyframe] @ inverse(rigid(cv2.Rodrigues(turn)[0], shift[:, 0]))
        world = there[rows] @ self.poses[place.keyframe][:3, :3].T + self.poses[place.keyframe][:3, 3]
        return Recognised(place.keyframe, pose, here[rows], world)


def inverse_depths_in(T_world_camera: Matrix, points_world: Matrix) -> Vector:
    """Inverse depths of world points seen from a camera."""
    depth = (points_world - T_world_camera[:3, 3]) @ T_world_camera[:3, 2]
    return 1.0 / np.maximum(depth, 0.05)
