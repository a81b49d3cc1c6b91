"""Corner detection: the best corner in every free cell of an image, with a threshold from the image noise."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.perception.odometry.images import Grey, Pixels
from situ.perception.odometry.optical_flow import EDGE_PX
from situ.perception.odometry.thread_pool import run_all, split_work

_BLOCK = 5  # pixels: side of the square over which gradients are summed
_REACH = 3  # pixels around a corner that its strength depends on
_UNIT = np.float32((1.0 / (4 * _BLOCK * 255)) ** 2)  # scales gradients to an image between 0 and 1
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
    """Best corner (n, 2) of every free cell above its row's limit, for rows of cells `first` to `end`.

    Corners are at least `edge` pixels (three or more) from the border; of equal ones the first counts. The
    strength equals that of OpenCV's `cornerMinEigenVal`, which computes the whole image.
    """
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
    """Squares and products of Sobel gradients, in integers. Unsigned indices let the compiler vectorise."""
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
    """Corner strengths of one pixel row: the smaller eigenvalue of the gradient matrix.

    Call it for rows in order; `down` keeps the column sums for the next row.
    """
    p, q, r = down
    if y == 0:
        for x in range(columns + _BLOCK - 1):
            p[x] = xx[0, x] + xx[1, x] + xx[2, x] + xx[3, x] + xx[4, x]
            q[x] = xy[0, x] + xy[1, x] + xy[2, x] + xy[3, x] + xy[4, x]
            r[x] = yy[0, x] + yy[1, x] + yy[2, x] + yy[3, x] + yy[4, x]
    else:  # add one row, subtract one: exact in integers
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
    """Grey variance within square blocks, of every `every`-th block only."""
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
        # Integers up to here, so the sums are exact.
        made[k] = (side * side * squares - total * total) / (side * side) ** 2
    return made


_MIN_ROWS_PER_THREAD = 4  # of cells
# Smallest eigenvalue of the gradient matrix per squared grey level of noise, and bounds of the noise: where
# the whole image is textured, the noise estimate would be too high.
_MIN_CORNER, _MIN_NOISE, _MAX_NOISE = 6e-5, 0.25, 2.0
_WANTED_POINTS = 320
# The ground fills the lower part of the image, with texture that hardly exceeds the noise.
_LOWER_PART, _FAINT_SHARE = 0.6, 0.5


def new_points(grey: Grey, taken: Pixels, seek_ground: bool = False, wanted: int = _WANTED_POINTS) -> Pixels:
    """Best corner of every image cell without a tracked point, for about `wanted` points in the whole view.

    `seek_ground` lowers the threshold in the lower part: faint ground corners are better than none where the
    ground gives the scale.
    """
    height, width = grey.shape
    cell = max(8, round(float(np.sqrt(width * height / wanted))))
    rows, columns = height // cell, width // cell
    free = np.ones((rows, columns), np.bool_)
    if len(taken):
        occupied = (taken // cell).astype(int)
        free[np.clip(occupied[:, 1], 0, rows - 1), np.clip(occupied[:, 0], 0, columns - 1)] = False
    weakest = _MIN_CORNER * float(np.clip(grey_noise(grey), _MIN_NOISE, _MAX_NOISE)) ** 2
    faint = seek_ground & (np.arange(rows) >= _LOWER_PART * rows)
    limits = np.where(faint, _FAINT_SHARE, 1.0) * weakest
    shared = split_work(rows, _MIN_ROWS_PER_THREAD)
    found = partial(best_corners, grey, free, cell, limits, EDGE_PX)
    return np.concatenate(run_all([partial(found, some.start, some.stop) for some in shared]))


def grey_noise(grey: Grey) -> float:
    """Noise in grey levels: the standard deviation within the flattest 5 % of image blocks."""
    spread = np.sqrt(block_variances(grey, 8, 3))
    return float(np.percentile(spread, 5)) if len(spread) else 0.0
