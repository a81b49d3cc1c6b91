"""Where light falls: the sun's shadow map and the dark places where things touch the floor."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.render.intersect import posed_for
from situ.render.solids import CODES_PER_PART, CONE, CYLINDER, SPHERE, Solids
from situ.render.views import sun_view
from situ.render.visibility import draw_solids, pose_solids
from situ.worlds.scene import Scene

SHADOW_SIZE = 1536  # texels along the longer side
_CONTACT_CELL = 0.08  # metres
_CONTACT_CELLS = 512
_CONTACT_MARGIN = 1.0
_NO_FLOOR_ABOVE = 0.1  # a part whose top is lower is a floor or a rug, not something that stands on one


class Light(NamedTuple):
    """All light of a scene. Without a sun a soft lamp overhead takes its place and casts no shadow."""

    direction: NDArray[np.float64]  # towards the sun or the lamp
    color: NDArray[np.float64]
    wrap: float  # 0 for the sun; the lamp is large and also reaches surfaces that turn away
    above: NDArray[np.float64]  # ambient light on a surface that faces up
    below: NDArray[np.float64]  # and down
    zenith: NDArray[np.float64]
    horizon: NDArray[np.float64]
    shadow_depth: NDArray[np.float32]  # nearness to the sun of what it reaches first
    shadow_part: NDArray[np.int32]
    to_shadow: NDArray[np.float64]  # (3, 4) world to column, row and nearness
    shadow_pitch: float  # metres per texel
    contact: NDArray[np.float32]  # 0 in the open .. 1 under something, over the floor's plane z = 0
    contact_frame: NDArray[np.float64]  # x and y of the first cell, cells per metre


def build_light(scene: Scene, solids: Solids) -> Light:
    """Light for a scene: draws its shadow map once."""
    zenith, horizon = np.array(scene.sky[0], dtype=float), np.array(scene.sky[1], dtype=float)
    floor = np.array(scene.ground.color if scene.ground else (0.4, 0.38, 0.35), dtype=float)
    sky = 0.5 * (zenith + horizon)
    white = 0.55 + 0.45 * sky / max(sky.max(), 1e-6)  # bluish, but not so much that colours change
    if scene.sun is None:
        direction, color, wrap = np.array([0.35, 0.22, 0.91]), np.array([0.62, 0.60, 0.56]), 0.55
        above, below = np.array([1.0, 0.99, 0.97]), np.array([0.62, 0.58, 0.54])
        shadow_depth, shadow_part = np.zeros((1, 1), dtype=np.float32), np.zeros((1, 1), dtype=np.int32)
        to_shadow, pitch = np.zeros((3, 4)), 1.0
    else:
        direction = sun_direction(scene.sun.azimuth_deg, scene.sun.elevation_deg)
        color, wrap = np.array([1.0, 0.95, 0.87]) * 1.05 * scene.sun.strength, 0.0
        above, below = white, 0.45 + 0.3 * floor
        shadow_depth, shadow_part, to_shadow, pitch = _shadow_map(direction, solids)
    contact, frame = _contact_map(solids)
    return Light(
        direction / np.linalg.norm(direction),
        color,
        wrap,
        above * scene.ambient,
        below * scene.ambient,
        zenith,
        horizon,
        shadow_depth,
        shadow_part,
        to_shadow,
        pitch,
        contact,
        frame,
    )


def sun_direction(azimuth_deg: float, elevation_deg: float) -> NDArray[np.float64]:
    """The unit vector towards the sun."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    level = math.cos(elevation)
    return np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)])


def _shadow_map(
    direction: NDArray[np.float64], solids: Solids
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float64], float]:
    count = len(solids.kind)
    if count == 0:
        return (
            np.full((1, 1), -1e30, dtype=np.float32),
            np.zeros((1, 1), dtype=np.int32),
            np.zeros((3, 4)),
            1.0,
        )
    view = sun_view(direction, solids.corners.reshape(-1, 3), SHADOW_SIZE)
    depth = np.full((view.height, view.width), -1e30, dtype=np.float32)
    surface = np.zeros((view.height, view.width), dtype=np.int32)
    posed = posed_for(count)
    draw_solids(solids, view, posed, pose_solids(solids, view, posed), depth, surface)
    to_shadow = view.to_pixel.copy()
    to_shadow[2, :3], to_shadow[2, 3] = direction, 0.0
    return depth, surface // CODES_PER_PART - 1, to_shadow, float(np.linalg.norm(view.rays[:3, 0]))


