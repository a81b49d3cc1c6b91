"""Clips that show nothing: from a bare wall nobody can tell how the camera moved, or what is there."""

import cv2
import numpy as np

from situ.recording.codec import Rgb

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


def is_blank(picture: Rgb) -> bool:
    return edge_share(picture) < LEAST_EDGES
