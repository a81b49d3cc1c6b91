"""Where small windows of one picture are in another: Lucas and Kanade, coarse to fine, compiled.

A picture is made ready once for all that is followed into it and from it, and gradients are worked out for
the windows alone.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.errors import BadInput
from situ.perception.odometry.images import Grey
from situ.perception.odometry.windows import MARGIN, ROW, SIDE, Row, cut_out, in_reach, pull

Pixels = NDArray[np.float32]
Mask = NDArray[np.bool_]

LEVELS = 4  # above the picture itself, each of half the size of the one below
_HALF = SIDE // 2
_MOST_STEPS = 20
# Pixels, of the last step. What a level leaves over is found by the one below, in finer pixels.
_STOP, _STOP_ABOVE = 0.02, 0.08
_SWAYING = 0.01  # steps that undo each other but for this: the place is between them
_WEAKEST, _SINGULAR = 0.1, 1e-7  # of gradients: smaller eigenvalue, squared grey levels a pixel; determinant


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A picture at its size, at half of it, a quarter ..., one after the other in one row of pixels. `sizes`
    holds where each level begins, its width and its height; small pictures have fewer levels."""

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


def flow(before: Pyramid, after: Pyramid, points: Pixels, guesses: Pixels, top: int) -> tuple[Pixels, Mask]:
    """Where `points` of one picture are in another of its size, from guesses and a level of the pyramid on;
    and whether there was anything to follow there."""
    if not np.array_equal(before.sizes, after.sizes):  # compiled code would read beyond the smaller one
        raise BadInput(f"pictures to follow have different sizes: {before.size} and {after.size}")
    begun = min(top, len(before.sizes) - 1)
    there, found = _flow(before.row, after.row, before.sizes, points.astype(float), guesses, begun)
    return there, found


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _flow(
    before: Row, after: Row, sizes: NDArray[np.int64], points: NDArray[np.float64], guesses: Pixels, top: int
) -> tuple[Pixels, Mask]:
    there, found = np.empty((len(points), 2), np.float32), np.ones(len(points), np.bool_)
    windows = np.empty((3, SIDE * ROW), np.float32)
    window, by_x, by_y = windows[0], windows[1], windows[2]
    for k in range(len(points)):
        to_x, to_y = guesses[k, 0] / 2.0 ** (top + 1), guesses[k, 1] / 2.0 ** (top + 1)
        for level in range(top, -1, -1):
            begin, width, height = sizes[level, 0], sizes[level, 1], sizes[level, 2]
            to_x, to_y = 2.0 * to_x, 2.0 * to_y
            x, y = points[k, 0] / 2.0**level - _HALF, points[k, 1] / 2.0**level - _HALF
            inside = in_reach(x, y, width, height)
            if inside:
                xx, xy, yy = cut_out(before, begin, width, height, x, y, window, by_x, by_y)
                weaker = xx + yy - np.sqrt((xx - yy) ** 2 + 4.0 * xy * xy)
                determinant = xx * yy - xy * xy
                inside = weaker >= 2 * SIDE * SIDE * _WEAKEST and determinant >= _SINGULAR
            if not inside:
                found[k] = level > 0
                continue
            stop = _STOP if level == 0 else _STOP_ABOVE
            x, y, last_x, last_y = to_x - _HALF, to_y - _HALF, np.inf, np.inf
            for _ in range(_MOST_STEPS):
                if not in_reach(x, y, width, height):
                    found[k] = level > 0
                    break
                off_x, off_y = pull(after, begin, width, x, y, window, by_x, by_y)
                step_x = (xy * off_y - yy * off_x) / determinant
                step_y = (xy * off_x - xx * off_y) / determinant
                x, y = x + step_x, y + step_y
                if step_x * step_x + step_y * step_y <= stop * stop:
                    break
                if abs(step_x + last_x) < _SWAYING and abs(step_y + last_y) < _SWAYING:
                    x, y = x - 0.5 * step_x, y - 0.5 * step_y
                    break
                last_x, last_y = step_x, step_y
            to_x, to_y = x + _HALF, y + _HALF
        there[k, 0], there[k, 1] = to_x, to_y
    return there, found
