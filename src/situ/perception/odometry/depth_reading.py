"""What a depth image says of points: their depth where it was measured, and a guess where it was not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Vector
from situ.perception.odometry.tracks import Mask, Pixels

NEAREST_M, _FARTHEST_M = 0.15, 12.0
_EDGE_JUMP = 0.06  # relative change of depth around a pixel that marks an edge, where depth is unreliable
# Rows and columns of a pixel and of four around it, at which depth is read.
_AROUND = np.array([[0, -2, 2, 0, 0], [0, 0, 0, -2, 2]])[..., None]
# Inverse depth where nothing was measured around a point. Most such things are too far off, some are black or
# shine: from 1.7 m to infinity.
_UNMEASURED = (0.1, 0.5)
_AT_AN_EDGE = 0.3  # relative: the least doubt of a point beside which depth was measured


@dataclass(frozen=True)
class DepthDoubt:
    """Shares by which depths that were told from a picture are off: all of them together, and each of them.
    Those of a sensor are not off together."""

    together: float = 0.0
    each: float = 0.0


SENSED = DepthDoubt()


def depth_sigma(depth: Vector, doubt: float = 0.0) -> Vector:
    """Standard deviation of a structured-light or time-of-flight depth, in metres; or, with the share by
    which each may be off, of those that were told from the picture."""
    measured = 0.002 + 0.0025 * depth**2
    return np.asarray(np.hypot(measured, doubt * depth)) if doubt else measured


def sample_depth(depth: NDArray[np.floating], points: Pixels) -> tuple[Vector, Mask]:
    """Depth at the pixels of points, and whether it was measured and smooth around each."""
    around = _around(depth, points)
    middle, around = around[0], np.sort(around, axis=0)  # what was not measured at all (NaN) comes last
    with np.errstate(invalid="ignore"):
        valid = (around[0] > NEAREST_M) & (around[-1] < _FARTHEST_M)
        valid &= around[-1] - around[0] < _EDGE_JUMP * middle
    return np.where(valid, around[2], 1.0), valid


def first_guesses(depth: NDArray[np.floating], points: Pixels, doubt: float = 0.0) -> tuple[Vector, Vector]:
    """Inverse depths of points that were never seen before, and their deviations.

    A point at an edge is as far as one of its sides, or between them; that is not known, but much better than
    nothing: what errs alike in many points bends the path.
    """
    measured, valid = sample_depth(depth, points)
    around = _around(depth, points)
    with np.errstate(invalid="ignore", divide="ignore"):
        read = (around > NEAREST_M) & (around < _FARTHEST_M)
        inverse = np.where(read, 1.0 / around, np.nan)
    low, high = np.fmin.reduce(inverse), np.fmax.reduce(inverse)
    edge = np.isfinite(low)
    guess = np.where(edge, (low + high) / 2, _UNMEASURED[0])
    unsure = np.where(edge, (high - low) / 2 + _AT_AN_EDGE * high, _UNMEASURED[1])
    exact = 1.0 / measured
    return np.where(valid, exact, guess), np.where(valid, depth_sigma(measured, doubt) * exact**2, unsure)


def _around(depth: NDArray[np.floating], points: Pixels) -> NDArray[np.float64]:
    height, width = depth.shape
    columns = np.clip(np.rint(points[:, 0]).astype(int), 2, width - 3)
    rows = np.clip(np.rint(points[:, 1]).astype(int), 2, height - 3)
    read: NDArray[np.float64] = depth[rows + _AROUND[0], columns + _AROUND[1]].astype(float)
    return read
