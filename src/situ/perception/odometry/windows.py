"""A small window of a picture, its gradients, and how another picture differs from it, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.compiled import instructions, njit

Row = NDArray[np.uint8]  # all pixels of some pictures, one after the other
Window = NDArray[np.float32]  # SIDE rows of ROW numbers, one after the other

SIDE = 17  # pixels of a window
ROW = 24  # numbers in a row of it: columns are taken eight at a time, and the last ones count for nothing
MARGIN = 16  # mirrored pixels around each picture: windows may reach over its edge


@njit(cache=True)  # type: ignore[untyped-decorator]
def in_reach(x: float, y: float, width: int, height: int) -> bool:
    """Whether a window at (x, y) and the pixels around it are within a level's margin."""
    near, far = 1 - MARGIN, MARGIN - SIDE - 2
    return near <= x < width + far and near <= y < height + far


@njit(cache=True)  # type: ignore[untyped-decorator]
def cut_out(
    row: Row,
    begin: int,
    width: int,
    height: int,
    x: float,
    y: float,
    window: Window,
    by_x: Window,
    by_y: Window,
) -> tuple[np.floating, np.floating, np.floating]:
    """Write the window at (x, y) and its gradients, which are nothing outside the picture; gives the sums of
    squared gradients and of their products."""
    left, top, stride = int(np.floor(x)), int(np.floor(y)), width + 2 * MARGIN
    at = begin + (top - 1 + MARGIN) * stride + left - 1 + MARGIN
    right, down = np.float32(x - left), np.float32(y - top)
    xx, xy, yy = _cut_out(row, at, stride, right, down, window, by_x, by_y)
    if left < 0 or top < 0 or left + SIDE > width or top + SIDE > height:
        xx = xy = yy = np.float32(0.0)
        for i in range(SIDE):
            for j in range(SIDE):
                k = i * ROW + j
                if not (0 <= left + j < width and 0 <= top + i < height):
                    by_x[k] = by_y[k] = 0.0
                xx, xy, yy = xx + by_x[k] * by_x[k], xy + by_x[k] * by_y[k], yy + by_y[k] * by_y[k]
    return xx, xy, yy


@njit(cache=True)  # type: ignore[untyped-decorator]
def pull(
    row: Row, begin: int, width: int, x: float, y: float, window: Window, by_x: Window, by_y: Window
) -> tuple[np.floating, np.floating]:
    """How the picture at (x, y) differs from a window, along its gradients."""
    left, top, stride = int(np.floor(x)), int(np.floor(y)), width + 2 * MARGIN
    at = begin + (top + MARGIN) * stride + left + MARGIN
    off_x, off_y = _pull(row, at, stride, np.float32(x - left), np.float32(y - top), window, by_x, by_y)
    return off_x, off_y


@instructions
def _cut_out(
    typing: Any, row: Any, at: Any, stride: Any, right: Any, down: Any, window: Any, by_x: Any, by_y: Any
) -> Any:
    from situ.perception.odometry.lanes import cutting_out

    return cutting_out(SIDE, row, at, stride, right, down, window, by_x, by_y)


@instructions
def _pull(
    typing: Any, row: Any, at: Any, stride: Any, right: Any, down: Any, window: Any, by_x: Any, by_y: Any
) -> Any:
    from situ.perception.odometry.lanes import pulling

    return pulling(SIDE, row, at, stride, right, down, window, by_x, by_y)
