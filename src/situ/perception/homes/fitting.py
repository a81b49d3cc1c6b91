"""How well a picture falls on what is known, from many spots: compiled, as a spot asks hundreds of cells."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Array = NDArray[np.float64]
Cells = NDArray[np.float32]
_ALIKE = 40.0  # sums of differences of red, green and blue below which a cell may show the same
_SLACK_M, _SLACK_SHARE = 0.25, 0.08  # of depth: nearer together is at the same depth
# A known cell is seen again; or only its name or its colour; or neither; or one sees past it something
# farther away; or something hides it.
SAME, HALF, OTHER, THROUGH, HIDDEN = range(5)


@njit(cache=True)  # type: ignore[untyped-decorator]
def fallen_on(field: Cells, corner: Array, cell_m: float, points: Array, spots: Array, found: Array) -> None:
    """Add to `found` the sum of a field under points that are carried to each spot."""
    high, wide = field.shape
    for k in range(len(spots)):
        east, north = spots[k, 0] - corner[0], spots[k, 1] - corner[1]
        held = 0.0
        for i in range(len(points)):
            row = math.floor((points[i, 0] + east) / cell_m + 0.5)
            column = math.floor((points[i, 1] + north) / cell_m + 0.5)
            held += field[min(max(row, 0), high - 1), min(max(column, 0), wide - 1)]
        found[k] += held


@njit(cache=True)  # type: ignore[untyped-decorator]
def met_again(worth: Array, ways: Array, sigma: Array, spots: Array, found: Array) -> None:
    """Add to `found` what things are worth for each spot. `worth` (things, known) says how likely two are
    one, and `ways` (things, known, 2) where the picture would then have been taken."""
    for thing in range(worth.shape[0]):
        scale = -0.5 / sigma[thing] ** 2
        for k in range(len(spots)):
            best = 0.0
            for known in range(worth.shape[1]):
                if worth[thing, known] > best:
                    x, y = spots[k, 0] - ways[thing, known, 0], spots[k, 1] - ways[thing, known, 1]
                    best = max(best, worth[thing, known] * math.exp(scale * (x * x + y * y)))
            found[k] += best


@njit(cache=True)  # type: ignore[untyped-decorator]
def seen_again(
    places: Array,
    label: NDArray[np.int32],
    colors: Array,
    shown: NDArray[np.int32],
    metres: Cells,
    painted: Array,
    axes: Array,
    lens: Array,
    spot: Array,
    yaw: float,
) -> Array:
    """Known cells (`places`) against a picture from a spot (east, north, height): how many of those that lie
    in it are seen again, and how. `lens` is in cells: fx, fy, cx, cy."""
    rows, columns = shown.shape
    c, s = math.cos(yaw), math.sin(yaw)
    found = np.zeros(5)
    for k in range(len(places)):
        east, north, up = places[k, 0] - spot[0], places[k, 1] - spot[1], places[k, 2] - spot[2]
        ahead, left = c * east + s * north, c * north - s * east
        depth = ahead * axes[0, 2] + left * axes[1, 2] + up * axes[2, 2]
        if depth <= 0.4:
            continue
        across = ahead * axes[0, 0] + left * axes[1, 0] + up * axes[2, 0]
        down = ahead * axes[0, 1] + left * axes[1, 1] + up * axes[2, 1]
        column = math.floor(across / depth * lens[0] + lens[2] + 0.5)
        row = math.floor(down / depth * lens[1] + lens[3] + 0.5)
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        slack = _SLACK_M + _SLACK_SHARE * depth
        if metres[row, column] > depth + slack:
            found[THROUGH] += 1.0
            continue
        if metres[row, column] < depth - slack:
            found[HIDDEN] += 1.0
            continue
        named, alike = False, False
        for y in range(max(row - 1, 0), min(row + 2, rows)):
            for x in range(max(column - 1, 0), min(column + 2, columns)):
                named = named or shown[y, x] == label[k]
                apart = 0.0
                for i in range(3):
                    apart += abs(colors[k, i] - painted[y, x, i])
                alike = alike or apart < _ALIKE
        found[SAME if named and alike else HALF if named or alike else OTHER] += 1.0
    return found
