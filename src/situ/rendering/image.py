"""Images from surface codes: ids and depth, and antialiased colour."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.rendering.antialias import SCRATCH_SHAPE
from situ.rendering.fragments import Drawn, RowBuffers, collect
from situ.rendering.intersect import Rows
from situ.rendering.kernel import kernel
from situ.rendering.light import Light
from situ.rendering.materials import Materials
from situ.rendering.sample import paint
from situ.rendering.shade import illuminate, paint_sky
from situ.rendering.solids import CODE_BITS, CODES_PER_PART, SKY
from situ.rendering.surface import place_ground, place_solids
from situ.rendering.views import View
from situ.rendering.visibility import Nearness, Surface

_TONES = 8192  # entries of the tone table
_TONE_LIMIT = 2.5  # largest linear value, shown as white
_TO_TONE = _TONES / _TONE_LIMIT
_SHOULDER = 0.7  # tone curve: linear up to here, then increasingly flat


def tone_table() -> NDArray[np.uint8]:
    """8-bit sRGB of linear values in [0, _TONE_LIMIT)."""
    linear = (np.arange(_TONES) + 0.5) * (_TONE_LIMIT / _TONES)
    room = 1.0 - _SHOULDER
    over = np.maximum(linear - _SHOULDER, 0.0) / room
    toned = np.where(linear < _SHOULDER, linear, _SHOULDER + room * over / (1.0 + over))
    encoded = np.where(toned <= 0.0031308, 12.92 * toned, 1.055 * toned ** (1 / 2.4) - 0.055)
    return np.round(encoded * 255.0).astype(np.uint8)


@kernel
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
            ids[y, x] = part_ids[(code >> CODE_BITS) - 1] if code >= CODES_PER_PART else 0
            depth[y, x] = np.float32(1.0) / nearness[y, x] if code != SKY else np.float32(0.0)


class SceneArrays(NamedTuple):
    """A scene as the shading kernels read it, and the tone table."""

    solids: Rows
    materials: Materials
    light: Light
    tones: NDArray[np.uint8]


@kernel
def fill_colors(
    view: View,
    scene: SceneArrays,
    posed: Rows,
    ground: Rows,
    drawn: Drawn,
    table: Rows,
    rgb: NDArray[np.uint8],
) -> None:
    """Shade an image row by row: collect the fragments of its pixels, light them, and tone-map their sums."""
    solids, materials, light, tones = scene
    height, width = drawn.surface.shape
    row = RowBuffers(
        np.zeros((4, width)), np.zeros(width, dtype=np.bool_), np.zeros(SCRATCH_SHAPE), np.zeros((3, width))
    )
    sky, colors = row.sky, row.colors
    rays, rows, lamp, end = view.rays, materials.rows, light.lamp, table.shape[1]
    atlas, pictures, shadow, contact = materials.atlas, materials.pictures, light.shadow, light.contact
    for y in range(height):
        paint_sky(lamp, rays, y + 0.5, sky)
        low, high = collect(y, solids, posed, view.s_most, ground, drawn, row, table)
        place_ground(rays, rows, table, low)
        paint(rows, atlas, pictures, table, 0, low)
        illuminate(lamp, shadow, contact, table, 0, low, colors)
        place_solids(rays, solids, rows, lamp, table, high, end)
        paint(rows, atlas, pictures, table, high, end)
        illuminate(lamp, shadow, contact, table, high, end, colors)
        for x in range(width):
            for channel in range(3):
                rgb[y, x, channel] = tones[min(_TONES - 1, int(colors[channel, x] * _TO_TONE))]
