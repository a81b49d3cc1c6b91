"""Light on fragments, and the sky."""

import numpy as np
from numpy.typing import NDArray

from situ.render.fragments import (
    CODE,
    FAR,
    GLINT,
    NX,
    NY,
    NZ,
    PIXEL,
    PX,
    PY,
    PZ,
    RED,
    SHARE,
)
from situ.render.intersect import Rows
from situ.render.kernel import kernel
from situ.render.light import (
    ABOVE,
    BELOW,
    COLOR,
    CONTACT,
    DIRECTION,
    HORIZON,
    PITCH,
    TO_SHADOW,
    WRAP,
    ZENITH,
    Lamp,
    Shadow,
)

_HAZE_STARTS, _HAZE_HALF = 20.0, 300.0  # metres
_FLOOR_BAND = 0.08  # metres above and below z = 0 that count as the floor


@kernel
def paint_sky(lamp: Lamp, rays: Rows, y: float, sky: Rows) -> None:
    """One row from the horizon's colour to the zenith's; the void below the horizon has the horizon's."""
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
    contact: NDArray[np.float32],
    table: Rows,
    start: int,
    end: int,
    colors: Rows,
) -> None:
    """Add the light that fragments [start, end) send back to the colours of their pixels."""
    wrap, spread = lamp[WRAP], 1.0 / (1.0 + lamp[WRAP])
    lx, ly, lz = lamp[DIRECTION], lamp[DIRECTION + 1], lamp[DIRECTION + 2]
    for i in range(start, end):
        px, py, pz, nz = table[PX, i], table[PY, i], table[PZ, i], table[NZ, i]
        facing = table[NX, i] * lx + table[NY, i] * ly + nz * lz
        direct = max(0.0, (facing + wrap) * spread)
        if direct > 0.0 and wrap == 0.0:
            direct *= _sunlit(lamp, shadow, (int(table[CODE, i]) >> 3) - 1, px, py, pz, facing)
        open_sky = 1.0
        if nz > 0.9:
            if -_FLOOR_BAND < pz < _FLOOR_BAND:
                open_sky = 1.0 - 0.55 * _hemmed(lamp, contact, px, py)
        elif pz < 1.0:
            height = max(0.0, pz) * 6.0
            open_sky = 1.0 - 0.4 / (1.0 + height * height)
        direct *= 0.6 + 0.4 * open_sky
        # The side that turns away from the sun gets a little more light from the ground it shines on.
        open_sky *= 1.0 - 0.15 * facing
        high = open_sky * (0.5 + 0.5 * nz)
        low, shine = open_sky - high, direct * table[GLINT, i]
        far = max(0.0, table[FAR, i] - _HAZE_STARTS)
        haze = far * far / (_HAZE_HALF * _HAZE_HALF + far * far)
        pixel, share = int(table[PIXEL, i]), table[SHARE, i]
        clear, haze = share * (1.0 - haze), share * haze
        for channel in range(3):
            light = (
                direct * lamp[COLOR + channel] + low * lamp[BELOW + channel] + high * lamp[ABOVE + channel]
            )
            color = table[RED + channel, i] * light + shine * lamp[COLOR + channel]
            colors[channel, pixel] += clear * color + haze * lamp[HORIZON + channel]


@kernel
def _sunlit(lamp: Lamp, shadow: Shadow, part: int, x: float, y: float, z: float, facing: float) -> float:
    """Share of the sun that reaches a point of `part` (-1: the ground), whose normal's cosine is `facing`."""
    t = TO_SHADOW
    u = lamp[t] * x + lamp[t + 1] * y + lamp[t + 2] * z + lamp[t + 3] - 0.5
    v = lamp[t + 4] * x + lamp[t + 5] * y + lamp[t + 6] * z + lamp[t + 7] - 0.5
    height, width = shadow.shape[0], shadow.shape[1]
    if not (0.0 <= u < width - 1 and 0.0 <= v < height - 1):
        return 1.0
    column, row = int(u), int(v)
    fx, fy = u - column, v - row
    # The nearness of a slanted surface changes within a texel: by this much it may be nearer than its centre.
    slack = lamp[PITCH] * (0.3 + 1.2 * min(6.0, np.sqrt(max(0.0, 1.0 - facing * facing)) / facing))
    s = lamp[t + 8] * x + lamp[t + 9] * y + lamp[t + 10] * z + slack
    dark = 0.0
    # A convex solid never shades its own lit side, so what it drew itself is no obstacle.
    if shadow[row, column, 0] > s and shadow[row, column, 1] != part:
        dark += (1.0 - fx) * (1.0 - fy)
    if shadow[row, column + 1, 0] > s and shadow[row, column + 1, 1] != part:
        dark += fx * (1.0 - fy)
    if shadow[row + 1, column, 0] > s and shadow[row + 1, column, 1] != part:
        dark += (1.0 - fx) * fy
    if shadow[row + 1, column + 1, 0] > s and shadow[row + 1, column + 1, 1] != part:
        dark += fx * fy
    return 1.0 - dark


@kernel
def _hemmed(lamp: Lamp, contact: NDArray[np.float32], x: float, y: float) -> float:
    """How much a point of the floor is hemmed in by what stands near: 0 .. 1."""
    u, v = (x - lamp[CONTACT]) * lamp[CONTACT + 2], (y - lamp[CONTACT + 1]) * lamp[CONTACT + 2]
    size = contact.shape[0]
    if not (0.0 <= u < size - 1 and 0.0 <= v < size - 1):
        return 0.0
    column, row = int(u), int(v)
    fx, fy = u - column, v - row
    upper = contact[row, column] * (1.0 - fx) + contact[row, column + 1] * fx
    lower = contact[row + 1, column] * (1.0 - fx) + contact[row + 1, column + 1] * fx
    return upper * (1.0 - fy) + lower * fy
