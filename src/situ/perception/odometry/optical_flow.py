"""Sparse optical flow: pyramidal Lucas-Kanade with a forward-backward check, compiled.

The pyramid of an image is built once for all flow from and to it. Gradients are computed only for the windows
that are tracked.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.compiled import instructions, njit
from situ.errors import BadInput
from situ.perception.odometry.images import Grey, Mask, Pixels
from situ.perception.odometry.thread_pool import run_all, split_work

Row = NDArray[np.uint8]  # pixels of all levels of a pyramid, one level after the other
Window = NDArray[np.float32]  # SIDE rows of ROW numbers, flattened

SIDE = 17  # pixels: width and height of a window
ROW = 24  # numbers per window row: a multiple of 8 for SIMD; the columns beyond SIDE are padding
MARGIN = 16  # pixels mirrored around each level, so that windows may reach over its edge
LEVELS = 4  # pyramid levels above the image, each half the size of the one below
EDGE_PX = 6  # points closer to the image border are dropped
_HALF = SIDE // 2
_MAX_STEPS = 20  # per pyramid level
# Length of the last step in pixels. Upper levels may stop early: the level below refines them.
_STOP_PX, _STOP_ABOVE_PX = 0.02, 0.08
_OSCILLATION_PX = 0.01  # two steps that cancel up to this: the solution is between them
# Limits for trackable windows: smaller eigenvalue (squared grey levels per pixel) and determinant.
_MIN_EIGENVALUE, _MIN_DETERMINANT = 0.1, 1e-7
_ROUND_TRIP_PX = 0.8
_BACKWARD_LEVELS = 1  # the backward pass starts at the result, and wrong matches still end elsewhere
_MIN_POINTS_PER_THREAD = 32  # tracking them takes ten times as long as starting a task


class Level(NamedTuple):
    """One level of a pyramid: its first pixel in the row, and its size."""

    begin: int
    width: int
    height: int


class Patch(NamedTuple):
    """A window of an image and its gradients along x and y."""

    window: Window
    by_x: Window
    by_y: Window


@dataclass(frozen=True, eq=False)
class Pyramid:
    """An image and its halved copies in one array of pixels.

    `sizes` (levels, 3): begin, width and height of each level. Small images have fewer levels.
    """

    row: Row
    sizes: NDArray[np.int64]

    @property
    def size(self) -> str:
        _, width, height = self.sizes[0].tolist()
        return f"{width}x{height}"

    @classmethod
    def of(cls, grey: Grey) -> "Pyramid":
        levels = [grey]
        while len(levels) <= LEVELS and min(levels[-1].shape) > 2 * SIDE:
            levels.append(cv2.pyrDown(levels[-1]))
        areas = [(level.shape[0] + 2 * MARGIN) * (level.shape[1] + 2 * MARGIN) for level in levels]
        begins = np.cumsum([0, *areas])
        row = np.zeros(begins[-1] + ROW, np.uint8)
        for level, begin, area in zip(levels, begins, areas, strict=False):
            padded = row[begin : begin + area].reshape(level.shape[0] + 2 * MARGIN, -1)
            cv2.copyMakeBorder(level, *(MARGIN,) * 4, cv2.BORDER_REFLECT_101, dst=padded)
        sizes = [[begin, *level.shape[::-1]] for level, begin in zip(levels, begins, strict=False)]
        return cls(row, np.array(sizes, np.int64))


def follow(
    before: Pyramid, after: Pyramid, points: Pixels, guesses: Pixels, levels: int = LEVELS
) -> tuple[Pixels, Mask]:
    """Positions of `points` in the next image, and a mask of those that pass the forward-backward check.

    Few `levels` keep the results near the guesses. Large sets are split over the thread pool.
    """
    shared = split_work(len(points), _MIN_POINTS_PER_THREAD)
    made = run_all(
        [partial(_both_ways, before, after, points[some], guesses[some], levels) for some in shared]
    )
    there, good = (np.concatenate(column) for column in zip(*made, strict=True))
    return there, good


def _both_ways(
    before: Pyramid, after: Pyramid, points: Pixels, guesses: Pixels, levels: int
) -> tuple[Pixels, Mask]:
    there, good = flow(before, after, points, guesses, levels)
    good &= np.all((there > EDGE_PX) & (there < before.sizes[0, 1:] - EDGE_PX), axis=1)
    back, returned = flow(after, before, there[good], points[good], _BACKWARD_LEVELS)
    good[good] = returned & (np.linalg.norm(back - points[good], axis=1) < _ROUND_TRIP_PX)
    return there, good


def flow(before: Pyramid, after: Pyramid, points: Pixels, guesses: Pixels, top: int) -> tuple[Pixels, Mask]:
    """Positions of `points` in another image of the same size, and a mask of trackable points.

    The search starts from `guesses` at pyramid level `top`.
    """
    if not np.array_equal(before.sizes, after.sizes):  # compiled code would read beyond the smaller image
        raise BadInput(f"pictures to follow have different sizes: {before.size} and {after.size}")
    begun = min(top, len(before.sizes) - 1)
    there, found = _flow(before.row, after.row, before.sizes, points.astype(float), guesses, begun)
    return there, found


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _flow(
    before: Row, after: Row, sizes: NDArray[np.int64], points: NDArray[np.float64], guesses: Pixels, top: int
) -> tuple[Pixels, Mask]:
    there, found = np.empty((len(points), 2), np.float32), np.ones(len(points), np.bool_)
    buffers = np.empty((3, SIDE * ROW), np.float32)
    patch = Patch(buffers[0], buffers[1], buffers[2])
    for k in range(len(points)):
        to_x, to_y = guesses[k, 0] / 2.0 ** (top + 1), guesses[k, 1] / 2.0 ** (top + 1)
        for number in range(top, -1, -1):
            level = Level(sizes[number, 0], sizes[number, 1], sizes[number, 2])
            to_x, to_y = 2.0 * to_x, 2.0 * to_y
            x, y = points[k, 0] / 2.0**number - _HALF, points[k, 1] / 2.0**number - _HALF
            inside = _in_reach(x, y, level)
            if inside:
                xx, xy, yy = _cut_out(before, level, x, y, patch)
                weaker = xx + yy - np.sqrt((xx - yy) ** 2 + 4.0 * xy * xy)
                determinant = xx * yy - xy * xy
                inside = weaker >= 2 * SIDE * SIDE * _MIN_EIGENVALUE and determinant >= _MIN_DETERMINANT
            if not inside:
                found[k] = number > 0
                continue
            stop = _STOP_PX if number == 0 else _STOP_ABOVE_PX
            x, y, last_x, last_y = to_x - _HALF, to_y - _HALF, np.inf, np.inf
            for _ in range(_MAX_STEPS):
                if not _in_reach(x, y, level):
                    found[k] = number > 0
                    break
                off_x, off_y = _mismatch(after, level, x, y, patch)
                step_x = (xy * off_y - yy * off_x) / determinant
                step_y = (xy * off_x - xx * off_y) / determinant
                x, y = x + step_x, y + step_y
                if step_x * step_x + step_y * step_y <= stop * stop:
                    break
                if abs(step_x + last_x) < _OSCILLATION_PX and abs(step_y + last_y) < _OSCILLATION_PX:
                    x, y = x - 0.5 * step_x, y - 0.5 * step_y
                    break
                last_x, last_y = step_x, step_y
            to_x, to_y = x + _HALF, y + _HALF
        there[k, 0], there[k, 1] = to_x, to_y
    return there, found


@njit(cache=True)  # type: ignore[untyped-decorator]
def _in_reach(x: float, y: float, level: Level) -> bool:
    """Whether a window at (x, y) and the pixels around it lie within the level and its margin."""
    near, far = 1 - MARGIN, MARGIN - SIDE - 2
    return near <= x < level.width + far and near <= y < level.height + far


@njit(cache=True)  # type: ignore[untyped-decorator]
def _cut_out(
    row: Row, level: Level, x: float, y: float, patch: Patch
) -> tuple[np.floating, np.floating, np.floating]:
    """Write the window at (x, y) and its gradients to `patch`; sums of squared gradients and their products.

    Gradients outside the image are 0.
    """
    left, top, stride = int(np.floor(x)), int(np.floor(y)), level.width + 2 * MARGIN
    at = level.begin + (top - 1 + MARGIN) * stride + left - 1 + MARGIN
    right, down = np.float32(x - left), np.float32(y - top)
    xx, xy, yy = _cut_out_simd(row, at, stride, right, down, patch)
    if left < 0 or top < 0 or left + SIDE > level.width or top + SIDE > level.height:
        by_x, by_y = patch.by_x, patch.by_y
        xx = xy = yy = np.float32(0.0)
        for i in range(SIDE):
            for j in range(SIDE):
                k = i * ROW + j
                if not (0 <= left + j < level.width and 0 <= top + i < level.height):
                    by_x[k] = by_y[k] = 0.0
                xx, xy, yy = xx + by_x[k] * by_x[k], xy + by_x[k] * by_y[k], yy + by_y[k] * by_y[k]
    return xx, xy, yy


@njit(cache=True)  # type: ignore[untyped-decorator]
def _mismatch(row: Row, level: Level, x: float, y: float, patch: Patch) -> tuple[np.floating, np.floating]:
    """Difference between the image at (x, y) and the window of `patch`, summed along its gradients."""
    left, top, stride = int(np.floor(x)), int(np.floor(y)), level.width + 2 * MARGIN
    at = level.begin + (top + MARGIN) * stride + left + MARGIN
    off_x, off_y = _mismatch_simd(row, at, stride, np.float32(x - left), np.float32(y - top), patch)
    return off_x, off_y


@instructions
def _cut_out_simd(typing: Any, row: Any, at: Any, stride: Any, right: Any, down: Any, patch: Any) -> Any:
    from situ.perception.odometry.optical_flow_simd import cut_out

    return cut_out(SIDE, row, at, stride, right, down, patch)


@instructions
def _mismatch_simd(typing: Any, row: Any, at: Any, stride: Any, right: Any, down: Any, patch: Any) -> Any:
    from situ.perception.odometry.optical_flow_simd import mismatch

    return mismatch(SIDE, row, at, stride, right, down, patch)
