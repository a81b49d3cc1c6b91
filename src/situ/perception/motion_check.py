"""A classical second opinion on poses of networks: did the camera move at all, or did the head only turn?"""

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.images import Grey, bearings, grey_of
from situ.perception.odometry.images import pixels as to_pixels
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.rotation import Thumbnail, coarse_turn, fit_rotation
from situ.recording.codec import Rgb

_STILL_PX = 1.2  # what a turn leaves over of nine in ten points when nobody moved
_FEWEST = 40


class StandingCheck:
    """Holds the place of a pose while the pictures show a turn on the spot."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._last: tuple[Grey, Thumbnail] | None = None
        self._offset: Vector = np.zeros(3)  # all the moves that were not believed so far
        self._given: Vector = np.zeros(3)

    def only_turned(self, rgb: Rgb) -> bool:
        """Whether a rotation alone explains how the picture changed since the last call."""
        grey = grey_of(rgb, self._camera)
        small = Thumbnail.of(grey, self._camera)
        before, self._last = self._last, (grey, small)
        if before is None:
            return False
        points = new_points(before[0], np.zeros((0, 2), np.float32))
        if len(points) < _FEWEST:
            return False
        turn, _ = coarse_turn(before[1], small, np.eye(3))
        rays = np.concatenate([bearings(self._camera, points), np.ones((len(points), 1))], axis=1) @ turn.T
        guesses = to_pixels(self._camera, rays[:, :2] / np.maximum(rays[:, 2:], 0.1))
        there, good = follow(Pyramid.of(before[0]), Pyramid.of(grey), points, guesses)
        if good.sum() < _FEWEST:
            return False
        first, second = bearings(self._camera, points[good]), bearings(self._camera, there[good])
        _, left_over = fit_rotation(first, second, turn, (self._camera.fx + self._camera.fy) / 2)
        return bool(np.percentile(left_over, 90) < _STILL_PX)

    def checked(self, rgb: Rgb, T_world_camera: Matrix) -> Matrix:
        """The pose, with its place held where the camera only turned."""
        if self.only_turned(rgb):
            self._offset = self._offset + self._given - T_world_camera[:3, 3]
        self._given = T_world_camera[:3, 3].copy()
        return rigid(T_world_camera[:3, :3], T_world_camera[:3, 3] + self._offset)
