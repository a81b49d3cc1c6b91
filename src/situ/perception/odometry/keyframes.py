"""Keyframes: anchors of landmarks, and places that can be recognised again later or after getting lost."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, inverse, rigid, transform
from situ.perception.odometry.features import NEAR_PX, Features, posed_by, refined
from situ.perception.odometry.flow import Pyramid
from situ.perception.odometry.hands import at_once
from situ.perception.odometry.images import Grey
from situ.perception.odometry.places import FEWEST_LANDMARKS, Place, likely_places, words_of
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.tracks import Pixels, follow
from situ.perception.odometry.turning import Corners, matched_turn

_SMALLEST_SHARE = 0.6  # of the landmarks that could be followed must agree on one pose
_PICTURES, _MOST_PLACES = 80, 400
_SHARED = 0.4
_ENOUGH_FEATURES = 60
_FEWEST_ALIKE = 8  # landmarks at the same pixels, to compare scales
_LIKELY_PLACES = 4
_LATEST_PLACES = 2  # whatever they look like now: who gets lost is mostly still near
_FARTHEST_AGAIN_M, _WIDEST_AGAIN_DEG = 1.0, 20.0


@dataclass(frozen=True, eq=False)
class Recognised:
    """A frame matched to a remembered place: its pose, and the landmarks that agreed.

    `motion` is from the place to the frame, in the place's own units.
    `followed`: by following landmarks, precise to fractions of a pixel; otherwise by features alone.
    `scale`: of the place's points over the frame's own, where both are known. `sigma`: standard deviations
    of the motion's rotation (radians) and translation.
    """

    keyframe: int
    T_world_camera: Matrix
    pixels: Pixels
    points_world: Matrix
    motion: Matrix
    sigma: Vector
    followed: bool = True
    scale: float | None = None


class Keyframes:
    """Poses of all keyframes, and the looks of as many as are worth remembering.

    `scales` turn the units in which a keyframe's points were measured into those of the world.
    """

    def __init__(self, camera: Camera, depth_share: float = 0.02) -> None:
        """`depth_share` is the relative error of points' depths: larger where they were triangulated."""
        self._camera, self._depth_share = camera, depth_share
        self.poses: NDArray[np.float64] = np.zeros((0, 4, 4))
        self.scales: Vector = np.zeros(0)
        self.places: list[Place] = []

    def add(self, T_world_camera: Matrix) -> int:
        self.poses = np.concatenate([self.poses, T_world_camera[None]])
        self.scales = np.append(self.scales, 1.0)
        return len(self.poses) - 1

    def copied(self) -> "Keyframes":
        """As they are now, for who compares places while these go on. Places themselves never change."""
        copy = Keyframes(self._camera, self._depth_share)
        copy.poses, copy.scales = self.poses.copy(), self.scales.copy()
        return copy

    def remember(self, place: Place) -> None:
        """Keep what a keyframe looks like. Too many, and older ones are thinned."""
        self.places.append(place)
        pictures = [i for i, one in enumerate(self.places) if one.grey is not None]
        if len(pictures) > _PICTURES:
            for i in pictures[1 : _PICTURES // 2 : 2]:
                self.places[i] = replace(self.places[i], grey=None)
        if len(self.places) > _MOST_PLACES:
            del self.places[1 : _MOST_PLACES // 2 : 2]

    def recognise(
        self,
        grey: Grey,
        features: Features,
        places: list[Place] | None = None,
        possible: Callable[[Matrix], bool] = lambda pose: True,
    ) -> Recognised | None:
        """The pose of a frame from nothing but its likeness to remembered places; None if like none, or only
        in poses that are not possible."""
        known = self.places if places is None else places
        likely = likely_places(known, words_of(features), _LIKELY_PLACES)
        latest = [i for i in range(len(known))[-_LATEST_PLACES:] if i not in likely]
        found = at_once([partial(self._compare, known[i], grey, features) for i in likely + latest])
        seen = [one for one in found if one is not None and possible(one.T_world_camera)]
        return max(seen, key=lambda one: len(one.pixels), default=None)

    def _compare(self, place: Place, grey: Grey, now: Features) -> Recognised | None:
        """Match a place to a frame that may have been taken from some way off, or from the same spot."""
        still = Shutter(self._camera)  # how the camera turns is not known
        placed = posed_by(place.features, place.feature_points, now, self._camera, self._depth_share)
        found = None if placed is None else self._match(place, grey, placed.T_now_then, still)
        if found is not None:
            return found
        if placed is not None and placed.sure:  # a blurred frame: features are found where following fails
            return self._placed(
                place, placed.T_now_then, placed.pixels_now, placed.points_then, placed.sigma, False
            )
        if _many(place.features, now) or place.corners is None:
            return None
        turn = matched_turn(place.corners, Corners.of(grey), self._camera)
        return None if turn is None else self._match(place, grey, rigid(turn, np.zeros(3)), still)

    def _placed(
        self,
        place: Place,
        T_now_then: Matrix,
        pixels: Pixels,
        points_then: Matrix,
        sigma: Vector,
        followed: bool,
    ) -> Recognised:
        anchor, scale = self.poses[place.keyframe], self.scales[place.keyframe]
        motion = inverse(T_now_then)
        # Points share part of the error of their depths: far ones place a camera badly, however many.
        shared = _SHARED * self._depth_share * float(np.median(points_then[:, 2]))
        sigma = np.array([sigma[0], np.hypot(sigma[1], shared)])
        pose = anchor @ rigid(motion[:3, :3], motion[:3, 3] * scale)
        points = transform(anchor, points_then * scale)
        return Recognised(place.keyframe, pose, pixels, points, motion, sigma, followed)

    def again(self, place: Place, now: Place) -> Recognised | None:
        """A place that a new keyframe may show again, with the scale of its points over the new ones."""
        placed = posed_by(place.features, place.feature_points, now.features, self._camera, self._depth_share)
        if now.grey is None:
            return None
        if placed is None:
            return self._turned(place, now)
        found = self._match(place, now.grey, placed.T_now_then, now.shutter)
        if found is None and not placed.sure:
            return None
        if found is None:
            found = self._placed(
                place, placed.T_now_then, placed.pixels_now, placed.points_then, placed.sigma, False
            )
        there = transform(placed.T_now_then, placed.points_then)[:, 2]
        ratio = there / np.maximum(now.feature_points[placed.rows_now, 2], 1e-6)
        return replace(found, scale=float(np.median(ratio)))

    def _turned(self, place: Place, now: Place) -> Recognised | None:
        """A place from the same spot, where the features of which the depth is known are too few to tell. Its
        scale is that of what was followed over the new keyframe's own landmarks at the same pixels."""
        if _many(place.features, now.features) or place.corners is None or now.corners is None:
            return None
        turn = matched_turn(place.corners, now.corners, self._camera)
        if turn is None or now.grey is None:
            return None
        found = self._match(place, now.grey, rigid(turn, np.zeros(3)), now.shutter)
        if found is None:
            return None
        gaps, nearest = cKDTree(now.pixels).query(found.pixels, distance_upper_bound=NEAR_PX)
        same = np.isfinite(gaps)
        if same.sum() < _FEWEST_ALIKE:
            return None
        points = transform(inverse(found.T_world_camera), found.points_world[same])
        ratio = points[:, 2] / self.scales[place.keyframe] / now.points_camera[nearest[same], 2]
        return replace(found, scale=float(np.median(ratio)))

    def nearby(self, place: Place, T_world_camera: Matrix) -> float:
        """How unlike a place's pose another one is: up to 1 its landmarks should be in view again."""
        pose = self.poses[place.keyframe]
        facing = np.clip(pose[:3, 2] @ T_world_camera[:3, 2], -1.0, 1.0)
        away = np.linalg.norm(pose[:3, 3] - T_world_camera[:3, 3])
        return float(away / _FARTHEST_AGAIN_M + np.degrees(np.arccos(facing)) / _WIDEST_AGAIN_DEG)

    def seen_again(self, place: Place, now: Place, T_world_camera: Matrix) -> Recognised | None:
        """A place followed into a new keyframe from where that one's pose says that it should be."""
        T_then_now = inverse(self.poses[place.keyframe]) @ T_world_camera
        T_then_now[:3, 3] /= self.scales[place.keyframe]
        return None if now.grey is None else self._match(place, now.grey, inverse(T_then_now), now.shutter)

    def _match(self, place: Place, grey: Grey, T_now_place: Matrix, shutter: Shutter) -> Recognised | None:
        """Follow a place's landmarks into a frame from where they should be, and solve for its pose."""
        if place.grey is None:
            return None
        expected = self._camera.project(transform(T_now_place, place.points_camera)) - 0.5
        size = np.array([self._camera.width, self._camera.height])
        with np.errstate(invalid="ignore"):
            inside = np.all((expected > 0) & (expected < size), axis=1)
        if inside.sum() < FEWEST_LANDMARKS:
            return None
        before, after = Pyramid.of(place.grey), Pyramid.of(grey)
        there, good = follow(before, after, place.pixels[inside], expected[inside].astype(np.float32))
        if good.sum() < FEWEST_LANDMARKS:
            return None
        points = place.points_camera[inside][good]
        pixels = (shutter.steadied(there[good]) + 0.5).astype(np.float64)
        rows = np.arange(len(points))
        solved = refined(points, pixels, self._camera, T_now_place, rows, self._depth_share)
        if solved is None or len(solved[1]) < max(FEWEST_LANDMARKS, _SMALLEST_SHARE * good.sum()):
            return None
        rows = solved[1]
        return self._placed(place, solved[0], there[good][rows], points[rows], solved[2], True)


def _many(then: Features, now: Features) -> bool:
    """Whether features that do not fit are so many that a mere turn would not either."""
    return min(len(then.pixels), len(now.pixels)) >= _ENOUGH_FEATURES


def inverse_depths_in(T_world_camera: Matrix, points_world: Matrix) -> Vector:
    """Inverse depths of world points seen from a camera."""
    depth = (points_world - T_world_camera[:3, 3]) @ T_world_camera[:3, 2]
    return 1.0 / np.maximum(depth, 0.05)
