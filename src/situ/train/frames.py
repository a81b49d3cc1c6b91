"""Frames of a training set: how they are kept on disk, and how they come back."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from situ.recording.codec import Rgb

JPEG_QUALITY = 92


def encoded(image: Rgb) -> bytes:
    """A frame as the file that a set keeps."""
    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def decoded(data: bytes) -> Rgb | None:
    """The picture that a frame's file shows; None where it is no readable picture."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return None if picture is None else picture[:, :, ::-1]


def save_frames(folder: Path, name: str, images: Sequence[Rgb]) -> tuple[str, ...]:
    """Frames as JPEG files; gives their paths within the set."""
    (folder / "media" / name).mkdir(parents=True, exist_ok=True)
    found = []
    for index, image in enumerate(images):
        path = f"media/{name}/{index:04d}.jpg"
        (folder / path).write_bytes(encoded(image))
        found.append(path)
    return tuple(found)
