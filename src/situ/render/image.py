"""Whole images from what each pixel sees: ids and depth, and colour with antialiased edges."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.intersect import NO_HIT, Posed, hit
from situ.render.light import Light
from situ.render.materials import Materials
from situ.render.shade import Color, sky_color, surface_color
from situ.render.solids import CODES_PER_PART, GROUND, SKY, Solids
from situ.render.views import View

SAMPLES = 4
# A rotated grid: no two samples share a row or a column.
_SAMPLE_X = np.array([-0.125, 0.375, -0.375, 0.125])
_SAMPLE_Y = np.array([-0.375, -0.125, 0.125, 0.375])
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
    nearness: NDArray[np.float32],
    surface: NDArray[np.int32],
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
    solids: Solids,
    materials: Materials,
    light: Light,
    posed: Posed,
    ground: NDArray[np.float64],
    tones: NDArray[np.uint8],
    nearness: NDArray[np.float32],
    surface: NDArray[np.int32],
    rgb: NDArray[np.uint8],
) -> None:
    """One colour for each pixel that sees one surface; on edges, one for each surface that samples see."""
    height, width = surface.shape
    pixel = np.sqrt(view.rays[0, 0] ** 2 + view.rays[1, 0] ** 2 + view.rays[2, 0] ** 2)
    around = np.zeros(9, dtype=np.int64)
    seen = np.zeros((SAMPLES, 4))
    to_tone = _TONES / _TONE_LIMIT
    for y in range(height):
        for x in range(width):
            code = surface[y, x]
            if _is_edge(surface, y, x):
                r, g, b = _edge_color(
                    view, solids, materials, light, posed, ground, surface, y, x, pixel, around, seen
                )
            elif code == SKY:
                r, g, b = sky_color(light, view, x + 0.5, y + 0.5)
            else:
                r, g, b = surface_color(
                    code, nearness[y, x], x + 0.5, y + 0.5, pixel, view, solids, materials, light
                )
            rgb[y, x, 0] = tones[min(_TONES - 1, int(r * to_tone))]
            rgb[y, x, 1] = tones[min(_TONES - 1, int(g * to_tone))]
            rgb[y, x, 2] = tones[min(_TONES - 1, int(b * to_tone))]


@njit(cache=True, nogil=True)
def _is_edge(surface: NDArray[np.int32], y: int, x: int) -> bool:
    height, width = surface.shape
    code = surface[y, x]
    return (
        (x > 0 and surface[y, x - 1] != code)
        or (x + 1 < width and surface[y, x + 1] != code)
        or (y > 0 and surface[y - 1, x] != code)
        or (y + 1 < height and surface[y + 1, x] != code)
    )


@njit(cache=True, nogil=True)
def _edge_color(
    view: View,
    solids: Solids,
    materials: Materials,
    light: Light,
    posed: Posed,
    ground: NDArray[np.float64],
    surface: NDArray[np.int32],
    y: int,
    x: int,
    pixel: float,
    around: NDArray[np.int64],
    seen: NDArray[np.float64],
) -> Color:
    """The mean over samples; every surface is shaded once, in the middle of the samples that see it."""
    parts = _parts_around(surface, y, x, around)
    surfaces = 0
    for i in range(SAMPLES):
        u, v = x + 0.5 + _SAMPLE_X[i], y + 0.5 + _SAMPLE_Y[i]
        s, code = _seen_at(view, solids, posed, ground, around[:parts], u, v)
        found = -1
        for k in range(surfaces):
            if seen[k, 0] == code:
                found = k
        if found < 0:
            found = surfaces
            seen[found] = 0.0
            seen[found, 0] = code
            surfaces += 1
        seen[found, 1] += 1.0
        seen[found, 2] += u
        seen[found, 3] += v
    r = g = b = 0.0
    for k in range(surfaces):
        code, count = int(seen[k, 0]), seen[k, 1]
        u, v = seen[k, 2] / count, seen[k, 3] / count
        if code == SKY:
            one_r, one_g, one_b = sky_color(light, view, u, v)
        else:
            s = _nearness_of(view, solids, posed, ground, code, u, v)
            one_r, one_g, one_b = surface_color(code, s, u, v, pixel, view, solids, materials, light)
        r, g, b = r + one_r * count, g + one_g * count, b + one_b * count
    return r / SAMPLES, g / SAMPLES, b / SAMPLES


@njit(cache=True, nogil=True)
def _parts_around(surface: NDArray[np.int32], y: int, x: int, around: NDArray[np.int64]) -> int:
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
    view: View,
    solids: Solids,
    posed: Posed,
    ground: NDArray[np.float64],
    parts: NDArray[np.int64],
    u: float,
    v: float,
) -> tuple[float, int]:
    """Nearness and code of what an image point sees, of some parts, ground and sky."""
    best = ground[0] * u + ground[1] * v + ground[2]
    code = GROUND if best > 0.0 else SKY
    best = max(best, 0.0)
    for k in range(parts.size):
        part = parts[k]
        s, face = hit(solids.kind[part], posed, part, view.s_least, u, v)
        if s > best and s <= view.s_most:
            best, code = s, CODES_PER_PART * (part + 1) + face
    return best, code


@njit(cache=True, nogil=True)
def _nearness_of(
    view: View, solids: Solids, posed: Posed, ground: NDArray[np.float64], code: int, u: float, v: float
) -> float:
    if code == GROUND:
        return ground[0] * u + ground[1] * v + ground[2]
    part = code // CODES_PER_PART - 1
    s, _ = hit(solids.kind[part], posed, part, view.s_least, u, v)
    return s if s > NO_HIT else 1.0
