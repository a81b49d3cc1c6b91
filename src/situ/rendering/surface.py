"""Surface geometry at fragments: position, normal, texture coordinates and pixel footprint."""

import math

import numpy as np

from situ.rendering.fragments import (
    AT_X,
    AT_Y,
    CODE,
    DU,
    DV,
    FAR,
    GLINT,
    MATERIAL,
    NEARNESS,
    NX,
    NY,
    NZ,
    PX,
    PY,
    PZ,
    WIDTH,
    U,
    V,
)
from situ.rendering.intersect import Rows
from situ.rendering.kernel import kernel
from situ.rendering.light import DIRECTION, Lamp
from situ.rendering.materials import DENSITY, GLOSS, OFFSET, POSTER, SCALE, STYLE
from situ.rendering.patterns import TILE
from situ.rendering.posters import PICTURE
from situ.rendering.solids import (
    AXES,
    CENTER,
    CODE_BITS,
    CODES_PER_PART,
    CONE,
    CURVED_FACE,
    HALF,
    ORIGIN,
    PART_MATERIAL,
    SPHERE,
    WEDGE,
)

Triple = tuple[float, float, float]
Frame = tuple[float, float, float, float, float, float, float]
_LEAST_COSINE = 0.02  # surfaces seen more edge-on are treated as if seen at this angle


@kernel
def place_ground(rays: Rows, materials: Rows, table: Rows, end: int) -> None:
    """Geometry of ground fragments [0, end), whose material is the first."""
    pixel = np.sqrt(rays[0, 0] ** 2 + rays[1, 0] ** 2 + rays[2, 0] ** 2)
    ox, oy, oz = rays[0, 3], rays[1, 3], rays[2, 3]
    x0, x1, x2 = rays[0, 0], rays[0, 1], rays[0, 2]
    y0, y1, y2 = rays[1, 0], rays[1, 1], rays[1, 2]
    z0, z1, z2 = rays[2, 0], rays[2, 1], rays[2, 2]
    dense, offset_u, offset_v = materials[0, DENSITY], materials[0, OFFSET], materials[0, OFFSET + 1]
    for i in range(end):
        x, y, depth = table[AT_X, i], table[AT_Y, i], 1.0 / table[NEARNESS, i]
        dx, dy, dz = x0 * x + x1 * y + x2, y0 * x + y1 * y + y2, z0 * x + z1 * y + z2
        length = np.sqrt(dx * dx + dy * dy + dz * dz)
        px, py = ox + dx * depth, oy + dy * depth
        table[PX, i], table[PY, i], table[PZ, i] = px, py, oz + dz * depth
        table[NX, i], table[NY, i], table[NZ, i] = 0.0, 0.0, 1.0
        table[U, i], table[V, i] = px * dense + offset_u, py * dense + offset_v
        width = depth * pixel * dense
        stretch = width / max(_LEAST_COSINE * length, -dz)
        table[DU, i], table[DV, i], table[WIDTH, i] = dx * stretch, dy * stretch, width
        table[MATERIAL, i], table[GLINT, i], table[FAR, i] = 0.0, 0.0, length * depth


@kernel
def place_solids(
    rays: Rows, solids: Rows, materials: Rows, lamp: Lamp, table: Rows, start: int, end: int
) -> None:
    """Geometry of solid fragments [start, end)."""
    pixel = np.sqrt(rays[0, 0] ** 2 + rays[1, 0] ** 2 + rays[2, 0] ** 2)
    a, o, c, h = AXES, ORIGIN, CENTER, HALF
    sx, sy, sz = lamp[DIRECTION], lamp[DIRECTION + 1], lamp[DIRECTION + 2]
    for i in range(start, end):
        x, y, depth = table[AT_X, i], table[AT_Y, i], 1.0 / table[NEARNESS, i]
        dx = rays[0, 0] * x + rays[0, 1] * y + rays[0, 2]
        dy = rays[1, 0] * x + rays[1, 1] * y + rays[1, 2]
        dz = rays[2, 0] * x + rays[2, 1] * y + rays[2, 2]
        px, py, pz = rays[0, 3] + dx * depth, rays[1, 3] + dy * depth, rays[2, 3] + dz * depth
        length = np.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / length, dy / length, dz / length
        code = int(table[CODE, i])
        part, face = (code >> CODE_BITS) - 1, code & (CODES_PER_PART - 1)
        a0, a1, a2 = solids[part, a], solids[part, a + 1], solids[part, a + 2]
        a3, a4, a5 = solids[part, a + 3], solids[part, a + 4], solids[part, a + 5]
        a6, a7, a8 = solids[part, a + 6], solids[part, a + 7], solids[part, a + 8]
        qx, qy, qz = px - solids[part, o], py - solids[part, o + 1], pz - solids[part, o + 2]
        lx, ly, lz = a0 * qx + a3 * qy + a6 * qz, a1 * qx + a4 * qy + a7 * qz, a2 * qx + a5 * qy + a8 * qz
        ex, ey, ez = a0 * dx + a3 * dy + a6 * dz, a1 * dx + a4 * dy + a7 * dz, a2 * dx + a5 * dy + a8 * dz
        hx, hy, hz = solids[part, h], solids[part, h + 1], solids[part, h + 2]
        cx, cy, cz = lx - solids[part, c], ly - solids[part, c + 1], lz - solids[part, c + 2]
        half, local, centred, ray = (hx, hy, hz), (lx, ly, lz), (cx, cy, cz), (ex, ey, ez)
        kind, material = int(solids[part, 0]), int(solids[part, PART_MATERIAL])
        dense, width = materials[material, DENSITY], depth * pixel
        if face == CURVED_FACE:
            mx, my, mz, u, v, along_u, along_v = _curved(kind, half, lz, centred, ray, dense)
        else:
            mx, my, mz, u, v, along_u, along_v = _flat(kind, face, half, local, ray)
        nx, ny, nz = a0 * mx + a1 * my + a2 * mz, a3 * mx + a4 * my + a5 * mz, a6 * mx + a7 * my + a8 * mz
        cosine = max(_LEAST_COSINE, -(dx * nx + dy * ny + dz * nz))
        table[PX, i], table[PY, i], table[PZ, i] = px, py, pz
        table[NX, i], table[NY, i], table[NZ, i] = nx, ny, nz
        stretch = width * dense / cosine
        table[DU, i], table[DV, i], table[WIDTH, i] = along_u * stretch, along_v * stretch, width * dense
        u, v = u * dense + materials[material, OFFSET], v * dense + materials[material, OFFSET + 1]
        if materials[material, STYLE] == POSTER:
            u, v, dense = _on_picture(face, half, centred, materials[material, SCALE])
            table[WIDTH, i] = width * dense / np.sqrt(cosine)
        table[U, i], table[V, i], table[MATERIAL, i], table[FAR, i] = u, v, material, length * depth
        gloss = materials[material, GLOSS]
        if gloss > 0.0:
            gloss *= _glint(sx - dx, sy - dy, sz - dz, nx, ny, nz)
        table[GLINT, i] = gloss


