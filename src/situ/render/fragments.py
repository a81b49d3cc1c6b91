"""Fragments: the share of one surface in one pixel, waiting to be shaded.

The fragments of an image row stand in the columns of a table whose rows are named here, so that each step of
shading is one plain loop over a few of them. Ground fragments fill the table from its start, those of solids
from its end.
"""

import numpy as np

from situ.render.antialias import SAMPLES, is_edge, sample_edge
from situ.render.intersect import Rows
from situ.render.kernel import kernel
from situ.render.solids import GROUND, SKY
from situ.render.visibility import Nearness, Surface

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
    RED,
    GREEN,
    BLUE,
    TABLE_ROWS,
) = range(24)


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
    scratch: Rows,
    table: Rows,
    colors: Rows,
) -> tuple[int, int]:
    """Start a row: paint its sky, list the rest. Returns the end of the ground and the start of the solids."""
    low, high = 0, table.shape[1]
    for x in range(surface.shape[1]):
        code = surface[y, x]
        colors[0, x] = colors[1, x] = colors[2, x] = 0.0
        found = 1
        if is_edge(surface, y, x):
            found = sample_edge(solids, posed, s_most, ground, surface, y, x, scratch)
        else:
            scratch[0, 0], scratch[0, 1], scratch[0, 2] = code, x + 0.5, y + 0.5
            scratch[0, 3], scratch[0, 4] = 1.0, nearness[y, x]
        for k in range(found):
            code = int(scratch[k, 0])
            share = scratch[k, 3]
            if code == SKY:
                colors[0, x] += share * sky[0, x]
                colors[1, x] += share * sky[1, x]
                colors[2, x] += share * sky[2, x]
                continue
            if code == GROUND:
                at = low
                low += 1
            else:
                high -= 1
                at = high
            table[PIXEL, at], table[CODE, at], table[SHARE, at] = x, code, share
            table[AT_X, at], table[AT_Y, at], table[NEARNESS, at] = (
                scratch[k, 1],
                scratch[k, 2],
                scratch[k, 4],
            )
    return low, high


def fragment_table(width: int) -> Rows:
    return np.zeros((TABLE_ROWS, SAMPLES * width))
