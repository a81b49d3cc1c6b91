"""The colour of one image point: texture, then light."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.light import (
    ABOVE,
    BELOW,
    COLOR,
    DIRECTION,
    HORIZON,
    WRAP,
    ZENITH,
    Lamp,
    Shadow,
    sunlit,
    touched,
)
from situ.render.materials import (
    DENSITY,
    GLOSS,
    OFFSET,
    ORGANIC_FLAG,
    PALETTE,
    PATTERN,
    POSTER,
    SCALE,
    SLOT,
    STYLE,
)
from situ.render.posters import PICTURE
from situ.render.sample import read_pattern, read_picture
from situ.render.solids import CODES_PER_PART, GROUND, MATERIAL
from situ.render.surface import Rows, face_share, surface_frame

Color = tuple[float, float, float]
_HAZE_STARTS, _HAZE_HALF = 20.0, 300.0  # metres
_FLOOR_BAND = 0.08  # metres above and below z = 0 that count as the floor


@njit(cache=True, nogil=True)
def sky_color(lamp: Lamp, rays: Rows, x: float, y: float) -> Color:
    """From the horizon's colour to the zenith's; the void below the horizon has the horizon's."""
    dx = rays[0, 0] * x + rays[0, 1] * y + rays[0, 2]
    dy = rays[1, 0] * x + rays[1, 1] * y + rays[1, 2]
    dz = rays[2, 0] * x + rays[2, 1] * y + rays[2, 2]
    up = max(0.0, dz / np.sqrt(dx * dx + dy * dy + dz * dz))
    fade = (1.0 - up) * (1.0 - up) * (1.0 - up)
    z, h = ZENITH, HORIZON
    return (
        lamp[z] + (lamp[h] - lamp[z]) * fade,
        lamp[z + 1] + (lamp[h + 1] - lamp[z + 1]) * fade,
        lamp[z + 2] + (lamp[h + 2] - lamp[z + 2]) * fade,
    )


@njit(cache=True, nogil=True)
def surface_color(
    code: int,
    s: float,
    x: float,
    y: float,
    pixel: float,
    rays: Rows,
    solids: Rows,
    materials: Rows,
    atlas: NDArray[np.uint32],
    pictures: NDArray[np.uint64],
    lamp: Lamp,
    shadow: Shadow,
    contact: NDArray[np.float32],
) -> Color:
    """Linear colour of the surface `code`, seen from image point (x, y) at nearness s.

    `pixel` is the width of a pixel at a depth of one metre.
    """
    dx = rays[0, 0] * x + rays[0, 1] * y + rays[0, 2]
    dy = rays[1, 0] * x + rays[1, 1] * y + rays[1, 2]
    dz = rays[2, 0] * x + rays[2, 1] * y + rays[2, 2]
    depth = 1.0 / s
    px, py, pz = rays[0, 3] + dx * depth, rays[1, 3] + dy * depth, rays[2, 3] + dz * depth
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    shrink = 1.0 / length
    dx, dy, dz = dx * shrink, dy * shrink, dz * shrink
    part, face, material = code // CODES_PER_PART - 1, code % CODES_PER_PART, 0
    nx, ny, nz, u, v, along_u, along_v = 0.0, 0.0, 1.0, px, py, dx, dy
    if code != GROUND:
        material = int(solids[part, MATERIAL])
        nx, ny, nz, u, v, along_u, along_v = surface_frame(solids, part, face, px, py, pz, dx, dy, dz)
    slant = 1.0 / max(0.02, -(dx * nx + dy * ny + dz * nz))
    p = PALETTE
    r, g, b = materials[material, p], materials[material, p + 1], materials[material, p + 2]
    width = depth * pixel
    style = materials[material, STYLE]
    if style == PATTERN:
        r, g, b = _pattern_color(
            materials, atlas, material, u, v, along_u * slant, along_v * slant, width, r, g, b
        )
    elif style == POSTER:
        across, up, half_u, half_v = u, v, 1.0, 1.0
        if code != GROUND:
            across, up, half_u, half_v = face_share(solids, part, face, px, py, pz)
        r, g, b = _poster_color(
            materials, pictures, material, across, up, half_u, half_v, width * np.sqrt(slant)
        )
    direct, open_sky = _reached(lamp, shadow, contact, part, px, py, pz, nx, ny, nz)
    r, g, b = _lit(lamp, r, g, b, direct, open_sky, nz)
    gloss = materials[material, GLOSS]
    if gloss > 0.0 and direct > 0.0:
        shine = gloss * direct * _highlight(lamp, dx, dy, dz, nx, ny, nz)
        r, g, b = r + shine * lamp[COLOR], g + shine * lamp[COLOR + 1], b + shine * lamp[COLOR + 2]
    return _hazed(lamp, r, g, b, length * depth - _HAZE_STARTS)


