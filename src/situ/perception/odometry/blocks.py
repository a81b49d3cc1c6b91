"""The normal equations of a pose graph in blocks, compiled: one for each node, and one for each edge.

Of a graph with a few dozen nodes, arrays of all edges would take longer to arrange than to add up.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
_FIXED, _WEAK = 1e6, 1.0


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def add_edges(
    first: Numbers,
    second: Numbers,
    turned: Array,
    shifts: Array,
    log_scale: Array,
    information: Array,
    loop: NDArray[np.bool_],
    rotations: Array,
    places: Array,
    logs: Array,
    cauchy: float,
    right: Array,
    nodes: Array,
    pairs: Array,
) -> None:
    """Edges' residuals: rotation vectors `turned`, then shifts and logs of scales. Blocks of pairs have rows
    of the first node and columns of the second; loops count less the worse they fit (Cauchy)."""
    size = right.shape[1]
    by_first, by_second, off = np.zeros((7, 7)), np.zeros((7, 7)), np.empty(7)
    for e in range(len(first)):
        i, j = first[e], second[e]
        unit = np.exp(-logs[i])
        for a in range(3):
            seen = 0.0
            for b in range(3):
                seen += rotations[i, b, a] * (places[j, b] - places[i, b]) * unit
                by_first[3 + a, 3 + b] = -rotations[i, b, a] * unit
                by_second[3 + a, 3 + b] = rotations[i, b, a] * unit
                product = 0.0
                for c in range(3):
                    product += rotations[j, c, a] * rotations[i, c, b]
                by_first[a, b] = -product
            by_second[a, a] = 1.0
            by_first[3 + a, 6] = -seen
            off[a], off[3 + a] = turned[e, a], seen - shifts[e, a]
        x, y, z = -by_first[3, 6], -by_first[4, 6], -by_first[5, 6]
        by_first[3, 1], by_first[3, 2], by_first[4, 0] = -z, y, z
        by_first[4, 2], by_first[5, 0], by_first[5, 1] = -x, -y, x
        by_first[6, 6], by_second[6, 6] = -1.0, 1.0
        off[6] = logs[j] - logs[i] - log_scale[e]
        say = 1.0
        if loop[e]:
            squared = 0.0
            for r in range(7):
                squared += off[r] * off[r] * information[e, r]
            say = 1.0 / (1.0 + squared / cauchy**2)
        for r in range(7):
            weight = say * information[e, r]
            for s in range(size):
                one, other = weight * by_first[r, s], weight * by_second[r, s]
                right[i, s] -= one * off[r]
                right[j, s] -= other * off[r]
                for t in range(size):
                    nodes[i, s, t] += one * by_first[r, t]
                    nodes[j, s, t] += other * by_second[r, t]
                    pairs[e, s, t] += one * by_second[r, t]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def add_priors(
    up: Array,
    height: Array,
    information: Array,
    rotations: Array,
    places: Array,
    rescaled: Array,
    cauchy: float,
    right: Array,
    nodes: Array,
) -> None:
    """What is known of single nodes: up in camera axes (counting less the worse it fits, as a ramp may pass
    for a floor), height and the log of the scale, with an `information` (n, 3) of each."""
    size = right.shape[1]
    by, off = np.zeros((3, 3)), np.empty(3)
    for i in range(len(up)):
        x, y, z = rotations[i, 2, 0], rotations[i, 2, 1], rotations[i, 2, 2]
        by[0, 1], by[0, 2], by[1, 0] = -z, y, z
        by[1, 2], by[2, 0], by[2, 1] = -x, -y, x
        squared = 0.0
        for r in range(3):
            off[r] = rotations[i, 2, r] - up[i, r]
            squared += off[r] * off[r]
        weight = information[i, 0] / (1.0 + squared * information[i, 0] / cauchy**2)
        for s in range(3):
            for r in range(3):
                right[i, s] -= weight * by[r, s] * off[r]
                for t in range(3):
                    nodes[i, s, t] += weight * by[r, s] * by[r, t]
        right[i, 5] -= information[i, 1] * (places[i, 2] - height[i])
        nodes[i, 5, 5] += information[i, 1]
        if size > 6:
            right[i, 6] -= information[i, 2] * rescaled[i]
            nodes[i, 6, 6] += information[i, 2]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def hold_first(rotation: Array, nodes: Array) -> None:
    """Fix what nothing else can: the place, the heading and the unit of the first node, weakly its tilt."""
    for s in range(3):
        for t in range(3):
            nodes[0, s, t] += _FIXED * rotation[2, s] * rotation[2, t]
            nodes[0, s, t] += _WEAK * (rotation[0, s] * rotation[0, t] + rotation[1, s] * rotation[1, t])
    for s in range(3, nodes.shape[1]):
        nodes[0, s, s] += _FIXED
