"""Reading textures without shimmer: smaller copies of a tile for larger pixel footprints."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.noise import lattice
from situ.render.patterns import TILE
from situ.render.posters import PICTURE, POOL

_TILE_LEVELS = 9  # 512 is 2 ** 9
_PICTURE_LEVELS = 8
_LANE = 255.0 * 256.0
Atlas = NDArray[np.uint32]


@njit(cache=True, nogil=True)
def octaves_of(ratio: float) -> float:
    """log2 to within a tenth, from the bits of the number."""
    bits = np.float32(ratio).view(np.int32)
    return (bits >> 23) - 127.0 + (bits & 0x7FFFFF) / 8388608.0


@njit(cache=True, nogil=True)
def _first_texel(level: int, size: int) -> int:
    """Where a level starts in the flat array: 4/3 of what the larger ones take."""
    whole = size * size
    return (4 * (whole - (whole >> (2 * level)))) // 3


@njit(cache=True, nogil=True)
def _read(atlas: Atlas, slot: int, level: int, u: float, v: float) -> tuple[float, float]:
    """(mix, brightness) of a tile's level, interpolated; u and v in texels of level 0."""
    shrink = 1.0 / (1 << level)
    side = TILE >> level
    wrap = side - 1
    x, y = u * shrink - 0.5, v * shrink - 0.5
    column, row = int(np.floor(x)), int(np.floor(y))
    fx, fy = int((x - column) * 256.0), y - row
    start = _first_texel(level, TILE)
    left, right = column & wrap, (column + 1) & wrap
    upper, lower = start + (row & wrap) * side, start + ((row + 1) & wrap) * side
    top = np.int64(atlas[slot, upper + left]) * (256 - fx) + np.int64(atlas[slot, upper + right]) * fx
    bottom = np.int64(atlas[slot, lower + left]) * (256 - fx) + np.int64(atlas[slot, lower + right]) * fx
    mix = (top >> 16) * (1.0 - fy) + (bottom >> 16) * fy
    brightness = (top & 0xFFFF) * (1.0 - fy) + (bottom & 0xFFFF) * fy
    return mix / _LANE, brightness / _LANE


@njit(cache=True, nogil=True)
def _read_smooth(atlas: Atlas, slot: int, detail: float, u: float, v: float) -> tuple[float, float]:
    """As `_read`, passing gently from one level to the next."""
    if detail <= 0.0:
        return _read(atlas, slot, 0, u, v)
    if detail >= _TILE_LEVELS:
        return _read(atlas, slot, _TILE_LEVELS, u, v)
    level = int(detail)
    blend = (detail - level - 0.25) * 2.0  # only the middle half of the way mixes two levels
    if blend <= 0.0:
        return _read(atlas, slot, level, u, v)
    if blend >= 1.0:
        return _read(atlas, slot, level + 1, u, v)
    mix, brightness = _read(atlas, slot, level, u, v)
    mix_next, brightness_next = _read(atlas, slot, level + 1, u, v)
    return mix + (mix_next - mix) * blend, brightness + (brightness_next - brightness) * blend


@njit(cache=True, nogil=True)
def read_pattern(
    atlas: Atlas, slot: int, organic: bool, u: float, v: float, du: float, dv: float, width: float
) -> tuple[float, float]:
    """(mix, brightness) under a pixel: `width` texels wide and (du, dv) texels long, centred at (u, v)."""
    length = np.sqrt(du * du + dv * dv)
    if length > 1.5 * width:
        detail = octaves_of(max(width, 0.5 * length))
        mix, brightness = _read_smooth(atlas, slot, detail, u - 0.25 * du, v - 0.25 * dv)
        mix_two, brightness_two = _read_smooth(atlas, slot, detail, u + 0.25 * du, v + 0.25 * dv)
        mix, brightness = 0.5 * (mix + mix_two), 0.5 * (brightness + brightness_two)
    else:
        detail = octaves_of(max(length, width))
        mix, brightness = _read_smooth(atlas, slot, detail, u, v)
    if organic:
        level = min(_TILE_LEVELS, max(0, int(detail - 2.5)))
        slow, _ = _read(atlas, slot, level, 0.117 * u + 0.083 * v, 0.117 * v - 0.083 * u)
        brightness *= 0.7 + 0.6 * slow
    return mix, 2.0 * brightness


@njit(cache=True, nogil=True)
def read_picture(
    pool: NDArray[np.uint64], seed: int, u: float, v: float, width: float
) -> tuple[float, float, float, float]:
    """The four palette weights of the picture that hangs at (u, v), in texels; v grows downwards."""
    number = int(lattice(int(np.floor(u / PICTURE)), int(np.floor(v / PICTURE)), seed) * POOL)
    level = min(_PICTURE_LEVELS, max(0, int(octaves_of(width) + 0.5)))
    side = PICTURE >> level
    x = min(max((u % PICTURE) / (1 << level) - 0.5, 0.0), side - 1.001)
    y = min(max((v % PICTURE) / (1 << level) - 0.5, 0.0), side - 1.001)
    column, row = int(x), int(y)
    start = _first_texel(level, PICTURE) + row * side + column
    down = side if row + 1 < side else 0
    right = 1 if column + 1 < side else 0
    fx, fy = np.uint64((x - column) * 16.0), np.uint64((y - row) * 16.0)
    full = np.uint64(16)
    packed = (pool[number, start] * (full - fx) + pool[number, start + right] * fx) * (full - fy) + (
        pool[number, start + down] * (full - fx) + pool[number, start + down + right] * fx
    ) * fy
    lane = np.uint64(0xFFFF)
    return (
        float((packed >> np.uint64(48)) & lane) / _LANE,
        float((packed >> np.uint64(32)) & lane) / _LANE,
        float((packed >> np.uint64(16)) & lane) / _LANE,
        float(packed & lane) / _LANE,
    )
