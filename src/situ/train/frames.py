"""Frames of a training set on disk."""

from collections.abc import Sequence
from pathlib import Path

import cv2

from situ.recording.codec import Rgb

JPEG_QUALITY = 92


def save_frames(folder: Path, name: str, images: Sequence[Rgb]) -> tuple[str, ...]:
    """Frames as JPEG files; gives their paths within the set."""
    (folder / "media" / name).mkdir(parents=True, exist_ok=True)
    found = []
    for index, image in enumerate(images):
        path = f"media/{name}/{index:04d}.jpg"
        cv2.imwrite(str(folder / path), image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        found.append(path)
    return tuple(found)