@njit(cache=True, nogil=True)
def _pattern_color(
    materials: Rows,
    atlas: NDArray[np.uint32],
    material: int,
    u: float,
    v: float,
    along_u: float,
    along_v: float,
    width: float,
    r: float,
    g: float,
    b: float,
) -> Color:
    dense = materials[material, DENSITY]
    mix, brightness = read_pattern(
        atlas,
        int(materials[material, SLOT]),
        materials[material, ORGANIC_FLAG] != 0.0,
        u * dense + materials[material, OFFSET],
        v * dense + materials[material, OFFSET + 1],
        along_u * width * dense,
        along_v * width * dense,
        width * dense,
    )
    p = PALETTE + 3
    return (
        brightness * (r + (materials[material, p] - r) * mix),
        brightness * (g + (materials[material, p + 1] - g) * mix),
        brightness * (b + (materials[material, p + 2] - b) * mix),
    )


@njit(cache=True, nogil=True)
def _poster_color(
    materials: Rows,
    pictures: NDArray[np.uint64],
    material: int,
    across: float,
    up: float,
    half_u: float,
    half_v: float,
    width: float,
) -> Color:
    """A whole number of pictures, each about `scale` metres, fills the face."""
    repeats_u = max(1.0, np.floor(2.0 * half_u / materials[material, SCALE] + 0.5))
    repeats_v = max(1.0, np.floor(2.0 * half_v / materials[material, SCALE] + 0.5))
    w0, w1, w2, w3 = read_picture(
        pictures,
        int(materials[material, SLOT]),
        (0.5 + 0.5 * across) * repeats_u * PICTURE,
        (0.5 - 0.5 * up) * repeats_v * PICTURE,
        width * PICTURE * repeats_u / (2.0 * half_u),
    )
    p = PALETTE
    return (
        w0 * materials[material, p]
        + w1 * materials[material, p + 3]
        + w2 * materials[material, p + 6]
        + w3 * materials[material, p + 9],
        w0 * materials[material, p + 1]
        + w1 * materials[material, p + 4]
        + w2 * materials[material, p + 7]
        + w3 * materials[material, p + 10],
        w0 * materials[material, p + 2]
        + w1 * materials[material, p + 5]
        + w2 * materials[material, p + 8]
        + w3 * materials[material, p + 11],
    )


@njit(cache=True, nogil=True)
def _reached(
    lamp: Lamp,
    shadow: Shadow,
    contact: NDArray[np.float32],
    part: int,
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
) -> tuple[float, float]:
    """How much of the sun or lamp, and how much of the ambient light, reaches a point."""
    facing = nx * lamp[DIRECTION] + ny * lamp[DIRECTION + 1] + nz * lamp[DIRECTION + 2]
    wrap = lamp[WRAP]
    direct = max(0.0, (facing + wrap) / (1.0 + wrap))
    if direct > 0.0 and wrap == 0.0:
        direct *= sunlit(lamp, shadow, part, px, py, pz, facing)
    open_sky = 1.0
    if nz > 0.9:
        if -_FLOOR_BAND < pz < _FLOOR_BAND:
            open_sky = 1.0 - 0.55 * touched(lamp, contact, px, py)
    elif pz < 1.0:
        height = max(0.0, pz) * 6.0
        open_sky = 1.0 - 0.4 / (1.0 + height * height)
    # The side that turns away from the sun gets a little more light from the ground it shines on.
    return direct * (0.6 + 0.4 * open_sky), open_sky * (1.0 - 0.15 * facing)


@njit(cache=True, nogil=True)
def _lit(lamp: Lamp, r: float, g: float, b: float, direct: float, open_sky: float, nz: float) -> Color:
    high = open_sky * (0.5 + 0.5 * nz)
    low = open_sky - high
    return (
        r * (direct * lamp[COLOR] + low * lamp[BELOW] + high * lamp[ABOVE]),
        g * (direct * lamp[COLOR + 1] + low * lamp[BELOW + 1] + high * lamp[ABOVE + 1]),
        b * (direct * lamp[COLOR + 2] + low * lamp[BELOW + 2] + high * lamp[ABOVE + 2]),
    )


@njit(cache=True, nogil=True)
def _highlight(lamp: Lamp, dx: float, dy: float, dz: float, nx: float, ny: float, nz: float) -> float:
    """A soft mirror image of the light: the cosine to the half vector, to the 32nd power."""
    hx, hy, hz = lamp[DIRECTION] - dx, lamp[DIRECTION + 1] - dy, lamp[DIRECTION + 2] - dz
    cosine = (hx * nx + hy * ny + hz * nz) / max(1e-9, np.sqrt(hx * hx + hy * hy + hz * hz))
    if cosine <= 0.0:
        return 0.0
    for _ in range(5):
        cosine *= cosine
    return 0.6 * cosine


@njit(cache=True, nogil=True)
def _hazed(lamp: Lamp, r: float, g: float, b: float, far: float) -> Color:
    """Colours pale towards the horizon's, so that the endless ground ends softly."""
    if far <= 0.0:
        return r, g, b
    haze = far * far / (_HAZE_HALF * _HAZE_HALF + far * far)
    h = HORIZON
    return r + (lamp[h] - r) * haze, g + (lamp[h + 1] - g) * haze, b + (lamp[h + 2] - b) * haze
