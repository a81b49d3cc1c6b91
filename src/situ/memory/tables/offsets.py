"""Where objects are to the wearer, ahead, left and up, and where that is in the map."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix

_DOWN = 1e-6  # of a view straight down or up so little is left over the ground, by rounding


@njit(cache=True)
def facing(pose: Matrix) -> tuple[float, float]:
    """Cosine and sine of a camera's heading; see `situ.geometry.pose.yaw_deg` for the view straight down."""
    x, y = pose[0, 2], pose[1, 2]
    length = math.sqrt(x * x + y * y)
    if length < _DOWN:
        sign = 1.0 if pose[2, 2] > 0 else -1.0
        x, y = pose[0, 1] * sign, pose[1, 1] * sign
        length = math.sqrt(x * x + y * y)
    return x / length, y / length


@njit(cache=True)
def from_offset(offset: NDArray[np.float64], pose: Matrix) -> NDArray[np.float64]:
    """Points (n, 3) that keep their place relative to the wearer (ahead, left, up), in the map."""
    c, s = facing(pose)
    points = np.empty((offset.shape[0], 3))
    for i in range(offset.shape[0]):
        points[i, 0] = offset[i, 0] * c - offset[i, 1] * s + pose[0, 3]
        points[i, 1] = offset[i, 0] * s + offset[i, 1] * c + pose[1, 3]
        points[i, 2] = offset[i, 2] + pose[2, 3]
    return points


def along(offsets: NDArray[np.float64], poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 3) that are where they are to the wearer, one for each of some poses (n, 4, 4): each as
    `from_offset` has it, to the last bit."""
    x, y = poses[:, 0, 2], poses[:, 1, 2]
    down = np.sqrt(x * x + y * y) < _DOWN
    sign = np.where(poses[:, 2, 2] > 0, 1.0, -1.0)
    x, y = np.where(down, poses[:, 0, 1] * sign, x), np.where(down, poses[:, 1, 1] * sign, y)
    length = np.sqrt(x * x + y * y)
    (c, s), (ahead, left, up) = (x / length, y / length), offsets.T
    return np.column_stack(
        [ahead * c - left * s + poses[:, 0, 3], ahead * s + left * c + poses[:, 1, 3], up + poses[:, 2, 3]]
    )


@njit(cache=True)
def distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@njit(cache=True)
def norm3(v: NDArray[np.float64]) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
