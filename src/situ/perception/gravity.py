"""Which way is up, from one depth image: floors, table tops and ceilings face it, walls stand across it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.normals import reduced_depth, surface_normals

_WIDEST_DEG = 55.0  # heads are never held more aslant than this
_ALONG, _ACROSS = np.cos(np.radians(7.0)), np.sin(np.radians(6.0))
_CANDIDATES, _VOTERS = 80, 4000
_FARTHEST_M = 6.0
# One standard deviation of up: an area as large as this says it so well, a smaller one worse.
_SIGMA, _AREA_M2 = float(np.radians(2.0)), 1.5
_WALL_VOTE = 0.6  # a wall fixes one angle, a floor two
_LEAST_SHARE = 0.12  # of the picture must face up
_CLEAR = 1.15  # the best must beat what lies elsewhere by this


@dataclass(frozen=True, eq=False)
class Up:
    """The up direction in camera axes, and one standard deviation of it in radians."""

    direction: Vector
    sigma: float


def up_from_depth(
    depth: NDArray[np.floating], camera: Camera, expected: Vector, rng: np.random.Generator
) -> Up | None:
    """The up direction near the one expected, or None where nothing level is in view."""
    small, lens = reduced_depth(depth, camera)
    points = lens.points(np.where(small > 0.2, small, 0.0))
    normals = surface_normals(points, np.zeros(3)).reshape(-1, 3)
    far = small.reshape(-1)
    usable = np.isfinite(normals).all(axis=1) & (far < _FARTHEST_M)
    normals, weight = normals[usable], far[usable]  # a pixel far away shows more surface
    near = normals @ expected > np.cos(np.radians(_WIDEST_DEG))
    if near.sum() < _LEAST_SHARE * small.size:
        return None
    best = _voted(normals, weight, normals[near][rng.integers(0, int(near.sum()), _CANDIDATES)])
    if best is None:
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
    area = float(np.sum(weight[normals @ best > _ALONG] ** 2)) / (lens.fx * lens.fy)
    return Up(best, _SIGMA * max(1.0, float(np.sqrt(_AREA_M2 / max(area, 1e-3)))))


def _voted(normals: Matrix, weight: Vector, seeds: Matrix) -> Vector | None:
    """The seed along which, or across which, most surface lies; None if another one does nearly as well."""
    every = max(1, len(normals) // _VOTERS)
    along = seeds @ normals[::every].T
    say = weight[::every]
    votes = (along > _ALONG) @ say + _WALL_VOTE * ((np.abs(along) < _ACROSS) @ say)
    best: Vector = seeds[int(np.argmax(votes))]
    elsewhere = seeds @ best < np.cos(np.radians(20.0))
    if elsewhere.any() and votes.max() < _CLEAR * votes[elsewhere].max():
        return None
    return best
