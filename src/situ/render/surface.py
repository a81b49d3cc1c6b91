"""The shape of a surface at a point: its normal and its texture coordinates."""

import numpy as np
from numba import njit

from situ.render.solids import CONE, CURVED_FACE, SPHERE, WEDGE, Solids

Frame7 = tuple[float, float, float, float, float, float, float]
Vec4 = tuple[float, float, float, float]
Vec3 = tuple[float, float, float]


@njit(cache=True, nogil=True)
def surface_frame(
    solids: Solids, part: int, face: int, px: float, py: float, pz: float, dx: float, dy: float, dz: float
) -> Frame7:
    """World normal, texture coordinates in metres from the object's origin, and the ray's slant along them.

    Where a part is not tilted its texture coordinates are the object's own, so the parts of one wall join.
    """
    axes, half, kind = solids.axes[part], solids.half[part], solids.kind[part]
    lx, ly, lz = _turned(
        solids, part, px - solids.origin[part, 0], py - solids.origin[part, 1], pz - solids.origin[part, 2]
    )
    ex, ey, ez = _turned(solids, part, dx, dy, dz)
    if face == 2 or face == 3:
        sign = 5.0 - 2.0 * face
        return sign * axes[0, 1], sign * axes[1, 1], sign * axes[2, 1], -sign * lx, lz, -sign * ex, ez
    if face == 1 or (face == 0 and kind != WEDGE):
        sign = 1.0 - 2.0 * face
        return sign * axes[0, 0], sign * axes[1, 0], sign * axes[2, 0], sign * ly, lz, sign * ey, ez
    if face == 5 or (face == 4 and kind != WEDGE):
        sign = 9.0 - 2.0 * face
        return sign * axes[0, 2], sign * axes[1, 2], sign * axes[2, 2], lx, ly, ex, ey
    if kind == WEDGE:
        slope = np.sqrt(half[0] * half[0] + half[2] * half[2])
        mx, my, mz = half[2] / slope, 0.0, half[0] / slope
        u, v = ly, lz * mx - lx * mz
        along_u, along_v = ey, ez * mx - ex * mz
    else:
        ux, uy, uz = unit_point(solids, part, px, py, pz)
        mx, my, mz = _curved_normal(solids, part, ux, uy, uz)
        level = max(1e-6, np.sqrt(mx * mx + my * my))
        u, v = turn_of(ux, uy) * 0.5 * (half[0] + half[1]), lz
        along_u, along_v = (ey * mx - ex * my) / level, ez
    return (
        axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz,
        axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz,
        axes[2, 0] * mx + axes[2, 1] * my + axes[2, 2] * mz,
        u,
        v,
        along_u,
        along_v,
    )


@njit(cache=True, nogil=True)
def _turned(solids: Solids, part: int, x: float, y: float, z: float) -> Vec3:
    """A world vector in the part's axes."""
    axes = solids.axes[part]
    return (
        axes[0, 0] * x + axes[1, 0] * y + axes[2, 0] * z,
        axes[0, 1] * x + axes[1, 1] * y + axes[2, 1] * z,
        axes[0, 2] * x + axes[1, 2] * y + axes[2, 2] * z,
    )


@njit(cache=True, nogil=True)
def unit_point(solids: Solids, part: int, x: float, y: float, z: float) -> Vec3:
    """A world point in the part's unit frame."""
    to = solids.to_unit[part]
    return (
        to[0, 0] * x + to[0, 1] * y + to[0, 2] * z + to[0, 3],
        to[1, 0] * x + to[1, 1] * y + to[1, 2] * z + to[1, 3],
        to[2, 0] * x + to[2, 1] * y + to[2, 2] * z + to[2, 3],
    )


@njit(cache=True, nogil=True)
def _curved_normal(solids: Solids, part: int, ux: float, uy: float, uz: float) -> Vec3:
    """The normal of a curved side in the part's axes: the quadric's gradient, unscaled."""
    half = solids.half[part]
    mx, my, mz = ux / half[0], uy / half[1], 0.0
    if solids.kind[part] == SPHERE:
        mz = uz / half[2]
    elif solids.kind[part] == CONE:
        mz = 0.25 * (1.0 - uz) / half[2]
    length = max(1e-12, np.sqrt(mx * mx + my * my + mz * mz))
    return mx / length, my / length, mz / length


@njit(cache=True, nogil=True)
def turn_of(x: float, y: float) -> float:
    """The angle of (x, y) in radians, to within 0.002: enough for a texture, at a fraction of atan2's cost."""
    ax, ay = abs(x), abs(y)
    ratio = min(ax, ay) / max(1e-12, max(ax, ay))
    angle = ratio * (0.7853982 + 0.273 * (1.0 - ratio))
    angle = 1.5707963 - angle if ay > ax else angle
    angle = 3.1415927 - angle if x < 0.0 else angle
    return -angle if y < 0.0 else angle


@njit(cache=True, nogil=True)
def face_share(solids: Solids, part: int, face: int, px: float, py: float, pz: float) -> Vec4:
    """Where a point lies on its face, each coordinate in -1 .. 1, and the face's two half extents."""
    ux, uy, uz = unit_point(solids, part, px, py, pz)
    half = solids.half[part]
    if face == CURVED_FACE:
        return turn_of(ux, uy) / 3.1415927, uz, 1.5707963 * (half[0] + half[1]), half[2]
    if face == 2 or face == 3:
        return (-ux if face == 2 else ux), uz, half[0], half[2]
    if (face < 2 and solids.kind[part] != WEDGE) or face == 1:
        return (uy if face == 0 else -uy), uz, half[1], half[2]
    return ux, uy, half[0], half[1]
