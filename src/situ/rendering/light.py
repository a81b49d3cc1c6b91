"""Illumination: the sun's shadow map, and contact shadows on floors and tops."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.rendering.kernel import kernel
from situ.rendering.posing import pose_solids, posed_for
from situ.rendering.solids import AXES, BOX, CODES_PER_PART, HALF, SPHERE, WEDGE, Solids
from situ.rendering.views import sun_view
from situ.rendering.visibility import draw_solids
from situ.worlds.scene import Scene

SHADOW_SIZE = 1536  # texels along the longer side
_CONTACT_CELL = 0.08  # metres
_CONTACT_CELLS = 512  # of the contact map, along the longer side
_CONTACT_MARGIN = 1.0
_HANGS = 1.0  # metres: parts above this height no longer darken the floor
_SUN_COLOR = (1.05, 1.0, 0.915)  # linear RGB
_LAMP_DIRECTION, _LAMP_COLOR, _LAMP_WRAP = (0.35, 0.22, 0.91), (0.62, 0.60, 0.56), 0.55
_HIGHEST_TOP, _SMALL = 1.8, 0.6  # metres: tops that are seen from above, and the height of objects on them
_STANDS = 0.1  # metres: parts with a lower top are floors or rugs


# Columns of `Light.lamp`.
DIRECTION, COLOR, ABOVE, BELOW, ZENITH, HORIZON, WRAP, PITCH, TO_SHADOW, CONTACT = (
    0,
    3,
    6,
    9,
    12,
    15,
    18,
    19,
    20,
    32,
)
LAMP_WIDTH = 35  # columns of `Light.lamp`
Lamp = NDArray[np.float64]
Shadow = NDArray[np.float32]
# Columns of a cell of the contact map: darkness of the floor at z = 0, darkness of a top that carries an
# object, and the height of that top.
FLOOR, TOP, TOP_HEIGHT = range(3)
Contact = NDArray[np.float32]


class Light(NamedTuple):
    """All light of a scene. Without a sun, a soft lamp overhead replaces it and casts no shadow.

    `lamp` is one row of numbers: unit vector towards the sun or lamp; its colour; ambient light on surfaces
    facing up and down; two sky colours; wrap-around on surfaces that face away (0 for the sun); metres per
    texel of the shadow map and its 3x4 matrix from the world to column, row and nearness; first x and y and
    cells per metre of the contact map.
    """

    lamp: Lamp
    shadow: Shadow  # (h, w, 2) nearness and part of the surface that the sun reaches first
    contact: Contact  # (h, w, 3) over the ground: from 0 in the open to 1 under an object; see its columns


def build_light(scene: Scene, solids: Solids) -> Light:
    """Light of a scene; renders its shadow map once."""
    lamp = np.zeros(LAMP_WIDTH)
    lamp[ZENITH:HORIZON], lamp[HORIZON:WRAP] = scene.sky
    shadow = np.zeros((1, 1, 2), dtype=np.float32)
    if scene.sun is None:
        lamp[DIRECTION:COLOR] = np.array(_LAMP_DIRECTION) / np.linalg.norm(_LAMP_DIRECTION)
        lamp[COLOR:ABOVE], lamp[WRAP] = _LAMP_COLOR, _LAMP_WRAP
        lamp[ABOVE:BELOW], lamp[BELOW:ZENITH] = (1.0, 0.99, 0.97), (1.05, 1.0, 0.93)
    else:
        direction = sun_direction(scene.sun.azimuth_deg, scene.sun.elevation_deg)
        lamp[DIRECTION:COLOR] = direction
        lamp[COLOR:ABOVE] = np.array(_SUN_COLOR) * scene.sun.strength
        sky = np.array(scene.sky, dtype=float).mean(axis=0)
        floor = np.array(scene.ground.color if scene.ground else (0.4, 0.38, 0.35))
        # bluish, without changing object colours
        lamp[ABOVE:BELOW] = 0.55 + 0.45 * sky / max(sky.max(), 1e-6)
        lamp[BELOW:ZENITH] = 0.45 + 0.3 * floor
        shadow, lamp[TO_SHADOW:CONTACT], lamp[PITCH] = _shadow_map(direction, solids)
    lamp[ABOVE:ZENITH] *= scene.ambient
    contact, lamp[CONTACT:] = _contact_map(solids)
    return Light(lamp, shadow, contact)


def sun_direction(azimuth_deg: float, elevation_deg: float) -> NDArray[np.float64]:
    """Unit vector towards the sun."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    level = math.cos(elevation)
    towards = np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)])
    return np.round(towards, 9)  # processors differ in the last bit


