"""Furnished homes to film in: where the camera can go, and what it sees of the things that have a name.

No torch here: worker processes import it.
"""

from collections.abc import Iterable
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.camo.layouts import EYE_M, THINGS
from benchmarks.camo.paths import FRAMES, STEPS, Array, Paths, draw_paths, polar, sector
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering import Frame, Renderer
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.homes.plan import DOOR_WIDTH_M
from situ.worlds.homes.shell import HALF_WALL_M
from situ.worlds.homes.walkable import CELL_M, blank_floor, open_rect

# As many as there are names of solids. A home has most of them once; what looks alike was left out.
KINDS = (
    "bed", "sofa", "armchair", "bean bag", "coffee table", "dining table", "bookshelf", "wardrobe",
    "tv stand", "nightstand", "fridge", "stove", "dishwasher", "sink", "toilet", "bathtub",
    "shower", "piano", "fireplace", "tree", "giant teddy bear", "coat rack", "fan", "floor vase",
)  # fmt: skip
ROOMS = 4, 6
THINGS_PER_ROOM = 9.0, 13.0
SIDE = 96
CLEAR_SHARE = 0.01
IN_VIEW_DEG = 43.0  # of a thing's middle, for a thing to be seen clearly
GONE, HARDLY, CLEARLY = 0, 1, 2  # how a thing is seen in a frame
MARGIN_DEG, LEAST_THING_M, LEAST_START_M = 5.0, 0.6, 0.7
POOL, DRAWN = 40_000, 24_000  # paths that there are, and that are tried in a home; most do not fit
AIM = np.array([60, 8, 4, 4, 4, 4, 4, 8]) / 96  # how often a sector is wanted
BETWEEN = 5  # points of a step that must be free
SIGHT_POINTS = 64  # of a line of sight that must be clear of walls
Ints = NDArray[np.int64]


