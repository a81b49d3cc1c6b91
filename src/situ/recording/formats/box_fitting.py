"""Boxes fitted to visible points of objects, for sources with instance labels but without boxes."""

from collections.abc import Mapping

import cv2
import numpy as np

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform
from situ.recording.codec import Depth, Ids

STRIDE = 4  # every so many pixels are used
MAX_POINTS = 20_000  # per object; more views are thinned
MIN_POINTS = 10  # of an object with a box
_TRIM = 1.0  # per cent of points at each end of an axis that are treated as outliers


class PointCollector:
    """Collects the points of every instance over a recording."""

    def __init__(self) -> None:
        self._points: dict[int, list[Matrix]] = {}

    def add(self, camera: Camera, T_world_camera: Matrix, depth: Depth, ids: Ids) -> None:
        points = camera.points(depth.astype(float))[::STRIDE, ::STRIDE].reshape(-1, 3)
        labels = ids[::STRIDE, ::STRIDE].reshape(-1)
        known = np.isfinite(points[:, 2]) & (labels > 0)
        world, labels = transform(T_world_camera, points[known]), labels[known]
        for label in np.unique(labels):
            mine = world[labels == label]
            kept = self._points.setdefault(int(label), [])
            room = max(0, MAX_POINTS - sum(len(part) for part in kept))
            if room:
                kept.append(mine[:: max(1, -(-len(mine) // room))])

    def boxes(self) -> Mapping[int, Box]:
        """Upright box of each instance with enough points."""
        gathered = {label: np.concatenate(parts) for label, parts in self._points.items() if parts}
        return {label: fitted_box(points) for label, points in gathered.items() if len(points) >= MIN_POINTS}


def fitted_box(points: Matrix) -> Box:
    """Smallest upright box around points (n, 3), without outliers at the ends of its axes."""
    (_, _), (width, height), angle = cv2.minAreaRect(points[:, :2].astype(np.float32))
    yaw = float(angle) if min(width, height) > 0 else 0.0
    local = Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), yaw).to_local(points)
    low, high = np.percentile(local, [_TRIM, 100 - _TRIM], axis=0)
    middle = Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), -yaw).to_local((low + high) / 2)
    size = np.maximum(high - low, 0.01)
    return Box(
        (float(middle[0]), float(middle[1]), float(middle[2])),
        (float(size[0]), float(size[1]), float(size[2])),
        yaw,
    )
