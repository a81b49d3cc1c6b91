"""A floor, a table and a few boxes on them, ray-cast in numpy: depth and colour with known truth."""

import numpy as np

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose

CAMERA = Camera.from_fov(320, 240, 75)
TABLE = Box((2.0, 0.0, 0.72), (1.2, 1.6, 0.04))
RED = Box((1.9, 0.35, 0.84), (0.2, 0.2, 0.2))
BLUE = Box((2.1, -0.3, 0.80), (0.15, 0.25, 0.12))
STOOL = Box((3.2, 1.75, 0.25), (0.4, 0.4, 0.5))
COLOURS = {
    0: (120, 110, 100),
    1: (150, 120, 80),
    2: (200, 30, 30),
    3: (30, 50, 200),
    4: (40, 160, 60),
    5: (205, 205, 200),
}
WALL_X = 5.0


def view(position, yaw_deg, pitch_deg, camera=CAMERA, noise=0.0, seed=0):
    """(rgb, depth, pose) of the scene; the wall stands at x = 5 m and the floor lies at z = 0."""
    pose = camera_pose(position, yaw_deg, pitch_deg)
    rays = camera.points(np.ones((camera.height, camera.width))) @ pose[:3, :3].T
    origin = np.asarray(position, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        floor = np.where(rays[..., 2] < 0, -origin[2] / rays[..., 2], np.inf)
        wall = np.where(rays[..., 0] > 0, (WALL_X - origin[0]) / rays[..., 0], np.inf)
    hits = [floor, *(_box_hit(origin, rays, box) for box in (TABLE, RED, BLUE, STOOL)), wall]
    nearest = np.argmin(hits, axis=0)
    depth = np.min(hits, axis=0)
    rng = np.random.default_rng(seed)
    depth = depth + noise * np.minimum(depth, 50) ** 2 * rng.normal(size=depth.shape)
    rgb = np.array([COLOURS[i] for i in range(6)], np.uint8)[nearest]
    speckle = rng.integers(-12, 12, (*depth.shape, 1))
    return np.clip(rgb + speckle, 0, 255).astype(np.uint8), depth.astype(np.float32), pose


def _box_hit(origin, rays, box):
    low, high = np.array(box.center) - np.array(box.size) / 2, np.array(box.center) + np.array(box.size) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - origin) / rays, (high - origin) / rays
    near, far = np.minimum(a, b).max(axis=-1), np.maximum(a, b).min(axis=-1)
    return np.where((near < far) & (near > 0), near, np.inf)
