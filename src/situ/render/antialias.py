"""Edge pixels: which surfaces share them, and how much of the pixel each one has."""

import numpy as np
from numba import njit

from situ.render.intersect import NO_HIT, Rows, hit
from situ.render.solids import CODES_PER_PART, GROUND, SKY
from situ.render.visibility import Surface

SAMPLES = 4
# A rotated grid: no two samples share a row or a column.
_SAMPLE_X = np.array([-0.125, 0.375, -0.375, 0.125])
_SAMPLE_Y = np.array([-0.375, -0.125, 0.125, 0.375])
# Columns of a fragment, the share of one surface in one pixel: column of the pixel, code, nearness, image
# point where it is shaded, share.
PIXEL, CODE, NEARNESS, AT_X, AT_Y, SHARE, FRAGMENT_WIDTH = 0, 1, 2, 3, 4, 5, 6


@njit(cache=True, nogil=True)
def is_edge(surface: Surface, y: int, x: int) -> bool:
    """Whether a pixel sees another surface than one of its four neighbours."""
    height, width = surface.shape
    code = surface[y, x]
    return (
        (x > 0 and surface[y, x - 1] != code)
        or (x + 1 < width and surface[y, x + 1] != code)
        or (y > 0 and surface[y - 1, x] != code)
        or (y + 1 < height and surface[y + 1, x] != code)
    )


@njit(cache=True, nogil=True)
def edge_fragments(
    kinds: Rows,
    posed: Rows,
    s_most: float,
    ground: Rows,
    surface: Surface,
    y: int,
    x: int,
    around: Rows,
    fragments: Rows,
    first: int,
) -> int:
    """Append one fragment per surface that the samples of an edge pixel see; returns the new count.

    Each is shaded once, in the middle of its samples: faces are convex, so that point is on the face.
    """
    parts = _parts_around(surface, y, x, around)
    count = first
    for i in range(SAMPLES):
        u, v = x + 0.5 + _SAMPLE_X[i], y + 0.5 + _SAMPLE_Y[i]
        code = _seen_at(kinds, posed, s_most, ground, around, parts, u, v)
        found = first
        while found < count and fragments[found, CODE] != code:
            found += 1
        if found == count:
            fragments[found, PIXEL], fragments[found, CODE] = x, code
            fragments[found, AT_X] = fragments[found, AT_Y] = fragments[found, SHARE] = 0.0
            count += 1
        fragments[found, AT_X] += u
        fragments[found, AT_Y] += v
        fragments[found, SHARE] += 1.0
    for k in range(first, count):
        fragments[k, AT_X] /= fragments[k, SHARE]
        fragments[k, AT_Y] /= fragments[k, SHARE]
        fragments[k, SHARE] /= SAMPLES
        fragments[k, NEARNESS] = _nearness_of(
            kinds, posed, ground, int(fragments[k, CODE]), fragments[k, AT_X], fragments[k, AT_Y]
        )
    return count


@njit(cache=True, nogil=True)
def _parts_around(surface: Surface, y: int, x: int, around: Rows) -> int:
    """The distinct parts that a pixel and its eight neighbours see; returns how many."""
    height, width = surface.shape
    count = 0
    for j in range(max(0, y - 1), min(height, y + 2)):
        for i in range(max(0, x - 1), min(width, x + 2)):
            part = surface[j, i] // CODES_PER_PART - 1
            known = part < 0
            for k in range(count):
                known = known or around[k] == part
            if not known:
                around[count] = part
                count += 1
    return count


@njit(cache=True, nogil=True)
def _seen_at(
    kinds: Rows, posed: Rows, s_most: float, ground: Rows, around: Rows, parts: int, u: float, v: float
) -> int:
    """The code of what an image point sees: one of some parts, the ground or the sky."""
    best = ground[0] * u + ground[1] * v + ground[2]
    code = GROUND if best > 0.0 else SKY
    best = max(best, 0.0)
    for k in range(parts):
        part = int(around[k])
        s, face = hit(int(kinds[part, 0]), posed, part, 0.0, u, v)
        if s > best and s <= s_most:
            best, code = s, CODES_PER_PART * (part + 1) + face
    return code


@njit(cache=True, nogil=True)
def _nearness_of(kinds: Rows, posed: Rows, ground: Rows, code: int, u: float, v: float) -> float:
    if code == SKY:
        return 0.0
    if code == GROUND:
        return max(1e-9, ground[0] * u + ground[1] * v + ground[2])
    part = code // CODES_PER_PART - 1
    s, _ = hit(int(kinds[part, 0]), posed, part, 0.0, u, v)
    return s if s > NO_HIT else 1.0
