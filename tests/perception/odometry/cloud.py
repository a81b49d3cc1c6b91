"""A world of points that look different from each other, and what a walk through it sees of them."""

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception.odometry.features import Features
from situ.perception.odometry.visual_map import MapView, VisualMap

CAMERA = Camera.from_fov(640, 480, 70)


class Cloud:
    def __init__(self, seed, count=4000):
        rng = np.random.default_rng(seed)
        self.points = rng.uniform((-5, -5, 0), (5, 5, 2.6), (count, 3))
        self.looks = rng.integers(0, 256, (count, 32), dtype=np.uint8)

    def view(self, time, pose, rng, told=None, scale=1.0):
        """What a camera at `pose` sees, told as if it stood at `told`, in units of `scale` metres."""
        local = transform(inverse(pose), self.points)
        pixels = CAMERA.project(local)
        with np.errstate(invalid="ignore"):
            seen = np.all((pixels > 0) & (pixels < (640, 480)), axis=1) & (local[:, 2] < 6)
        rows = rng.permutation(np.flatnonzero(seen))[:300]
        flips = np.packbits(rng.random((len(rows), 256)) < 0.06, axis=1)
        pixels = pixels[rows] + rng.normal(0, 0.5, (len(rows), 2))
        depth = local[rows, 2] * (1 + rng.normal(0, 0.01, len(rows)))
        features = Features(pixels.astype(np.float32), self.looks[rows] ^ flips)
        return MapView.of(
            time, pose if told is None else told, features, CAMERA.backproject(pixels, depth / scale)
        )


def walk(rng, count=12):
    """Poses along a bend through the cloud, some of them looking elsewhere."""
    turn, start = rng.uniform(-180, 180), rng.uniform(-1.5, 1.5, 2)
    poses = []
    for k in range(count):
        way = np.radians(turn + 8 * k)
        start = start + 0.2 * np.array([np.cos(way), np.sin(way)])
        poses.append(camera_pose((*start, 1.5), turn + 20 * k, rng.uniform(-15, 5)))
    return poses


def map_along(cloud, poses, rng, move=None, scale=1.0, metric=True):
    """The map of a walk, told in a world that `move` (T_old_new) takes back into the cloud's."""
    views = []
    for k, pose in enumerate(poses):
        told = pose if move is None else inverse(move) @ pose
        told = told.copy()
        told[:3, 3] /= scale
        views.append(cloud.view(float(k), pose, rng, told, scale))
    return VisualMap(tuple(views), metric)
