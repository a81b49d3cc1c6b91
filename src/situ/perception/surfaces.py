"""The surfaces that a depth image shows: level ones that carry things, upright ones that bound the room."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform
from situ.perception.normals import grid_step, reduced_depth, surface_normals
from situ.recording.codec import Depth

Mask = NDArray[np.bool_]

_LEVEL_COSINE, _UPRIGHT_COSINE = 0.85, 0.35
_BIN_M = 0.02
_LEAST_SUPPORT_M2, _LEAST_WALL_M2 = 0.25, 0.6
_THICK_M, _THICK_SHARE = 0.025, 0.006  # of a surface: constant, and per metre of distance
_WALL_BINS, _WALL_BIN_M = 36, 0.06
_NEAREST_M, _FARTHEST_M = 0.2, 6.0
_EDGE = np.ones((7, 7), np.uint8)


@dataclass(frozen=True, eq=False)
class Surfaces:
    """A look reduced to a small grid: world points, which of them carry and which bound.

    `step` is how many pixels of the frame make one of the grid; `area` is in square metres for each pixel.
    """

    step: int
    points: NDArray[np.float64]  # (rows, columns, 3), NaN where nothing was measured
    normals: NDArray[np.float64]
    range_m: NDArray[np.float64]
    area: NDArray[np.float64]
    heights: tuple[float, ...]  # of the level surfaces
    supports: tuple[Mask, ...]  # one for each of them
    walls: Mask

    @property
    def known(self) -> Mask:
        found: Mask = np.isfinite(self.points[..., 2])
        return found


def find_surfaces(depth: Depth, camera: Camera, T_world_camera: Matrix) -> Surfaces:
    """Level and upright surfaces of a depth image, in a world whose z points up."""
    step = grid_step(camera)
    small, lens = reduced_depth(depth, camera)
    usable = np.isfinite(small) & (small > _NEAREST_M) & (small < _FARTHEST_M)
    local = lens.points(np.where(usable, small, 0.0))
    points = transform(T_world_camera, local)
    normals = surface_normals(points, T_world_camera[:3, 3])
    towards = T_world_camera[:3, 3] - points
    range_m = np.linalg.norm(towards, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        facing = np.abs(np.einsum("rci,rci->rc", normals, towards)) / range_m
        area = np.nan_to_num(small**2 / (lens.fx * lens.fy) / np.maximum(facing, 0.25)) * usable
    thick = _THICK_M + _THICK_SHARE * np.nan_to_num(range_m)
    heights, supports = _level(points[..., 2], normals[..., 2], area, thick)
    return Surfaces(
        step, points, normals, range_m, area, heights, supports, _upright(points, normals, area, thick)
    )


def _level(
    height: NDArray[np.float64],
    up: NDArray[np.float64],
    area: NDArray[np.float64],
    thick: NDArray[np.float64],
) -> tuple[tuple[float, ...], tuple[Mask, ...]]:
    """Heights at which much level surface lies, largest first, and the pixels of each."""
    with np.errstate(invalid="ignore"):
        level = up > _LEVEL_COSINE
    free = level & np.isfinite(height)
    heights: list[float] = []
    masks: list[Mask] = []
    while free.any():
        low = float(height[free].min())
        bins = ((height[free] - low) / _BIN_M).astype(int)
        weight = np.convolve(np.bincount(bins, area[free]), np.ones(3), "same")
        best = low + (int(np.argmax(weight)) + 0.5) * _BIN_M
        if weight.max() < _LEAST_SUPPORT_M2:
            break
        near = free & (np.abs(height - best) < 1.5 * _BIN_M)
        best = float(np.average(height[near], weights=area[near] + 1e-9))
        with np.errstate(invalid="ignore"):
            slab = np.abs(height - best) < thick
            free &= ~(np.abs(height - best) < 2 * thick)
        # Pixels whose normal is spoilt by an edge nearby still belong to the surface they lie on.
        mask = slab & (cv2.dilate((slab & level).astype(np.uint8), _EDGE) > 0)
        heights.append(best)
        masks.append(mask)
    return tuple(heights), tuple(masks)


def _upright(
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    area: NDArray[np.float64],
    thick: NDArray[np.float64],
) -> Mask:
    """Pixels of large upright planes: walls, doors, the fronts of cupboards."""
    with np.errstate(invalid="ignore"):
        upright = (np.abs(normals[..., 2]) < _UPRIGHT_COSINE) & np.isfinite(points[..., 2])
    walls = np.zeros(area.shape, np.bool_)
    free = upright.copy()
    for _ in range(4):
        if not free.any():
            break
        angle = np.arctan2(normals[..., 1], normals[..., 0])[free]
        turn = np.round(angle / (2 * np.pi) * _WALL_BINS).astype(int) % _WALL_BINS
        axis = np.stack([np.cos(turn * 2 * np.pi / _WALL_BINS), np.sin(turn * 2 * np.pi / _WALL_BINS)], -1)
        offset = np.einsum("ni,ni->n", axis, points[free][:, :2])
        shelf = np.floor(offset / _WALL_BIN_M).astype(int)
        inverse = np.unique(turn * 100_000 + shelf + 50_000, return_inverse=True)[1]
        sums = np.bincount(inverse, area[free])
        best = int(np.argmax(sums))
        if sums[best] < _LEAST_WALL_M2 / 3:  # a wall falls into several bins of angle and offset
            break
        chosen = inverse == best
        rows, columns = (index[chosen] for index in np.nonzero(free))
        centre = np.average(points[free][chosen], axis=0)
        normal = normals[free][chosen].mean(axis=0) * (1.0, 1.0, 0.0)
        normal = normal / np.linalg.norm(normal)
        with np.errstate(invalid="ignore"):
            gap = np.abs((points - centre) @ normal)
            parallel = np.abs(normals @ normal) > 0.9
            mask = (gap < 1.5 * thick) & parallel
        free &= ~mask
        free[rows, columns] = False  # never the same bin twice
        if area[mask].sum() >= _LEAST_WALL_M2:
            walls |= (gap < 1.5 * thick) & np.isfinite(gap)
    return walls
