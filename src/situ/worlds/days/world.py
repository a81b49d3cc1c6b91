"""World of a simulated day: one or more furnished homes, the street between them, and their portable
objects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import ndimage

from situ.errors import Impossible
from situ.geometry.pose import Matrix
from situ.worlds.days.openings import front_door
from situ.worlds.days.people import figure
from situ.worlds.days.small_objects import SmallObjects, draw_small_objects, is_portable
from situ.worlds.days.street import BY_STAIRS_M, LIFT, OutdoorPath, lay_street
from situ.worlds.days.supports import Support, supports_of
from situ.worlds.homes.build import Home, HomeSpec, build_home
from situ.worlds.homes.plan import OUTSIDE, Door, Plan, Room
from situ.worlds.homes.walkable import CELL_M, Floor
from situ.worlds.scene import Scene, SceneObject, Vec3
from situ.worlds.tours import FloorGrid, room_stops
from situ.worlds.walks.fit import Rect

APPROACH_M = (0.42, 0.95)  # between the body and what it handles
THRESHOLD_M = 0.3  # inside the front door
OBJECTS_PER_ROOM = 11  # furniture included
RAISED_M = (1.05, 3.15)  # height of a second home: above stairs, or on the first floor


@dataclass(frozen=True, eq=False)
class Site:
    """One home at its place in the world, with path planning."""

    home: Home
    name: str
    height: float = 0.0

    @cached_property
    def grid(self) -> FloorGrid:
        return FloorGrid(self.home.floor)

    @cached_property
    def reachable(self) -> np.ndarray:
        """Mask of connected free cells of the floor."""
        return _reachable(self.home)

    @cached_property
    def spots(self) -> Matrix:
        """Centres of those cells as ground points."""
        rows, columns = np.nonzero(self.reachable)
        x0, y0 = self.home.floor.point(0, 0)
        return np.stack([x0 + columns * CELL_M, y0 + rows * CELL_M], axis=1)

    @cached_property
    def door(self) -> Door:
        return next(door for door in self.home.plan.doors if door.second == OUTSIDE)

    @cached_property
    def threshold(self) -> tuple[float, float]:
        """The free spot just inside the front door."""
        inward = np.sign(np.subtract(self.home.plan.outline.center, (self.door.x, self.door.y)))
        x, y = self.door.x, self.door.y
        if self.door.axis == 0:
            return x, y + THRESHOLD_M * float(inward[1])
        return x + THRESHOLD_M * float(inward[0]), y

    @property
    def outward_deg(self) -> float:
        """The direction out of the front door."""
        cx, cy = self.home.plan.outline.center
        if self.door.axis == 0:
            return 90.0 if self.door.y > cy else 270.0
        return 0.0 if self.door.x > cx else 180.0


@dataclass(frozen=True, eq=False)
class World:
    """Everything that exists when the day begins."""

    sites: tuple[Site, ...]
    outdoor_paths: dict[tuple[int, int], OutdoorPath]
    scene: Scene
    small_objects: SmallObjects
    supports: tuple[Support, ...]
    furniture: tuple[SceneObject, ...]
    doors: tuple[SceneObject, ...]
    housemate: SceneObject

    @cached_property
    def lifts(self) -> dict[int, SceneObject]:
        """The lift of each home that has one, at ground level."""
        found = [obj for obj in self.scene.objects if obj.category == LIFT]
        high = [n for n, site in enumerate(self.sites) if site.height > BY_STAIRS_M]
        return dict(zip(high, found, strict=True))

    def approach(self, site: int, point: Vec3) -> tuple[float, float] | None:
        """A free spot from which a point can be reached, or None."""
        return _spot_before(self.sites[site], point)

    def stops(self, site: int) -> list[tuple[float, float]]:
        """A free spot near the middle of each room of a home."""
        if site not in self._stops:
            self._stops[site] = room_stops(self.sites[site].home, np.random.default_rng(site))
        return self._stops[site]

    @cached_property
    def _stops(self) -> dict[int, list[tuple[float, float]]]:
        return {}

    def path(self, site: int, start: tuple[float, float], goal: tuple[float, float]) -> Matrix:
        return self.sites[site].grid.path(start, goal)


def _spot_before(site: Site, point: Vec3) -> tuple[float, float] | None:
    """A free spot at arm's length from a point."""
    low, high = APPROACH_M
    xs, ys = site.spots.T
    gap = np.hypot(xs - point[0], ys - point[1])
    fit = (gap >= low) & (gap <= high)
    if not fit.any():
        return None
    best = int(np.argmin(np.where(fit, np.abs(gap - 0.65), np.inf)))
    return float(xs[best]), float(ys[best])


