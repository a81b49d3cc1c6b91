"""State of a simulated day: actions of the wearer and of other people, and where every object is after
each."""

import numpy as np

from situ.errors import Impossible
from situ.geometry.pose import Matrix
from situ.geometry.rounding import stable_round
from situ.worlds.days.events import OTHER, WEARER, DayEvent
from situ.worlds.days.people import steps
from situ.worlds.days.small_objects import put_at, put_center, specimen
from situ.worlds.days.supports import CONTAINERS, Support, free_spot, inside
from situ.worlds.days.wearer import Wearer
from situ.worlds.days.world import World
from situ.worlds.scene import SceneObject, Vec3

HANDLE_S = 2.4  # to pick an object up or put it down
ARRIVAL_S = 3.0  # between a front door and the walk outside
EMPTY_S = 5.0  # looking at empty hands after using something up
LIFT_MPS, LIFT_EVERY_S = 0.6, 0.25  # speed of a lift, and the interval of its recorded positions
OTHERS_EVERY_S = (70.0, 260.0)  # between two actions of other people


class DayState:
    """The world during a day. An impossible action raises Impossible and changes nothing."""

    def __init__(self, world: World, wearer: Wearer, rng: np.random.Generator, others: bool = True) -> None:
        self.world, self.wearer, self.rng = world, wearer, rng
        self.site: int = 0
        self.objects = {obj.id: obj for obj in world.small_objects.objects}
        self.lies_on: dict[int, int] = {}
        self.within: dict[int, int] = {}
        self.held: int | None = None
        self.log: list[DayEvent] = []
        self._furniture = {obj.id: obj for obj in world.furniture}
        self._support = {support.obj.id: support for support in world.supports}
        self._next_id = max(o.id for o in world.scene.objects) + 1
        self._others_at = float(rng.uniform(*OTHERS_EVERY_S)) if others else float("inf")
        for obj in world.small_objects.objects:
            self.lies_on[obj.id] = self._below(obj)

    @property
    def time(self) -> float:
        return self.wearer.time

    def on(self, support: Support) -> list[SceneObject]:
        return [self.objects[i] for i, f in self.lies_on.items() if f == support.obj.id]

    def support_of(self, object_id: int) -> Support | None:
        return self._support.get(self.lies_on.get(object_id, -1))

    def containers(self, site: int) -> list[SceneObject]:
        return [t for t in self.world.sites[site].home.objects if t.category in CONTAINERS]

    def go(self, site: int, spot: tuple[float, float]) -> None:
        """Walk to a spot, through front doors and across the street if needed."""
        world = self.world
        if site != self.site:
            way = world.outdoor_paths[self.site, site]
            self._stroll(self.site, world.sites[self.site].threshold)
            self._swing("opened", world.doors[self.site])
            left = self.time
            here, there = (self.wearer.here.x, self.wearer.here.y), world.sites[site].threshold
            heights = (way.heights[0], *way.heights, way.heights[-1])
            self._follow(np.array([here, *way.points, there]), heights, max(site, self.site))
            # Each door closes behind the wearer; the other one opens on arrival.
            arrived = self.time - ARRIVAL_S
            self.log.append(DayEvent(left + ARRIVAL_S, "closed", world.doors[self.site], WEARER))
            self.log.append(DayEvent(arrived, "opened", world.doors[site], WEARER))
            self._swing("closed", world.doors[site])
            self.site = site
        self._stroll(site, spot)
        self._let_others_act()

    def take(self, object_id: int) -> None:
        """Walk up to an object and pick it up."""
        support = self.support_of(object_id)
        if self.held is not None or support is None:
            raise Impossible("the hands are full, or the object cannot be reached")
        self._reach(support.site, self.objects[object_id].box.center)
        if self.support_of(object_id) is not support:
            return  # another person took it first
        self._handle("taken", self.objects[object_id], self.lies_on.pop(object_id), None)
        self.held = object_id

    def put(self, support: Support) -> None:
        """Carry the held object to a support and put it down."""
        obj = self._in_hand()
        spot = free_spot(support, obj, [t.box for t in self.on(support)], self.rng)
        if spot is None or self.world.approach(support.site, spot) is None:
            raise Impossible(f"there is no room on the {support.obj.category}")
        self._reach(support.site, spot)
        placed = put_at(obj, spot, support.yaw_deg + float(self.rng.normal(0, 15)))
        self._handle("put", placed, None, support.obj.id)
        self.objects[obj.id], self.lies_on[obj.id], self.held = placed, support.obj.id, None

    def stow(self, container: SceneObject) -> None:
        """Put the held object into a piece of furniture and close it."""
        obj, spot = self._in_hand(), inside(container, self._in_hand())
        if spot is None or self.world.approach(self.site, container.box.center) is None:
            raise Impossible(f"the {container.category} does not take the {obj.category}")
        self._reach(self.site, container.box.center)
        self._swing("opened", container)
        placed = put_at(obj, spot, container.yaw_deg)
        self._handle("stowed", placed, None, container.id)
        self._swing("closed", container)
        self.objects[obj.id], self.within[obj.id], self.held = placed, container.id, None

    def take_out(self, object_id: int) -> None:
        """Open the container of an object and take the object."""
        container = self._furniture[self.within[object_id]]
        if self.held is not None:
            raise Impossible("the hands are full")
        self._reach(self.site, container.box.center)
        self._swing("opened", container)
        self._handle("taken", self.objects[object_id], self.within.pop(object_id), None)
        self._swing("closed", container)
        self.held = object_id

    def use_up(self) -> None:
        """Consume or discard the held object."""
        obj = self._in_hand()
        self._handle("removed", obj, None, None)
        self.wearer.stoop(EMPTY_S, 22.0)  # look at the empty hands
        del self.objects[obj.id]
        self.held = None

    def get_new(self, like: SceneObject, at: tuple[float, float]) -> None:
        """Take a new object of the same category into the hands, such as a delivery."""
        self.wearer.face(*at)
        center = (*at, 1.1 + self.world.sites[self.site].height)
        # A second object of the same colour could not be distinguished from the first one moved.
        known = {t.attributes["color"] for t in self.objects.values() if t.category == like.category}
        made = specimen(self._next_id, like.category, tuple(known), self.rng)
        if made is None:
            raise Impossible(f"every colour of {like.category} is there already")
        fresh = put_center(made, center, self.wearer.here.yaw_deg)
        self._next_id += 1
        self._handle("appeared", fresh, None, None)
        self.objects[fresh.id], self.held = fresh, fresh.id

    def wait(self, seconds: float) -> None:
        self.wearer.stand(seconds)
        self._let_others_act()

    def look_around(self) -> None:
        self.wearer.look_around(self.rng)
        self._let_others_act()

    def _stroll(self, site: int, spot: tuple[float, float]) -> None:
        here = (self.wearer.here.x, self.wearer.here.y)
        self.wearer.walk(self.world.path(site, here, spot))

    def _follow(self, points: Matrix, heights: tuple[float, ...], raised: int) -> None:
        """Walk along an outdoor path; where it goes straight up or down, ride the lift of the raised home."""
        start = 0
        for k in range(1, len(points)):
            if heights[k] != heights[k - 1] and np.array_equal(points[k], points[k - 1]):
                self.wearer.walk(points[start:k], heights[start:k])
                self._ride(raised, heights[k - 1], heights[k])
                start = k
        self.wearer.walk(points[start:], heights[start:])

    def _ride(self, site: int, from_height: float, to_height: float) -> None:
        lift, began = self.world.lifts[site], self.time
        seconds = abs(to_height - from_height) / LIFT_MPS
        self.wearer.ride(to_height, seconds)
        for share in np.linspace(0.0, 1.0, stable_round(seconds / LIFT_EVERY_S) + 1).tolist():
            height = from_height + share * (to_height - from_height)
            moved = put_at(lift, (*lift.position[:2], height))
            self.log.append(DayEvent(began + share * seconds, "rode", moved, WEARER))

    def _reach(self, site: int, point: Vec3) -> None:
        spot = self.world.approach(site, point)
        if spot is None:
            raise Impossible("there is no free floor from which that can be reached")
        self.go(site, spot)
        self.wearer.face(point[0], point[1])

    def _handle(self, act: str, obj: SceneObject, from_id: int | None, to_id: int | None) -> None:
        """Look at the hands and record the action half-way through."""
        start = self.wearer.time
        self.wearer.stoop(HANDLE_S, 22.0)
        self.log.append(DayEvent(start + HANDLE_S / 2, act, obj, WEARER, from_id, to_id))  # type: ignore[arg-type]

    def _swing(self, act: str, container: SceneObject) -> None:
        self.wearer.stand(1.2)
        self.log.append(DayEvent(self.time - 0.6, act, container, WEARER))  # type: ignore[arg-type]

    def _in_hand(self) -> SceneObject:
        if self.held is None:
            raise Impossible("there is nothing in the hands")
        return self.objects[self.held]

    def _below(self, obj: SceneObject) -> int:
        gaps = {
            support.obj.id: support.obj.box.distance_to_point((*obj.position[:2], obj.position[2]))
            for support in self.world.supports
        }
        return min(gaps, key=lambda i: gaps[i])

    def _let_others_act(self) -> None:
        """Perform the due actions of other people. They do not touch what the wearer holds."""
        while self._others_at <= self.time:
            when, self._others_at = (
                self._others_at,
                self._others_at + float(self.rng.uniform(*OTHERS_EVERY_S)),
            )
            touched = {h.object_id for h in self.log if h.time > when - 10.0}
            loose = [i for i in sorted(self.lies_on) if i not in touched]
            if loose:
                self._moved_by_other(loose[int(self.rng.integers(len(loose)))], when)

    def _moved_by_other(self, object_id: int, when: float) -> None:
        source, obj = self.support_of(object_id), self.objects[object_id]
        tops = [
            s for s in self.world.supports if source is not None and s.site == source.site and s is not source
        ]
        if source is None or not tops:
            return
        target = tops[int(self.rng.integers(len(tops)))]
        spot = free_spot(target, obj, [t.box for t in self.on(target)], self.rng)
        stand = None if spot is None else self.world.approach(target.site, spot)
        start = self.world.approach(source.site, obj.box.center)
        if spot is None or stand is None or start is None:
            return
        ends, height = (obj.position[:2], spot[:2]), self.world.sites[target.site].height
        self.log += steps(self.world.housemate, when, (start, stand), (height, height), ends)
        placed = put_at(obj, spot, target.yaw_deg)
        self.log.append(DayEvent(when, "put", placed, OTHER, source.obj.id, target.obj.id))
        self.objects[object_id], self.lies_on[object_id] = placed, target.obj.id
