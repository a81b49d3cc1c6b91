"""Views: the mapping from pixels to rays, for cameras and for the sun.

A pixel (x, y) and a *nearness* s define the homogeneous world point `x*X + y*Y + O + s*M`, with the columns
of a view's 4x4 matrix. For a camera, O, X, Y span the ray direction and M is the camera position, so s is 1 /
depth. For the sun, O, X, Y span the ray origin and M points to the sun, so s is minus the distance along the
ray. In both cases a larger s is nearer, and s is *linear in (x, y)* on every plane, so one rasteriser serves
both.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, product

NEAR = 0.02  # metres: solids closer to the camera are not drawn


class View(NamedTuple):
    """`rays` has the columns X, Y, O, M; `to_pixel` (3, 4) maps a world point to (x*w, y*w, w)."""

    rays: NDArray[np.float64]
    to_pixel: NDArray[np.float64]
    width: int
    height: int
    s_least: float  # end of the rays: 0 for a camera, whose rays reach infinity
    s_most: float  # start of the rays: 1 / NEAR for a camera


def camera_view(camera: Camera, T_world_camera: Matrix) -> View:
    fx, fy = camera.fx, camera.fy
    to_ray = np.array([[1 / fx, 0.0, -camera.cx / fx], [0.0, 1 / fy, -camera.cy / fy], [0.0, 0.0, 1.0]])
    rays = np.zeros((4, 4))
    rays[:3, :3] = product(T_world_camera[:3, :3], to_ray)
    rays[:3, 3] = T_world_camera[:3, 3]
    rays[3, 3] = 1.0
    to_pixel = product(camera.matrix, inverse(T_world_camera)[:3])
    return View(rays, np.ascontiguousarray(to_pixel), camera.width, camera.height, 0.0, 1.0 / NEAR)


def sun_view(direction: NDArray[np.float64], corners: Matrix, size: int) -> View:
    """Parallel rays from `direction` (unit vector towards the sun) that cover world points (n, 3)."""
    right = np.array([-direction[1], direction[0], 0.0])
    norm = math.hypot(right[0], right[1])
    right = right / norm if norm > 1e-9 else np.array([1.0, 0.0, 0.0])
    down = np.cross(direction, right)
    across, along = (corners * right).sum(axis=1), (corners * down).sum(axis=1)
    extent = max(np.ptp(across), np.ptp(along), 1.0)
    pitch = extent / (size - 4)  # keeps a border of two texels empty
    rays = np.zeros((4, 4))
    rays[:3, 0], rays[:3, 1], rays[:3, 3] = right * pitch, down * pitch, direction
    rays[:3, 2] = right * (across.min() - 2 * pitch) + down * (along.min() - 2 * pitch)
    rays[3, 2] = 1.0
    to_pixel = np.zeros((3, 4))
    to_pixel[0, :3], to_pixel[0, 3] = right / pitch, 2.0 - across.min() / pitch
    to_pixel[1, :3], to_pixel[1, 3] = down / pitch, 2.0 - along.min() / pitch
    to_pixel[2, 3] = 1.0
    width = min(size, math.ceil(np.ptp(across) / pitch) + 4)
    height = min(size, math.ceil(np.ptp(along) / pitch) + 4)
    return View(rays, to_pixel, width, height, -1e30, 1e30)
