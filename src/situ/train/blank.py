"""Clips that show nothing: from a bare wall nobody can tell how the camera moved, or what is there.

A frame is judged by the file that a set keeps of it: compression takes faint edges away, so the picture that
was drawn and the one that a model will see need not agree. Maker and check of a set both ask here.
"""

from collections.abc import Iterable

import cv2
import numpy as np

from situ.recording.codec import Rgb
from situ.train.frames import decoded, encoded

STEP = 8.0  # grey levels between neighbours that make an edge
LEAST_EDGES = 0.02  # share of the pixels; a frame with one thing in it has three times that
MOST_BLANK = 0.5  # share of a clip's frames
# What a scene says that names no thing.
BARE = ("Bare walls and floor.", "Nothing but walls and floor is in view.")


def edge_share(picture: Rgb) -> float:
    """The share of pixels at which brightness jumps."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    across, down = np.abs(np.diff(grey, axis=1))[:-1], np.abs(np.diff(grey, axis=0))[:, :-1]
    return float(((across > STEP) | (down > STEP)).mean())


def is_blank(kept: Rgb) -> bool:
    """Whether a frame, as it came back from its file, shows a bare surface."""
    return edge_share(kept) < LEAST_EDGES


def too_blank(blank: Iterable[bool]) -> bool:
    """Whether too many of a clip's frames are blank."""
    frames = list(blank)
    return sum(frames) > MOST_BLANK * len(frames)


def would_be_blank(images: Iterable[Rgb]) -> bool:
    """Whether a clip of these pictures will be too blank once it is kept."""
    kept = (decoded(encoded(image)) for image in images)
    return too_blank(picture is not None and is_blank(picture) for picture in kept)