def build_world(uses: Sequence[str], rooms: int, rng: np.random.Generator) -> World:
    """Buildings along a street; the day begins in the first."""
    sites: list[Site] = []
    first_id, x = 1, 0.0
    for number, use in enumerate(uses):
        count = rooms if number == 0 else 4
        home = _emptied(build_home(HomeSpec(count, count * OBJECTS_PER_ROOM, True, use), rng))
        if number:
            x += (
                sites[-1].home.plan.outline.size[0] / 2
                + home.plan.outline.size[0] / 2
                + float(rng.uniform(9, 16))
            )
        height = 0.0 if number != 1 else float(rng.choice([0.0, *RAISED_M]))
        cx, cy = home.plan.outline.center
        home = _shifted(home, (x - cx, float(rng.uniform(-3, 3)) * (number > 0) - cy, height), first_id)
        first_id = max(obj.id for obj in home.scene.objects) + 1
        sites.append(Site(home, use, height))
    doors = [front_door(first_id + n, s.door, s.height, s.outward_deg) for n, s in enumerate(sites)]
    first_id += len(doors)
    plots = [(site.home.plan.outline, site.door, site.height) for site in sites]
    outdoor_paths, outside = lay_street(plots, first_id, rng)
    first_id += len(outside)
    supports = tuple(s for n, site in enumerate(sites) for s in _usable(site, n))
    if len(supports) < 4:
        raise Impossible("this home has fewer than four surfaces to put objects on; use another seed")
    small_objects = draw_small_objects(supports, first_id, 9 + 2 * len(sites), 3, rng)
    furniture = tuple(obj for site in sites for obj in site.home.objects)
    shell = [o for site in sites for o in site.home.scene.objects if o.structural]
    where = next(s for s in supports if s.site == 0).obj.box.center
    spot = _spot_before(sites[0], where) or sites[0].threshold
    person = figure(first_id + len(small_objects.objects), spot, rng)
    objects = (*shell, *doors, *outside, *furniture, *small_objects.objects, person)
    scene = Scene(objects, ground=None, sun=None, ambient=0.55)
    return World(tuple(sites), outdoor_paths, scene, small_objects, supports, furniture, tuple(doors), person)


def _usable(site: Site, number: int) -> list[Support]:
    """Supports within reach of a free spot."""
    home = site.home
    rooms = {obj.id: home.plan.rooms[home.room_of[obj.id]].name for obj in home.objects}
    xs, ys = site.spots.T
    found = []
    for support in supports_of(home.objects, rooms, number):
        box = support.obj.box
        corners = box.corners()[:4, :2]
        spots = np.concatenate([corners * 0.7 + np.array(box.center[:2]) * 0.3, [box.center[:2]]])
        gaps = [float(np.hypot(xs - px, ys - py).min()) for px, py in spots]
        if max(gaps) <= APPROACH_M[1] - 0.05:
            found.append(support)
    return found


def _reachable(home: Home) -> np.ndarray:
    """Mask of connected free cells of the floor."""
    labels, count = ndimage.label(home.floor.free, structure=np.ones((3, 3)))
    return np.asarray(labels == int(np.argmax(np.bincount(labels[labels > 0]))) if count else labels > 0)


def _emptied(home: Home) -> Home:
    """The home without its portable objects."""
    kept = tuple(o for o in home.scene.objects if o.structural or not is_portable(o))
    ids = {o.id for o in kept}
    return replace(
        home,
        scene=home.scene.with_objects(kept),
        room_of={i: room for i, room in home.room_of.items() if i in ids},
    )


def _shifted(home: Home, by: Vec3, first_id: int) -> Home:
    """The home moved by an offset, with object ids from `first_id` on."""
    dx, dy, dz = by
    number = {o.id: first_id + i for i, o in enumerate(home.scene.objects)}

    def rect(area: Rect) -> Rect:
        return Rect(area.x0 + dx, area.y0 + dy, area.x1 + dx, area.y1 + dy)

    objects = tuple(
        replace(o, id=number[o.id], position=(o.position[0] + dx, o.position[1] + dy, o.position[2] + dz))
        for o in home.scene.objects
        if o.category != "lawn"
    )
    plan = Plan(
        tuple(Room(room.name, rect(room.area)) for room in home.plan.rooms),
        tuple(door._replace(x=door.x + dx, y=door.y + dy) for door in home.plan.doors),
        rect(home.plan.outline),
    )
    floor = Floor(home.floor.free, home.floor.x0 + dx, home.floor.y0 + dy)
    room_of = {number[i]: room for i, room in home.room_of.items()}
    return Home(plan, home.scene.with_objects(objects), floor, room_of)
