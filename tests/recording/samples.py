"""Small recordings to test with."""

import pathlib
from typing import Any

import numpy as np

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording import Event, FrameRecord, ObjectRecord, RecordingWriter, visible_objects
from situ.worlds.scene import Material, Part, Scene, SceneObject

CAMERA = Camera.from_fov(64, 48, 90.0)
CHAIR = ObjectRecord(1, "chair", Box((1.0, 2.0, 0.5), (0.5, 0.5, 1.0), 30.0), {"colour": "grün"})
LAMP = ObjectRecord(7, "lamp", Box((3.0, 2.0, 0.5), (0.2, 0.2, 1.0)))
SCENE = Scene(
    (
        SceneObject(
            1, "chair", (1.0, 2.0, 0.0), (Part("box", (1.0, 1.0, 1.0), (0.0, 0.0, 0.5), Material((1, 0, 0))),)
        ),
    )
)


def picture(number: int, camera: Camera = CAMERA) -> np.ndarray:
    """Twelve blocks of black and white that spell the number in binary, so no two frames look alike."""
    image = np.full((camera.height, camera.width, 3), 128, np.uint8)
    for bit in range(12):
        row, column = divmod(bit, 4)
        image[row * 16 : row * 16 + 16, column * 16 : column * 16 + 16] = 235 if number >> bit & 1 else 20
    return image


def number_of(image: np.ndarray) -> int:
    """The number that `picture` spelt."""
    return sum((int(image[bit // 4 * 16 + 8, bit % 4 * 16 + 8, 0]) > 128) << bit for bit in range(12))


def id_image(index: int, camera: Camera = CAMERA) -> np.ndarray:
    ids = np.zeros((camera.height, camera.width), np.uint16)
    ids[10:20, index % 30 : index % 30 + 10] = CHAIR.id
    ids[25:30, 5:9] = LAMP.id
    return ids


def depth_image(index: int, camera: Camera = CAMERA) -> np.ndarray:
    rows = np.arange(camera.height, dtype=np.float32)[:, None]
    return np.repeat(1.0 + index + rows / 7, camera.width, axis=1).astype(np.float32)


def frame(index: int, ids: np.ndarray | None = None) -> FrameRecord:
    pose = camera_pose((0.1 * index, 0.0, 1.6), 3.0 * index, -10.0)
    return FrameRecord(
        index, 5.0 + index / 10, pose, "forward", visible_objects(ids) if ids is not None else ()
    )


def write(folder: pathlib.Path, count: int = 5, camera: Camera = CAMERA, **options: Any) -> pathlib.Path:
    """A recording of `count` frames with everything in it."""
    options = {"store_depth": True, "scene": SCENE, "meta": {"seed": 3}} | options
    with RecordingWriter(folder, camera, **options) as writer:
        writer.add_object(LAMP)
        writer.add_object(CHAIR)
        for index in range(count):
            ids = id_image(index, camera)
            writer.add_frame(frame(index, ids), picture(index, camera), depth_image(index, camera), ids)
        writer.add_event(Event(5.2, "moved", 7, {"to": [1.0, 2.0]}))
        writer.add_event(Event(5.1, "door opened"))
    return folder
