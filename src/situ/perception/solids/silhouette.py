"""The outline of a solid of known size that stands on the ground, as one span of columns per image row.

Camera axes: x to the right, z ahead, the ground `height` below the lens. The camera is level, so the horizon
is a row of the image and everything lower than the lens lies below it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.rendering.kernel import kernel

Numbers = NDArray[np.float64]

SHAPES = ("cuboid", "sphere", "cone")
CUBOID, SPHERE, CONE = range(3)
# Indices of `view_of`.
FOCAL, MIDDLE, WIDTH, ROWS, HEIGHT, HALF, COS, SIN = range(8)
_RING = 20  # points of a circle: at 480 pixels a metre wide, chords are within 3 pixels of it
_NEAR = 0.05
_RING_COS = np.cos(2 * np.pi * np.arange(_RING) / _RING)
_RING_SIN = np.sin(2 * np.pi * np.arange(_RING) / _RING)
# The chords of a ring lie inside its circle; on average over the outline this factor makes up for it.
_OUT = 1.0 / math.sqrt(math.sin(2 * math.pi / _RING) / (2 * math.pi / _RING))
_EDGES = np.array(
    [(0, 1), (1, 3), (3, 2), (2, 0), (4, 5), (5, 7), (7, 6), (6, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
)
POINTS = _RING + 2


def view_of(camera: Camera, height: float, size: float, yaw_deg: float) -> Numbers:
    """What the kernels need to know: lens, height above the ground, size of the solids, heading."""
    rows = camera.height - round(camera.cy)
    yaw = math.radians(yaw_deg)
    return np.array(
        [camera.fx, camera.cx, camera.width, rows, height, size / 2, math.cos(yaw), math.sin(yaw)]
    )


@kernel
def outline(view: Numbers, shape: int, x: float, z: float, left: Numbers, right: Numbers) -> tuple[int, int]:
    """Fill the spans [left, right] of rows below the horizon; returns the first row and one past the last."""
    top, bottom = int(view[ROWS]), 0
    left[:] = 1e9
    right[:] = -1e9
    if shape == CUBOID:
        px, py, pz = _cuboid(view, x, z)
        for k in range(12):
            a, b = _EDGES[k]
            low, high = _edge(view, px[a], py[a], pz[a], px[b], py[b], pz[b], left, right)
            top, bottom = min(top, low), max(bottom, high)
        return top, bottom
    px, py, pz = _sphere(view, x, z) if shape == SPHERE else _cone(view, x, z)
    for k in range(_RING):
        n = (k + 1) % _RING
        low, high = _edge(view, px[k], py[k], pz[k], px[n], py[n], pz[n], left, right)
        top, bottom = min(top, low), max(bottom, high)
    if shape == CONE:
        for k in range(_RING):
            low, high = _edge(view, px[k], py[k], pz[k], px[_RING], py[_RING], pz[_RING], left, right)
            top, bottom = min(top, low), max(bottom, high)
    return top, bottom


@kernel
def _cuboid(view: Numbers, x: float, z: float) -> tuple[Numbers, Numbers, Numbers]:
    px, py, pz = np.empty(POINTS), np.empty(POINTS), np.empty(POINTS)
    half, cos, sin = view[HALF], view[COS], view[SIN]
    for k in range(8):
        a = half if k & 1 else -half
        b = half if k & 2 else -half
        # World axes seen by a camera of heading yaw: ahead is (cos, sin), right is (sin, -cos).
        px[k] = x + a * sin - b * cos
        pz[k] = z + a * cos + b * sin
        py[k] = view[HEIGHT] if k < 4 else view[HEIGHT] - 2.0 * half
    return px, py, pz


@kernel
def _cone(view: Numbers, x: float, z: float) -> tuple[Numbers, Numbers, Numbers]:
    px, py, pz = np.empty(POINTS), np.empty(POINTS), np.empty(POINTS)
    radius = view[HALF] * _OUT
    for k in range(_RING):
        px[k], py[k], pz[k] = x + radius * _RING_COS[k], view[HEIGHT], z + radius * _RING_SIN[k]
    px[_RING], py[_RING], pz[_RING] = x, view[HEIGHT] - 2.0 * view[HALF], z
    return px, py, pz


@kernel
def _sphere(view: Numbers, x: float, z: float) -> tuple[Numbers, Numbers, Numbers]:
    """The circle in which the lines of sight touch the sphere."""
    px, py, pz = np.empty(POINTS), np.empty(POINTS), np.empty(POINTS)
    radius = view[HALF]
    y = view[HEIGHT] - radius
    square = x * x + y * y + z * z
    distance = np.sqrt(square)
    near = 1.0 - radius * radius / square
    ring = radius * np.sqrt(max(1e-9, near)) * _OUT
    # Two directions across the line of sight: one level, one upright to both.
    level = np.sqrt(x * x + z * z)
    ax, az = z / level, -x / level
    bx, by, bz = -x * y / (level * distance), level / distance, -z * y / (level * distance)
    for k in range(_RING):
        c, s = ring * _RING_COS[k], ring * _RING_SIN[k]
        px[k] = x * near + c * ax + s * bx
        py[k] = y * near + s * by
        pz[k] = z * near + c * az + s * bz
    return px, py, pz


@kernel
def _edge(
    view: Numbers,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    left: Numbers,
    right: Numbers,
) -> tuple[int, int]:
    """Widen the spans of the rows that an edge crosses; returns the first row and one past the last."""
    rows = int(view[ROWS])
    if az < _NEAR and bz < _NEAR:
        return rows, 0
    if az < _NEAR:
        t = (_NEAR - az) / (bz - az)
        ax, ay, az = ax + t * (bx - ax), ay + t * (by - ay), _NEAR
    elif bz < _NEAR:
        t = (_NEAR - bz) / (az - bz)
        bx, by, bz = bx + t * (ax - bx), by + t * (ay - by), _NEAR
    focal, middle = view[FOCAL], view[MIDDLE]
    ua, va = focal * ax / az + middle, focal * ay / az - 0.5
    ub, vb = focal * bx / bz + middle, focal * by / bz - 0.5
    if va > vb:
        ua, va, ub, vb = ub, vb, ua, va
    first, last = max(0, int(np.ceil(va))), min(rows - 1, int(np.floor(vb)))
    slope = (ub - ua) / max(1e-9, vb - va)
    for row in range(first, last + 1):
        u = ua + slope * (row - va)
        left[row] = min(left[row], u)
        right[row] = max(right[row], u)
    return first, last + 1
