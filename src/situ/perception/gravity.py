"""Which way is up, from one depth image: floors, table tops and ceilings face it, walls stand across it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.normals import reduced_depth, surface_normals

_WIDEST_DEG = 55.0  # heads are never held more aslant than this
_ALONG, _ACROSS = float(np.cos(np.radians(7.0))), float(np.sin(np.radians(6.0)))
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
    usable = np.isfinite(normals[:, 0]) & (far < _FARTHEST_M)  # all of a normal is known, or nothing
    normals, weight = normals[usable], far[usable]  # a pixel far away shows more surface
    near = normals @ expected > np.cos(np.radians(_WIDEST_DEG))
    if near.sum() < _LEAST_SHARE * small.size:
        return None
    best = _voted(normals, weight, normals[near][rng.integers(0, int(near.sum()), _CANDIDATES)])
    if best is None:
        return None
    for _ in range(4):
        count, total, mean, spread, _ = _facing(normals, weight, best)
        if count < _LEAST_SHARE * len(normals):
            return None
        # Walls pull the estimate across themselves: the direction least like any of their normals.
        pull = np.linalg.solve(np.eye(3) * total + _WALL_VOTE * spread, mean)
        best = pull / np.linalg.norm(pull)
    area = float(_facing(normals, weight, best)[-1]) / (lens.fx * lens.fy)
    return Up(best, _SIGMA * max(1.0, float(np.sqrt(_AREA_M2 / max(area, 1e-3)))))


def _voted(normals: Matrix, weight: Vector, seeds: Matrix) -> Vector | None:
    """The seed along which, or across which, most surface lies; None if another one does nearly as well."""
    every = max(1, len(normals) // _VOTERS)
    votes = _votes(normals[::every], weight[::every], seeds)
    best: Vector = seeds[int(np.argmax(votes))]
    elsewhere = seeds @ best < np.cos(np.radians(20.0))
    if elsewhere.any() and votes.max() < _CLEAR * votes[elsewhere].max():
        return None
    return best


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})  # type: ignore[untyped-decorator]
def _votes(normals: Matrix, weight: Vector, seeds: Matrix) -> Vector:
    """How much surface faces each seed, or stands across it. Columns and no branches: several normals are
    looked at at once."""
    x, y, z = normals[:, 0].copy(), normals[:, 1].copy(), normals[:, 2].copy()
    votes = np.zeros(len(seeds))
    for i in range(len(seeds)):
        a, b, c, total = seeds[i, 0], seeds[i, 1], seeds[i, 2], 0.0
        for k in range(len(x)):
            along = a * x[k] + b * y[k] + c * z[k]
            level, wall = 1.0 if along > _ALONG else 0.0, _WALL_VOTE if abs(along) < _ACROSS else 0.0
            total += weight[k] * (level + wall)
        votes[i] = total
    return votes


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _facing(normals: Matrix, weight: Vector, up: Vector) -> tuple[int, float, Vector, Matrix, float]:
    """What faces up: its number, weight, weighted sum of normals and sum of squared weights (last); and the
    scatter of the normals of what stands across it, as the last but one."""
    count, total, squares = 0, 0.0, 0.0
    mean, spread = np.zeros(3), np.zeros((3, 3))
    for k in range(len(normals)):
        along = up[0] * normals[k, 0] + up[1] * normals[k, 1] + up[2] * normals[k, 2]
        if along > _ALONG:
            count += 1
            total += weight[k]
            squares += weight[k] * weight[k]
            for i in range(3):
                mean[i] += weight[k] * normals[k, i]
        elif abs(along) < _ACROSS:
            for i in range(3):
                for j in range(3):
                    spread[i, j] += weight[k] * normals[k, i] * normals[k, j]
    return count, total, mean, spread, squares
