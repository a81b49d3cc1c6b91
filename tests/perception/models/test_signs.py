"""Words in the picture become names of things that have a place."""

import cv2
import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.perception.detection_eye import DetectedThings
from situ.perception.models.signs import SignReader, sign_name
from situ.perception.stages import InputFrame, Look

CAMERA = Camera.from_fov(640, 480, 70)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ROOM 204", "room 204 sign"),
        ("R00M 2O4", "room 204 sign"),
        ("  Exit ", "exit sign"),
        ("B12", "b12 sign"),
        ("101", "101 sign"),
        ("L0ST & F0UND", "lost found sign"),
        ("Müller-Platz", "müller-platz sign"),
        ("!", ""),
        ("x", ""),
        ("", ""),
        ("—::—", ""),
        ("word " * 20, ""),
    ],
)
def test_what_is_read_becomes_a_name(text: str, name: str) -> None:
    assert sign_name(text) == name


def corners(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


def test_a_sign_is_placed_and_what_is_doubtful_is_not_told() -> None:
    lines = [
        ("Room 204", 0.95, corners(300, 220, 340, 240)),
        ("blurred", 0.5, corners(10, 10, 60, 40)),
        ("exi", 0.97, corners(600, 200, 639, 240)),
        ("tiny", 0.99, corners(100, 100, 120, 106)),
    ]
    eye = DetectedThings(SignReader(lambda rgb: lines))
    frame = InputFrame(0, 0.0, np.zeros((480, 640, 3), np.uint8))
    depth = np.full((480, 640), 3.0, np.float32)
    (seen,) = eye.look(Look(frame, CAMERA, camera_pose((0, 0, 1.5), 0.0), depth))
    assert seen.label == "room 204 sign"
    assert abs(seen.position[0] - 3.0) < 0.2
    assert abs(seen.position[1]) < 0.1


def test_the_reader_itself_reads() -> None:
    pytest.importorskip("rapidocr", reason="needs situ[signs]")
    picture = np.full((240, 320, 3), 200, np.uint8)
    cv2.putText(picture, "EXIT 204", (50, 130), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (10, 10, 10), 3)
    found = SignReader().detect(picture)
    assert any("204" in label for label in found.labels)
