"""Fragments: the share of one surface in one pixel, before shading.

The fragments of an image row are the columns of a table with the rows named below, so every step of shading
is a simple loop over a few rows. Ground fragments fill the table from its start, solids from its end.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.rendering.antialias import SAMPLES, mark_edges, sample_edge
from situ.rendering.intersect import Rows
from situ.rendering.kernel import kernel
from situ.rendering.solids import GROUND, SKY
from situ.rendering.visibility import Nearness, Surface

(
    PIXEL,  # column of the pixel
    CODE,  # surface code
    NEARNESS,
    AT_X,  # image point of shading
    AT_Y,
    SHARE,  # of the pixel
    PX,  # position in the world
    PY,
    PZ,
    NX,  # normal in the world
    NY,
    NZ,
    U,  # texture coordinates, in texels
    V,
    DU,  # longer axis of the pixel footprint
    DV,
    WIDTH,  # shorter axis of the footprint
    MATERIAL,
    GLINT,  # specular reflection
    FAR,  # distance from the camera
    FACING,  # cosine of the angle to the sun or lamp
    DIRECT,  # share of direct light that arrives
    OPEN,  # share of ambient light that arrives
    RED,
    GREEN,
    BLUE,
    TABLE_ROWS,
) = range(27)


class Drawn(NamedTuple):
    """What each pixel centre shows: nearness and surface code."""

    nearness: Nearness
    surface: Surface


class RowBuffers(NamedTuple):
    """Working memory for one image row."""

    sky: Rows
    edges: NDArray[np.bool_]
    scratch: Rows
    colors: Rows


@kernel
def collect(
    y: int, solids: Rows, posed: Rows, s_most: float, ground: Rows, drawn: Drawn, row: RowBuffers, table: Rows
) -> tuple[int, int]:
    """Start a row: fill in its sky and list its fragments; returns the end of the ground and the start of
    solids."""
    nearness, surface = drawn
    sky, edges, scratch, colors = row
    low, high = 0, table.shape[1]
    mark_edges(surface, y, edges)
    colors[:] = 0.0
    for x in range(surface.shape[1]):
        code = int(surface[y, x])
        if edges[x]:
            found = sample_edge(solids, posed, s_most, ground, surface, y, x, scratch)
            for k in range(found):
                code = int(scratch[k, 0])
                if code == SKY:
                    for channel in range(3):
                        colors[channel, x] += scratch[k, 3] * sky[channel, x]
                    continue
                if code != GROUND:
                    high -= 1
                at = low if code == GROUND else high
                low += code == GROUND
                table[PIXEL, at], table[CODE, at], table[SHARE, at] = x, code, scratch[k, 3]
                table[AT_X, at], table[AT_Y, at] = scratch[k, 1], scratch[k, 2]
                table[NEARNESS, at] = scratch[k, 4]
        elif code == SKY:
            for channel in range(3):
                colors[channel, x] = sky[channel, x]
        else:
            if code != GROUND:
                high -= 1
            at = low if code == GROUND else high
            low += code == GROUND
            table[PIXEL, at], table[CODE, at], table[SHARE, at] = x, code, 1.0
            table[AT_X, at], table[AT_Y, at], table[NEARNESS, at] = x + 0.5, y + 0.5, nearness[y, x]
    return low, high


def fragment_table(width: int) -> Rows:
    return np.zeros((TABLE_ROWS, SAMPLES * width))
