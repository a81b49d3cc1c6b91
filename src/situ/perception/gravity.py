"""Which way is up, from one depth image: floors, table tops and ceilings face it, walls stand across it."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Vector
from situ.perception.normals import reduced_depth, surface_normals

_WIDEST_DEG = 55.0  # heads are never held more aslant than this
_ALONG, _ACROSS = np.cos(np.radians(7.0)), np.sin(np.radians(6.0))
_CANDIDATES = 240
_WALL_VOTE = 0.6  # a wall fixes one angle, a floor two
_LEAST_SHARE = 0.12  # of the picture must face up
_CLEAR = 1.15  # the best must beat what lies elsewhere by this


def up_from_depth(
    depth: NDArray[np.floating], camera: Camera, expected: Vector, rng: np.random.Generator
) -> Vector | None:
    """The up direction in camera axes near the one expected, or None where nothing level is in view."""
    small, lens = reduced_depth(depth, camera)
    points = lens.points(np.where(small > 0.2, small, 0.0))
    normals = surface_normals(points, np.zeros(3)).reshape(-1, 3)
    weight = (small**2).reshape(-1)  # a pixel far away shows more surface
    usable = np.isfinite(normals).all(axis=1) & (weight < 36.0)
    normals, weight = normals[usable], np.sqrt(weight[usable])
    near = normals @ expected > np.cos(np.radians(_WIDEST_DEG))
    if near.sum() < _LEAST_SHARE * small.size:
        return None
    seeds = normals[near][rng.integers(0, int(near.sum()), _CANDIDATES)]
    along = seeds @ normals.T
    votes = (along > _ALONG) @ weight + _WALL_VOTE * ((np.abs(along) < _ACROSS) @ weight)
    best: Vector = seeds[int(np.argmax(votes))]
    elsewhere = seeds @ best < np.cos(np.radians(20.0))
    if elsewhere.any() and votes.max() < _CLEAR * votes[elsewhere].max():
        return None
    for _ in range(4):
        level = normals @ best > _ALONG
        wall = np.abs(normals @ best) < _ACROSS
        if level.mean() < _LEAST_SHARE:
            return None
        mean = (normals[level] * weight[level, None]).sum(axis=0)
        # Walls pull the estimate across themselves: the direction least like any of their normals.
        spread = (normals[wall] * weight[wall, None]).T @ normals[wall] if wall.any() else np.zeros((3, 3))
        pull = np.linalg.solve(np.eye(3) * weight[level].sum() + _WALL_VOTE * spread, mean)
        best = pull / np.linalg.norm(pull)
    return best
