"""The colour of one image point: texture, then light."""

import numpy as np
from numba import njit

from situ.render.light import Light, sunlit, touched
from situ.render.materials import PATTERN, POSTER, Materials
from situ.render.posters import PICTURE
from situ.render.sample import read_pattern, read_picture
from situ.render.solids import CODES_PER_PART, GROUND, Solids
from situ.render.surface import face_share, surface_frame
from situ.render.views import View

Color = tuple[float, float, float]
_HAZE_STARTS, _HAZE_HALF = 20.0, 300.0  # metres
_FLOOR_BAND = 0.08  # metres above and below z = 0 that count as the floor


@njit(cache=True, nogil=True)
def sky_color(light: Light, view: View, x: float, y: float) -> Color:
    """From the horizon's colour to the zenith's; the void below the horizon has the horizon's."""
    dx = view.rays[0, 0] * x + view.rays[0, 1] * y + view.rays[0, 2]
    dy = view.rays[1, 0] * x + view.rays[1, 1] * y + view.rays[1, 2]
    dz = view.rays[2, 0] * x + view.rays[2, 1] * y + view.rays[2, 2]
    up = max(0.0, dz / np.sqrt(dx * dx + dy * dy + dz * dz))
    fade = (1.0 - up) * (1.0 - up) * (1.0 - up)
    z, h = light.zenith, light.horizon
    return z[0] + (h[0] - z[0]) * fade, z[1] + (h[1] - z[1]) * fade, z[2] + (h[2] - z[2]) * fade


@njit(cache=True, nogil=True)
def surface_color(
    code: int,
    s: float,
    x: float,
    y: float,
    pixel: float,
    view: View,
    solids: Solids,
    materials: Materials,
    light: Light,
) -> Color:
    """Linear colour of the surface `code`, seen from image point (x, y) at nearness s.

    `pixel` is the width of a pixel at a depth of one metre.
    """
    rays = view.rays
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
        material = solids.material[part]
        nx, ny, nz, u, v, along_u, along_v = surface_frame(solids, part, face, px, py, pz, dx, dy, dz)
    slant = 1.0 / max(0.02, -(dx * nx + dy * ny + dz * nz))
    r, g, b = materials.palette[material, 0]
    width = depth * pixel
    if materials.style[material] == PATTERN:
        r, g, b = _pattern_color(materials, material, u, v, along_u * slant, along_v * slant, width)
    elif materials.style[material] == POSTER:
        across, up, half_u, half_v = (u, v, 1.0, 1.0)
        if code != GROUND:
            across, up, half_u, half_v = face_share(solids, part, face, px, py, pz)
        r, g, b = _poster_color(materials, material, across, up, half_u, half_v, width * np.sqrt(slant))
    r, g, b = _lit(light, part, r, g, b, px, py, pz, nx, ny, nz)
    gloss = materials.gloss[material]
    if gloss > 0.0:
        shine = gloss * _highlight(light, dx, dy, dz, nx, ny, nz)
        r, g, b = r + shine * light.color[0], g + shine * light.color[1], b + shine * light.color[2]
    return _hazed(light, r, g, b, length * depth - _HAZE_STARTS)


@njit(cache=True, nogil=True)
def _pattern_color(
    materials: Materials, material: int, u: float, v: float, along_u: float, along_v: float, width: float
) -> Color:
    dense = materials.texels_per_metre[material]
    mix, brightness = read_pattern(
        materials.atlas[materials.slot[material]],
        materials.organic[material],
        u * dense + materials.offset[material, 0],
        v * dense + materials.offset[material, 1],
        along_u * width * dense,
        along_v * width * dense,
        width * dense,
    )
    palette = materials.palette[material]
    return (
        brightness * (palette[0, 0] + (palette[1, 0] - palette[0, 0]) * mix),
        brightness * (palette[0, 1] + (palette[1, 1] - palette[0, 1]) * mix),
        brightness * (palette[0, 2] + (palette[1, 2] - palette[0, 2]) * mix),
    )


@njit(cache=True, nogil=True)
def _poster_color(
    materials: Materials, material: int, across: float, up: float, half_u: float, half_v: float, width: float
) -> Color:
    """A whole number of pictures, each about `scale` metres, fills the face."""
    repeats_u = max(1.0, np.round(2.0 * half_u / materials.scale[material]))
    repeats_v = max(1.0, np.round(2.0 * half_v / materials.scale[material]))
    w0, w1, w2, w3 = read_picture(
        materials.pictures,
        materials.slot[material],
        (0.5 + 0.5 * across) * repeats_u * PICTURE,
        (0.5 - 0.5 * up) * repeats_v * PICTURE,
        width * PICTURE * repeats_u / (2.0 * half_u),
    )
    p = materials.palette[material]
    return (
        w0 * p[0, 0] + w1 * p[1, 0] + w2 * p[2, 0] + w3 * p[3, 0],
        w0 * p[0, 1] + w1 * p[1, 1] + w2 * p[2, 1] + w3 * p[3, 1],
        w0 * p[0, 2] + w1 * p[1, 2] + w2 * p[2, 2] + w3 * p[3, 2],
    )


@njit(cache=True, nogil=True)
def _lit(
    light: Light,
    part: int,
    r: float,
    g: float,
    b: float,
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
) -> Color:
    """Sun or lamp, sky and ground light, and the darkening near the floor."""
    facing = nx * light.direction[0] + ny * light.direction[1] + nz * light.direction[2]
    direct = (facing + light.wrap) / (1.0 + light.wrap)
    if direct > 0.0 and light.wrap == 0.0:
        direct *= sunlit(light, part, px, py, pz, facing)
    open_sky = 1.0
    if nz > 0.9 and -_FLOOR_BAND < pz < _FLOOR_BAND:
        open_sky = 1.0 - 0.55 * touched(light, px, py)
    elif nz < 0.9 and pz < 1.0:
        height = max(0.0, pz) * 6.0
        open_sky = 1.0 - 0.4 / (1.0 + height * height)
    direct = max(0.0, direct) * (0.6 + 0.4 * open_sky)
    # The side that turns away from the sun gets a little more light from the ground it shines on.
    open_sky *= 1.0 - 0.15 * facing
    up = 0.5 + 0.5 * nz
    c, low, high = light.color, light.below, light.above
    return (
        r * (direct * c[0] + open_sky * (low[0] + (high[0] - low[0]) * up)),
        g * (direct * c[1] + open_sky * (low[1] + (high[1] - low[1]) * up)),
        b * (direct * c[2] + open_sky * (low[2] + (high[2] - low[2]) * up)),
    )


@njit(cache=True, nogil=True)
def _highlight(light: Light, dx: float, dy: float, dz: float, nx: float, ny: float, nz: float) -> float:
    """A soft mirror image of the light: the cosine to the half vector, to the 32nd power."""
    hx, hy, hz = light.direction[0] - dx, light.direction[1] - dy, light.direction[2] - dz
    cosine = (hx * nx + hy * ny + hz * nz) / max(1e-9, np.sqrt(hx * hx + hy * hy + hz * hz))
    if cosine <= 0.0:
        return 0.0
    for _ in range(5):
        cosine *= cosine
    return 0.6 * cosine


@njit(cache=True, nogil=True)
def _hazed(light: Light, r: float, g: float, b: float, far: float) -> Color:
    """Colours pale towards the horizon's, so that the endless ground ends softly."""
    if far <= 0.0:
        return r, g, b
    haze = far * far / (_HAZE_HALF * _HAZE_HALF + far * far)
    h = light.horizon
    return r + (h[0] - r) * haze, g + (h[1] - g) * haze, b + (h[2] - b) * haze
