"""Rooms in a row with doors between them, things in them, and what a camera sees of it: truth, no pixels.

Made for the stress families alone. It shares nothing with `benchmarks.house`: rooms of any size, a world
that is turned and shifted at random, furniture and small things, and walls as line segments.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse
from situ.perception.freespace import COLUMNS, ROWS

CAMERA = Camera.from_fov(640, 480, 80.0)
LENS = np.array([CAMERA.fx, CAMERA.fy, CAMERA.cx, CAMERA.cy, CAMERA.width, CAMERA.height], dtype=float)
RANGE_M = 5.5  # a detector finds nothing beyond
BORDER = 0.04  # of the image; what is cut by its edge is not found
CEILING_M, DOOR_M = 2.5, 1.0
_ANY = math.inf
Point = NDArray[np.float64]

FURNITURE: dict[str, tuple[float, float, float]] = {
    "fridge": (0.7, 0.7, 1.8),
    "sofa": (2.0, 0.9, 0.8),
    "table": (1.4, 0.8, 0.75),
    "shelf": (0.9, 0.3, 1.8),
    "oven": (0.6, 0.6, 0.9),
    "bed": (2.0, 1.5, 0.5),
}
SMALL = ("cup", "vase", "kettle", "wallet", "phone", "bottle", "lamp", "clock", "radio", "basket", "teapot")


@dataclass(eq=False)
class Thing:
    """A thing as it is now. `seen` is when it was last detected, `changed` when it was last touched."""

    name: str
    place: Point
    size: tuple[float, float, float] = (0.15, 0.15, 0.2)
    attributes: Mapping[str, str] = field(default_factory=dict)
    present: bool = True
    hidden: bool = False  # in a bag, in a drawer
    seen: float = -_ANY
    first_seen: float = _ANY
    changed: float = -_ANY
    seen_at: Point | None = None  # where it was last detected
    looks: int = 0  # frames since the last change in which that place was in plain view
    agent: bool = False
    home: Point | None = None  # where it was when it was first seen

    @property
    def phrase(self) -> str:
        return " ".join([*self.attributes.values(), self.name])


class Rooms:
    """Rooms side by side along one axis, joined by doors; turned and shifted as a whole."""

    def __init__(self, rng: np.random.Generator, count: int, same: bool = False) -> None:
        self.rng = rng
        self.widths = rng.uniform(3.6, 5.6, count)
        self.depth = float(rng.uniform(3.6, 5.0))
        if same:
            self.widths[:] = self.widths[0]
        self.edges = np.concatenate([[0.0], np.cumsum(self.widths)])
        self.doors = rng.uniform(0.8, self.depth - 0.8, max(0, count - 1))
        self.yaw = float(rng.uniform(0, 2 * math.pi))
        self.origin = rng.uniform(-30.0, 30.0, 2)
        self.walls = np.array([[*self.spot(a, b)[:2], *self.spot(c, d)[:2]] for a, b, c, d in self._lines()])

    def __len__(self) -> int:
        return len(self.widths)

    def _lines(self) -> list[tuple[float, float, float, float]]:
        end, depth = float(self.edges[-1]), self.depth
        lines = [(0.0, 0.0, end, 0.0), (0.0, depth, end, depth), (0.0, 0.0, 0.0, depth), (end, 0, end, depth)]
        for x, door in zip(self.edges[1:-1].tolist(), self.doors.tolist(), strict=True):
            lines += [(x, 0.0, x, door - DOOR_M / 2), (x, door + DOOR_M / 2, x, depth)]
        return lines

    def spot(self, along: float, across: float, height: float = 0.0) -> Point:
        """A point of the plan in the world."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        x, y = self.origin
        return np.array([x + along * c - across * s, y + along * s + across * c, height])

    def within(self, room: int, margin: float = 0.5, height: float | None = None) -> Point:
        """A spot in a room, clear of its walls."""
        along = self.rng.uniform(self.edges[room] + margin, self.edges[room + 1] - margin)
        across = self.rng.uniform(margin, self.depth - margin)
        return self.spot(along, across, float(self.rng.uniform(0.4, 1.3)) if height is None else height)

    def middle(self, room: int) -> Point:
        return self.spot(float(self.edges[room] + self.edges[room + 1]) / 2, self.depth / 2)

    def door(self, left_room: int) -> tuple[Point, Point]:
        """A point on either side of the door between a room and the next one."""
        x, y = float(self.edges[left_room + 1]), float(self.doors[left_room])
        return self.spot(x - 0.6, y), self.spot(x + 0.6, y)

    def room_of(self, point: Point) -> int:
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        along = (point[0] - self.origin[0]) * c + (point[1] - self.origin[1]) * s
        return int(np.clip(np.searchsorted(self.edges, along) - 1, 0, len(self) - 1))


