"""Visible surface at each pixel centre: its code and its nearness (see views.py)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.rendering.intersect import (
    FRONT,
    NEVER,
    OUTSIDE,
    PLANES,
    Rows,
    enter_cone,
    enter_quadric,
    form,
)
from situ.rendering.kernel import kernel
from situ.rendering.posing import Posed
from situ.rendering.solids import (
    BOX,
    CODES_PER_PART,
    CONE,
    CURVED_FACE,
    FACES,
    FIRST_PLANE,
    GROUND,
    SKY,
    WEDGE,
    Solids,
)
from situ.rendering.views import View

GROUND_ENDS = 1e-5  # nearness: beyond 100 km the ground counts as sky
Nearness = NDArray[np.float32]
Surface = NDArray[np.int32]
_MAX_LIMITS = 12  # three front planes: each before three back planes, and before the camera


@kernel
def draw_background(plane: NDArray[np.float64], nearness: Nearness, surface: Surface) -> None:
    """Draw the infinite ground as a plane of nearness over pixels, and the sky where it ends."""
    height, width = nearness.shape
    for y in range(height):
        row = plane[1] * (y + 0.5) + plane[2]
        for x in range(width):
            s = plane[0] * (x + 0.5) + row
            nearness[y, x] = s if s > GROUND_ENDS else 0.0
            surface[y, x] = GROUND if s > GROUND_ENDS else SKY


@kernel
def draw_solids(
    solids: Solids, view: View, posed: Posed, count: int, nearness: Nearness, surface: Surface
) -> None:
    """Draw the first `count` parts of `posed.order` with a depth test."""
    limits = np.zeros((_MAX_LIMITS, 3))
    for i in range(count):
        part = posed.order[i]
        kind, window = solids.kind[part], posed.window[part]
        if kind == BOX or kind == WEDGE:  # noqa: SIM109
            _draw_flat(posed.rows, part, window, view.s_least, view.s_most, limits, nearness, surface)
        else:
            _draw_round(kind, posed.rows, part, window, view.s_least, view.s_most, nearness, surface)


@kernel
def _draw_flat(
    posed: Rows,
    part: int,
    window: NDArray[np.int64],
    s_least: float,
    s_most: float,
    limits: NDArray[np.float64],
    nearness: Nearness,
    surface: Surface,
) -> None:
    """Draw a polyhedron row by row: a ray enters through the farthest of at most three front planes."""
    count = _outline(posed, part, s_least, limits)
    f0, f1, f2 = _fronts(posed, part)
    p0, p1, p2 = PLANES + 3 * f0, PLANES + 3 * f1, PLANES + 3 * f2
    a0, a1, a2 = np.float32(posed[part, p0]), np.float32(posed[part, p1]), np.float32(posed[part, p2])
    code = CODES_PER_PART * (part + 1)
    c0, c1, c2 = np.int32(code + f0), np.int32(code + f1), np.int32(code + f2)
    most = np.float32(s_most)
    for y in range(window[2], window[3]):
        v = y + 0.5
        start, end = _span(limits, count, v, window[0] + 0.5, window[1] - 0.5)
        u = start + 0.5
        b0 = np.float32(posed[part, p0] * u + posed[part, p0 + 1] * v + posed[part, p0 + 2])
        b1 = np.float32(posed[part, p1] * u + posed[part, p1 + 1] * v + posed[part, p1 + 2])
        b2 = np.float32(posed[part, p2] * u + posed[part, p2 + 1] * v + posed[part, p2 + 2])
        for i in range(end - start):
            step = np.float32(i)
            s0, s1, s2 = b0 + a0 * step, b1 + a1 * step, b2 + a2 * step
            first = s0 <= s1
            s, c = (s0 if first else s1), (c0 if first else c1)
            second = s <= s2
            s, c = (s if second else s2), (c if second else c2)
            if s > nearness[y, start + i] and s <= most:
                nearness[y, start + i] = s
                surface[y, start + i] = c


@kernel
def _fronts(posed: Rows, part: int) -> tuple[int, int, int]:
    """Front faces of a part, at most three; missing ones repeat the first."""
    first = second = third = -1
    for face in range(FACES):
        if posed[part, FRONT + face] != 0.0:
            first, second, third = face, first, second
    return first, (second if second >= 0 else first), (third if third >= 0 else first)


@kernel
def _outline(posed: Rows, part: int, s_least: float, limits: NDArray[np.float64]) -> int:
    """Half-planes of the image whose intersection is the outline of a polyhedron; returns their number.

    A ray hits the solid where it passes every front plane before any back plane, in front of the camera.
    These are differences of linear functions, so no edge needs projection or clipping.
    """
    count = 0
    for front in range(FACES):
        if posed[part, FRONT + front] == 0.0:
            continue
        f = PLANES + 3 * front
        for k in range(3):
            limits[count, k] = posed[part, f + k]
        limits[count, 2] -= s_least
        count += 1
        for back in range(FACES):
            if posed[part, FRONT + back] == 0.0:
                b = PLANES + 3 * back
                for k in range(3):
                    limits[count, k] = posed[part, f + k] - posed[part, b + k]
                count += 1
    return count


@kernel
def _span(limits: NDArray[np.float64], count: int, v: float, low: float, high: float) -> tuple[int, int]:
    """Pixels [start, end) of a row with centres inside the outline."""
    for i in range(count):
        slope, rest = limits[i, 0], limits[i, 1] * v + limits[i, 2]
        if slope > 0.0:
            low = max(low, -rest / slope)
        elif slope < 0.0:
            high = min(high, -rest / slope)
        elif rest < 0.0:
            return 0, 0
        if low > high:
            return 0, 0
    return int(np.ceil(low - 0.5)), int(np.floor(high - 0.5)) + 1


@kernel
def _draw_round(
    kind: int,
    posed: Rows,
    part: int,
    window: NDArray[np.int64],
    s_least: float,
    s_most: float,
    nearness: Nearness,
    surface: Surface,
) -> None:
    """Draw a solid with a curved side; along a row all terms are linear in x, under a root quadratic in x."""
    code = CODES_PER_PART * (part + 1)
    xx, xy, xz, xw = posed[part, 0], posed[part, 4], posed[part, 8], posed[part, 12]
    mx, my, mz, mw = posed[part, 3], posed[part, 7], posed[part, 11], posed[part, 15]
    c = posed[part, OUTSIDE]
    across, towards = (xx, xy, xz, xw), (mx, my, mz, mw)
    a_two, b_one = form(kind, across, across), form(kind, across, towards)
    for y in range(window[2], window[3]):
        v = y + 0.5
        ox, oy = posed[part, 1] * v + posed[part, 2], posed[part, 5] * v + posed[part, 6]
        oz, ow = posed[part, 9] * v + posed[part, 10], posed[part, 13] * v + posed[part, 14]
        origin = (ox, oy, oz, ow)
        a_one, a_none = form(kind, across, origin), form(kind, origin, origin)
        b_none = form(kind, origin, towards)
        caps = _caps(kind, posed, part, v, s_least)
        start, end = _curved_span(
            b_one * b_one - a_two * c, b_one * b_none - a_one * c, b_none * b_none - a_none * c, window
        )
        for x in range(start, end):
            u = x + 0.5
            a, b = a_none + u * (2.0 * a_one + u * a_two), b_none + u * b_one
            if b * b < a * c:
                continue
            entry = caps.front_slope * u + caps.front_rest
            if kind == CONE:
                here = (ox + u * xx, oy + u * xy, oz + u * xz, ow + u * xw)
                s, face = enter_cone(a, b, c, here, towards, entry, s_least)
            else:
                back = max(caps.back_slope * u + caps.back_rest, caps.other_slope * u + caps.other_rest)
                s, face = enter_quadric(a, b, c, entry, max(s_least, back), caps.front_face)
            if s > nearness[y, x] and s <= s_most:
                nearness[y, x] = s
                surface[y, x] = code + face


@kernel
def _curved_span(two: float, one: float, none: float, window: NDArray[np.int64]) -> tuple[int, int]:
    """Pixels [start, end) of a row inside the outline of a quadric: two*u^2 + 2*one*u + none >= 0."""
    if two >= 0.0:
        return window[0], window[1]
    inside_root = one * one - two * none
    if inside_root < 0.0:
        return 0, 0
    root = np.sqrt(inside_root)
    low, high = (root - one) / two, (-root - one) / two
    return max(window[0], int(max(low, 0.0) - 0.5)), min(window[1], int(max(min(high, 1e6), -1.0) + 1.5))


class Caps(NamedTuple):
    """Flat ends of a round solid in one row: linear nearness of a front plane and of two back planes."""

    front_slope: float
    front_rest: float
    front_face: int
    back_slope: float
    back_rest: float
    other_slope: float
    other_rest: float


@kernel
def _caps(kind: int, posed: Rows, part: int, v: float, s_least: float) -> Caps:
    """Planes of a round solid's flat ends in row `v`; a missing one never limits a ray."""
    front_slope, front_rest, front_face = 0.0, NEVER, CURVED_FACE
    back_slope, back_rest, other_slope, other_rest = 0.0, s_least, 0.0, s_least
    for face in range(FIRST_PLANE[kind], FACES):
        p = PLANES + 3 * face
        slope, rest = posed[part, p], posed[part, p + 1] * v + posed[part, p + 2]
        if posed[part, FRONT + face] != 0.0:
            front_slope, front_rest, front_face = slope, rest, face
        elif face == 4:
            back_slope, back_rest = slope, rest
        else:
            other_slope, other_rest = slope, rest
    return Caps(front_slope, front_rest, front_face, back_slope, back_rest, other_slope, other_rest)
