"""Lighting of fragments, and the sky."""

import numpy as np

from situ.rendering.fragments import (
    BLUE,
    CODE,
    DIRECT,
    FACING,
    FAR,
    GLINT,
    GREEN,
    NX,
    NY,
    NZ,
    OPEN,
    PIXEL,
    PX,
    PY,
    PZ,
    RED,
    SHARE,
)
from situ.rendering.intersect import Rows
from situ.rendering.kernel import kernel
from situ.rendering.light import (
    ABOVE,
    BELOW,
    COLOR,
    CONTACT,
    DIRECTION,
    FLOOR,
    HORIZON,
    PITCH,
    TO_SHADOW,
    TOP,
    TOP_HEIGHT,
    WRAP,
    ZENITH,
    Contact,
    Lamp,
    Shadow,
)
from situ.rendering.solids import CODE_BITS

_HAZE_STARTS, _HAZE_HALF = 20.0, 180.0  # metres
_FLOOR_BAND = 0.08  # metres around z = 0 that count as the floor
_TOP_BAND = 0.03  # metres around a top that count as the top


@kernel
def paint_sky(lamp: Lamp, rays: Rows, y: float, sky: Rows) -> None:
    """Colours of one row, from the horizon to the zenith; below the horizon, the colour of the horizon."""
    x1, y1, z1 = rays[0, 1] * y + rays[0, 2], rays[1, 1] * y + rays[1, 2], rays[2, 1] * y + rays[2, 2]
    x0, y0, z0 = rays[0, 0], rays[1, 0], rays[2, 0]
    for x in range(sky.shape[1]):
        u = x + 0.5
        dx, dy, dz = x1 + x0 * u, y1 + y0 * u, z1 + z0 * u
        level = 1.0 - max(0.0, dz / np.sqrt(dx * dx + dy * dy + dz * dz))
        sky[3, x] = level * level * level
    for channel in range(3):
        zenith, change = lamp[ZENITH + channel], lamp[HORIZON + channel] - lamp[ZENITH + channel]
        for x in range(sky.shape[1]):
            sky[channel, x] = zenith + change * sky[3, x]


@kernel
def illuminate(
    lamp: Lamp,
    shadow: Shadow,
    contact: Contact,
    table: Rows,
    start: int,
    end: int,
    colors: Rows,
) -> None:
    """Add the light of fragments [start, end) to the colours of their pixels."""
    _find_sun(lamp, table, start, end)
    if lamp[WRAP] == 0.0:
        _cast_shadows(lamp, shadow, table, start, end)
    _find_sky(lamp, contact, table, start, end)
    r, g, b = lamp[COLOR], lamp[COLOR + 1], lamp[COLOR + 2]
    r_low, g_low, b_low = lamp[BELOW], lamp[BELOW + 1], lamp[BELOW + 2]
    r_high, g_high, b_high = lamp[ABOVE], lamp[ABOVE + 1], lamp[ABOVE + 2]
    r_far, g_far, b_far = lamp[HORIZON], lamp[HORIZON + 1], lamp[HORIZON + 2]
    for i in range(start, end):
        open_sky = table[OPEN, i]
        direct = table[DIRECT, i] * (0.6 + 0.4 * open_sky)
        # Surfaces facing away from the sun get a little more light, reflected by the ground.
        open_sky *= 1.0 - 0.15 * table[FACING, i]
        high = open_sky * (0.5 + 0.5 * table[NZ, i])
        low, shine = open_sky - high, direct * table[GLINT, i]
        far, haze = table[FAR, i] - _HAZE_STARTS, 0.0
        if far > 0.0:
            haze = far * far / (_HAZE_HALF * _HAZE_HALF + far * far)
        pixel, share = int(table[PIXEL, i]), table[SHARE, i]
        clear, haze = share * (1.0 - haze), share * haze
        red = table[RED, i] * (direct * r + low * r_low + high * r_high) + shine * r
        green = table[GREEN, i] * (direct * g + low * g_low + high * g_high) + shine * g
        blue = table[BLUE, i] * (direct * b + low * b_low + high * b_high) + shine * b
        colors[0, pixel] += clear * red + haze * r_far
        colors[1, pixel] += clear * green + haze * g_far
        colors[2, pixel] += clear * blue + haze * b_far