@njit(cache=True)
def ray_length(origin: Point, ray: Point, walls: NDArray[np.float64]) -> float:
    """How far a ray goes before it meets a wall, the floor or the ceiling, in lengths of the ray."""
    best = 1e9
    if ray[2] < -1e-9:
        best = origin[2] / -ray[2]
    elif ray[2] > 1e-9:
        best = (CEILING_M - origin[2]) / ray[2]
    for k in range(walls.shape[0]):
        ax, ay = walls[k, 0] - origin[0], walls[k, 1] - origin[1]
        ex, ey = walls[k, 2] - walls[k, 0], walls[k, 3] - walls[k, 1]
        cross = ray[0] * ey - ray[1] * ex
        if abs(cross) < 1e-12:
            continue
        t = (ax * ey - ay * ex) / cross
        along = (ax * ray[1] - ay * ray[0]) / cross
        if 1e-6 < t < best and 0.0 <= along <= 1.0:
            best = t
    return best


@njit(cache=True)
def _look(
    pose: Matrix, camera_from_world: Matrix, places: NDArray[np.float64], sizes: NDArray[np.float64],
    walls: NDArray[np.float64], lens: NDArray[np.float64],
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:  # fmt: skip
    origin, ray = pose[:3, 3].copy(), np.empty(3)
    nearest, visible = np.empty((ROWS, COLUMNS)), np.zeros(len(places), np.bool_)
    for r in range(ROWS):
        for c in range(COLUMNS):
            best = 1e9
            for part in range(4):
                x = ((c + 0.25 + 0.5 * (part % 2)) / COLUMNS * lens[4] - lens[2]) / lens[0]
                y = ((r + 0.25 + 0.5 * (part // 2)) / ROWS * lens[5] - lens[3]) / lens[1]
                for k in range(3):
                    ray[k] = pose[k, 0] * x + pose[k, 1] * y + pose[k, 2]
                best = min(best, ray_length(origin, ray, walls))
            nearest[r, c] = best
    for k in range(len(places)):
        away = places[k] - origin
        local = np.empty(3)
        for i in range(3):
            m = camera_from_world[i]
            local[i] = m[0] * places[k, 0] + m[1] * places[k, 1] + m[2] * places[k, 2] + m[3]
        if local[2] < 0.2 or ray_length(origin, away, walls) < 1.0:
            continue
        u, v = lens[0] * local[0] / local[2] + lens[2], lens[1] * local[1] / local[2] + lens[3]
        half = 0.5 * max(sizes[k, 0], sizes[k, 1], sizes[k, 2])
        across, up = lens[0] * half / local[2], lens[1] * half / local[2]
        for r in range(
            max(0, int((v - up) / lens[5] * ROWS)), min(ROWS - 1, int((v + up) / lens[5] * ROWS)) + 1
        ):
            for c in range(
                max(0, int((u - across) / lens[4] * COLUMNS)),
                min(COLUMNS - 1, int((u + across) / lens[4] * COLUMNS)) + 1,
            ):
                nearest[r, c] = min(nearest[r, c], max(0.1, local[2] - half))
        inside = (
            BORDER * lens[4] <= u < (1 - BORDER) * lens[4] and BORDER * lens[5] <= v < (1 - BORDER) * lens[5]
        )
        visible[k] = inside and away[0] ** 2 + away[1] ** 2 + away[2] ** 2 <= RANGE_M**2
    return visible, nearest


def look(rooms: Rooms, things: list[Thing], pose: Matrix) -> tuple[list[Thing], NDArray[np.float64]]:
    """The things in plain view from a pose, and the clear distance of each patch of the image."""
    there = [thing for thing in things if thing.present and not thing.hidden]
    places = np.array([thing.place for thing in there]).reshape(-1, 3)
    sizes = np.array([thing.size for thing in there]).reshape(-1, 3)
    visible, nearest = _look(pose, inverse(pose), places, sizes, rooms.walls, LENS)
    return [thing for thing, is_visible in zip(there, visible.tolist(), strict=True) if is_visible], nearest


def in_plain_view(rooms: Rooms, point: Point, pose: Matrix, nearest: NDArray[np.float64]) -> bool:
    """Whether a point is in view and nothing stands before it."""
    camera_from_world = inverse(pose)
    visible, _ = _look(pose, camera_from_world, point[None], np.full((1, 3), 0.1), rooms.walls, LENS)
    if not visible[0]:
        return False
    x, y, z = (camera_from_world[:3, :3] @ point + camera_from_world[:3, 3]).tolist()
    u, v = LENS[0] * x / z + LENS[2], LENS[1] * y / z + LENS[3]
    return bool(nearest[int(v / LENS[5] * ROWS), int(u / LENS[4] * COLUMNS)] >= z)