@kernel
def _flat(kind: int, face: int, half: Triple, local: Triple, ray: Triple) -> Frame:
    """Normal in part axes, texture coordinates in metres from the object's origin, and their stretch.

    Parts without tilt share the texture coordinates of the object, so the parts of one wall join without
    seams.
    """
    (hx, _, hz), (lx, ly, lz), (ex, ey, ez) = half, local, ray
    if face <= 1:
        sign = 1.0 - 2.0 * face
        return sign, 0.0, 0.0, sign * ly, lz, sign * ey, ez
    if face <= 3:
        sign = 5.0 - 2.0 * face
        return 0.0, sign, 0.0, -sign * lx, lz, -sign * ex, ez
    if face == 4 and kind == WEDGE:
        slope = np.sqrt(hx * hx + hz * hz)
        mx, mz = hz / slope, hx / slope
        return mx, 0.0, mz, ly, lz * mx - lx * mz, ey, ez * mx - ex * mz
    return 0.0, 0.0, 9.0 - 2.0 * face, lx, ly, ex, ey


@kernel
def _curved(kind: int, half: Triple, lz: float, centred: Triple, ray: Triple, dense: float) -> Frame:
    """The same for a curved side: gradient of the quadric, and a texture wrapped around the vertical axis."""
    (hx, hy, hz), (cx, cy, cz), (ex, ey, ez) = half, centred, ray
    mx, my, mz = cx / (hx * hx), cy / (hy * hy), 0.0
    if kind == SPHERE:
        mz = cz / (hz * hz)
    elif kind == CONE:
        mz = 0.25 * (1.0 - cz / hz) / hz
    length = max(1e-12, np.sqrt(mx * mx + my * my + mz * mz))
    mx, my, mz = mx / length, my / length, mz / length
    level = max(1e-6, np.sqrt(mx * mx + my * my))
    radius, metres_per_turn = 0.5 * (hx + hy), TILE / (6.2831853 * dense)
    rounds = np.floor(radius / metres_per_turn + 0.5)
    radius = rounds * metres_per_turn if rounds > 0.0 else radius  # whole tiles avoid a seam
    u = turn_of(cx / hx, cy / hy) * radius
    return mx, my, mz, u, lz, (ey * mx - ex * my) / level, ez


@kernel
def turn_of(x: float, y: float) -> float:
    """Angle of (x, y) in radians, accurate to 0.004: sufficient for textures and much faster than atan2."""
    ax, ay = abs(x), abs(y)
    ratio = min(ax, ay) / max(1e-12, max(ax, ay))
    angle = ratio * (0.7853982 + 0.273 * (1.0 - ratio))
    angle = 1.5707963 - angle if ay > ax else angle
    angle = 3.1415927 - angle if x < 0.0 else angle
    return -angle if y < 0.0 else angle


@kernel
def _on_picture(face: int, half: Triple, centred: Triple, scale: float) -> Triple:
    """Texture coordinates and density (texels per metre) of a poster; a whole number of posters fills the
    face."""
    (hx, hy, hz), (cx, cy, cz) = half, centred
    across, up, half_u, half_v = cx, cy, hx, hy
    if face == CURVED_FACE:
        half_u, half_v = 1.5707963 * (hx + hy), hz
        across, up = turn_of(cx / hx, cy / hy) * half_u / 3.1415927, cz
    elif face <= 1:
        across, up, half_u, half_v = (cy if face == 0 else -cy), cz, hy, hz
    elif face <= 3:
        across, up, half_u, half_v = (-cx if face == 2 else cx), cz, hx, hz
    per_u = max(1.0, np.floor(2.0 * half_u / scale + 0.5)) * PICTURE / (2.0 * half_u)
    per_v = max(1.0, np.floor(2.0 * half_v / scale + 0.5)) * PICTURE / (2.0 * half_v)
    return (across + half_u) * per_u, (half_v - up) * per_v, max(per_u, per_v)


@kernel
def _glint(hx: float, hy: float, hz: float, nx: float, ny: float, nz: float) -> float:
    """Specular term: the cosine to the half vector, to the power of 32."""
    cosine = (hx * nx + hy * ny + hz * nz) / max(1e-9, math.sqrt(hx * hx + hy * hy + hz * hz))
    if cosine <= 0.0:
        return 0.0
    for _ in range(5):
        cosine *= cosine
    return 0.6 * cosine
