"""Whole images from what each pixel sees: ids and depth, and colour with antialiased edges."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.antialias import (
    AT_X,
    AT_Y,
    CODE,
    FRAGMENT_WIDTH,
    NEARNESS,
    PIXEL,
    SAMPLES,
    SHARE,
    edge_fragments,
    is_edge,
)
from situ.render.intersect import Rows
from situ.render.light import Light
from situ.render.materials import Materials
from situ.render.shade import sky_color, surface_color
from situ.render.solids import CODES_PER_PART, SKY
from situ.render.views import View
from situ.render.visibility import Nearness, Surface

_TONES = 8192
_TONE_LIMIT = 2.5
_SHOULDER = 0.7  # linear up to here, then ever softer towards 1


def tone_table() -> NDArray[np.uint8]:
    """8-bit sRGB of linear values in [0, _TONE_LIMIT)."""
    linear = (np.arange(_TONES) + 0.5) * (_TONE_LIMIT / _TONES)
    room = 1.0 - _SHOULDER
    over = np.maximum(linear - _SHOULDER, 0.0) / room
    toned = np.where(linear < _SHOULDER, linear, _SHOULDER + room * over / (1.0 + over))
    encoded = np.where(toned <= 0.0031308, 12.92 * toned, 1.055 * toned ** (1 / 2.4) - 0.055)
    return np.round(encoded * 255.0).astype(np.uint8)


@njit(cache=True, nogil=True)
def fill_ids_and_depth(
    part_ids: NDArray[np.uint16],
    nearness: Nearness,
    surface: Surface,
    ids: NDArray[np.uint16],
    depth: NDArray[np.float32],
) -> None:
    height, width = surface.shape
    for y in range(height):
        for x in range(width):
            code = surface[y, x]
            ids[y, x] = part_ids[code // CODES_PER_PART - 1] if code >= CODES_PER_PART else 0
            depth[y, x] = np.float32(1.0) / nearness[y, x] if code != SKY else np.float32(0.0)


@njit(cache=True, nogil=True)
def fill_colors(
    view: View,
    solids: Rows,
    materials: Materials,
    light: Light,
    posed: Rows,
    ground: Rows,
    tones: NDArray[np.uint8],
    nearness: Nearness,
    surface: Surface,
    rgb: NDArray[np.uint8],
) -> None:
    """Row by row: collect the fragments of its pixels, shade each, and tone their sums."""
    height, width = surface.shape
    fragments = np.zeros((SAMPLES * width, FRAGMENT_WIDTH))
    around = np.zeros(9)
    row = np.zeros((width, 3))
    to_tone = _TONES / _TONE_LIMIT
    for y in range(height):
        count = _row_fragments(solids, posed, view.s_most, ground, nearness, surface, y, around, fragments)
        row[:] = 0.0
        _shade_row(
            view.rays,
            solids,
            materials.rows,
            materials.atlas,
            materials.pictures,
            light.lamp,
            light.shadow,
            light.contact,
            fragments,
            count,
            row,
        )
        for x in range(width):
            for channel in range(3):
                rgb[y, x, channel] = tones[min(_TONES - 1, int(row[x, channel] * to_tone))]


@njit(cache=True, nogil=True)
def _row_fragments(
    kinds: Rows,
    posed: Rows,
    s_most: float,
    ground: Rows,
    nearness: Nearness,
    surface: Surface,
    y: int,
    around: Rows,
    fragments: Rows,
) -> int:
    """One fragment for each pixel that sees one surface, several for those on an edge."""
    count = 0
    for x in range(surface.shape[1]):
        if is_edge(surface, y, x):
            count = edge_fragments(kinds, posed, s_most, ground, surface, y, x, around, fragments, count)
        else:
            fragments[count, PIXEL], fragments[count, CODE] = x, surface[y, x]
            fragments[count, NEARNESS], fragments[count, SHARE] = nearness[y, x], 1.0
            fragments[count, AT_X], fragments[count, AT_Y] = x + 0.5, y + 0.5
            count += 1
    return count


@njit(cache=True, nogil=True)
def _shade_row(
    rays: Rows,
    solids: Rows,
    materials: Rows,
    atlas: NDArray[np.uint32],
    pictures: NDArray[np.uint64],
    lamp: Rows,
    shadow: NDArray[np.float32],
    contact: NDArray[np.float32],
    fragments: Rows,
    count: int,
    row: Rows,
) -> None:
    """Add the colours of fragments to their pixels."""
    pixel = np.sqrt(rays[0, 0] ** 2 + rays[1, 0] ** 2 + rays[2, 0] ** 2)
    for i in range(count):
        code, x, y = int(fragments[i, CODE]), fragments[i, AT_X], fragments[i, AT_Y]
        if code == SKY:
            r, g, b = sky_color(lamp, rays, x, y)
        else:
            s = fragments[i, NEARNESS]
            r, g, b = surface_color(
                code, s, x, y, pixel, rays, solids, materials, atlas, pictures, lamp, shadow, contact
            )
        at, share = int(fragments[i, PIXEL]), fragments[i, SHARE]
        row[at, 0] += share * r
        row[at, 1] += share * g
        row[at, 2] += share * b
