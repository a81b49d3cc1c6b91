"""Door leaves between rooms: wide open, flat against a free wall."""

from collections.abc import Sequence

import numpy as np

from situ.worlds.homes.placing import RoomSpace
from situ.worlds.homes.plan import DOOR_WIDTH_M, Plan
from situ.worlds.homes.shell import DOOR_HEIGHT_M, HALF_WALL_M, Opening, Wall
from situ.worlds.homes.uses import OPEN_AIR
from situ.worlds.props.shapes import plain
from situ.worlds.scene import Material, Part

THICK_M, GAP_M = 0.04, 0.03
PAINT, PANEL = plain((0.72, 0.70, 0.64), 0.1), plain((0.62, 0.60, 0.54), 0.1)
BRASS = plain((0.75, 0.6, 0.25), 0.6)


def door_leaves(plan: Plan, spaces: Sequence[RoomSpace]) -> dict[int, list[Part]]:
    """Open leaves of each room. A door without free wall beside it has none."""
    found: dict[int, list[Part]] = {}
    for door in plan.doors:
        for room in (door.first, door.second):
            if room < 0 or room >= len(spaces) or min(door.first, door.second) < 0:
                continue  # the front door is an object of its own
            if spaces[room].name in OPEN_AIR:
                break  # a gap in a hedge
            leaf = _leaf_in(spaces[room], (door.x, door.y))
            if leaf is not None:
                found.setdefault(room, []).extend(leaf)
                break
    return found


def _leaf_in(space: RoomSpace, middle: tuple[float, float]) -> list[Part] | None:
    for wall in space.walls:
        for opening in wall.openings:
            here = wall.point((opening.start + opening.end) / 2, 0.0)
            if opening.is_window or np.hypot(here[0] - middle[0], here[1] - middle[1]) > 0.3:
                continue
            for side in (-1, 1):
                if _fits(space, wall, opening, side):
                    return _leaf(wall, opening, side)
    return None


def _span(opening: Opening, side: int) -> tuple[float, float]:
    """Where a leaf lies along the wall, next to its frame."""
    edge = opening.start - 0.06 if side < 0 else opening.end + 0.06
    return (edge - DOOR_WIDTH_M, edge) if side < 0 else (edge, edge + DOOR_WIDTH_M)


def _fits(space: RoomSpace, wall: Wall, opening: Opening, side: int) -> bool:
    start, end = _span(opening, side)
    if start < -wall.length / 2 + HALF_WALL_M or end > wall.length / 2 - HALF_WALL_M:
        return False
    if any(
        start < other.end + 0.06 and end > other.start - 0.06
        for other in wall.openings
        if other is not opening
    ):
        return False
    corners = np.array([wall.point(a, out) for a in (start, end) for out in (0.0, HALF_WALL_M + 0.12)])
    low, high = np.array([*corners.min(axis=0), 0.0]), np.array([*corners.max(axis=0), DOOR_HEIGHT_M])
    return space.free(low, high)


def _leaf(wall: Wall, opening: Opening, side: int) -> list[Part]:
    start, end = _span(opening, side)
    out = HALF_WALL_M + GAP_M
    height = DOOR_HEIGHT_M - 0.02
    free = start + 0.09 if side < 0 else end - 0.09  # position of the handle

    def slab(a: float, b: float, low: float, high: float, near: float, thick: float, paint: Material) -> Part:
        x, y = wall.point((a + b) / 2, near + thick / 2)
        return Part("box", (b - a, thick, high - low), (x, y, (low + high) / 2), paint, wall.yaw_deg)

    face = out + THICK_M
    panels = [
        slab(start + 0.15, end - 0.15, low, high, face, 0.008, PANEL)
        for low, high in ((0.2, 0.85), (1.1, 1.9))
    ]
    leaf = slab(start, end, 0.01, height, out, THICK_M, PAINT)
    return [leaf, *panels, slab(free - 0.05, free + 0.05, 1.0, 1.025, face + 0.02, 0.02, BRASS)]