def _shadow_map(direction: NDArray[np.float64], solids: Solids) -> tuple[Shadow, NDArray[np.float64], float]:
    count = len(solids.kind)
    if count == 0:
        return np.zeros((1, 1, 2), dtype=np.float32), np.zeros(12), 1.0
    view = sun_view(direction, solids.corners.reshape(-1, 3), SHADOW_SIZE)
    nearness = np.full((view.height, view.width), -1e30, dtype=np.float32)
    surface = np.zeros((view.height, view.width), dtype=np.int32)
    posed = posed_for(count)
    draw_solids(solids, view, posed, pose_solids(solids, view, posed), nearness, surface)
    shadow = np.empty((view.height, view.width, 2), dtype=np.float32)
    _join(nearness, surface, shadow)
    to_shadow = view.to_pixel.copy()
    to_shadow[2, :3], to_shadow[2, 3] = direction, 0.0
    return shadow, to_shadow.ravel(), float(np.linalg.norm(view.rays[:3, 0]))


@kernel
def _join(nearness: NDArray[np.float32], surface: NDArray[np.int32], shadow: Shadow) -> None:
    for row in range(nearness.shape[0]):
        for column in range(nearness.shape[1]):
            shadow[row, column, 0] = nearness[row, column]
            shadow[row, column, 1] = surface[row, column] // CODES_PER_PART - 1


def _contact_map(solids: Solids) -> tuple[Contact, NDArray[np.float64]]:
    # Floors and lawns receive contact shadows but cast none; their size would make the cells coarse.
    stands = solids.corners[..., 2].max(axis=1) >= _STANDS
    if not stands.any():
        return np.zeros((2, 2, 3), dtype=np.float32), np.array([0.0, 0.0, 1.0])
    corners = solids.corners[stands][..., :2]
    low = corners.min(axis=(0, 1)) - _CONTACT_MARGIN
    span = float((corners.max(axis=(0, 1)) + _CONTACT_MARGIN - low).max())
    cell = max(_CONTACT_CELL, span / (_CONTACT_CELLS - 2))
    cells = math.ceil(span / cell) + 2
    contact = np.zeros((cells, cells, 3), dtype=np.float32)
    frame = np.array([low[0], low[1], 1.0 / cell])
    _spread_contact(solids, contact, frame)
    return contact, frame


@kernel
def _spread_contact(solids: Solids, contact: Contact, frame: NDArray[np.float64]) -> None:
    for part in range(solids.kind.size):
        bottom, top = max(0.0, solids.corners[part, :, 2].min()), solids.corners[part, :, 2].max()
        if bottom <= _HANGS and top >= _STANDS:
            reach = 0.15 + 0.35 * min(1.0, top) + 0.3 * bottom
            _darken(solids, part, FLOOR, reach, (1.0 - bottom / _HANGS) ** 2, contact, frame)
        if _STANDS < bottom < _HIGHEST_TOP and top - bottom < _SMALL:
            contact_reach = 0.06 + 0.3 * (top - bottom)
            _darken(solids, part, TOP, contact_reach, 0.8, contact, frame)


@kernel
def _darken(
    solids: Solids,
    part: int,
    layer: int,
    reach: float,
    strength: float,
    contact: Contact,
    frame: NDArray[np.float64],
) -> None:
    """Darken the cells around the footprint of a part."""
    size = contact.shape[0]
    low_x = int((solids.corners[part, :, 0].min() - reach - frame[0]) * frame[2])
    high_x = int((solids.corners[part, :, 0].max() + reach - frame[0]) * frame[2]) + 2
    low_y = int((solids.corners[part, :, 1].min() - reach - frame[1]) * frame[2])
    high_y = int((solids.corners[part, :, 1].max() + reach - frame[1]) * frame[2]) + 2
    for row in range(max(0, low_y), min(size, high_y)):
        for column in range(max(0, low_x), min(size, high_x)):
            x, y = frame[0] + column / frame[2], frame[1] + row / frame[2]
            fall = 1.0 - _footprint_distance(solids, part, x, y) / reach
            if fall > 0.0 and strength * fall * fall > contact[row, column, layer]:
                contact[row, column, layer] = strength * fall * fall
                if layer == TOP:
                    contact[row, column, TOP_HEIGHT] = solids.corners[part, :, 2].min()


@kernel
def _footprint_distance(solids: Solids, part: int, x: float, y: float) -> float:
    """Distance of a point on the floor from the footprint of a part."""
    rows = solids.rows
    dx = x - 0.5 * (solids.corners[part, 0, 0] + solids.corners[part, 7, 0])
    dy = y - 0.5 * (solids.corners[part, 0, 1] + solids.corners[part, 7, 1])
    along = abs(rows[part, AXES] * dx + rows[part, AXES + 3] * dy)
    across = abs(rows[part, AXES + 1] * dx + rows[part, AXES + 4] * dy)
    half_x, half_y = rows[part, HALF], rows[part, HALF + 1]
    kind = solids.kind[part]
    if kind in (BOX, WEDGE):
        return math.hypot(max(0.0, along - half_x), max(0.0, across - half_y))
    if kind == SPHERE:
        half_x, half_y = 0.3 * half_x, 0.3 * half_y  # it touches the floor only in a point
    radius = math.hypot(along / half_x, across / half_y)
    return max(0.0, radius - 1.0) * float(min(half_x, half_y))
