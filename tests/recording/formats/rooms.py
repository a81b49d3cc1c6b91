"""A bare room seen by a moving camera, computed ray by ray: a second opinion for the readers."""

import numpy as np

from situ.geometry.pose import camera_pose

LOW, HIGH = np.array([-3.0, -2.0, 0.0]), np.array([3.0, 2.0, 2.5])
PICTURE = 7  # the id of a picture on the wall ahead: a patch of the wall x = 3
PICTURE_LOW, PICTURE_HIGH = np.array([-0.5, 1.0]), np.array([0.5, 1.6])  # in y and z


def walk(count: int = 12) -> np.ndarray:
    """A camera that walks and turns a little in the room."""
    return np.stack([camera_pose((-1 + 0.05 * i, 0.2, 1.5), 2.0 * i - 10, -5.0) for i in range(count)])


def cast(pose: np.ndarray, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance along each unit ray (..., 3) in camera axes to the room's walls, and the id that it meets."""
    world = rays @ pose[:3, :3].T
    with np.errstate(divide="ignore", invalid="ignore"):
        walls = np.where(world > 0, HIGH - pose[:3, 3], LOW - pose[:3, 3]) / world
    distance = np.nanmin(np.where(walls > 0, walls, np.nan), axis=-1)
    hit = pose[:3, 3] + world * distance[..., None]
    on_picture = (np.abs(hit[..., 0] - HIGH[0]) < 1e-6) & np.all(
        (hit[..., 1:] > PICTURE_LOW) & (hit[..., 1:] < PICTURE_HIGH), axis=-1
    )
    return distance, np.where(on_picture, PICTURE, 0)
