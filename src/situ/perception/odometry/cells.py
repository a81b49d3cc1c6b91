"""A picture cell by cell, compiled: the best corner of each, and how even blocks are."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

_BLOCK = 5  # pixels: gradients are summed over so many, both ways
_REACH = 3  # pixels around a corner that tell how strong it is
_UNIT = np.float32((1.0 / (4 * _BLOCK * 255)) ** 2)  # as of gradients of a picture between 0 and 1
_HALF = np.float32(0.5)
_ONE, _TWO = np.uint64(1), np.uint64(2)
Sums = NDArray[np.int32]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def best_corners(
    grey: NDArray[np.uint8],
    free: NDArray[np.bool_],
    cell: int,
    limits: NDArray[np.float64],
    edge: int,
    first: int,
    end: int,
) -> NDArray[np.float32]:
    """Pixels (n, 2) where a free cell has its best corner, row by row of cells from the first to the end, if
    that is above the limit of its row. Nothing is found `edge` pixels from the picture's border, at least
    three; of equals the first counts. Corners are as strong as for OpenCV's `cornerMinEigenVal`, which works
    out all of the picture."""
    height, width = grey.shape
    found = np.empty((free.size, 2), np.float32)
    count, side = 0, cell + _BLOCK - 1
    xx, xy, yy = (
        np.empty((side, side), np.int32),
        np.empty((side, side), np.int32),
        np.empty((side, side), np.int32),
    )
    down = np.empty(side, np.int32), np.empty(side, np.int32), np.empty(side, np.int32)
    strength = np.empty(cell, np.float32)
    for row in range(first, end):
        top, bottom = max(row * cell, edge), min((row + 1) * cell, height - edge)
        for column in range(free.shape[1]):
            left, right = max(column * cell, edge), min((column + 1) * cell, width - edge)
            if not free[row, column] or bottom <= top or right <= left:
                continue
            rows, columns = np.uint64(bottom - top + _BLOCK - 1), np.uint64(right - left + _BLOCK - 1)
            _gradients(grey, np.uint64(top - _REACH), np.uint64(left - _REACH), rows, columns, xx, xy, yy)
            best, at_x, at_y = limits[row], -1, -1
            for y in range(bottom - top):
                _strengths(y, right - left, xx, xy, yy, down, strength)
                for x in range(right - left):
                    if strength[x] > best:
                        best, at_x, at_y = np.float64(strength[x]), left + x, top + y
            if at_x >= 0:
                found[count, 0], found[count, 1] = at_x, at_y
                count += 1
    return found[:count].copy()


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _gradients(
    grey: NDArray[np.uint8],
    top: np.uint64,
    left: np.uint64,
    rows: np.uint64,
    columns: np.uint64,
    xx: Sums,
    xy: Sums,
    yy: Sums,
) -> None:
    """Squares and products of gradients (Sobel), in whole numbers. No index is negative, and the compiler
    knows: it takes several pixels at once."""
    for i in range(rows):
        for j in range(columns):
            y, x = top + i, left + j
            a, b, c = np.int32(grey[y, x]), np.int32(grey[y, x + _ONE]), np.int32(grey[y, x + _TWO])
            d, e = np.int32(grey[y + _ONE, x]), np.int32(grey[y + _ONE, x + _TWO])
            y += _TWO
            f, g, h = np.int32(grey[y, x]), np.int32(grey[y, x + _ONE]), np.int32(grey[y, x + _TWO])
            across, down = np.int32(c + e + e + h - a - d - d - f), np.int32(f + g + g + h - a - b - b - c)
            xx[i, j], xy[i, j], yy[i, j] = across * across, across * down, down * down


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _strengths(
    y: int,
    columns: int,
    xx: Sums,
    xy: Sums,
    yy: Sums,
    down: tuple[Sums, Sums, Sums],
    made: NDArray[np.float32],
) -> None:
    """Of a row of pixels: the smaller eigenvalue of the gradients around each. Rows come in order, and `down`
    keeps the sums of one for the next."""
    p, q, r = down
    if y == 0:
        for x in range(columns + _BLOCK - 1):
            p[x] = xx[0, x] + xx[1, x] + xx[2, x] + xx[3, x] + xx[4, x]
            q[x] = xy[0, x] + xy[1, x] + xy[2, x] + xy[3, x] + xy[4, x]
            r[x] = yy[0, x] + yy[1, x] + yy[2, x] + yy[3, x] + yy[4, x]
    else:  # one row comes, one goes: whole numbers, so nothing is rounded
        for x in range(columns + _BLOCK - 1):
            p[x] += xx[y + _BLOCK - 1, x] - xx[y - 1, x]
            q[x] += xy[y + _BLOCK - 1, x] - xy[y - 1, x]
            r[x] += yy[y + _BLOCK - 1, x] - yy[y - 1, x]
    for x in range(columns):
        a = np.float32(p[x] + p[x + 1] + p[x + 2] + p[x + 3] + p[x + 4])
        b = np.float32(q[x] + q[x + 1] + q[x + 2] + q[x + 3] + q[x + 4])
        c = np.float32(r[x] + r[x + 1] + r[x + 2] + r[x + 3] + r[x + 4])
        apart = _HALF * (a - c)
        made[x] = _UNIT * (_HALF * (a + c) - np.sqrt(apart * apart + b * b))


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def block_variances(grey: NDArray[np.uint8], side: int, every: int) -> NDArray[np.float64]:
    """The variance of grey within square blocks, of which only every so manyth is looked at."""
    columns = grey.shape[1] // side
    blocks = grey.shape[0] // side * columns
    made = np.empty((blocks + every - 1) // every)
    for k in range(len(made)):
        top, left = k * every // columns * side, k * every % columns * side
        total = squares = np.int64(0)
        for y in range(top, top + side):
            for x in range(left, left + side):
                value = np.int64(grey[y, x])
                total += value
                squares += value * value
        # In whole numbers up to here, so that nothing is rounded.
        made[k] = (side * side * squares - total * total) / (side * side) ** 2
    return made