@kernel
def _find_sun(lamp: Lamp, table: Rows, start: int, end: int) -> None:
    """Angle of each surface to the sun or lamp, and its direct light without occlusion."""
    x, y, z, wrap = lamp[DIRECTION], lamp[DIRECTION + 1], lamp[DIRECTION + 2], lamp[WRAP]
    spread = 1.0 / (1.0 + wrap)
    for i in range(start, end):
        facing = table[NX, i] * x + table[NY, i] * y + table[NZ, i] * z
        table[FACING, i] = facing
        table[DIRECT, i] = max(0.0, (facing + wrap) * spread)


@kernel
def _cast_shadows(lamp: Lamp, shadow: Shadow, table: Rows, start: int, end: int) -> None:
    """Remove direct light where the shadow map shows another part in front, with soft borders."""
    t = TO_SHADOW
    x0, x1, x2, x3 = lamp[t], lamp[t + 1], lamp[t + 2], lamp[t + 3]
    y0, y1, y2, y3 = lamp[t + 4], lamp[t + 5], lamp[t + 6], lamp[t + 7]
    s0, s1, s2, pitch = lamp[t + 8], lamp[t + 9], lamp[t + 10], lamp[PITCH]
    most_u, most_v = shadow.shape[1] - 1.0, shadow.shape[0] - 1.0
    for i in range(start, end):
        x, y, z, facing = table[PX, i], table[PY, i], table[PZ, i], table[FACING, i]
        u, v = x0 * x + x1 * y + x2 * z + x3 - 0.5, y0 * x + y1 * y + y2 * z + y3 - 0.5
        if not (facing > 0.0 and 0.0 <= u < most_u and 0.0 <= v < most_v):
            continue
        column, row = int(u), int(v)
        first, second = shadow[row, column, 0], shadow[row, column + 1, 0]
        third, fourth = shadow[row + 1, column, 0], shadow[row + 1, column + 1, 0]
        # Within a texel, the nearness of a slanted surface varies by this much around its centre.
        slack = pitch * (0.3 + 1.2 * min(6.0, np.sqrt(max(0.0, 1.0 - facing * facing)) / facing))
        s = s0 * x + s1 * y + s2 * z + slack
        if max(max(first, second), max(third, fourth)) <= s:
            continue
        fx, fy, dark = u - column, v - row, 0.0
        # A convex solid never shades its own lit side, so its own entry in the map is no occluder.
        part = (int(table[CODE, i]) >> CODE_BITS) - 1
        if first > s and shadow[row, column, 1] != part:
            dark += (1.0 - fx) * (1.0 - fy)
        if second > s and shadow[row, column + 1, 1] != part:
            dark += fx * (1.0 - fy)
        if third > s and shadow[row + 1, column, 1] != part:
            dark += (1.0 - fx) * fy
        if fourth > s and shadow[row + 1, column + 1, 1] != part:
            dark += fx * fy
        table[DIRECT, i] *= 1.0 - dark


@kernel
def _find_sky(lamp: Lamp, contact: Contact, table: Rows, start: int, end: int) -> None:
    """Share of ambient light that arrives: less next to objects, on floors and tops, and at their base."""
    x, y, cells, most = lamp[CONTACT], lamp[CONTACT + 1], lamp[CONTACT + 2], contact.shape[0] - 1.0
    for i in range(start, end):
        z = table[PZ, i]
        table[OPEN, i] = 1.0
        if table[NZ, i] > 0.9:
            u, v = (table[PX, i] - x) * cells, (table[PY, i] - y) * cells
            if 0.0 <= u < most and 0.0 <= v < most:
                column, row = int(u), int(v)
                fx, fy = u - column, v - row
                if -_FLOOR_BAND < z < _FLOOR_BAND:
                    table[OPEN, i] = 1.0 - 0.55 * _between(contact, row, column, fx, fy, FLOOR)
                elif abs(contact[row, column, TOP_HEIGHT] - z) < _TOP_BAND:
                    table[OPEN, i] = 1.0 - 0.5 * _between(contact, row, column, fx, fy, TOP)
        elif z < 1.0:
            height = max(0.0, z) * 6.0
            table[OPEN, i] = 1.0 - 0.4 / (1.0 + height * height)


@kernel
def _between(contact: Contact, row: int, column: int, fx: float, fy: float, layer: int) -> float:
    """Bilinear interpolation of the darkness of cells."""
    upper = contact[row, column, layer] * (1.0 - fx) + contact[row, column + 1, layer] * fx
    lower = contact[row + 1, column, layer] * (1.0 - fx) + contact[row + 1, column + 1, layer] * fx
    return float(upper * (1.0 - fy) + lower * fy)
