"""Parts relative to one view: their rows of numbers, the pixel windows that they touch, and their order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.rendering.intersect import FRONT, NO_HIT, OUTSIDE, PLANES, POSED_WIDTH, Rows, form
from situ.rendering.kernel import kernel
from situ.rendering.solids import BOX, CONE, FACES, FIRST_PLANE, UNIT_PLANES, WEDGE, Solids
from situ.rendering.views import View


class Posed(NamedTuple):
    """Scratch memory that every frame fills anew. `window` holds columns [0, 1) and rows [2, 3)."""

    rows: Rows
    window: NDArray[np.int64]
    nearest: NDArray[np.float64]
    order: NDArray[np.int64]


def posed_for(count: int) -> Posed:
    return Posed(
        np.zeros((count, POSED_WIDTH)),
        np.zeros((count, 4), dtype=np.int64),
        np.zeros(count),
        np.zeros(count, dtype=np.int64),
    )


def pose_solids(solids: Solids, view: View, posed: Posed) -> int:
    """Fill `posed` for one view; the number of visible parts, which are sorted by distance in
    `posed.order`."""
    seen = _pose_parts(solids, view, posed)
    # Sorted in NumPy: compiling a sort takes seconds, sorting a few hundred parts takes no time.
    nearest = np.argsort(-posed.nearest[posed.order[:seen]], kind="stable")
    posed.order[:seen] = posed.order[:seen][nearest]
    return seen


@kernel
def _pose_parts(solids: Solids, view: View, posed: Posed) -> int:
    """Fill `posed` without sorting."""
    seen = 0
    for part in range(solids.kind.size):
        if not _find_window(solids.corners, view, posed.window, posed.nearest, part):
            continue
        for row in range(4):
            for column in range(4):
                total = 0.0
                for k in range(4):
                    total += solids.to_unit[part, row, k] * view.rays[k, column]
                posed.rows[part, 4 * row + column] = total
        if _pose_faces(solids.kind[part], posed.rows, part):
            posed.order[seen] = part
            seen += 1
    return seen


@kernel
def _find_window(
    corners: NDArray[np.float64],
    view: View,
    window: NDArray[np.int64],
    nearest_of: NDArray[np.float64],
    part: int,
) -> bool:
    """Rows and columns that a part can touch, and its greatest nearness; False if it is out of view."""
    low_x = low_y = 1e30
    high_x = high_y = -1e30
    nearest, farthest = -1e30, 1e30
    to, rays = view.to_pixel, view.rays
    for c in range(8):
        x, y, z = corners[part, c, 0], corners[part, c, 1], corners[part, c, 2]
        w = to[2, 0] * x + to[2, 1] * y + to[2, 2] * z + to[2, 3]
        if view.s_least < 0.0:  # the sun's view: w is 1, and nearness is the height along M
            s = rays[0, 3] * x + rays[1, 3] * y + rays[2, 3] * z
        elif w * view.s_most > 1.0:
            s = 1.0 / w
        else:
            s = 1e30
        nearest, farthest = max(nearest, s), min(farthest, s)
        if s < 1e30:
            u = (to[0, 0] * x + to[0, 1] * y + to[0, 2] * z + to[0, 3]) / w
            v = (to[1, 0] * x + to[1, 1] * y + to[1, 2] * z + to[1, 3]) / w
            low_x, high_x = min(low_x, u), max(high_x, u)
            low_y, high_y = min(low_y, v), max(high_y, v)
    if farthest >= 1e30:
        return False
    if nearest >= 1e30:  # the part crosses the near plane, so its outline may be anywhere
        low_x = low_y = 0.0
        high_x, high_y = float(view.width), float(view.height)
    window[part, 0] = max(0, int(np.floor(max(low_x, -9.0) - 0.5)))
    window[part, 1] = min(view.width, int(np.floor(min(high_x, 1e6) + 1.5)))
    window[part, 2] = max(0, int(np.floor(max(low_y, -9.0) - 0.5)))
    window[part, 3] = min(view.height, int(np.floor(min(high_y, 1e6) + 1.5)))
    nearest_of[part] = nearest
    return bool(window[part, 0] < window[part, 1] and window[part, 2] < window[part, 3])


@kernel
def _pose_faces(kind: int, posed: Rows, part: int) -> bool:
    """Planes of all faces as nearness over pixels; False if the view is inside the solid."""
    fronts = 0
    if kind == WEDGE:  # its missing face lies at the end of every ray
        posed[part, FRONT] = posed[part, PLANES] = posed[part, PLANES + 1] = 0.0
        posed[part, PLANES + 2] = NO_HIT
    for face in range(FIRST_PLANE[kind], FACES):
        toward = 0.0
        for k in range(4):
            toward += UNIT_PLANES[kind, face, k] * posed[part, 4 * k + 3]
        if -1e-12 < toward < 1e-12:
            toward = -1e-12  # seen exactly edge-on: treated as a back face
        posed[part, FRONT + face] = 1.0 if toward > 0.0 else 0.0
        fronts += toward > 0.0
        for column in range(3):
            lean = 0.0
            for k in range(4):
                lean += UNIT_PLANES[kind, face, k] * posed[part, 4 * k + column]
            posed[part, PLANES + 3 * face + column] = -lean / toward
    if kind == BOX or kind == WEDGE:  # noqa: SIM109
        return fronts > 0
    mx, my, mz, mw = posed[part, 3], posed[part, 7], posed[part, 11], posed[part, 15]
    outside = form(kind, (mx, my, mz, mw), (mx, my, mz, mw))
    posed[part, OUTSIDE] = outside if abs(outside) > 1e-12 else 1e-12
    return fronts > 0 or outside > 0.0 or (kind == CONE and mz > mw)  # the last: above the tip
