"""Depth of image points: measured values, uncertainties, and initial guesses where nothing was measured."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Vector
from situ.perception.odometry.images import Mask, Pixels

NEAREST_M, _MAX_DEPTH_M = 0.15, 12.0
_EDGE_JUMP = 0.06  # relative depth change around a pixel that marks an edge, where depth is unreliable
# Row and column offsets at which depth is read: the pixel and four around it.
_AROUND = np.array([[0, -2, 2, 0, 0], [0, 0, 0, -2, 2]])[..., None]
# Inverse depth and sigma without a measurement: from 1.7 m to infinity. Most such points are out of range,
# some are black or reflective.
_UNMEASURED = (0.1, 0.5)
_MIN_EDGE_SIGMA = 0.3  # relative, for a point next to measured depth


@dataclass(frozen=True)
class DepthUncertainty:
    """Relative standard deviations of estimated depth: of a common scale error, and of each pixel.

    Both are 0 for a depth sensor.
    """

    together: float = 0.0
    each: float = 0.0


SENSOR_DEPTH = DepthUncertainty()


def depth_sigma(depth: Vector, relative_sigma: float = 0.0) -> Vector:
    """Standard deviation in metres of time-of-flight or structured-light depth.

    `relative_sigma`: relative standard deviation of depth that a network estimated.
    """
    measured = 0.002 + 0.0025 * depth**2
    return np.asarray(np.hypot(measured, relative_sigma * depth)) if relative_sigma else measured


def sample_depth(depth: NDArray[np.floating], points: Pixels) -> tuple[Vector, Mask]:
    """Depth at the pixels of points, and a mask where it was measured and smooth."""
    around = _around(depth, points)
    middle, around = around[0], np.sort(around, axis=0)  # unmeasured values (NaN) sort last
    with np.errstate(invalid="ignore"):
        valid = (around[0] > NEAREST_M) & (around[-1] < _MAX_DEPTH_M)
        valid &= around[-1] - around[0] < _EDGE_JUMP * middle
    return np.where(valid, around[2], 1.0), valid


def first_guesses(
    depth: NDArray[np.floating], points: Pixels, relative_sigma: float = 0.0
) -> tuple[Vector, Vector]:
    """Initial inverse depths of new points and their standard deviations.

    At a depth edge the guess lies between both sides with a large sigma. This is better than no value,
    because a common bias of many points bends the path.
    """
    measured, valid = sample_depth(depth, points)
    around = _around(depth, points)
    with np.errstate(invalid="ignore", divide="ignore"):
        read = (around > NEAREST_M) & (around < _MAX_DEPTH_M)
        inverse = np.where(read, 1.0 / around, np.nan)
    low, high = np.fmin.reduce(inverse), np.fmax.reduce(inverse)
    edge = np.isfinite(low)
    guess = np.where(edge, (low + high) / 2, _UNMEASURED[0])
    unsure = np.where(edge, (high - low) / 2 + _MIN_EDGE_SIGMA * high, _UNMEASURED[1])
    exact = 1.0 / measured
    return np.where(valid, exact, guess), np.where(
        valid, depth_sigma(measured, relative_sigma) * exact**2, unsure
    )


def _around(depth: NDArray[np.floating], points: Pixels) -> NDArray[np.float64]:
    height, width = depth.shape
    columns = np.clip(np.rint(points[:, 0]).astype(int), 2, width - 3)
    rows = np.clip(np.rint(points[:, 1]).astype(int), 2, height - 3)
    read: NDArray[np.float64] = depth[rows + _AROUND[0], columns + _AROUND[1]].astype(float)
    return read
