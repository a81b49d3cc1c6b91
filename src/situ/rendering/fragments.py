"""Fragments: the share of one surface in one pixel, waiting to be shaded.

The fragments of an image row stand in the columns of a table whose rows are named here, so that each step of
shading is one plain loop over a few of them. Ground fragments fill the table from its start, those of solids
from its end.
"""

import numpy as np
from numpy.typing import NDArray

from situ.rendering.antialias import SAMPLES, mark_edges, sample_edge
from situ.rendering.intersect import Rows
from situ.rendering.kernel import kernel
from situ.rendering.solids import GROUND, SKY
from situ.rendering.visibility import Nearness, Surface

(
    PIXEL,  # column of the pixel
    CODE,  # what is seen
    NEARNESS,
    AT_X,  # image point at which it is shaded
    AT_Y,
    SHARE,  # of the pixel
    PX,  # place in the world
    PY,
    PZ,
    NX,  # normal in the world
    NY,
    NZ,
    U,  # texture coordinates, in texels
    V,
    DU,  # the longer axis of the pixel's footprint there
    DV,
    WIDTH,  # its shorter axis
    MATERIAL,
    GLINT,  # how much of the light is mirrored into the camera
    FAR,  # distance from the camera
    FACING,  # cosine of the angle to the sun or lamp
    DIRECT,  # how much of its light arrives
    OPEN,  # how much of the ambient light arrives
    RED,
    GREEN,
    BLUE,
    TABLE_ROWS,
) = range(27)


@kernel
def collect(
    y: int,
    solids: Rows,
    posed: Rows,
    s_most: float,
    ground: Rows,
    nearness: Nearness,
    surface: Surface,
    sky: Rows,
    edges: NDArray[np.bool_],
    scratch: Rows,
    table: Rows,
    colors: Rows,
) -> tuple[int, int]:
    """Start a row: paint its sky, list the rest. Returns where the ground ends and the solids start."""
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
