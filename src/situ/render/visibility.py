"""What is seen at each pixel centre: the surface's code and its nearness (see views.py)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.intersect import Posed, quadric_form, round_hit
from situ.render.solids import (
    BOX,
    CODES_PER_PART,
    CONE,
    FACES,
    FIRST_PLANE,
    GROUND,
    SKY,
    UNIT_PLANES,
    WEDGE,
    Solids,
)
from situ.render.views import View


@njit(cache=True, nogil=True)
def pose_solids(solids: Solids, view: View, posed: Posed) -> int:
    """Fill `posed` for one view; returns how many parts can be seen, nearest first in `posed.order`."""
    seen = 0
    for part in range(solids.kind.size):
        if not _bounds(solids, view, posed, part):
            continue
        unit = posed.unit[part]
        for row in range(4):
            for column in range(4):
                total = 0.0
                for k in range(4):
                    total += solids.to_unit[part, row, k] * view.rays[k, column]
                unit[row, column] = total
        if _pose_planes(solids.kind[part], unit, posed, part):
            posed.order[seen] = part
            seen += 1
    nearest = np.argsort(-posed.nearest[posed.order[:seen]], kind="mergesort")
    posed.order[:seen] = posed.order[:seen][nearest]
    return seen


@njit(cache=True, nogil=True)
def _bounds(solids: Solids, view: View, posed: Posed, part: int) -> bool:
    """Rows and columns that a part can touch, and how near it comes; False if it is out of sight."""
    low_x = low_y = 1e30
    high_x = high_y = -1e30
    nearest, farthest = -1e30, 1e30
    for c in range(8):
        x, y, z = solids.corners[part, c, 0], solids.corners[part, c, 1], solids.corners[part, c, 2]
        w = view.to_pixel[2, 0] * x + view.to_pixel[2, 1] * y + view.to_pixel[2, 2] * z + view.to_pixel[2, 3]
        if view.s_least < 0.0:  # the sun: w is 1; nearness is the height along M
            s = view.rays[0, 3] * x + view.rays[1, 3] * y + view.rays[2, 3] * z
        elif w * view.s_most > 1.0:
            s = 1.0 / w
        else:
            s = 1e30
        nearest, farthest = max(nearest, s), min(farthest, s)
        if s < 1e30:
            u = (
                view.to_pixel[0, 0] * x
                + view.to_pixel[0, 1] * y
                + view.to_pixel[0, 2] * z
                + view.to_pixel[0, 3]
            )
            v = (
                view.to_pixel[1, 0] * x
                + view.to_pixel[1, 1] * y
                + view.to_pixel[1, 2] * z
                + view.to_pixel[1, 3]
            )
            low_x, high_x = min(low_x, u / w), max(high_x, u / w)
            low_y, high_y = min(low_y, v / w), max(high_y, v / w)
    if farthest >= 1e30:
        return False
    if nearest >= 1e30:  # it crosses the near plane, so its outline may be anywhere
        low_x = low_y = 0.0
        high_x, high_y = float(view.width), float(view.height)
    # One pixel of slack lets the antialiasing find parts that reach into a pixel but miss its centre.
    posed.window[part, 0] = max(0, int(np.floor(low_x - 0.5)))
    posed.window[part, 1] = min(view.width, int(np.floor(min(high_x, 1e6) + 1.5)))
    posed.window[part, 2] = max(0, int(np.floor(low_y - 0.5)))
    posed.window[part, 3] = min(view.height, int(np.floor(min(high_y, 1e6) + 1.5)))
    posed.nearest[part] = nearest
    return posed.window[part, 0] < posed.window[part, 1] and posed.window[part, 2] < posed.window[part, 3]


@njit(cache=True, nogil=True)
def _pose_planes(kind: int, unit: NDArray[np.float64], posed: Posed, part: int) -> bool:
    """Each face's plane as nearness over pixels, front faces first; False where the view is inside."""
    fronts = 0
    for face in range(FIRST_PLANE[kind], FACES):
        lean = np.zeros(4)
        for column in range(4):
            for k in range(4):
                lean[column] += UNIT_PLANES[kind, face, k] * unit[k, column]
        toward = lean[3]
        if -1e-12 < toward < 1e-12:
            toward = -1e-12  # seen exactly edge-on: as good as from behind
        posed.front[part, face] = toward > 0.0
        fronts += toward > 0.0
        for column in range(3):
            posed.planes[part, face, column] = -lean[column] / toward
    if kind == BOX or kind == WEDGE:
        return fronts > 0
    outside = quadric_form(kind, unit, 3, 3)
    posed.curved[part] = outside if abs(outside) > 1e-12 else 1e-12
    above_tip = kind == CONE and unit[2, 3] > unit[3, 3]
    return fronts > 0 or outside > 0.0 or above_tip


