"""Rectification of fisheye images to upright pinhole images, for rotated cameras such as Aria's."""

import cv2
import numpy as np

from situ.geometry.axes import T_SENSOR_TURNED_CW
from situ.geometry.camera import Camera
from situ.geometry.fisheye import Fisheye624, rectifying_map
from situ.geometry.pose import Matrix
from situ.recording.codec import Depth, Ids, Rgb


class Rectifier:
    """Resamples images of a fisheye sensor to an upright pinhole camera at the same position."""

    def __init__(self, lens: Fisheye624, camera: Camera) -> None:
        self.lens, self.camera = lens, camera
        self._turn = T_SENSOR_TURNED_CW[:3, :3]
        # OpenCV has the first pixel centre at 0, situ at one half.
        looks = (rectifying_map(lens, camera, self._turn) - 0.5).astype(np.float32)
        self._map = (np.ascontiguousarray(looks[..., 0]), np.ascontiguousarray(looks[..., 1]))
        rays = camera.points(np.ones((camera.height, camera.width)))
        self._z_per_range = (1.0 / np.linalg.norm(rays, axis=-1)).astype(np.float32)

    def pose(self, T_world_sensor: Matrix) -> Matrix:
        """Pose of the upright camera."""
        return T_world_sensor @ T_SENSOR_TURNED_CW

    def rgb(self, picture: Rgb) -> Rgb:
        return np.asarray(cv2.remap(picture, *self._map, cv2.INTER_LINEAR), dtype=np.uint8)

    def ids(self, picture: Ids) -> Ids:
        return np.asarray(cv2.remap(picture, *self._map, cv2.INTER_NEAREST), dtype=np.uint16)

    def depth_from_range(self, distance: Depth) -> Depth:
        """Depth along the optical axis from distances along the rays."""
        straight = cv2.remap(distance, *self._map, cv2.INTER_NEAREST)
        return np.asarray(straight * self._z_per_range, dtype=np.float32)

    def pixels(self, sensor_pixels: Matrix) -> Matrix:
        """Upright pixels (..., 2) of fisheye pixels; NaN behind the upright camera."""
        return self.camera.project(self.lens.unproject(sensor_pixels) @ self._turn)
