"""Procedural textures as square, repeating tiles.

A tile has two channels: `mix`, the share of a material's second colour, and a brightness factor. A tile spans
`FEATURES[texture]` features of `Material.scale` metres each.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from situ.rendering.kernel import kernel
from situ.rendering.noise import clamp01, fractal, lattice, smooth_step, value_noise

TILE = 512  # texels along a side
# Feature: a square, a tile, the width of a plank, the length of a brick, a blotch, two threads, or a stripe.
FEATURES = {
    "checker": 2,
    "tiles": 8,
    "planks": 8,
    "bricks": 8,
    "noise": 4,
    "grass": 4,
    "asphalt": 4,
    "carpet": 4,
    "fabric": 16,
    "stripes": 2,
}
NAMES = tuple(FEATURES)
# Textures without a regular pattern also vary slowly, which hides their repetition.
ORGANIC = frozenset({"noise", "grass", "asphalt", "carpet"})
_CHECKER, _TILES, _PLANKS, _BRICKS, _NOISE, _GRASS, _ASPHALT, _CARPET, _FABRIC, _STRIPES = range(len(NAMES))


@lru_cache(maxsize=len(NAMES))
def pattern(name: str) -> NDArray[np.uint32]:
    """Tile of a texture with its mipmaps, flat; mix in the high 16 bits, brightness in the low."""
    texels = np.empty((TILE, TILE, 2))
    _fill(NAMES.index(name), texels)
    levels = []
    while True:
        whole = np.round(np.clip(texels, 0.0, 1.0) * 255.0).astype(np.uint32)
        levels.append(((whole[..., 0] << 16) | whole[..., 1]).ravel())
        if len(texels) == 1:
            return np.concatenate(levels)
        texels = (texels[::2, ::2] + texels[1::2, ::2] + texels[::2, 1::2] + texels[1::2, 1::2]) / 4


@lru_cache(maxsize=32)
def atlas(names: tuple[str, ...]) -> NDArray[np.uint32]:
    """Tiles of several textures, one per row."""
    return np.stack([pattern(name) for name in names or ("noise",)])


@kernel
def _fill(kind: int, texels: NDArray[np.float64]) -> None:
    size = texels.shape[0]
    for row in range(size):
        for column in range(size):
            u, v = (column + 0.5) / size, (row + 0.5) / size
            if kind <= _BRICKS or kind == _STRIPES:
                mix, brightness = _laid(kind, u, v)
            elif kind <= _ASPHALT:
                mix, brightness = _grown(kind, u, v)
            else:
                mix, brightness = _woven(kind, u, v)
            texels[row, column, 0] = clamp01(mix)
            texels[row, column, 1] = clamp01(brightness * 0.5)  # 0.5 means an unchanged colour


@kernel
def _line(position: float, half_width: float) -> float:
    """1 on the borders of unit cells, falling to 0 over about a texel."""
    inside = position - np.floor(position)
    return 1.0 - smooth_step(half_width * 0.6, half_width * 1.4, min(inside, 1.0 - inside))


@kernel
def _laid(kind: int, u: float, v: float) -> tuple[float, float]:
    """Regular patterns: checker, tiles, planks, bricks, stripes."""
    grain = fractal(u, v, 16, 16, 4, 0.6, 11)
    if kind == _CHECKER:
        dark = float((int(u * 2) + int(v * 2)) % 2)
        return dark, 0.88 + 0.24 * grain
    if kind == _STRIPES:
        return float(int(u * 2) % 2), 0.9 + 0.2 * fractal(u, v, 64, 8, 3, 0.6, 5)
    if kind == _TILES:
        grout = max(_line(u * 8, 0.02), _line(v * 8, 0.02))
        one = lattice(int(u * 8), int(v * 8), 3)
        veins = abs(fractal(u, v, 8, 8, 5, 0.55, 21) - 0.5)
        return grout + (1.0 - grout) * 0.25 * smooth_step(0.06, 0.0, veins), 0.86 + 0.2 * one + 0.12 * (
            grain - 0.5
        )
    if kind == _PLANKS:
        plank = int(v * 8)
        shift = lattice(plank, 0, 7)
        along = u * 2 + shift
        gap = max(_line(v * 8, 0.022), _line(along, 0.004))
        one = lattice(plank, int(np.floor(along)) % 2, 8)
        streaks = fractal(u, v + 0.37 * one, 8, 96, 4, 0.7, 40)
        rings = fractal(u, v, 4, 32, 3, 0.6, 60)
        dark = _knot(u, v * 8 - plank, plank)
        wood = clamp01(0.6 * dark + 0.9 * (streaks - 0.25) + 0.7 * (rings - 0.5) + 0.35 * (one - 0.5))
        return wood, (0.82 + 0.36 * one + 0.35 * (streaks - 0.5)) * (1.0 - 0.75 * gap) * (1.0 - 0.3 * dark)
    course = int(v * 24)
    along = u * 8 + 0.5 * (course % 2)
    mortar = max(_line(along, 0.022), _line(v * 24, 0.07))
    brick = int(np.floor(along)) % 8
    one, tint = lattice(brick, course, 9), lattice(brick, course, 10)
    speckle = fractal(u, v, 64, 64, 3, 0.7, 30)
    return mortar + (1.0 - mortar) * 0.22 * tint, (0.72 + 0.5 * one + 0.4 * (speckle - 0.5)) * (
        1.0 - 0.1 * mortar
    )


@kernel
def _knot(u: float, across: float, plank: int) -> float:
    """1 in the centre of a knot of wood; each plank may have one in every sixth of the tile."""
    place = int(u * 6)
    if lattice(place, plank, 14) > 0.2:
        return 0.0
    along = (u * 6 - place - 0.2 - 0.6 * lattice(place, plank, 15)) * 8.0 / 6.0
    aside = across - 0.25 - 0.5 * lattice(place, plank, 16)
    return 1.0 - smooth_step(0.04, 0.11, np.sqrt(0.3 * along * along + aside * aside))


@kernel
def _grown(kind: int, u: float, v: float) -> tuple[float, float]:
    """Irregular patterns: noise, grass, asphalt."""
    patches = smooth_step(0.25, 0.75, fractal(u, v, 4, 4, 6, 0.62, 50))
    if kind == _NOISE:
        grit = fractal(u, v, 64, 64, 3, 1.0, 70)
        return patches, 0.5 + 1.0 * grit
    if kind == _GRASS:
        sway = 0.02 * value_noise(u, v, 32, 32, 3)
        blades = fractal(u + sway, v, 128, 48, 2, 1.0, 80)
        tufts = fractal(u, v, 24, 24, 3, 0.7, 90)
        mix = smooth_step(0.15, 0.85, 0.4 * patches + 0.3 * tufts + 0.3 * blades)
        return mix, 0.05 + 1.25 * blades + 0.65 * tufts
    stones = 0.0
    for layer in range(2):
        count = 96 >> layer
        shade = lattice(int(u * count), int(v * count), 100 + layer)
        stones += (shade - 0.5) * (0.6 if shade > 0.85 or shade < 0.1 else 0.25)
    return 0.55 * patches + 0.6 * stones, 0.8 + 0.4 * fractal(u, v, 64, 64, 3, 0.8, 110) + 0.5 * stones


@kernel
def _woven(kind: int, u: float, v: float) -> tuple[float, float]:
    """Carpet: loops with blotches of the second colour. Fabric: interwoven threads."""
    if kind == _CARPET:
        tufts = fractal(u, v, 96, 96, 2, 1.0, 120)
        fray = 0.12 * (fractal(u, v, 48, 48, 2, 0.8, 130) - 0.5)
        across, along = abs(u * 4 % 1.0 - 0.5), abs(v * 4 % 1.0 - 0.5)
        diamond = abs(across + along - 0.5) + fray
        figure = 1.0 - smooth_step(0.05, 0.09, diamond) + 1.0 - smooth_step(0.08, 0.12, across + along + fray)
        return 0.12 * tufts + 0.8 * clamp01(figure), 0.55 + 0.9 * tufts
    across, along = u * 32, v * 32
    over = float((int(across) + int(along)) % 2)
    bulge_across = across - np.floor(across) - 0.5
    bulge_along = along - np.floor(along) - 0.5
    bulge = over * bulge_along * bulge_along + (1.0 - over) * bulge_across * bulge_across
    slub = fractal(u, v, 32, 32, 3, 0.7, 150) if over > 0.5 else fractal(u, v, 8, 64, 3, 0.7, 160)
    return 0.75 * over + 0.25 * slub, (1.12 - 1.6 * bulge) * (0.75 + 0.5 * slub)
