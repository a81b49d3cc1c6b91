"""Placement of objects in a room: against a wall, on the floor, on another object, or hung on a wall."""

from dataclasses import dataclass, field

import numpy as np

from situ.geometry.pose import Vector
from situ.worlds.furniture.kind import Kind
from situ.worlds.homes.shell import HALF_WALL_M, Wall
from situ.worlds.scene import Part, SceneObject, part_box
from situ.worlds.walks.fit import Rect

TRIES = 24  # random positions per object
AIR_M = 0.02  # between neighbours, and between an object and the wall behind it
DOORWAY_M = 0.85  # free floor in front of a door
HUNG_MIDDLE_M = 1.55
EDGE_M = 0.02  # between an object and the edge of the surface below


@dataclass(frozen=True, eq=False)
class Placed:
    """A placed object and the corners of its upright bounding block."""

    obj: SceneObject
    kind: Kind
    low: Vector
    high: Vector


@dataclass(eq=False)
class RoomSpace:
    """A room while it is being furnished."""

    name: str
    area: Rect  # between the wall surfaces
    walls: list[Wall]
    placed: list[Placed] = field(default_factory=list)

    def free(self, low: Vector, high: Vector, air: float = AIR_M) -> bool:
        """Whether a block touches nothing: `air` is kept at the sides, stacking is allowed."""
        if not self.placed:
            return True
        lows = np.array([other.low for other in self.placed])
        highs = np.array([other.high for other in self.placed])
        gaps = np.maximum(lows - high, low - highs)
        apart = (gaps[:, 0] >= air) | (gaps[:, 1] >= air) | (gaps[:, 2] >= -1e-6)
        return bool(apart.all())

    def clear_of_doors(self, low: Vector, high: Vector) -> bool:
        """Whether the floor in front of every door stays free."""
        for wall in self.walls:
            for opening in wall.openings:
                if opening.is_window:
                    continue
                corners = np.array(
                    [
                        wall.point(a, out)
                        for a in (opening.start - 0.05, opening.end + 0.05)
                        for out in (0.0, DOORWAY_M)
                    ]
                )
                if (low[:2] < corners.max(axis=0)).all() and (high[:2] > corners.min(axis=0)).all():
                    return False
        return True


@dataclass(frozen=True, eq=False)
class Specimen:
    """An object before placement, with the extents of its parts in its own axes."""

    kind: Kind
    color: str
    parts: tuple[Part, ...]
    low: Vector
    high: Vector

    @classmethod
    def make(cls, kind: Kind, rng: np.random.Generator) -> "Specimen":
        color, parts = kind.build(rng)
        corners = np.concatenate([part_box(part).corners() for part in parts])
        return cls(kind, color, parts, corners.min(axis=0), corners.max(axis=0))

    def turned(self, yaw_deg: float) -> tuple[Vector, Vector]:
        """Corners of the upright block around the object after a turn about its origin."""
        cos, sin = np.cos(np.radians(yaw_deg)), np.sin(np.radians(yaw_deg))
        xs, ys = np.array([self.low[0], self.high[0]]), np.array([self.low[1], self.high[1]])
        x, y = (xs[:, None] * cos - ys * sin), (xs[:, None] * sin + ys * cos)
        return (
            np.array([x.min(), y.min(), self.low[2]]),
            np.array([x.max(), y.max(), self.high[2]]),
        )

    def extent(self, yaw_deg: float = 0.0) -> tuple[float, float, float]:
        low, high = self.turned(yaw_deg)
        x, y, z = high - low
        return float(x), float(y), float(z)


def settle(
    number: int, specimen: Specimen, at: tuple[float, float, float], yaw_deg: float, room: str
) -> Placed:
    """An object at a place, without any checks."""
    kind = specimen.kind
    attributes = {
        **kind.attributes(specimen.color),
        "room": room,
        "use": kind.use,
        "flat_top": "yes" if kind.flat else "no",
    }
    obj = SceneObject(number, kind.name, at, specimen.parts, yaw_deg, attributes)
    low, high = specimen.turned(yaw_deg)
    return Placed(obj, kind, low + at, high + at)


def against_wall(
    room: RoomSpace, number: int, kind: Kind, rng: np.random.Generator, beside: Placed | None = None
) -> Placed | None:
    """Place with the back to a wall, away from doors; tall objects not in front of a window."""
    specimen = Specimen.make(kind, rng)
    width, depth, height = specimen.extent()
    for _ in range(TRIES):
        wall = room.walls[int(rng.integers(len(room.walls)))]
        if beside is not None:
            wall = min(room.walls, key=lambda w: abs(((w.yaw_deg - beside.obj.yaw_deg + 180) % 360) - 180))
        reach = (wall.length - width) / 2 - HALF_WALL_M - AIR_M
        if reach <= 0:
            continue
        along = float(rng.uniform(-reach, reach))
        if beside is not None:
            along = _beside(wall, beside, width, rng)
        if abs(along) > reach or _covers_window(wall, along, width, height):
            continue
        x, y = wall.point(along, HALF_WALL_M + AIR_M + depth / 2)
        placed = settle(number, specimen, (x, y, 0.0), wall.yaw_deg, room.name)
        if (
            _inside(room, placed)
            and room.clear_of_doors(placed.low, placed.high)
            and room.free(placed.low, placed.high)
        ):
            return placed
    return None