@njit(cache=True, nogil=True)
def draw_background(
    plane: NDArray[np.float64], nearness: NDArray[np.float32], surface: NDArray[np.int32]
) -> None:
    """The endless ground as a plane of nearness over pixels, and the sky where it ends."""
    height, width = nearness.shape
    for y in range(height):
        row = plane[1] * (y + 0.5) + plane[2]
        for x in range(width):
            s = plane[0] * (x + 0.5) + row
            nearness[y, x] = max(s, 0.0)
            surface[y, x] = GROUND if s > 0.0 else SKY


@njit(cache=True, nogil=True)
def draw_solids(
    solids: Solids,
    view: View,
    posed: Posed,
    count: int,
    nearness: NDArray[np.float32],
    surface: NDArray[np.int32],
) -> None:
    """Draw the parts of `posed.order` over what is there already; the nearer one stays."""
    for i in range(count):
        part = posed.order[i]
        if solids.kind[part] == BOX or solids.kind[part] == WEDGE:
            _draw_polyhedron(view, posed, part, nearness, surface)
        else:
            _draw_round(solids.kind[part], view, posed, part, nearness, surface)


@njit(cache=True, nogil=True)
def _draw_polyhedron(
    view: View, posed: Posed, part: int, nearness: NDArray[np.float32], surface: NDArray[np.int32]
) -> None:
    """Row by row: the entry is the farthest front plane, and the span is where it lies before every back."""
    planes, front = posed.planes[part], posed.front[part]
    fronts = np.zeros(3, dtype=np.int64)
    count = 0
    for face in range(FACES):
        if front[face] and count < 3:
            fronts[count] = face
            count += 1
    for spare in range(count, 3):
        fronts[spare] = fronts[0]
    f0, f1, f2 = fronts[0], fronts[1], fronts[2]
    a0, a1, a2 = np.float32(planes[f0, 0]), np.float32(planes[f1, 0]), np.float32(planes[f2, 0])
    code = CODES_PER_PART * (part + 1)
    c0, c1, c2 = np.int32(code + f0), np.int32(code + f1), np.int32(code + f2)
    s_most = np.float32(view.s_most)
    for y in range(posed.window[part, 2], posed.window[part, 3]):
        start, end = row_span(view, posed, part, y + 0.5)
        if start >= end:
            continue
        x = start + 0.5
        b0 = np.float32(planes[f0, 0] * x + planes[f0, 1] * (y + 0.5) + planes[f0, 2])
        b1 = np.float32(planes[f1, 0] * x + planes[f1, 1] * (y + 0.5) + planes[f1, 2])
        b2 = np.float32(planes[f2, 0] * x + planes[f2, 1] * (y + 0.5) + planes[f2, 2])
        near_row, surface_row = nearness[y, start:end], surface[y, start:end]
        for i in range(end - start):
            step = np.float32(i)
            s, c = b0 + a0 * step, c0
            s1, s2 = b1 + a1 * step, b2 + a2 * step
            c = c1 if s1 < s else c
            s = s1 if s1 < s else s
            c = c2 if s2 < s else c
            s = s2 if s2 < s else s
            old, old_code = near_row[i], surface_row[i]
            hit = (s > old) & (s <= s_most)
            near_row[i] = s if hit else old
            surface_row[i] = c if hit else old_code


@njit(cache=True, nogil=True)
def row_span(view: View, posed: Posed, part: int, y: float) -> tuple[int, int]:
    """The pixels [start, end) of a row whose centres see a polyhedron, before asking what hides it."""
    planes, front = posed.planes[part], posed.front[part]
    low, high = posed.window[part, 0] + 0.5, posed.window[part, 1] - 0.5
    for f in range(FACES):
        if not front[f]:
            continue
        slope, rest = planes[f, 0], planes[f, 1] * y + planes[f, 2]
        low, high = _keep_positive(slope, rest - view.s_least, low, high)
        for b in range(FACES):
            if not front[b]:
                low, high = _keep_positive(
                    slope - planes[b, 0], rest - planes[b, 1] * y - planes[b, 2], low, high
                )
        if low > high:
            return 0, 0
    return int(np.ceil(low - 0.5)), int(np.floor(high - 0.5)) + 1


@njit(cache=True, nogil=True)
def _keep_positive(slope: float, rest: float, low: float, high: float) -> tuple[float, float]:
    """The part of [low, high] where slope * x + rest >= 0."""
    if slope > 0.0:
        return max(low, -rest / slope), high
    if slope < 0.0:
        return low, min(high, -rest / slope)
    return (low, high) if rest >= 0.0 else (1.0, 0.0)


@njit(cache=True, nogil=True)
def _draw_round(
    kind: int,
    view: View,
    posed: Posed,
    part: int,
    nearness: NDArray[np.float32],
    surface: NDArray[np.int32],
) -> None:
    code = CODES_PER_PART * (part + 1)
    for y in range(posed.window[part, 2], posed.window[part, 3]):
        for x in range(posed.window[part, 0], posed.window[part, 1]):
            s, face = round_hit(kind, posed, part, view.s_least, x + 0.5, y + 0.5)
            if s > nearness[y, x] and s <= view.s_most:
                nearness[y, x] = s
                surface[y, x] = code + face
