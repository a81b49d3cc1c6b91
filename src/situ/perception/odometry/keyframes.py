"""Keyframes: anchor poses of landmarks, and relocalization against the places seen from them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, inverse, rigid, transform
from situ.perception.odometry.features import NEAR_PX, Features, pose_from_features, refined_pose
from situ.perception.odometry.images import Grey, Pixels
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.orb import Corners
from situ.perception.odometry.place_recognition import MIN_LANDMARKS, Place, most_similar_places, words_of
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import matched_turn
from situ.perception.odometry.thread_pool import run_all

_MIN_INLIER_SHARE = 0.6  # of the tracked landmarks that must agree on one pose
_MAX_PICTURES, _MAX_PLACES = 80, 400  # stored with and without their image
_SHARED_ERROR = 0.4  # share of a depth's error that all points of a place have in common
_ENOUGH_FEATURES = 60  # in both frames, to rule out a pure rotation
_MIN_SCALE_PAIRS = 8  # landmarks at the same pixels, to compare scales
_CANDIDATE_PLACES = 4  # most similar places that are matched
_LATEST_PLACES = 2  # always tried: after a loss the camera is usually still near
_MAX_REVISIT_M, _MAX_REVISIT_DEG = 1.0, 20.0


@dataclass(frozen=True, eq=False)
class Relocalization:
    """Pose of a frame from a match with a stored place, and the landmarks that are inliers.

    `motion`: from the place to the frame, in units of the place. `followed`: True if landmarks were tracked
    with subpixel accuracy, False if only features were matched. `scale`: depths of the place over depths of
    the frame, if both are known. `sigma`: standard deviations of the rotation (radians) and the translation.
    """

    keyframe: int
    T_world_camera: Matrix
    pixels: Pixels
    points_world: Matrix
    motion: Matrix
    sigma: Vector
    followed: bool = True
    scale: float | None = None


@dataclass(eq=False)
class Keyframes:
    """Poses of all keyframes, and the appearance of a bounded number of them.

    `depth_share` is the relative error of point depths, larger for triangulated points. `scales` convert the
    units in which a keyframe's points were measured to world units.
    """

    camera: Camera
    depth_share: float = 0.02
    poses: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 4, 4)))
    scales: Vector = field(default_factory=lambda: np.zeros(0))
    places: list[Place] = field(default_factory=list)

    def add(self, T_world_camera: Matrix) -> int:
        self.poses = np.concatenate([self.poses, T_world_camera[None]])
        self.scales = np.append(self.scales, 1.0)
        return len(self.poses) - 1

    def snapshot(self) -> "Keyframes":
        """Copy of poses and scales for a background thread. Places are immutable."""
        return replace(self, poses=self.poses.copy(), scales=self.scales.copy(), places=[])

    def add_place(self, place: Place) -> None:
        """Store the appearance of a keyframe; thin out older places above the limits."""
        self.places.append(place)
        pictures = [i for i, one in enumerate(self.places) if one.grey is not None]
        if len(pictures) > _MAX_PICTURES:
            for i in pictures[1 : _MAX_PICTURES // 2 : 2]:
                self.places[i] = replace(self.places[i], grey=None)
        if len(self.places) > _MAX_PLACES:
            del self.places[1 : _MAX_PLACES // 2 : 2]

    def relocalize(
        self,
        grey: Grey,
        features: Features,
        places: list[Place] | None = None,
        possible: Callable[[Matrix], bool] = lambda pose: True,
    ) -> Relocalization | None:
        """Pose of a frame by place recognition alone; None if no place matches with a possible pose."""
        known = self.places if places is None else places
        likely = most_similar_places(known, words_of(features), _CANDIDATE_PLACES)
        latest = [i for i in range(len(known))[-_LATEST_PLACES:] if i not in likely]
        found = run_all([partial(self._match_frame, known[i], grey, features) for i in likely + latest])
        seen = [one for one in found if one is not None and possible(one.T_world_camera)]
        return max(seen, key=lambda one: len(one.pixels), default=None)

    def _match_frame(self, place: Place, grey: Grey, now: Features) -> Relocalization | None:
        """Match a place with a frame taken from a distance, by features, or from the same position, by
        rotation."""
        still = RollingShutter(self.camera)  # the current rotation rate is unknown
        placed = pose_from_features(place.features, place.feature_points, now, self.camera, self.depth_share)
        found = None if placed is None else self._match_landmarks(place, grey, placed.T_now_then, still)
        if found is not None:
            return found
        if placed is not None and placed.confident:  # blurred frame: features match where tracking fails
            return self._relocalization(
                place, placed.T_now_then, placed.pixels_now, placed.points_then, placed.sigma, False
            )
        if _many(place.features, now) or place.corners is None:
            return None
        turn = matched_turn(place.corners, Corners.of(grey), self.camera)
        return None if turn is None else self._match_landmarks(place, grey, rigid(turn, np.zeros(3)), still)

    def _relocalization(
        self,
        place: Place,
        T_now_then: Matrix,
        pixels: Pixels,
        points_then: Matrix,
        sigma: Vector,
        followed: bool,
    ) -> Relocalization:
        anchor, scale = self.poses[place.keyframe], self.scales[place.keyframe]
        motion = inverse(T_now_then)
        # Points of a place share part of their depth error, so many distant points do not average it out.
        shared = _SHARED_ERROR * self.depth_share * float(np.median(points_then[:, 2]))
        sigma = np.array([sigma[0], np.hypot(sigma[1], shared)])
        pose = anchor @ rigid(motion[:3, :3], motion[:3, 3] * scale)
        points = transform(anchor, points_then * scale)
        return Relocalization(place.keyframe, pose, pixels, points, motion, sigma, followed)

    def match_place(self, place: Place, now: Place) -> Relocalization | None:
        """Match a place with a new keyframe, including the relative scale of their points."""
        placed = pose_from_features(
            place.features, place.feature_points, now.features, self.camera, self.depth_share
        )
        if now.grey is None:
            return None
        if placed is None:
            return self._match_rotation(place, now)
        found = self._match_landmarks(place, now.grey, placed.T_now_then, now.shutter)
        if found is None and not placed.confident:
            return None
        if found is None:
            found = self._relocalization(
                place, placed.T_now_then, placed.pixels_now, placed.points_then, placed.sigma, False
            )
        there = transform(placed.T_now_then, placed.points_then)[:, 2]
        ratio = there / np.maximum(now.feature_points[placed.rows_now, 2], 1e-6)
        return replace(found, scale=float(np.median(ratio)))

    def _match_rotation(self, place: Place, now: Place) -> Relocalization | None:
        """Match a place from the same position by rotation when too few features have known depth.

        The scale comes from tracked landmarks and the keyframe's own landmarks at the same pixels.
        """
        if _many(place.features, now.features) or place.corners is None or now.corners is None:
            return None
        turn = matched_turn(place.corners, now.corners, self.camera)
        if turn is None or now.grey is None:
            return None
        found = self._match_landmarks(place, now.grey, rigid(turn, np.zeros(3)), now.shutter)
        if found is None:
            return None
        gaps, nearest = cKDTree(now.pixels).query(found.pixels, distance_upper_bound=NEAR_PX)
        same = np.isfinite(gaps)
        if same.sum() < _MIN_SCALE_PAIRS:
            return None
        points = transform(inverse(found.T_world_camera), found.points_world[same])
        ratio = points[:, 2] / self.scales[place.keyframe] / now.points_camera[nearest[same], 2]
        return replace(found, scale=float(np.median(ratio)))

    def pose_distance(self, place: Place, T_world_camera: Matrix) -> float:
        """Normalised distance of a pose from a place; up to 1 its landmarks should be visible."""
        pose = self.poses[place.keyframe]
        facing = np.clip(pose[:3, 2] @ T_world_camera[:3, 2], -1.0, 1.0)
        away = np.linalg.norm(pose[:3, 3] - T_world_camera[:3, 3])
        return float(away / _MAX_REVISIT_M + np.degrees(np.arccos(facing)) / _MAX_REVISIT_DEG)

    def match_by_tracking(self, place: Place, now: Place, T_world_camera: Matrix) -> Relocalization | None:
        """Track a place's landmarks into a new keyframe from the predicted relative pose."""
        T_then_now = inverse(self.poses[place.keyframe]) @ T_world_camera
        T_then_now[:3, 3] /= self.scales[place.keyframe]
        return (
            None
            if now.grey is None
            else self._match_landmarks(place, now.grey, inverse(T_then_now), now.shutter)
        )

    def _match_landmarks(
        self, place: Place, grey: Grey, T_now_place: Matrix, shutter: RollingShutter
    ) -> Relocalization | None:
        """Track a place's landmarks into a frame from a predicted pose, and solve for the pose."""
        if place.grey is None:
            return None
        expected = self.camera.project(transform(T_now_place, place.points_camera)) - 0.5
        size = np.array([self.camera.width, self.camera.height])
        with np.errstate(invalid="ignore"):
            inside = np.all((expected > 0) & (expected < size), axis=1)
        if inside.sum() < MIN_LANDMARKS:
            return None
        before, after = Pyramid.of(place.grey), Pyramid.of(grey)
        there, good = follow(before, after, place.pixels[inside], expected[inside].astype(np.float32))
        if good.sum() < MIN_LANDMARKS:
            return None
        points = place.points_camera[inside][good]
        pixels = (shutter.rectified_pixels(there[good]) + 0.5).astype(np.float64)
        rows = np.arange(len(points))
        solved = refined_pose(points, pixels, self.camera, T_now_place, rows, self.depth_share)
        if solved is None or len(solved[1]) < max(MIN_LANDMARKS, _MIN_INLIER_SHARE * good.sum()):
            return None
        rows = solved[1]
        return self._relocalization(place, solved[0], there[good][rows], points[rows], solved[2], True)


def _many(then: Features, now: Features) -> bool:
    """Whether both frames have enough features that a failed match also rules out a pure rotation."""
    return min(len(then.pixels), len(now.pixels)) >= _ENOUGH_FEATURES


def inverse_depths_in(T_world_camera: Matrix, points_world: Matrix) -> Vector:
    """Inverse depths of world points in a camera."""
    depth = (points_world - T_world_camera[:3, 3]) @ T_world_camera[:3, 2]
    return 1.0 / np.maximum(depth, 0.05)
