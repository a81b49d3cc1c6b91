"""A frame's observations as one table that compiled code can walk."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.pose import Matrix
from situ.memory.mind import Mind
from situ.perception.observation import Observation, ObservedFrame


def to_columns(mind: Mind, frame: ObservedFrame) -> NDArray[np.void]:
    """All that does not depend on the correction of the pose; `anchor` fills in the rest."""
    seen = frame.observations
    table = mind.observed(len(seen))
    if not seen:
        return table
    positions = np.array([o.position for o in seen], dtype=float)
    if positions.shape != (len(seen), 3) or not np.isfinite(positions).all():
        raise BadInput(f"an observation at {frame.time:g} s has no finite position (x, y, z) in metres")
    pose = frame.T_world_camera
    table["in_camera"] = (positions - pose[:3, 3]) @ pose[:3, :3]
    words = mind.words
    table["label"] = [words.label(o.label) for o in seen]
    table["score"] = [o.score for o in seen]
    table["clarity"] = [o.clarity for o in seen]
    table["features"] = [words.features(o.attributes) for o in seen]
    table["track_id"] = [-1 if o.track_id is None else o.track_id for o in seen]
    variance = np.array([o.sigma_m for o in seen]) ** 2
    covariance = table["covariance"]
    covariance[:, 0] = covariance[:, 3] = covariance[:, 5] = variance
    for k, o in enumerate(seen):
        if o.size is not None:
            table["size"][k] = o.size
        if o.covariance is not None:
            covariance[k] = _six(o)
    return table


@njit(cache=True)
def facing(pose: Matrix) -> tuple[float, float]:
    """Cosine and sine of a camera's heading; see `situ.geometry.pose.yaw_deg` for the view straight down."""
    x, y = pose[0, 2], pose[1, 2]
    length = math.sqrt(x * x + y * y)
    if length < 1e-6:
        sign = 1.0 if pose[2, 2] > 0 else -1.0
        x, y = pose[0, 1] * sign, pose[1, 1] * sign
        length = math.sqrt(x * x + y * y)
    return x / length, y / length


@njit(cache=True)
def anchor(observed: NDArray[np.void], pose: Matrix) -> None:
    """Put observations into the map as a pose sees them."""
    c, s = facing(pose)
    for i in range(observed.shape[0]):
        seen = observed[i]
        local = seen.in_camera
        x = pose[0, 0] * local[0] + pose[0, 1] * local[1] + pose[0, 2] * local[2]
        y = pose[1, 0] * local[0] + pose[1, 1] * local[1] + pose[1, 2] * local[2]
        z = pose[2, 0] * local[0] + pose[2, 1] * local[1] + pose[2, 2] * local[2]
        seen.position[0], seen.position[1], seen.position[2] = x + pose[0, 3], y + pose[1, 3], z + pose[2, 3]
        seen.offset[0], seen.offset[1], seen.offset[2] = x * c + y * s, y * c - x * s, z


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


def _six(o: Observation) -> tuple[float, ...]:
    matrix = np.asarray(o.covariance, dtype=float)
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or np.linalg.eigvalsh(matrix)[0] <= 0:
        raise BadInput(f"the covariance of a '{o.label}' is not a positive definite 3x3 matrix")
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = matrix.tolist()
    return xx, xy, xz, yy, yz, zz
