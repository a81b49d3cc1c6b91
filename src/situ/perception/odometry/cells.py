"""A picture cell by cell, compiled: the best corner of each, and how even blocks are."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def best_corners(
    strength: NDArray[np.float32],
    free: NDArray[np.bool_],
    cell: int,
    limits: NDArray[np.float64],
    edge: int,
) -> NDArray[np.float32]:
    """Pixels (n, 2) where a free cell is strongest, row by row, if that is above the limit of its row of
    cells. Nothing is found `edge` pixels from the picture's border; of equals the first counts."""
    height, width = strength.shape
    found = np.empty((free.size, 2), np.float32)
    count = 0
    for row in range(free.shape[0]):
        top, bottom = max(row * cell, edge), min((row + 1) * cell, height - edge)
        for column in range(free.shape[1]):
            if not free[row, column]:
                continue
            left, right = max(column * cell, edge), min((column + 1) * cell, width - edge)
            best, at_x, at_y = limits[row], -1, -1
            for y in range(top, bottom):
                for x in range(left, right):
                    if strength[y, x] > best:
                        best, at_x, at_y = np.float64(strength[y, x]), x, y
            if at_x >= 0:
                found[count, 0], found[count, 1] = at_x, at_y
                count += 1
    return found[:count].copy()


@njit(cache=True)  # type: ignore[untyped-decorator]
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
