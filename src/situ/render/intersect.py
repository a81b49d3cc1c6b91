"""Where one ray of a view enters one solid."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.solids import BOX, CURVED_FACE, CYLINDER, FACES, FIRST_PLANE, SPHERE, WEDGE

NO_HIT = -1e30


class Posed(NamedTuple):
    """The parts of a scene as one view sees them; scratch that every frame fills anew."""

    unit: NDArray[np.float64]  # (n, 4, 4) the view's rays in each part's unit frame
    planes: NDArray[np.float64]  # (n, 6, 3) nearness over pixels: planes[0] * x + planes[1] * y + planes[2]
    front: NDArray[np.bool_]  # (n, 6) whether a plane faces the view
    curved: NDArray[np.float64]  # the quadric at the view's own place: greater than 0 outside
    window: NDArray[np.int64]  # (n, 4) columns [0, 1) and rows [2, 3) that the part may touch
    nearest: NDArray[np.float64]
    order: NDArray[np.int64]


def posed_for(count: int) -> Posed:
    return Posed(
        np.zeros((count, 4, 4)),
        np.zeros((count, 6, 3)),
        np.zeros((count, 6), dtype=np.bool_),
        np.zeros(count),
        np.zeros((count, 4), dtype=np.int64),
        np.zeros(count),
        np.zeros(count, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def hit(kind: int, posed: Posed, part: int, s_least: float, x: float, y: float) -> tuple[float, int]:
    """Nearness and face where the ray of image point (x, y) enters a part, or NO_HIT."""
    if kind == BOX or kind == WEDGE:
        entry, face, leave = _between_planes(kind, posed, part, s_least, x, y)
        return (entry, face) if entry > leave else (NO_HIT, 0)
    return round_hit(kind, posed, part, s_least, x, y)


@njit(cache=True, nogil=True)
def _between_planes(
    kind: int, posed: Posed, part: int, s_least: float, x: float, y: float
) -> tuple[float, int, float]:
    """Entry through the front planes (nearness, face) and nearness of the exit through the back ones."""
    planes = posed.planes[part]
    entry, face, leave = 1e30, 0, s_least
    for f in range(FIRST_PLANE[kind], FACES):
        s = planes[f, 0] * x + planes[f, 1] * y + planes[f, 2]
        if not posed.front[part, f]:
            leave = max(leave, s)
        elif s < entry:
            entry, face = s, f
    return entry, face, leave


@njit(cache=True, nogil=True)
def round_hit(kind: int, posed: Posed, part: int, s_least: float, x: float, y: float) -> tuple[float, int]:
    """The same for solids with a curved side: nearness solves c*s^2 + 2*b*s + a = 0 on the quadric."""
    unit = posed.unit[part]
    px = unit[0, 0] * x + unit[0, 1] * y + unit[0, 2]
    py = unit[1, 0] * x + unit[1, 1] * y + unit[1, 2]
    pz = unit[2, 0] * x + unit[2, 1] * y + unit[2, 2]
    pw = unit[3, 0] * x + unit[3, 1] * y + unit[3, 2]
    mx, my, mz, mw = unit[0, 3], unit[1, 3], unit[2, 3], unit[3, 3]
    a, b, c = px * px + py * py, px * mx + py * my, posed.curved[part]
    if kind == SPHERE:
        a += pz * pz - pw * pw
        b += pz * mz - pw * mw
    elif kind == CYLINDER:
        a -= pw * pw
        b -= pw * mw
    else:
        a -= 0.25 * (pw - pz) * (pw - pz)
        b -= 0.25 * (pw - pz) * (mw - mz)
    inside_root = b * b - a * c
    if inside_root < 0.0:
        return NO_HIT, 0
    root = np.sqrt(inside_root)
    if kind == SPHERE:
        s = (root - b) / c
        return (s, CURVED_FACE) if s > s_least else (NO_HIT, 0)
    if kind == CYLINDER:
        entry, face, leave = _between_planes(kind, posed, part, s_least, x, y)
        if c > 0.0 and (root - b) / c < entry:
            entry, face = (root - b) / c, CURVED_FACE
        return (entry, face) if entry > max(leave, (-b - root) / c) else (NO_HIT, 0)
    return _cone_hit(posed, part, s_least, x, y, (root - b) / c, (-b - root) / c)


@njit(cache=True, nogil=True)
def _cone_hit(
    posed: Posed, part: int, s_least: float, x: float, y: float, s_one: float, s_two: float
) -> tuple[float, int]:
    """The nearest of the two points on the double cone that belongs to the solid, or the base."""
    unit = posed.unit[part]
    best, face = NO_HIT, 0
    z_start, w_start = (
        unit[2, 0] * x + unit[2, 1] * y + unit[2, 2],
        unit[3, 0] * x + unit[3, 1] * y + unit[3, 2],
    )
    for s in (s_one, s_two):
        if s > best and s > s_least:
            z, w = z_start + s * unit[2, 3], w_start + s * unit[3, 3]
            if -w <= z <= w:
                best, face = s, CURVED_FACE
    if posed.front[part, 5]:
        s = posed.planes[part, 5, 0] * x + posed.planes[part, 5, 1] * y + posed.planes[part, 5, 2]
        if s > best and s > s_least:
            ux = unit[0, 0] * x + unit[0, 1] * y + unit[0, 2] + s * unit[0, 3]
            uy = unit[1, 0] * x + unit[1, 1] * y + unit[1, 2] + s * unit[1, 3]
            w = w_start + s * unit[3, 3]
            if ux * ux + uy * uy <= w * w:
                best, face = s, 5
    return best, face


@njit(cache=True, nogil=True)
def quadric_form(kind: int, unit: NDArray[np.float64], one: int, two: int) -> float:
    """The quadric's bilinear form on two columns of `unit`."""
    total = unit[0, one] * unit[0, two] + unit[1, one] * unit[1, two]
    if kind == SPHERE:
        return total + unit[2, one] * unit[2, two] - unit[3, one] * unit[3, two]
    if kind == CYLINDER:
        return total - unit[3, one] * unit[3, two]
    return total - 0.25 * (unit[3, one] - unit[2, one]) * (unit[3, two] - unit[2, two])
