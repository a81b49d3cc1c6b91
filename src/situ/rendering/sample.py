"""Texture sampling with mipmaps, which avoids aliasing of large pixel footprints."""

import numpy as np
from numpy.typing import NDArray

from situ.rendering.fragments import BLUE, DU, DV, GREEN, MATERIAL, RED, WIDTH, U, V
from situ.rendering.intersect import Rows
from situ.rendering.kernel import kernel
from situ.rendering.materials import ORGANIC_FLAG, PALETTE, PATTERN, POSTER, SLOT, STYLE
from situ.rendering.noise import lattice
from situ.rendering.patterns import TILE
from situ.rendering.posters import PICTURE, POOL

_TILE_LEVELS = 9  # 512 is 2 ** 9
_PICTURE_LEVELS = 8  # mipmaps of a poster
_SHARPER = 0.3  # mipmap octaves: slightly sharper than the footprint requires
_PER_LANE = 1.0 / (255.0 * 256.0)  # scale of an interpolated 16-bit channel to 0..1
_SHRINK = np.array([1.0 / (1 << level) for level in range(_TILE_LEVELS + 2)])
_FIRST_TEXEL = np.array(
    [4 * (TILE * TILE - (TILE * TILE >> 2 * level)) // 3 for level in range(_TILE_LEVELS + 2)]
)


@kernel
def paint(
    materials: Rows,
    atlas: NDArray[np.uint32],
    pictures: NDArray[np.uint64],
    table: Rows,
    start: int,
    end: int,
) -> None:
    """Assign material colours to fragments [start, end), before lighting."""
    i = start
    while i < end:  # runs of equal material
        first, material = i, table[MATERIAL, i]
        while i < end and table[MATERIAL, i] == material:
            i += 1
        if materials[int(material), STYLE] == PATTERN:
            _paint_pattern(materials, atlas, int(material), table, first, i)
        elif materials[int(material), STYLE] == POSTER:
            _paint_picture(materials, pictures, int(material), table, first, i)
        else:
            for channel in range(3):
                table[RED + channel, first:i] = materials[int(material), PALETTE + channel]


@kernel
def _paint_pattern(
    materials: Rows, atlas: NDArray[np.uint32], material: int, table: Rows, start: int, end: int
) -> None:
    """Mix two colours by the `mix` channel of a tile, times its brightness."""
    tile, organic = atlas[int(materials[material, SLOT])], materials[material, ORGANIC_FLAG] != 0.0
    p = PALETTE
    r, g, b = materials[material, p], materials[material, p + 1], materials[material, p + 2]
    dr, dg, db = (
        materials[material, p + 3] - r,
        materials[material, p + 4] - g,
        materials[material, p + 5] - b,
    )
    for i in range(start, end):
        u, v, du, dv = table[U, i], table[V, i], 0.25 * table[DU, i], 0.25 * table[DV, i]
        # Anisotropic footprint of `length` by `width` texels: two samples along it, each for half its length.
        length_2, width_2 = 16.0 * (du * du + dv * dv), table[WIDTH, i] * table[WIDTH, i]
        readings = 2 if length_2 > 2.25 * width_2 else 1
        detail = 0.5 * octaves_of(max(width_2, 0.25 * length_2 if readings == 2 else length_2)) - _SHARPER
        detail = min(float(_TILE_LEVELS), max(0.0, detail))
        level = int(detail)
        # Blend mipmap levels only in the middle of the range between them.
        blend = min(1.0, max(0.0, (detail - level - 0.3) * 2.5))
        mix = brightness = 0.0
        for step in range(2):
            weight = blend if step == 1 else 1.0 - blend
            if weight == 0.0:
                continue
            for reading in range(readings):
                sign = (2.0 * reading - 1.0) * (readings - 1)
                sample = _bilinear(tile, level + step, u + sign * du, v + sign * dv)
                mix += weight * sample[0]
                brightness += weight * sample[1]
        whole = 0.5 * _PER_LANE if readings == 2 else _PER_LANE
        mix, brightness = mix * whole, brightness * 2.0 * whole
        if organic:
            slow = _bilinear(tile, max(0, level - 2), 0.117 * u + 0.083 * v, 0.117 * v - 0.083 * u)
            brightness *= 0.7 + 0.6 * _PER_LANE * slow[0]
        table[RED, i] = brightness * (r + dr * mix)
        table[GREEN, i] = brightness * (g + dg * mix)
        table[BLUE, i] = brightness * (b + db * mix)


@kernel
def _bilinear(tile: NDArray[np.uint32], level: int, u: float, v: float) -> tuple[float, float]:
    """Both channels of a tile at (u, v), mix and brightness, each as 24-bit fixed point.

    Both are interpolated along u at once, since they are 16 bits apart in one integer.
    """
    side = TILE >> level
    wrap = side - 1
    x, y = u * _SHRINK[level] - 0.5, v * _SHRINK[level] - 0.5
    floor_x, floor_y = np.floor(x), np.floor(y)
    column, row = int(floor_x), int(floor_y)
    start = _FIRST_TEXEL[level]
    left, right = column & wrap, (column + 1) & wrap
    upper, lower = start + (row & wrap) * side, start + ((row + 1) & wrap) * side
    fx, fy = int((x - floor_x) * 256.0), y - floor_y  # 256ths along u, 1 along v
    top = np.int64(tile[upper + left]) * (256 - fx) + np.int64(tile[upper + right]) * fx
    bottom = np.int64(tile[lower + left]) * (256 - fx) + np.int64(tile[lower + right]) * fx
    mix = (top >> 16) * (1.0 - fy) + (bottom >> 16) * fy
    return mix, (top & 0xFFFF) * (1.0 - fy) + (bottom & 0xFFFF) * fy


@kernel
def octaves_of(ratio: float) -> float:
    """log2 to within 0.1, from the bits of the number."""
    bits = np.float32(ratio).view(np.int32)
    return (bits >> 23) - 127.0 + (bits & 0x7FFFFF) / 8388608.0


@kernel
def _first_texel(level: int, size: int) -> int:
    """Index of a level in the flat array."""
    whole = size * size
    return (4 * (whole - (whole >> (2 * level)))) // 3


@kernel
def _paint_picture(
    materials: Rows, pictures: NDArray[np.uint64], material: int, table: Rows, start: int, end: int
) -> None:
    """Poster image at each fragment: its four palette weights times the colours of the material."""
    seed, p, lane, full = int(materials[material, SLOT]), PALETTE, np.uint64(0xFFFF), np.uint64(16)
    for i in range(start, end):
        u, v = table[U, i], table[V, i]
        across, down = np.floor(u / PICTURE), np.floor(v / PICTURE)
        number = int(lattice(int(across), int(down), seed) * POOL)
        level = min(_PICTURE_LEVELS, max(0, int(octaves_of(table[WIDTH, i]) + 0.5)))
        side = PICTURE >> level
        x = min(max((u - across * PICTURE) / (1 << level) - 0.5, 0.0), side - 1.001)
        y = min(max((v - down * PICTURE) / (1 << level) - 0.5, 0.0), side - 1.001)
        column, row = max(0, int(x)), max(0, int(y))
        first = _first_texel(level, PICTURE) + row * side + column
        right, below = (1 if column + 1 < side else 0), (side if row + 1 < side else 0)
        fx, fy = np.uint64(max(0.0, x - column) * 16.0), np.uint64(max(0.0, y - row) * 16.0)
        packed = (pictures[number, first] * (full - fx) + pictures[number, first + right] * fx) * (
            full - fy
        ) + (
            pictures[number, first + below] * (full - fx) + pictures[number, first + below + right] * fx
        ) * fy
        w0 = float((packed >> np.uint64(48)) & lane) * _PER_LANE
        w1 = float((packed >> np.uint64(32)) & lane) * _PER_LANE
        w2 = float((packed >> np.uint64(16)) & lane) * _PER_LANE
        w3 = float(packed & lane) * _PER_LANE
        for channel in range(3):
            table[RED + channel, i] = (
                w0 * materials[material, p + channel]
                + w1 * materials[material, p + 3 + channel]
                + w2 * materials[material, p + 6 + channel]
                + w3 * materials[material, p + 9 + channel]
            )