class Set:
    """One home with a camera in it, and the things of the vocabulary as arrays."""

    def __init__(self, rng: np.random.Generator) -> None:
        rooms = int(rng.integers(ROOMS[0], ROOMS[1] + 1))
        self.home = build_home(HomeSpec(rooms, round(rooms * float(rng.uniform(*THINGS_PER_ROOM)))), rng)
        self.renderer = Renderer(self.home.scene, Camera.from_fov(SIDE, SIDE, 90.0))
        things = [thing for thing in self.home.objects if thing.category in KINDS]
        boxes = [thing.box for thing in things]
        self.ids: Ints = np.array([thing.id for thing in things])
        self.kind: Ints = np.array([KINDS.index(thing.category) for thing in things])
        self.x, self.y = (np.array([box.center[axis] for box in boxes]) for axis in (0, 1))
        self.top = np.array([box.center[2] + box.size[2] / 2 for box in boxes])
        self.radius = np.array([np.hypot(*box.size[:2]) / 2 for box in boxes])
        self.room: Ints = np.array([self.home.room_of[number] for number in self.ids])
        self.single: NDArray[np.bool_] = np.bincount(self.kind, minlength=len(KINDS))[self.kind] == 1

    def free_spots(self) -> tuple[Array, Array]:
        """The middles of all cells in which a body fits."""
        rows, columns = np.nonzero(self.home.floor.free)
        x, y = (np.asarray((cells + 0.5) * CELL_M, dtype=np.float64) for cells in (columns, rows))
        return x + self.home.floor.x0, y + self.home.floor.y0

    def rooms_at(self, x: Array, y: Array) -> Ints:
        """The number of the room in which each point lies; -1 in none."""
        found = np.full(np.shape(x), -1)
        for number, room in enumerate(self.home.plan.rooms):
            area = room.area
            found[(x >= area.x0) & (x < area.x1) & (y >= area.y0) & (y < area.y1)] = number
        return found

    def walks(self, pool: Paths, rng: np.random.Generator) -> tuple[Paths, Ints]:
        """Paths of a pool that pass through nothing here, and a thing that each may be asked about.

        A path is turned so that the thing is in a wanted sector in the end; most often in front, where it can
        only be hidden by something else.
        """
        x, y = self.free_spots()
        single = np.flatnonzero(self.single)
        rows, end = rng.integers(len(pool.x), size=DRAWN), rng.integers(len(x), size=DRAWN)
        thing = single[rng.integers(len(single), size=DRAWN)]
        off = rng.uniform(-1.0, 1.0, DRAWN) * (22.5 - MARGIN_DEG)
        ahead = np.degrees(np.arctan2(self.y[thing] - y[end], self.x[thing] - x[end]))
        yaw = ahead + 45.0 * rng.choice(len(AIM), DRAWN, p=AIM) + off
        paths = _ending(pool.take(rows), x[end], y[end], yaw)
        near = np.hypot(self.x[thing] - x[end], self.y[thing] - y[end]) >= LEAST_THING_M
        for frames in ([0], [STEPS // 2], range(FRAMES)):  # most are found out by few of their frames
            free = self._at(self.home.floor.free, *_along(paths, frames)).all(axis=1) & near
            paths, thing, near = paths.take(np.flatnonzero(free)), thing[free], near[free]
        return paths, thing

    def _at(self, grid: NDArray[np.bool_], x: Array, y: Array) -> NDArray[np.bool_]:
        """What a grid over the floor says of points; False outside it."""
        row = np.floor((y - self.home.floor.y0) / CELL_M).astype(int)
        column = np.floor((x - self.home.floor.x0) / CELL_M).astype(int)
        rows, columns = grid.shape
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        return np.asarray(inside & grid[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)])

    @cached_property
    def _open(self) -> NDArray[np.bool_]:
        """Where no wall is."""
        floor = blank_floor(self.home.plan.outline)
        for room in self.home.plan.rooms:
            area = room.area.shrunk(HALF_WALL_M)
            open_rect(floor, np.array([area.x0, area.y0]), np.array([area.x1, area.y1]), True)
        for door in self.home.plan.doors:
            half = np.array([DOOR_WIDTH_M / 2, HALF_WALL_M + CELL_M])[:: 1 if door.axis == 0 else -1]
            open_rect(floor, np.array([door.x, door.y]) - half, np.array([door.x, door.y]) + half, True)
        return floor.free

    def no_wall_between(self, x: Array, y: Array, to_x: Array, to_y: Array) -> NDArray[np.bool_]:
        """Whether the lines between points meet no wall."""
        share = np.linspace(0.0, 1.0, SIGHT_POINTS)
        x, to_x, y, to_y = (np.asarray(values)[..., None] for values in (x, to_x, y, to_y))
        return np.asarray(self._at(self._open, x + (to_x - x) * share, y + (to_y - y) * share).all(axis=-1))

    def looks(self, paths: Paths) -> tuple[Array, Array]:
        """Bearing and distance of every thing from every frame: (n, 12, things) each."""
        each = [polar(paths, frame, self.x[None], self.y[None]) for frame in range(FRAMES)]
        bearing, distance = (np.stack(values, axis=1) for values in zip(*each, strict=True))
        return bearing, distance

    def shares(self, x: float, y: float, yaw: float) -> Array:
        """The share of a frame that each thing covers."""
        return self._shares_of(self.renderer.render_ids(camera_pose((x, y, EYE_M), yaw))[0])

    def picture(self, x: float, y: float, yaw: float) -> tuple[Frame, Array]:
        frame = self.renderer.render(camera_pose((x, y, EYE_M), yaw))
        return frame, self._shares_of(frame.ids)

    def _shares_of(self, ids: NDArray[np.uint16]) -> Array:
        counts = np.bincount(ids.ravel(), minlength=int(self.ids.max(initial=0)) + 1)
        return np.asarray(counts[self.ids] / ids.size)


def sight(share: Array, bearing: Array) -> NDArray[np.uint8]:
    """GONE, HARDLY or CLEARLY: a thing is seen clearly that is large enough and has its middle in view."""
    clear = (share >= CLEAR_SHARE) & (np.abs(bearing) <= IN_VIEW_DEG)
    return np.where(clear, CLEARLY, np.where(share > 0, HARDLY, GONE)).astype(np.uint8)


def filled(kinds: Iterable[int], taken: Iterable[int]) -> Ints:
    """THINGS kinds: those given, then others that are in no way there."""
    known, absent = list(kinds)[:THINGS], set(range(len(KINDS))) - set(taken)
    return np.array([*known, *sorted(absent)[: THINGS - len(known)]])


def _ending(paths: Paths, x: Array, y: Array, yaw: Array) -> Paths:
    """The same paths, turned and moved to end at places with given headings."""
    turn = np.radians(yaw - paths.yaw[:, -1])[:, None]
    dx, dy = paths.x - paths.x[:, -1:], paths.y - paths.y[:, -1:]
    c, s = np.cos(turn), np.sin(turn)
    return paths._replace(
        x=x[:, None] + c * dx - s * dy, y=y[:, None] + s * dx + c * dy, yaw=paths.yaw + np.degrees(turn)
    )


def _along(paths: Paths, frames: Iterable[int]) -> tuple[Array, Array]:
    """Where the camera is in some frames and, for all of them, on the way from one to the next."""
    some = list(frames)
    x, y = paths.x[:, some], paths.y[:, some]
    if len(some) < FRAMES:
        return x, y
    share = np.linspace(0.0, 1.0, BETWEEN)
    x, y = ((v[:, :-1, None] * (1 - share) + v[:, 1:, None] * share).reshape(len(v), -1) for v in (x, y))
    return x, y


@cache
def path_pool(seed: int) -> Paths:
    """Paths with the start clearly in a sector and not too near in the end, for many homes."""
    paths = draw_paths(POOL, np.random.default_rng([seed, 96]))
    bearing, distance = polar(paths, -1, paths.x[:, :1], paths.y[:, :1])
    fine = (sector(bearing[:, 0])[1] >= MARGIN_DEG) & (distance[:, 0] >= LEAST_START_M)
    return paths.take(np.flatnonzero(fine))