@njit(cache=True, nogil=True)
def sunlit(light: Light, part: int, x: float, y: float, z: float, facing: float) -> float:
    """Share of the sun that reaches a point of `part` (-1: the ground), whose normal's cosine is `facing`."""
    to = light.to_shadow
    u = to[0, 0] * x + to[0, 1] * y + to[0, 2] * z + to[0, 3] - 0.5
    v = to[1, 0] * x + to[1, 1] * y + to[1, 2] * z + to[1, 3] - 0.5
    height, width = light.shadow_depth.shape
    if not (0.0 <= u < width - 1 and 0.0 <= v < height - 1):
        return 1.0
    column, row = int(u), int(v)
    fx, fy = u - column, v - row
    # The nearness of a slanted surface changes within a texel: by this much it may be nearer than its centre.
    slack = light.shadow_pitch * (0.3 + 1.2 * min(6.0, np.sqrt(max(0.0, 1.0 - facing * facing)) / facing))
    s = to[2, 0] * x + to[2, 1] * y + to[2, 2] * z + slack
    dark = 0.0
    for j in range(2):
        for i in range(2):
            # A convex solid never shades its own lit side, so what it drew itself is no obstacle.
            if light.shadow_depth[row + j, column + i] > s and light.shadow_part[row + j, column + i] != part:
                dark += (fx if i else 1.0 - fx) * (fy if j else 1.0 - fy)
    return 1.0 - dark


def _contact_map(solids: Solids) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    if len(solids.kind) == 0:
        return np.zeros((2, 2), dtype=np.float32), np.array([0.0, 0.0, 1.0])
    low = solids.corners[..., :2].min(axis=(0, 1)) - _CONTACT_MARGIN
    span = float((solids.corners[..., :2].max(axis=(0, 1)) + _CONTACT_MARGIN - low).max())
    cell = max(_CONTACT_CELL, span / (_CONTACT_CELLS - 2))
    cells = math.ceil(span / cell) + 2
    contact = np.zeros((cells, cells), dtype=np.float32)
    frame = np.array([low[0], low[1], 1.0 / cell])
    _spread_contact(solids, contact, frame)
    return contact, frame


@njit(cache=True, nogil=True)
def _spread_contact(solids: Solids, contact: NDArray[np.float32], frame: NDArray[np.float64]) -> None:
    size = contact.shape[0]
    for part in range(solids.kind.size):
        bottom, top = solids.corners[part, :, 2].min(), solids.corners[part, :, 2].max()
        if not (-0.5 < bottom < 0.35 and top > _NO_FLOOR_ABOVE):
            continue
        reach = 0.15 + 0.35 * min(1.0, top)
        strength = 1.0 - max(0.0, bottom) / 0.4
        low_x = int((solids.corners[part, :, 0].min() - reach - frame[0]) * frame[2])
        high_x = int((solids.corners[part, :, 0].max() + reach - frame[0]) * frame[2]) + 2
        low_y = int((solids.corners[part, :, 1].min() - reach - frame[1]) * frame[2])
        high_y = int((solids.corners[part, :, 1].max() + reach - frame[1]) * frame[2]) + 2
        for row in range(max(0, low_y), min(size, high_y)):
            for column in range(max(0, low_x), min(size, high_x)):
                x, y = frame[0] + column / frame[2], frame[1] + row / frame[2]
                fall = 1.0 - _footprint_distance(solids, part, x, y) / reach
                if fall > 0.0:
                    contact[row, column] = max(contact[row, column], strength * fall * fall)


@njit(cache=True, nogil=True)
def _footprint_distance(solids: Solids, part: int, x: float, y: float) -> float:
    """How far a point on the floor is from what stands above it."""
    center_x = 0.5 * (solids.corners[part, 0, 0] + solids.corners[part, 7, 0])
    center_y = 0.5 * (solids.corners[part, 0, 1] + solids.corners[part, 7, 1])
    dx, dy = x - center_x, y - center_y
    along = abs(solids.axes[part, 0, 0] * dx + solids.axes[part, 1, 0] * dy)
    across = abs(solids.axes[part, 0, 1] * dx + solids.axes[part, 1, 1] * dy)
    half_x, half_y = solids.half[part, 0], solids.half[part, 1]
    kind = solids.kind[part]
    if kind == SPHERE:
        half_x, half_y = 0.3 * half_x, 0.3 * half_y  # it touches the floor in a point only
    if kind == SPHERE or kind == CYLINDER or kind == CONE:
        radius = np.sqrt((along / half_x) ** 2 + (across / half_y) ** 2)
        return max(0.0, radius - 1.0) * min(half_x, half_y)
    return np.hypot(max(0.0, along - half_x), max(0.0, across - half_y))


@njit(cache=True, nogil=True)
def touched(light: Light, x: float, y: float) -> float:
    """How much a point of the floor is hemmed in by what stands near: 0 .. 1."""
    u, v = (
        (x - light.contact_frame[0]) * light.contact_frame[2],
        (y - light.contact_frame[1]) * light.contact_frame[2],
    )
    size = light.contact.shape[0]
    if not (0.0 <= u < size - 1 and 0.0 <= v < size - 1):
        return 0.0
    column, row = int(u), int(v)
    fx, fy = u - column, v - row
    upper = light.contact[row, column] * (1.0 - fx) + light.contact[row, column + 1] * fx
    lower = light.contact[row + 1, column] * (1.0 - fx) + light.contact[row + 1, column + 1] * fx
    return upper * (1.0 - fy) + lower * fy
