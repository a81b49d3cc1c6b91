"""Antialiasing: the surfaces in an edge pixel and their coverage."""

import numpy as np
from numpy.typing import NDArray

from situ.rendering.intersect import Rows, hit
from situ.rendering.kernel import kernel
from situ.rendering.solids import CODE_BITS, CODES_PER_PART, GROUND, SKY
from situ.rendering.visibility import GROUND_ENDS, Surface

SAMPLES = 4  # per edge pixel
# Rotated grid: no two samples share a row or a column.
_SAMPLE_X = np.array([-0.125, 0.375, -0.375, 0.125])
_SAMPLE_Y = np.array([-0.375, -0.125, 0.125, 0.375])
# Scratch memory of one pixel. Rows 0-3: found surfaces (code, image point, share, nearness). Rows 4-7: what
# each sample sees (code, nearness). Row 8: the parts around the pixel.
SCRATCH_SHAPE = (9, 9)


@kernel
def mark_edges(surface: Surface, y: int, edges: NDArray[np.bool_]) -> None:
    """Mark pixels of a row that see another surface than one of their four neighbours."""
    height, width = surface.shape
    above, below = max(0, y - 1), min(height - 1, y + 1)
    for x in range(width):
        code = surface[y, x]
        edges[x] = (surface[above, x] != code) | (surface[below, x] != code)
    for x in range(width - 1):
        differs = surface[y, x] != surface[y, x + 1]
        edges[x] |= differs
        edges[x + 1] |= differs


@kernel
def sample_edge(
    solids: Rows,
    posed: Rows,
    s_most: float,
    ground: Rows,
    surface: Surface,
    y: int,
    x: int,
    scratch: Rows,
) -> int:
    """List the surfaces that the samples of an edge pixel see; returns their number.

    Each is shaded once, at the mean of its samples: faces are convex, so that point lies on the face.
    """
    parts = _parts_around(surface, y, x, scratch)
    for i in range(SAMPLES):
        s = ground[0] * (x + 0.5 + _SAMPLE_X[i]) + ground[1] * (y + 0.5 + _SAMPLE_Y[i]) + ground[2]
        scratch[4 + i, 0] = GROUND if s > GROUND_ENDS else SKY
        scratch[4 + i, 1] = s if s > GROUND_ENDS else 0.0
    for k in range(parts):
        part = int(scratch[8, k])
        for i in range(SAMPLES):
            u, v = x + 0.5 + _SAMPLE_X[i], y + 0.5 + _SAMPLE_Y[i]
            s, face = hit(int(solids[part, 0]), posed, part, 0.0, u, v)
            if s > scratch[4 + i, 1] and s <= s_most:
                scratch[4 + i, 0], scratch[4 + i, 1] = CODES_PER_PART * (part + 1) + face, s
    count = 0
    for i in range(SAMPLES):
        code = scratch[4 + i, 0]
        found = 0
        while found < count and scratch[found, 0] != code:
            found += 1
        if found == count:
            scratch[found, 0] = code
            scratch[found, 1] = scratch[found, 2] = scratch[found, 3] = scratch[found, 4] = 0.0
            count += 1
        scratch[found, 1] += x + 0.5 + _SAMPLE_X[i]
        scratch[found, 2] += y + 0.5 + _SAMPLE_Y[i]
        scratch[found, 3] += 1.0
        scratch[found, 4] += scratch[4 + i, 1]
    for k in range(count):
        seen = scratch[k, 3]
        scratch[k, 1], scratch[k, 2], scratch[k, 4] = (
            scratch[k, 1] / seen,
            scratch[k, 2] / seen,
            scratch[k, 4] / seen,
        )
        scratch[k, 3] = seen / SAMPLES
    return count


@kernel
def _parts_around(surface: Surface, y: int, x: int, scratch: Rows) -> int:
    """List the distinct parts that a pixel and its eight neighbours see; returns their number."""
    height, width = surface.shape
    count = 0
    for j in range(max(0, y - 1), min(height, y + 2)):
        for i in range(max(0, x - 1), min(width, x + 2)):
            part = (surface[j, i] >> CODE_BITS) - 1
            known = part < 0
            for k in range(count):
                known = known or scratch[8, k] == part
            if not known:
                scratch[8, count] = part
                count += 1
    return count
