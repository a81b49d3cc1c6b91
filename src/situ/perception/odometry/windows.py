"""A small window of a picture, its gradients, and how another picture differs from it, compiled.

Sums run down the columns of a window: so the compiler may take several columns at once without changing the
order in which anything is added.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Row = NDArray[np.uint8]  # all pixels of some pictures, one after the other
Window = NDArray[np.float32]
Sums = tuple[Window, Window, Window]

SIDE = 17  # pixels of a window
MARGIN = 16  # mirrored pixels around each picture: windows may reach over its edge
ROW = 24  # pixels in which a window and those around it are read: they fill registers, the last are not used
# Indices that cannot be negative, so that nothing is provided for counting from the end.
_IN_WINDOW, _AROUND, _IN_ROW, _NEXT = (np.uint64(n) for n in (SIDE, SIDE + 2, ROW, 1))
_SCHARR = (np.float32(3 / 32), np.float32(10 / 32))


@njit(cache=True)  # type: ignore[untyped-decorator]
def in_reach(x: float, y: float, width: int, height: int) -> bool:
    """Whether a window at (x, y) and the pixels around it are within a level's margin."""
    near, far = 1 - MARGIN, MARGIN - SIDE - 2
    return near <= x < width + far and near <= y < height + far


@njit(cache=True)  # type: ignore[untyped-decorator]
def _shares(x: float, y: float) -> tuple[np.float32, np.float32, np.float32, np.float32]:
    """Of four neighbouring pixels in a place between them: left and right, then those below."""
    return np.float32((1 - x) * (1 - y)), np.float32(x * (1 - y)), np.float32((1 - x) * y), np.float32(x * y)


@njit(cache=True, fastmath={"contract"})  # type: ignore[untyped-decorator]
def cut_out(
    row: Row,
    begin: int,
    width: int,
    height: int,
    x: float,
    y: float,
    wide: Window,
    window: Window,
    by_x: Window,
    by_y: Window,
) -> None:
    """The window at (x, y) and its gradients (Scharr), which are nothing outside the picture."""
    left, top = int(np.floor(x)), int(np.floor(y))
    a, b, c, d = _shares(x - left, y - top)
    stride = np.uint64(width + 2 * MARGIN)
    at = np.uint64(begin + (top - 1 + MARGIN) * (width + 2 * MARGIN) + left - 1 + MARGIN)
    for i in range(_AROUND):
        for j in range(_IN_ROW):
            p = at + j
            upper = a * np.float32(row[p]) + b * np.float32(row[p + _NEXT])
            p += stride
            wide[i, j] = upper + c * np.float32(row[p]) + d * np.float32(row[p + _NEXT])
        at += stride
    weak, strong = _SCHARR
    for i in range(SIDE):
        for j in range(SIDE):
            window[i, j] = wide[i + 1, j + 1]
            falling, rising = wide[i + 2, j + 2] - wide[i, j], wide[i, j + 2] - wide[i + 2, j]
            by_x[i, j] = weak * (falling + rising) + strong * (wide[i + 1, j + 2] - wide[i + 1, j])
            by_y[i, j] = weak * (falling - rising) + strong * (wide[i + 2, j + 1] - wide[i, j + 1])
    if left < 0 or top < 0 or left + SIDE > width or top + SIDE > height:
        for i in range(SIDE):
            for j in range(SIDE):
                if not (0 <= left + j < width and 0 <= top + i < height):
                    by_x[i, j] = by_y[i, j] = 0.0


@njit(cache=True, fastmath={"contract"})  # type: ignore[untyped-decorator]
def scatter(by_x: Window, by_y: Window, sums: Sums) -> tuple[np.floating, np.floating, np.floating]:
    """The sums of squared gradients and of their products."""
    of_xx, of_xy, of_yy = sums
    of_xx[:] = of_xy[:] = of_yy[:] = 0.0
    for i in range(SIDE):
        for j in range(SIDE):
            of_xx[j] += by_x[i, j] * by_x[i, j]
            of_xy[j] += by_x[i, j] * by_y[i, j]
            of_yy[j] += by_y[i, j] * by_y[i, j]
    xx = xy = yy = np.float32(0.0)
    for j in range(SIDE):
        xx, xy, yy = xx + of_xx[j], xy + of_xy[j], yy + of_yy[j]
    return xx, xy, yy


@njit(cache=True, fastmath={"contract"})  # type: ignore[untyped-decorator]
def pull(
    row: Row,
    begin: int,
    width: int,
    x: float,
    y: float,
    window: Window,
    by_x: Window,
    by_y: Window,
    sums: Sums,
) -> tuple[np.floating, np.floating]:
    """How the picture at (x, y) differs from a window, along its gradients."""
    left, top = int(np.floor(x)), int(np.floor(y))
    a, b, c, d = _shares(x - left, y - top)
    stride = np.uint64(width + 2 * MARGIN)
    at = np.uint64(begin + (top + MARGIN) * (width + 2 * MARGIN) + left + MARGIN)
    sum_x, sum_y, _ = sums
    sum_x[:] = sum_y[:] = 0.0
    for i in range(_IN_WINDOW):
        for j in range(_IN_WINDOW):
            p = at + j
            upper = a * np.float32(row[p]) + b * np.float32(row[p + _NEXT])
            p += stride
            off = upper + c * np.float32(row[p]) + d * np.float32(row[p + _NEXT]) - window[i, j]
            sum_x[j] += off * by_x[i, j]
            sum_y[j] += off * by_y[i, j]
        at += stride
    off_x = off_y = np.float32(0.0)
    for j in range(SIDE):
        off_x, off_y = off_x + sum_x[j], off_y + sum_y[j]
    return off_x, off_y
