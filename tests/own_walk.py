"""A walk around a room with boxes in it, as somebody might have recorded and annotated it."""

from pathlib import Path

import numpy as np

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording import FrameRecord, ObjectRecord, RecordingWriter, Visible

CAMERA = Camera(64, 48, 40.0, 40.0, 32.0, 24.0)
KINDS = (
    "chair", "chair", "chair", "lamp", "lamp", "coffee table", "sofa", "plant", "shelf", "piano", "mirror",
    "bin", "clock", "knife",
)  # fmt: skip
START_S = 5000.0  # clocks of recorders begin anywhere


def record_own_walk(folder: Path, mirror: bool = False, seconds: float = 240.0) -> Path:
    """Around a table four times, looking ahead, with things along the walls and in the middle."""
    sign = -1.0 if mirror else 1.0
    rng = np.random.default_rng(7)
    things = []
    for number, kind in enumerate(KINDS):
        angle = 2 * np.pi * number / len(KINDS)
        reach = 4.0 if number % 3 else 2.5
        size = tuple(float(v) for v in rng.uniform(0.25, 0.7, 3))
        center = (reach * np.cos(angle), sign * reach * np.sin(angle), size[2] / 2 + 0.3)
        things.append(ObjectRecord(number + 1, kind, Box(tuple(map(float, center)), size, 0.0), {}))
    hidden = ObjectRecord(99, "wardrobe", Box((0.0, 0.0, 40.0), (1.0, 1.0, 1.0), 0.0), {})
    with RecordingWriter(folder, CAMERA, images="none", fps=1.0) as writer:
        for thing in (*things, hidden):
            writer.add_object(thing)
        for index in range(int(seconds)):
            angle = 8 * np.pi * index / seconds
            spot = (2.8 * np.cos(angle), sign * 2.8 * np.sin(angle), 1.5)
            yaw = sign * (np.degrees(angle) + 90.0 + 40.0 * np.sin(index / 3.0))
            pose = camera_pose(spot, yaw)
            writer.add_frame(FrameRecord(index, START_S + index, pose, "", _visible(pose, things)))
    return folder


def _visible(pose: np.ndarray, things: list[ObjectRecord]) -> tuple[Visible, ...]:
    seen = []
    for thing in things:
        x, y, z = (np.asarray(thing.box.center) - pose[:3, 3]) @ pose[:3, :3]
        if z > 0.3 and abs(x / z) < 0.8 and abs(y / z) < 0.6:
            size = np.prod(np.asarray(thing.box.size)[[0, 2]]) / z**2
            pixels = round(min(0.5 * CAMERA.width * CAMERA.height, size * CAMERA.fx * CAMERA.fy))
            seen.append(Visible(thing.id, pixels, pixels / (CAMERA.width * CAMERA.height)))
    return tuple(seen)
