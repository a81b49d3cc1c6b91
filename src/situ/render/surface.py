"""The shape of a surface at a point: its normal and its texture coordinates."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.solids import AXES, CONE, CURVED_FACE, HALF, ORIGIN, SPHERE, TO_UNIT, WEDGE

Rows = NDArray[np.float64]
SurfaceFrame = tuple[float, float, float, float, float, float, float]
Vec4 = tuple[float, float, float, float]
Vec3 = tuple[float, float, float]


@njit(cache=True, nogil=True)
def surface_frame(
    rows: Rows, part: int, face: int, px: float, py: float, pz: float, dx: float, dy: float, dz: float
) -> SurfaceFrame:
    """World normal, texture coordinates in metres from the object's origin, and the ray's slant along them.

    `rows` is that of Solids. Where a part is not tilted its texture coordinates are the object's own, so the
    parts of one wall join.
    """
    kind, a = rows[part, 0], AXES
    lx, ly, lz = _turned(
        rows, part, px - rows[part, ORIGIN], py - rows[part, ORIGIN + 1], pz - rows[part, ORIGIN + 2]
    )
    ex, ey, ez = _turned(rows, part, dx, dy, dz)
    if face == 5 or (face == 4 and kind != WEDGE):
        sign = 9.0 - 2.0 * face
        return sign * rows[part, a + 2], sign * rows[part, a + 5], sign * rows[part, a + 8], lx, ly, ex, ey
    if face <= 1:
        sign = 1.0 - 2.0 * face
        u, along = sign * ly, sign * ey
        return sign * rows[part, a], sign * rows[part, a + 3], sign * rows[part, a + 6], u, lz, along, ez
    if face <= 3:
        sign = 5.0 - 2.0 * face
        u, along = -sign * lx, -sign * ex
        return sign * rows[part, a + 1], sign * rows[part, a + 4], sign * rows[part, a + 7], u, lz, along, ez
    if kind == WEDGE:
        slope = np.sqrt(rows[part, HALF] ** 2 + rows[part, HALF + 2] ** 2)
        mx, my, mz = rows[part, HALF + 2] / slope, 0.0, rows[part, HALF] / slope
        u, v = ly, lz * mx - lx * mz
        along_u, along_v = ey, ez * mx - ex * mz
    else:
        ux, uy, uz = unit_point(rows, part, px, py, pz)
        mx, my, mz = _curved_normal(rows, part, ux, uy, uz)
        level = max(1e-6, np.sqrt(mx * mx + my * my))
        u, v = turn_of(ux, uy) * 0.5 * (rows[part, HALF] + rows[part, HALF + 1]), lz
        along_u, along_v = (ey * mx - ex * my) / level, ez
    return (
        rows[part, a] * mx + rows[part, a + 1] * my + rows[part, a + 2] * mz,
        rows[part, a + 3] * mx + rows[part, a + 4] * my + rows[part, a + 5] * mz,
        rows[part, a + 6] * mx + rows[part, a + 7] * my + rows[part, a + 8] * mz,
        u,
        v,
        along_u,
        along_v,
    )


@njit(cache=True, nogil=True)
def _turned(rows: Rows, part: int, x: float, y: float, z: float) -> Vec3:
    """A world vector in the part's axes."""
    a = AXES
    return (
        rows[part, a] * x + rows[part, a + 3] * y + rows[part, a + 6] * z,
        rows[part, a + 1] * x + rows[part, a + 4] * y + rows[part, a + 7] * z,
        rows[part, a + 2] * x + rows[part, a + 5] * y + rows[part, a + 8] * z,
    )


@njit(cache=True, nogil=True)
def unit_point(rows: Rows, part: int, x: float, y: float, z: float) -> Vec3:
    """A world point in the part's unit frame."""
    t = TO_UNIT
    return (
        rows[part, t] * x + rows[part, t + 1] * y + rows[part, t + 2] * z + rows[part, t + 3],
        rows[part, t + 4] * x + rows[part, t + 5] * y + rows[part, t + 6] * z + rows[part, t + 7],
        rows[part, t + 8] * x + rows[part, t + 9] * y + rows[part, t + 10] * z + rows[part, t + 11],
    )


@njit(cache=True, nogil=True)
def _curved_normal(rows: Rows, part: int, ux: float, uy: float, uz: float) -> Vec3:
    """The normal of a curved side in the part's axes: the quadric's gradient, unscaled."""
    mx, my, mz = ux / rows[part, HALF], uy / rows[part, HALF + 1], 0.0
    if rows[part, 0] == SPHERE:
        mz = uz / rows[part, HALF + 2]
    elif rows[part, 0] == CONE:
        mz = 0.25 * (1.0 - uz) / rows[part, HALF + 2]
    length = max(1e-12, np.sqrt(mx * mx + my * my + mz * mz))
    return mx / length, my / length, mz / length


@njit(cache=True, nogil=True)
def turn_of(x: float, y: float) -> float:
    """The angle of (x, y) in radians, to within 0.004: enough for a texture, far cheaper than atan2."""
    ax, ay = abs(x), abs(y)
    ratio = min(ax, ay) / max(1e-12, max(ax, ay))
    angle = ratio * (0.7853982 + 0.273 * (1.0 - ratio))
    angle = 1.5707963 - angle if ay > ax else angle
    angle = 3.1415927 - angle if x < 0.0 else angle
    return -angle if y < 0.0 else angle


@njit(cache=True, nogil=True)
def face_share(rows: Rows, part: int, face: int, px: float, py: float, pz: float) -> Vec4:
    """Where a point lies on its face, each coordinate in -1 .. 1, and the face's two half extents."""
    ux, uy, uz = unit_point(rows, part, px, py, pz)
    half_x, half_y, half_z = rows[part, HALF], rows[part, HALF + 1], rows[part, HALF + 2]
    if face == CURVED_FACE:
        return turn_of(ux, uy) / 3.1415927, uz, 1.5707963 * (half_x + half_y), half_z
    if face <= 1:
        return (uy if face == 0 else -uy), uz, half_y, half_z
    if face <= 3:
        return (-ux if face == 2 else ux), uz, half_x, half_z
    return ux, uy, half_x, half_y
