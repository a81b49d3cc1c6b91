"""Frames of a training set: encoding and files, and detection of blank frames.

Neither camera motion nor content can be told from a bare wall. Frames are judged as decoded from the stored
files, because compression removes faint edges.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from situ.recording.codec import Rgb

JPEG_QUALITY = 92  # of stored frames


def encoded(image: Rgb) -> bytes:
    """A frame as the bytes of its file."""
    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def decoded(data: bytes) -> Rgb | None:
    """The image in a frame's file, or None if it is unreadable."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return None if picture is None else picture[:, :, ::-1]


def save_frames(folder: Path, name: str, images: Sequence[Rgb]) -> tuple[str, ...]:
    """Write frames as JPEG files; returns their paths within the set."""
    (folder / "media" / name).mkdir(parents=True, exist_ok=True)
    found = []
    for index, image in enumerate(images):
        path = f"media/{name}/{index:04d}.jpg"
        (folder / path).write_bytes(encoded(image))
        found.append(path)
    return tuple(found)


STEP = 8.0  # grey level difference between neighbours that counts as an edge
MIN_EDGES = 0.02  # share of pixels; a frame with one object has three times that
MAX_BLANK = 0.5  # share of a clip's frames
# Scene descriptions that name no object.
BARE = ("Bare walls and floor.", "Nothing but walls and floor is in view.")


def edge_share(picture: Rgb) -> float:
    """Share of pixels at edges."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    across, down = np.abs(np.diff(grey, axis=1))[:-1], np.abs(np.diff(grey, axis=0))[:, :-1]
    return float(((across > STEP) | (down > STEP)).mean())


def is_blank(kept: Rgb) -> bool:
    """Whether a frame, decoded from its file, shows a bare surface."""
    return edge_share(kept) < MIN_EDGES


def too_blank(blank: Iterable[bool]) -> bool:
    """Whether too many of a clip's frames are blank."""
    frames = list(blank)
    return sum(frames) > MAX_BLANK * len(frames)


def would_be_blank(images: Iterable[Rgb]) -> bool:
    """Whether a clip of these images will be too blank once it is stored."""
    kept = (decoded(encoded(image)) for image in images)
    return too_blank(picture is not None and is_blank(picture) for picture in kept)