def on_floor(
    room: RoomSpace,
    number: int,
    kind: Kind,
    rng: np.random.Generator,
    near: tuple[float, float] | None = None,
    yaw_deg: float | None = None,
) -> Placed | None:
    """Place anywhere on the free floor, or at a given point."""
    specimen = Specimen.make(kind, rng)
    big = max(specimen.extent()[:2]) > 0.7
    for _ in range(1 if near is not None else TRIES):
        yaw = float(rng.choice([0.0, 90.0, 180.0, 270.0]) if big else rng.uniform(0, 360))
        yaw = yaw if yaw_deg is None else yaw_deg
        x, y = near if near is not None else room.area.at(*rng.uniform(0.05, 0.95, 2))
        placed = settle(number, specimen, (float(x), float(y), 0.0), yaw, room.name)
        if (
            _inside(room, placed)
            and room.clear_of_doors(placed.low, placed.high)
            and room.free(placed.low, placed.high)
        ):
            return placed
    return None


def on_top(
    room: RoomSpace, number: int, kind: Kind, support: Placed, rng: np.random.Generator
) -> Placed | None:
    """Place on the top surface of another object."""
    assert support.kind.top is not None
    top = support.obj.parts[support.kind.top]
    specimen = Specimen.make(kind, rng)
    cos, sin = np.cos(np.radians(support.obj.yaw_deg)), np.sin(np.radians(support.obj.yaw_deg))
    z = support.obj.position[2] + top.center[2] + top.size[2] / 2
    for _ in range(TRIES // 2):
        turn = float(rng.normal(0, 15.0))
        width, depth, _ = specimen.extent(turn)
        slack = (np.array(top.size[:2]) - (width, depth)) / 2 - EDGE_M
        if top.shape == "cylinder":
            slack = slack - 0.15 * np.array(top.size[:2])
        if slack.min() < 0:
            return None
        u, v = np.array(top.center[:2]) + rng.uniform(-1, 1, 2) * slack
        x, y = support.obj.position[0] + u * cos - v * sin, support.obj.position[1] + u * sin + v * cos
        yaw = support.obj.yaw_deg + turn
        placed = settle(number, specimen, (float(x), float(y), float(z)), yaw, room.name)
        if room.free(placed.low, placed.high, 0.005) and _below_ceiling(placed):
            return placed
    return None


def hung(room: RoomSpace, number: int, kind: Kind, rng: np.random.Generator) -> Placed | None:
    """Hang on a wall at eye height, clear of openings and furniture."""
    specimen = Specimen.make(kind, rng)
    width, _, height = specimen.extent()
    for _ in range(TRIES):
        wall = room.walls[int(rng.integers(len(room.walls)))]
        reach = (wall.length - width) / 2 - 0.2
        if reach <= 0:
            continue
        along = float(rng.uniform(-reach, reach))
        if any(o.start - 0.1 < along + width / 2 and along - width / 2 < o.end + 0.1 for o in wall.openings):
            continue
        x, y = wall.point(along, HALF_WALL_M)
        z = max(0.9, HUNG_MIDDLE_M + float(rng.uniform(-0.1, 0.15)) - height / 2)
        placed = settle(number, specimen, (x, y, z), wall.yaw_deg, room.name)
        if room.free(placed.low, placed.high) and _below_ceiling(placed):
            return placed
    return None


def _inside(room: RoomSpace, placed: Placed) -> bool:
    area = room.area
    low, high = placed.low, placed.high
    return bool(
        low[0] >= area.x0 and low[1] >= area.y0 and high[0] <= area.x1 and high[1] <= area.y1
    ) and _below_ceiling(placed)


def _below_ceiling(placed: Placed) -> bool:
    return bool(placed.high[2] < 2.45)


def _covers_window(wall: Wall, along: float, width: float, height: float) -> bool:
    return any(
        o.is_window and height > o.low - 0.05 and along + width / 2 > o.start and along - width / 2 < o.end
        for o in wall.openings
    )


def _beside(wall: Wall, other: Placed, width: float, rng: np.random.Generator) -> float:
    """Position along a wall directly next to another object."""
    cos, sin = np.cos(np.radians(wall.yaw_deg)), np.sin(np.radians(wall.yaw_deg))
    x, y = other.obj.position[0] - wall.x, other.obj.position[1] - wall.y
    half = (other.obj.box.size[0] + width) / 2 + 2 * AIR_M
    return float(x * cos + y * sin + (half if rng.random() < 0.5 else -half))
