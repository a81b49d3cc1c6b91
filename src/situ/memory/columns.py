"""A frame's observations as one table that compiled code can walk."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.pose import Matrix, yaw_deg
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


def anchor(table: NDArray[np.void], pose: Matrix) -> None:
    """Put observations into the map as a pose sees them."""
    world = table["in_camera"] @ pose[:3, :3].T
    table["position"] = world + pose[:3, 3]
    yaw = math.radians(yaw_deg(pose))
    c, s = math.cos(yaw), math.sin(yaw)
    offset = table["offset"]
    offset[:, 0] = world[:, 0] * c + world[:, 1] * s
    offset[:, 1] = world[:, 1] * c - world[:, 0] * s
    offset[:, 2] = world[:, 2]


def from_offset(offset: NDArray[np.float64], pose: Matrix) -> NDArray[np.float64]:
    """Points that keep their place relative to the wearer (ahead, left, up), in the map."""
    yaw = math.radians(yaw_deg(pose))
    c, s = math.cos(yaw), math.sin(yaw)
    ahead, left, up = offset[..., 0], offset[..., 1], offset[..., 2]
    return np.stack([ahead * c - left * s, ahead * s + left * c, up], -1) + pose[:3, 3]


def _six(o: Observation) -> tuple[float, ...]:
    matrix = np.asarray(o.covariance, dtype=float)
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or np.linalg.eigvalsh(matrix)[0] <= 0:
        raise BadInput(f"the covariance of a '{o.label}' is not a positive definite 3x3 matrix")
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = matrix.tolist()
    return xx, xy, xz, yy, yz, zz
