"""Connected patches of one colour that nothing explains yet."""

import numpy as np
from numpy.typing import NDArray

from situ.perception.solids.palette import GROUND, UNSURE, Classes
from situ.rendering.kernel import kernel

# Columns of a patch.
COLOR, AREA, TOP, BOTTOM, LEFT, RIGHT, FOOT, BESIDE = range(8)
_MOST = 256


def patches(classes: Classes, owners: Classes, least: int) -> NDArray[np.int64]:
    """Patches of at least `least` pixels and not mere slivers, lowest foot first: one row of numbers each.

    TOP and LEFT are the first row and column, BOTTOM and RIGHT one past the last; FOOT is the mean column of
    the patch's lowest rows. BESIDE counts where it borders on pixels of its colour that have an explanation.
    """
    found = np.zeros((_MOST, 8), np.int64)
    stack = np.empty(classes.size, np.int64)
    count = _flood(classes, owners, least, np.zeros(classes.shape, np.uint8), stack, found)
    found = found[:count]
    longest = np.maximum(found[:, BOTTOM] - found[:, TOP], found[:, RIGHT] - found[:, LEFT])
    found = found[found[:, AREA] >= 1.5 * longest]
    order: NDArray[np.int64] = found[np.argsort(-found[:, BOTTOM], kind="stable")]
    return order


@kernel
def _flood(
    classes: Classes,
    owners: Classes,
    least: int,
    done: Classes,
    stack: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    rows, columns = classes.shape
    count = 0
    for start in range(rows * columns):
        row, column = start // columns, start % columns
        color = classes[row, column]
        if done[row, column] or color in (GROUND, UNSURE) or owners[row, column] == color:
            continue
        size, head = 1, 0
        stack[0] = start
        done[row, column] = 1
        top, bottom, left, right, beside = row, row, column, column, 0
        while head < size:
            r, c = stack[head] // columns, stack[head] % columns
            head += 1
            top, bottom, left, right = min(top, r), max(bottom, r), min(left, c), max(right, c)
            for k in range(4):
                nr, nc = r + (k == 0) - (k == 1), c + (k == 2) - (k == 3)
                if not (0 <= nr < rows and 0 <= nc < columns) or done[nr, nc]:
                    continue
                if classes[nr, nc] != color:
                    continue
                if owners[nr, nc] == color:
                    beside += 1
                else:
                    done[nr, nc] = 1
                    stack[size] = nr * columns + nc
                    size += 1
        if size < least or count == found.shape[0]:
            continue
        low, feet, middle = bottom - max(1, (bottom - top) // 12), 0, 0
        for k in range(size):
            if stack[k] // columns >= low:
                feet += 1
                middle += stack[k] % columns
        found[count, 0], found[count, 1], found[count, 2], found[count, 3] = color, size, top, bottom + 1
        found[count, 4], found[count, 5] = left, right + 1
        found[count, 6], found[count, 7] = middle // feet, beside
        count += 1
    return count
