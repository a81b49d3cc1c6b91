"""Check of a recording's conventions: depth of one frame must agree with depth of later frames."""

from typing import NamedTuple

import numpy as np

from situ.geometry.pose import Vector, inverse, transform
from situ.recording.reader import Recording


class Agreement(NamedTuple):
    """Depth projected into later frames, compared with the depth measured there."""

    median_m: float
    pixels: int
    frame_pairs: int


def depth_agreement(recording: Recording, gap: int = 10, every: int = 5, stride: int = 3) -> Agreement | None:
    """Median difference over all pixels that two frames `gap` apart share; None without overlap.

    Wrong axes, scale, quaternion order or pose direction give metres, right ones centimetres.
    """
    differences = []
    pairs = 0
    for first in range(0, len(recording) - gap, every):
        found = _differences(recording, first, first + gap, stride)
        if len(found):
            differences.append(found)
            pairs += 1
    if not differences:
        return None
    pooled = np.concatenate(differences)
    return Agreement(float(np.median(pooled)), len(pooled), pairs)


def _differences(recording: Recording, first: int, second: int, stride: int) -> Vector:
    camera = recording.camera
    here, there = recording.path.poses[first], recording.path.poses[second]
    points = camera.points(recording.depth(first).astype(float))[::stride, ::stride].reshape(-1, 3)
    points = points[np.isfinite(points[:, 2])]
    moved = transform(inverse(there) @ here, points)
    moved = moved[moved[:, 2] > 0.1]
    pixels = np.floor(camera.project(moved)).astype(int)
    inside = (pixels >= 0).all(axis=1) & (pixels < (camera.width, camera.height)).all(axis=1)
    measured = recording.depth(second)[pixels[inside, 1], pixels[inside, 0]]
    known = measured > 0
    return np.asarray(np.abs(measured[known] - moved[inside, 2][known]), dtype=float)
