"""Which way is up, from one depth image: floors, table tops and ceilings face it, walls stand across it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.normals import reduced_depth

_WIDEST_DEG = 55.0  # heads are never held more aslant than this
_ALONG, _ACROSS = np.float32(np.cos(np.radians(7.0))), np.float32(np.sin(np.radians(6.0)))
_YES, _NO = np.float32(1.0), np.float32(0.0)
_CANDIDATES, _VOTERS = 80, 4000
_NEAREST_M, _FARTHEST_M = 0.2, 6.0
# One standard deviation of up: an area as large as this says it so well, a smaller one worse.
_SIGMA, _AREA_M2 = float(np.radians(2.0)), 1.5
_WALL_VOTE = np.float32(0.6)  # a wall fixes one angle, a floor two
_LEAST_SHARE = 0.12  # of the picture must face up
_CLEAR = 1.15  # the best must beat what lies elsewhere by this


Column = NDArray[np.float32]  # one number of every piece of surface


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
    surface = _surface(small.astype(np.float32), lens.fx, lens.fy, lens.cx, lens.cy)
    normals = surface[:3]
    near = np.flatnonzero(expected.astype(np.float32) @ normals > np.cos(np.radians(_WIDEST_DEG)))
    if len(near) < _LEAST_SHARE * small.size:
        return None
    seeds = normals[:, near[rng.integers(0, len(near), _CANDIDATES)]].T.astype(float)
    best = _voted(surface, seeds)
    if best is None:
        return None
    for _ in range(4):
        count, total, mean, spread, _ = _facing(*surface, *best)
        if count < _LEAST_SHARE * surface.shape[1]:
            return None
        # Walls pull the estimate across themselves: the direction least like any of their normals.
        pull = np.linalg.solve(np.eye(3) * total + _WALL_VOTE * spread, mean)
        best = pull / np.linalg.norm(pull)
    area = float(_facing(*surface, *best)[-1]) / (lens.fx * lens.fy)
    return Up(best, _SIGMA * max(1.0, float(np.sqrt(_AREA_M2 / max(area, 1e-3)))))


def _voted(surface: NDArray[np.float32], seeds: Matrix) -> Vector | None:
    """The seed along which, or across which, most surface lies; None if another one does nearly as well."""
    every = max(1, surface.shape[1] // _VOTERS)
    voters = np.ascontiguousarray(surface[:, ::every])
    votes = _votes(*voters, seeds.astype(np.float32))
    best: Vector = seeds[int(np.argmax(votes))]
    elsewhere = seeds @ best < np.cos(np.radians(20.0))
    if elsewhere.any() and votes.max() < _CLEAR * votes[elsewhere].max():
        return None
    return best


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _surface(depth: NDArray[np.float32], fx: float, fy: float, cx: float, cy: float) -> NDArray[np.float32]:
    """Columns of what is seen near enough: the normal that faces the camera, from points two pixels away on
    each side, and the depth, by which a pixel shows more surface."""
    rows, columns = depth.shape
    made, count = np.empty((4, depth.size), np.float32), 0
    for r in range(2, rows - 2):
        y, tall = (r + 0.5 - cy) / fy, 2.0 / fy
        for c in range(2, columns - 2):
            here, left, right = depth[r, c], depth[r, c - 2], depth[r, c + 2]
            above, below = depth[r - 2, c], depth[r + 2, c]
            if not (min(here, left, right, above, below) > _NEAREST_M and here < _FARTHEST_M):
                continue
            x, wide = (c + 0.5 - cx) / fx, 2.0 / fx
            ax, az = x * (right - left) + wide * (right + left), right - left
            by, bz = y * (below - above) + tall * (below + above), below - above
            ay, bx = y * az, x * bz
            nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            size = np.sqrt(nx * nx + ny * ny + nz * nz)
            if not size > 0.0:
                continue
            if nx * x + ny * y + nz > 0.0:  # away from the camera
                size = -size
            made[0, count], made[1, count], made[2, count] = nx / size, ny / size, nz / size
            made[3, count] = here
            count += 1
    return made[:, :count].copy()


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})  # type: ignore[untyped-decorator]
def _votes(x: Column, y: Column, z: Column, weight: Column, seeds: NDArray[np.float32]) -> Column:
    """How much surface faces each seed, or stands across it. No branches: several pieces are looked at at
    once."""
    votes = np.zeros(len(seeds), np.float32)
    for i in range(len(seeds)):
        a, b, c, total = seeds[i, 0], seeds[i, 1], seeds[i, 2], np.float32(0.0)
        for k in range(len(x)):
            along = a * x[k] + b * y[k] + c * z[k]
            level, wall = _YES if along > _ALONG else _NO, _WALL_VOTE if abs(along) < _ACROSS else _NO
            total += weight[k] * (level + wall)
        votes[i] = total
    return votes


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})  # type: ignore[untyped-decorator]
def _facing(
    x: Column, y: Column, z: Column, weight: Column, up_x: float, up_y: float, up_z: float
) -> tuple[float, float, Vector, Matrix, float]:
    """What faces up: its number, weight, weighted sum of normals and sum of squared weights (last); and the
    scatter of the normals of what stands across it, as the last but one."""
    a, b, c = np.float32(up_x), np.float32(up_y), np.float32(up_z)
    count = total = squares = mx = my = mz = xx = xy = xz = yy = yz = zz = _NO
    for k in range(len(x)):
        along = a * x[k] + b * y[k] + c * z[k]
        level, wall = _YES if along > _ALONG else _NO, _YES if abs(along) < _ACROSS else _NO
        of_level, of_wall = level * weight[k], wall * weight[k]
        count += level
        total += of_level
        squares += of_level * weight[k]
        mx, my, mz = mx + of_level * x[k], my + of_level * y[k], mz + of_level * z[k]
        by_x, by_y = of_wall * x[k], of_wall * y[k]
        xx, xy, xz = xx + by_x * x[k], xy + by_x * y[k], xz + by_x * z[k]
        yy, yz, zz = yy + by_y * y[k], yz + by_y * z[k], zz + of_wall * z[k] * z[k]
    spread = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], np.float64)
    return float(count), float(total), np.array([mx, my, mz], np.float64), spread, float(squares)
