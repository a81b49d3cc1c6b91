"""A frame's observations as one table that compiled code can walk."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.errors import BadInput
from situ.geometry.pose import Matrix
from situ.memory.mind import Mind
from situ.perception.observation import Observation, ObservedFrame

_NO_SIZE = (0.0, 0.0, 0.0)


def to_columns(mind: Mind, frame: ObservedFrame) -> NDArray[np.void]:
    """All that does not depend on the correction of the pose; `anchor` fills in the rest."""
    seen = frame.observations
    table = mind.observed(len(seen))
    if not seen:
        return table
    try:
        places = np.array([o.position for o in seen], dtype=float).reshape(len(seen), 3)
        sizes = np.array([_NO_SIZE if o.size is None else o.size for o in seen], dtype=float).reshape(
            len(seen), 3
        )
    except (TypeError, ValueError):
        raise BadInput(
            f"an observation at {frame.time:g} s needs a position (x, y, z) and, if any, a size of three "
            "numbers, in metres"
        ) from None
    label, features = mind.words.label, mind.words.features
    names = np.array([(label(o.label), features(o.attributes)) for o in seen], np.int64)
    tracks = np.array([-1 if o.track_id is None else o.track_id for o in seen], np.int64)
    trust = np.array([(o.score, o.clarity, o.sigma_m) for o in seen], dtype=float)
    rows = mind.words.feature_rows
    wrong = _fill(table, frame.T_world_camera, places, sizes, names, rows, tracks, trust)
    if wrong >= 0:
        _refuse(frame, wrong)
    for k, o in enumerate(seen):
        if o.covariance is not None:
            table["covariance"][k] = _six(o)
    return table


def _refuse(frame: ObservedFrame, number: int) -> None:
    seen = frame.observations[number]
    if not np.isfinite(seen.position).all():
        raise BadInput(f"an observation at {frame.time:g} s has no finite position (x, y, z) in metres")
    raise BadInput(
        f"observation {number} ('{seen.label}') needs a score in (0, 1] and a positive sigma_m, "
        f"got {seen.score} and {seen.sigma_m}"
    )


@njit(cache=True)
def _fill(
    table: NDArray[np.void],
    pose: Matrix,
    places: NDArray[np.float64],
    sizes: NDArray[np.float64],
    names: NDArray[np.int64],  # label, row of features
    features: NDArray[np.int32],
    tracks: NDArray[np.int64],
    trust: NDArray[np.float64],  # score, clarity, sigma
) -> int:
    """Observations as rows of a table; the first that cannot be right, -1 if all can."""
    for i in range(table.shape[0]):
        seen, score, sigma = table[i], trust[i, 0], trust[i, 2]
        if not (0.0 < score <= 1.0 and 0.0 < sigma < np.inf and np.isfinite(places[i]).all()):
            return i
        x, y, z = places[i, 0] - pose[0, 3], places[i, 1] - pose[1, 3], places[i, 2] - pose[2, 3]
        for k in range(3):
            seen.in_camera[k] = x * pose[0, k] + y * pose[1, k] + z * pose[2, k]
            seen.size[k] = sizes[i, k]
        seen.label, seen.track_id, seen.score, seen.clarity = names[i, 0], tracks[i], score, trust[i, 1]
        for k in range(features.shape[1]):
            seen.features[k] = features[names[i, 1], k]
        seen.covariance[0] = seen.covariance[3] = seen.covariance[5] = sigma**2
    return -1


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
