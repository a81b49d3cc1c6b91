"""Frames for streams: a textured room seen by a camera that walks, with depth and poses."""

from functools import cache

import cv2
import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.serve.client import SentFrame

CAMERA = Camera.from_fov(160, 120, 80.0)
HELLO = {"width": 160, "height": 120, "fov_deg": 80.0, "depth": "u16mm-png", "poses": "T_world_camera"}
_WALL, _FLOOR = 4.0, -1.5


def sent(count: int, fps: float = 2.0) -> list[SentFrame]:
    """Somebody walks along a table with boxes on it."""
    return [_frame(i, i / fps) for i in range(count)]


@cache
def _frame(i: int, time: float) -> SentFrame:
    pose = camera_pose((0.05 * i, 0.3 * np.sin(0.2 * i), 1.5), 5.0 * np.sin(0.1 * i), -25.0)
    rays = (CAMERA.points(np.ones((120, 160)))) @ pose[:3, :3].T
    origin = pose[:3, 3]
    best = np.full((120, 160), np.inf)
    colour = np.zeros((120, 160, 3))
    for low, high, paint in _BOXES:
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (np.array(low) - origin) / rays, (np.array(high) - origin) / rays
        near, far = np.minimum(a, b).max(-1), np.maximum(a, b).min(-1)
        hit = (near < far) & (near > 0.05) & (near < best)
        best[hit] = near[hit]
        spot = origin + rays * near[..., None]
        grain = 20 * np.sin(23 * spot[..., 0]) * np.sin(19 * spot[..., 1] + 3) * np.sin(29 * spot[..., 2] + 1)
        colour[hit] = (np.array(paint) + grain[..., None])[hit]
    rgb = np.clip(colour, 0, 255).astype(np.uint8)
    depth = np.where(np.isfinite(best), best * 1000, 0).astype(np.uint16)
    jpeg = cv2.imencode(".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    return SentFrame(time, jpeg, pose.tolist(), None, cv2.imencode(".png", depth)[1].tobytes())


_BOXES = [
    ((-20, -20, -0.2), (20, 20, 0.0), (120, 110, 100)),
    ((6, -20, 0.0), (6.2, 20, 3.0), (180, 180, 170)),
    ((2.0, 0.4, 0.0), (2.4, 0.8, 0.5), (200, 40, 40)),
    ((2.6, -0.9, 0.0), (2.9, -0.5, 0.4), (40, 60, 200)),
    ((3.4, 0.0, 0.0), (3.9, 0.4, 0.7), (40, 160, 60)),
]
