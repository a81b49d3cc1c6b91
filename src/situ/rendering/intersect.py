"""Intersection of one ray of a view with one solid.

A posed part is a row of numbers, with the columns named below: the view's rays in the part's unit frame, each
face's plane as nearness over pixels, whether it faces the view, and the quadric at the view's origin. Flat
rows avoid the cost of array views in the inner loops.
"""

import numpy as np
from numpy.typing import NDArray

from situ.rendering.kernel import kernel
from situ.rendering.solids import BOX, CURVED_FACE, CYLINDER, FACES, FIRST_PLANE, SPHERE, WEDGE

NO_HIT = -1e30
NEVER = 1e30
# Columns: `unit` is 4x4, row by row; `planes` 6x3; one flag per face; then one number.
UNIT, PLANES, FRONT, OUTSIDE, POSED_WIDTH = 0, 16, 34, 40, 41
Rows = NDArray[np.float64]
Hit = tuple[float, int]
Point = tuple[float, float, float, float]  # homogeneous, in the unit frame of a part


@kernel
def hit(kind: int, posed: Rows, part: int, s_least: float, x: float, y: float) -> Hit:
    """Nearness and face where the ray of image point (x, y) enters a part, or NO_HIT."""
    entry, leave, face = NEVER, s_least, CURVED_FACE
    for f in range(FIRST_PLANE[kind], FACES):
        column = PLANES + 3 * f
        s = posed[part, column] * x + posed[part, column + 1] * y + posed[part, column + 2]
        if posed[part, FRONT + f] == 0.0:
            leave = max(leave, s)
        elif s < entry:
            entry, face = s, f
    if kind == BOX or kind == WEDGE:  # noqa: SIM109 (a tuple costs time here)
        return (entry, face) if entry > leave else (NO_HIT, 0)
    px = posed[part, 0] * x + posed[part, 1] * y + posed[part, 2]
    py = posed[part, 4] * x + posed[part, 5] * y + posed[part, 6]
    pz = posed[part, 8] * x + posed[part, 9] * y + posed[part, 10]
    pw = posed[part, 12] * x + posed[part, 13] * y + posed[part, 14]
    mx, my, mz, mw = posed[part, 3], posed[part, 7], posed[part, 11], posed[part, 15]
    start, towards = (px, py, pz, pw), (mx, my, mz, mw)
    a, b = form(kind, start, start), form(kind, start, towards)
    if kind == SPHERE or kind == CYLINDER:  # noqa: SIM109
        return enter_quadric(a, b, posed[part, OUTSIDE], entry, leave, face)
    return enter_cone(a, b, posed[part, OUTSIDE], start, towards, entry, s_least)


@kernel
def form(kind: int, first: Point, second: Point) -> float:
    """Bilinear form of a kind's quadric at two homogeneous points of the unit frame."""
    ax, ay, az, aw = first
    bx, by, bz, bw = second
    total = ax * bx + ay * by
    if kind == SPHERE:
        return total + az * bz - aw * bw
    if kind == CYLINDER:
        return total - aw * bw
    return total - 0.25 * (aw - az) * (bw - bz)


@kernel
def enter_quadric(a: float, b: float, c: float, entry: float, leave: float, face: int) -> Hit:
    """Cut the stretch between `entry` and `leave` by a convex quadric: c*s^2 + 2*b*s + a <= 0."""
    inside_root = b * b - a * c
    if inside_root < 0.0:
        return NO_HIT, 0
    root = np.sqrt(inside_root)
    if c > 0.0 and (root - b) / c < entry:
        entry, face = (root - b) / c, CURVED_FACE
    leave = max(leave, (-b - root) / c)
    return (entry, face) if entry > leave else (NO_HIT, 0)


@kernel
def enter_cone(
    a: float, b: float, c: float, start: Point, towards: Point, base: float, s_least: float
) -> Hit:
    """Where a ray enters a cone. Its quadric continues above the tip, so both roots and the base are
    checked."""
    px, py, pz, pw = start
    mx, my, mz, mw = towards
    inside_root = b * b - a * c
    if inside_root < 0.0:
        return NO_HIT, 0
    root = np.sqrt(inside_root)
    best, face = NO_HIT, 0
    for sign in (1.0, -1.0):
        s = (sign * root - b) / c
        w = pw + s * mw
        if s > best and s > s_least and -w <= pz + s * mz <= w:
            best, face = s, CURVED_FACE
    if best < base < NEVER and base > s_least:
        x, y, w = px + base * mx, py + base * my, pw + base * mw
        if x * x + y * y <= w * w:
            best, face = base, 5
    return best, face
