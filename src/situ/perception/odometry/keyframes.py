"""Keyframes: anchors of landmarks, and places that can be recognised again later or after getting lost."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, inverse, rigid, transform
from situ.perception.odometry.features import Features, pose_from, posed_by
from situ.perception.odometry.images import Grey
from situ.perception.odometry.tracks import Pixels, follow
from situ.perception.odometry.turning import Thumbnail, coarse_turn, matched_turn

_FEWEST_MATCHES = 25
_SMALLEST_SHARE = 0.6  # of the landmarks that could be followed must agree on one pose
_REPROJECTION_PX = 2.5
_REMEMBERED = 80
_ENOUGH_FEATURES = 60  # where so many do not fit, a mere turn does not either
_LIKELY_PLACES = 4
_LATEST_PLACES = 2  # whatever they look like now: who gets lost is mostly still near
# A place is old news only after several other keyframes; nearer than that, tracking knows better.
_OLD_KEYFRAMES = 8
_FARTHEST_AGAIN_M, _WIDEST_AGAIN_DEG = 1.0, 20.0


@dataclass(frozen=True, eq=False)
class Place:
    """What a keyframe looked like, and where its landmarks are in that camera's axes."""

    keyframe: int
    grey: Grey
    small: Thumbnail
    pixels: Pixels
    points_camera: Matrix


@dataclass(frozen=True, eq=False)
class Recognised:
    """A frame matched to a remembered place: its pose, and the landmarks that agreed."""

    keyframe: int
    T_world_camera: Matrix
    pixels: Pixels
    points_world: Matrix


class Keyframes:
    """Poses of all keyframes, and the looks of as many as are worth remembering."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self.poses: NDArray[np.float64] = np.zeros((0, 4, 4))
        self.steps: list[int] = []  # the number of the frame that each keyframe was
        self.places: list[Place] = []
        self._features: dict[int, Features] = {}  # of places that were compared with a frame

    def add(self, T_world_camera: Matrix, step: int) -> int:
        self.poses = np.concatenate([self.poses, T_world_camera[None]])
        self.steps.append(step)
        return len(self.poses) - 1

    def remember(
        self, keyframe: int, grey: Grey, small: Thumbnail, pixels: Pixels, points_camera: Matrix
    ) -> None:
        """Keep what a keyframe looks like. When there are too many, every second of the older half goes."""
        if len(pixels) < _FEWEST_MATCHES:
            return
        self.places.append(Place(keyframe, grey, small, pixels, points_camera))
        if len(self.places) > _REMEMBERED:
            del self.places[1 : _REMEMBERED // 2 : 2]
            kept = {place.keyframe for place in self.places}
            self._features = {n: features for n, features in self._features.items() if n in kept}

    def recognise(self, grey: Grey, small: Thumbnail, before: int | None = None) -> Recognised | None:
        """The pose of a frame from nothing but its likeness to remembered places; None if like none.

        `before` leaves out the keyframes from that number on.
        """
        places = [place for place in self.places if before is None or place.keyframe < before]
        likeness = [coarse_turn(place.small, small, np.eye(3))[1] for place in places]
        likely = np.argsort(likeness)[::-1][:_LIKELY_PLACES].tolist()
        latest = [i for i in range(len(places))[-_LATEST_PLACES:] if i not in likely]
        now = Features.of(grey)
        found = [self._compare(places[number], grey, now) for number in likely + latest]
        return max((one for one in found if one is not None), key=lambda one: len(one.pixels), default=None)

    def _compare(self, place: Place, grey: Grey, now: Features) -> Recognised | None:
        """Match a place to a frame that may have been taken from some way off, or from the same spot."""
        if place.keyframe not in self._features:
            self._features[place.keyframe] = Features.of(place.grey).near(place.pixels)
        placed = posed_by(self._features[place.keyframe], place.points_camera, now, self._camera)
        found = None if placed is None else self._match(place, grey, placed.T_now_then)
        if found is not None:
            return found
        if placed is not None and placed.sure:  # a blurred frame: features are found where following fails
            anchor = self.poses[place.keyframe]
            points = transform(anchor, placed.points_then)
            return Recognised(place.keyframe, anchor @ inverse(placed.T_now_then), placed.pixels_now, points)
        if min(len(now.pixels), len(self._features[place.keyframe].pixels)) >= _ENOUGH_FEATURES:
            return None
        turn = matched_turn(place.grey, grey, self._camera)
        return None if turn is None else self._match(place, grey, rigid(turn, np.zeros(3)))

    def seen_again(self, grey: Grey, T_world_camera: Matrix) -> Recognised | None:
        """An older place that this frame should see again if the pose is right, matched to it; or None."""
        old = [place for place in self.places if place.keyframe <= len(self.poses) - _OLD_KEYFRAMES]
        if not old:
            return None
        poses = self.poses[[place.keyframe for place in old]]
        facing = np.clip(poses[:, :3, 2] @ T_world_camera[:3, 2], -1.0, 1.0)
        away = np.linalg.norm(poses[:, :3, 3] - T_world_camera[:3, 3], axis=1)
        unlikeness = away / _FARTHEST_AGAIN_M + np.degrees(np.arccos(facing)) / _WIDEST_AGAIN_DEG
        best = int(np.argmin(unlikeness))
        if unlikeness[best] > 1.0:
            return None
        return self._match(old[best], grey, inverse(T_world_camera) @ poses[best])

    def _match(self, place: Place, grey: Grey, T_now_place: Matrix) -> Recognised | None:
        """Follow a place's landmarks into a frame from where they should be, and solve for its pose."""
        expected = self._camera.project(transform(T_now_place, place.points_camera)) - 0.5
        size = np.array([self._camera.width, self._camera.height])
        with np.errstate(invalid="ignore"):
            inside = np.all((expected > 0) & (expected < size), axis=1)
        if inside.sum() < _FEWEST_MATCHES:
            return None
        there, good = follow(place.grey, grey, place.pixels[inside], expected[inside].astype(np.float32))
        if good.sum() < _FEWEST_MATCHES:
            return None
        points = place.points_camera[inside][good]
        solved = pose_from(points, (there[good] + 0.5).astype(np.float64), self._camera, _REPROJECTION_PX)
        if solved is None or len(solved[1]) < max(_FEWEST_MATCHES, _SMALLEST_SHARE * good.sum()):
            return None
        rows = solved[1]
        anchor = self.poses[place.keyframe]
        pose = anchor @ inverse(solved[0])
        return Recognised(place.keyframe, pose, there[good][rows], transform(anchor, points[rows]))


def inverse_depths_in(T_world_camera: Matrix, points_world: Matrix) -> Vector:
    """Inverse depths of world points seen from a camera."""
    depth = (points_world - T_world_camera[:3, 3]) @ T_world_camera[:3, 2]
    return 1.0 / np.maximum(depth, 0.05)
