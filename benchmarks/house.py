"""A house of sixteen rooms and a wearer who walks through it for hours: state only, no pixels, exact truth.

Things are moved behind the wearer's back, carried by the wearer, taken away and brought in. Every frame
gives the poses, what is in plain view, and how far the view is clear, as a detector with depth would.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numba import njit
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, camera_pose, inverse, wrap_deg
from situ.perception import FreeSpace, Oracle, Seen
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState

ROOM_M, DOOR_M, HEIGHT_M, EYE_M = 5.0, 1.0, 2.6, 1.6
PITCH_DEG = -18.0
RANGE_M = 4.5
MOST_SEEN = 15
CAMERA = Camera.from_fov(640, 480, 80.0)
ROWS, COLUMNS = 12, 16
_COLOURS = "red blue green yellow white black grey brown pink orange purple teal gold beige olive cyan"
COLOURS = tuple(_COLOURS.split(" "))
_KNOWN = "cup plate lamp chair book vase clock plant box bag phone bottle pillow towel bin fan"
_UNKNOWN = (
    "flurble zinter quopp mibbet drasil vonk perrit yuggle snorb twelp grixel honnep jasp ludren kib ozma"
)
# Every other name is one that no vocabulary holds.
NAMES = tuple(name for pair in zip(_KNOWN.split(" "), _UNKNOWN.split(" "), strict=True) for name in pair)


@dataclass(frozen=True)
class Plan:
    """How big the house is and what happens in it."""

    rooms: int = 4  # on a side
    objects: int = 500
    moved: int = 60
    carried: int = 30
    removed: int = 20
    added: int = 15
    seconds: int = 3600
    calm: int = 600  # nothing is touched before this


@dataclass
class House:
    """The world as it is now. Row k of each table belongs to object k + 1."""

    plan: Plan
    rng: np.random.Generator
    categories: list[str] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)
    places: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    sizes: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    present: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    events: list[Event] = field(default_factory=list)
    records: dict[int, ObjectRecord] = field(default_factory=dict)

    @classmethod
    def build(cls, plan: Plan, seed: int) -> "House":
        house = cls(plan, np.random.default_rng(seed))
        total = plan.objects + plan.added
        kinds = [(name, colour) for name in NAMES for colour in COLOURS]
        house.rng.shuffle(kinds)
        # Half of the things are one of a kind, the others come in sets of two to six.
        singles = total // 2
        described = list(kinds[:singles])
        rest = kinds[singles:]
        while len(described) < total:
            described += [rest.pop()] * int(house.rng.integers(2, 7))
        described = described[:total]
        # What is brought in later is one of a kind: a twin of something taken away would be that thing to
        # any observer, and the truth about it not to be known.
        brought, described = described[: plan.added], described[plan.added :]
        house.rng.shuffle(described)
        described += brought
        house.categories = [name for name, _ in described]
        house.colours = [colour for _, colour in described]
        house.sizes = house.rng.uniform(0.08, 0.4, (total, 1)) * house.rng.uniform(0.7, 1.0, (total, 3))
        house.places = np.zeros((total, 3))
        house.present = np.zeros(total, bool)
        for k in range(total):
            house.places[k] = house.free_spot()
            house.present[k] = k < plan.objects
            house._record(k)
        return house

    def _record(self, k: int) -> None:
        x, y, z = self.places[k].tolist()
        sx, sy, sz = self.sizes[k].tolist()
        self.records[k + 1] = ObjectRecord(
            k + 1, self.categories[k], Box((x, y, z), (sx, sy, sz)), {"colour": self.colours[k]}
        )

    def free_spot(self, room: tuple[int, int] | None = None) -> NDArray[np.float64]:
        """A spot in a room (any, if None), clear of the walls and of other things."""
        while True:
            rx, ry = room or tuple(self.rng.integers(self.plan.rooms, size=2).tolist())
            spot = np.array([rx, ry, 0.0]) * ROOM_M + self.rng.uniform(0.35, ROOM_M - 0.35, 3)
            spot[2] = self.rng.uniform(0.2, 1.5)
            others = self.places[self.present]
            if not len(others) or np.linalg.norm(others - spot, axis=1).min() > 0.45:
                return spot

    def put(self, k: int, place: NDArray[np.float64], time: float) -> None:
        self.places[k] = place
        data = {"center": place.tolist(), "size": self.sizes[k].tolist()}
        self.events.append(Event(time, "moved", k + 1, data))

    def set_present(self, k: int, present: bool, time: float) -> None:
        self.present[k] = present
        self.events.append(Event(time, "appeared" if present else "removed", k + 1))


@njit(cache=True)
def clear_distance(origin: NDArray[np.float64], ray: NDArray[np.float64], rooms: int) -> float:
    """How far a ray goes before it meets a wall, the floor or the ceiling, in lengths of the ray."""
    best = 1e9
    if ray[2] < -1e-9:
        best = origin[2] / -ray[2]
    elif ray[2] > 1e-9:
        best = (HEIGHT_M - origin[2]) / ray[2]
    for axis in range(2):
        if abs(ray[axis]) < 1e-9:
            continue
        for k in range(rooms + 1):
            t = (k * ROOM_M - origin[axis]) / ray[axis]
            if t <= 1e-6 or t >= best:
                continue
            across = origin[1 - axis] + t * ray[1 - axis]
            within = across - math.floor(across / ROOM_M) * ROOM_M
            open_door = 0 < k < rooms and abs(within - ROOM_M / 2) < DOOR_M / 2
            if not open_door:
                best = t
    return best


@njit(cache=True)
def look_around(
    pose: NDArray[np.float64],
    camera_from_world: NDArray[np.float64],
    lens: NDArray[np.float64],
    places: NDArray[np.float64],
    sizes: NDArray[np.float64],
    present: NDArray[np.bool_],
    rooms: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The nearest things in plain view, and the clear distance of each patch of the image."""
    origin = pose[:3, 3].copy()
    nearest = np.empty((ROWS, COLUMNS))
    ray = np.empty(3)
    for r in range(ROWS):
        for c in range(COLUMNS):
            best = 1e9
            for half_r in range(2):
                for half_c in range(2):
                    x = ((c + 0.25 + 0.5 * half_c) / COLUMNS * lens[4] - lens[2]) / lens[0]
                    y = ((r + 0.25 + 0.5 * half_r) / ROWS * lens[5] - lens[3]) / lens[1]
                    for k in range(3):
                        ray[k] = pose[k, 0] * x + pose[k, 1] * y + pose[k, 2]
                    best = min(best, clear_distance(origin, ray, rooms))
            nearest[r, c] = best
    depths = np.full(len(places), 1e9)
    for k in range(len(places)):
        if not present[k]:
            continue
        away = places[k] - origin
        if away[0] ** 2 + away[1] ** 2 + away[2] ** 2 > (RANGE_M + 3.0) ** 2:
            continue
        local = np.empty(3)
        for i in range(3):
            m = camera_from_world[i]
            local[i] = m[0] * places[k, 0] + m[1] * places[k, 1] + m[2] * places[k, 2] + m[3]
        if local[2] < 0.2 or clear_distance(origin, away, rooms) < 1.0:
            continue
        u, v = lens[0] * local[0] / local[2] + lens[2], lens[1] * local[1] / local[2] + lens[3]
        half = 0.5 * max(sizes[k, 0], sizes[k, 1], sizes[k, 2])
        reach_u, reach_v = lens[0] * half / local[2], lens[1] * half / local[2]
        first_c = max(0, int((u - reach_u) / lens[4] * COLUMNS))
        first_r = max(0, int((v - reach_v) / lens[5] * ROWS))
        for r in range(first_r, min(ROWS - 1, int((v + reach_v) / lens[5] * ROWS)) + 1):
            for c in range(first_c, min(COLUMNS - 1, int((u + reach_u) / lens[4] * COLUMNS)) + 1):
                nearest[r, c] = min(nearest[r, c], max(0.1, local[2] - half))
        inside = 0 <= u < lens[4] and 0 <= v < lens[5]
        if inside and away[0] ** 2 + away[1] ** 2 + away[2] ** 2 <= RANGE_M**2:
            depths[k] = local[2]
    order = np.argsort(depths)
    seen = 0
    while seen < min(MOST_SEEN, len(order)) and depths[order[seen]] < 1e9:
        seen += 1
    return order[:seen], nearest


class Walk:
    """The wearer: from room to room through the doors, with a look around in each."""

    def __init__(self, house: House, seed: int) -> None:
        self.rng = np.random.default_rng([seed, 1])
        self.rooms = house.plan.rooms
        self.position = np.array([ROOM_M / 2, ROOM_M / 2])
        self.yaw = 0.0
        self.room = (0, 0)
        self.visits = {(0, 0): 1}
        self._targets: list[NDArray[np.float64]] = []
        self._turns = 8

    def step(self) -> Matrix:
        """One second: turn on the spot, or walk up to 0.8 m."""
        if self._turns:
            self._turns -= 1
            self.yaw = wrap_deg(self.yaw + 45.0)
            return self.pose
        if not self._targets:
            self._plan()
        target = self._targets[0]
        way = target - self.position
        distance = float(np.linalg.norm(way))
        if distance > 1e-6:
            self.yaw = math.degrees(math.atan2(way[1], way[0]))
        self.position = target if distance <= 0.8 else self.position + way / distance * 0.8
        if distance <= 0.8:
            self._targets.pop(0)
            if not self._targets:
                self._turns = 8
        return self.pose

    @property
    def pose(self) -> Matrix:
        return camera_pose((self.position[0], self.position[1], EYE_M), self.yaw, PITCH_DEG)

    def _plan(self) -> None:
        """Through a door to the least visited neighbour, more often than not."""
        x, y = self.room
        options = [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        options = [(a, b) for a, b in options if 0 <= a < self.rooms and 0 <= b < self.rooms]
        weights = np.array([1.0 / (1 + self.visits.get(room, 0)) ** 2 for room in options])
        new = options[int(self.rng.choice(len(options), p=weights / weights.sum()))]
        middle = (np.array(self.room) + np.array(new) + 1.0) / 2 * ROOM_M
        spot = np.array(new) * ROOM_M + self.rng.uniform(1.2, ROOM_M - 1.2, 2)
        toward = (np.array(new) - np.array(self.room)) * 0.6
        self._targets = [middle - toward, middle + toward, spot]
        self.room = new
        self.visits[new] = self.visits.get(new, 0) + 1


class Stream:
    """Frames of a walk, and the truth up to the last one that was drawn."""

    def __init__(self, plan: Plan, seed: int, keep_all: bool = True) -> None:
        """With `keep_all` off only each object's last sighting is kept, for streams that run for days."""
        self.plan = plan
        self.keep_all = keep_all
        self.house = House.build(plan, seed)
        self.walk = Walk(self.house, seed)
        self.rng = np.random.default_rng([seed, 2])
        self.times: list[float] = []
        self.poses: list[Matrix] = []
        self.seen: dict[int, list[Sighting]] = {}
        self.moved: dict[int, float] = {}
        self.carried: dict[int, float] = {}
        self.removed: dict[int, float] = {}
        self._held: tuple[int, float] | None = None
        self._lens = np.array([CAMERA.fx, CAMERA.fy, CAMERA.cx, CAMERA.cy, CAMERA.width, CAMERA.height])
        self._due = self._schedule()

    def _schedule(self) -> list[tuple[float, str]]:
        plan = self.plan
        kinds = ["moved"] * plan.moved + ["removed"] * plan.removed + ["added"] * plan.added
        kinds += ["carried"] * plan.carried
        times = self.rng.uniform(min(plan.calm, plan.seconds / 3), plan.seconds * 0.9, len(kinds))
        return sorted(zip(times.tolist(), kinds, strict=True))

    def frames(self) -> Iterator[Oracle]:
        for second in range(self.plan.seconds):
            time = float(second)
            pose = self.walk.step()
            self._carry(pose, time)
            self._happen(pose, time)
            yield self._observe(pose, time)

    def _observe(self, pose: Matrix, time: float) -> Oracle:
        house = self.house
        order, nearest = look_around(
            pose, inverse(pose), self._lens, house.places, house.sizes, house.present, self.plan.rooms
        )
        frame = int(time)
        if not self.keep_all:
            self.times.clear()
            self.poses.clear()
        self.times.append(time)
        self.poses.append(pose)
        seen = []
        for k in order.tolist():
            sightings = self.seen.setdefault(k + 1, [])
            if not self.keep_all:
                sightings.clear()
            sightings.append(Sighting(frame, time))
            x, y, z = house.places[k].tolist()
            sx, sy, sz = house.sizes[k].tolist()
            seen.append(
                Seen(k + 1, house.categories[k], (x, y, z), (sx, sy, sz), {"colour": house.colours[k]})
            )
        room = f"room {int(pose[0, 3] // ROOM_M)}-{int(pose[1, 3] // ROOM_M)}"
        return Oracle(time, pose, tuple(seen), CAMERA, FreeSpace.from_metres(nearest), room)

    def _happen(self, pose: Matrix, time: float) -> None:
        while self._due and self._due[0][0] <= time:
            when, kind = self._due[0]
            k = self._candidate(kind, pose, time)
            if k is None:
                self._due[0] = (when + 5.0, kind)
                self._due.sort()
                return
            self._due.pop(0)
            if kind == "moved":
                self.house.put(k, self._unseen_spot(pose), time)
                self.moved[k + 1] = time
            elif kind == "removed":
                self.house.set_present(k, False, time)
                self.removed[k + 1] = time
            elif kind == "added":
                self.house.places[k] = self._unseen_spot(pose)
                self.house._record(k)
                self.house.set_present(k, True, time)
            else:
                self._held = (k, time + self.rng.uniform(15, 50))
                self.carried[k + 1] = time

    def _candidate(self, kind: str, pose: Matrix, time: float) -> int | None:
        """A thing to which an event can happen now, out of sight unless the wearer does it."""
        house = self.house
        if kind == "added":
            absent = [k for k in range(self.plan.objects, len(house.present)) if not house.present[k]]
            absent = [k for k in absent if k + 1 not in self.removed]
            return absent[0] if absent else None
        touched = {**self.moved, **self.carried, **self.removed}
        known = [i - 1 for i in self.seen if i not in touched and house.present[i - 1]]
        if kind == "carried":
            if self._held is not None:
                return None
            latest = {i - 1 for i, seen in self.seen.items() if seen[-1].time == time - 1.0}
            near = [k for k in known if k in latest and np.linalg.norm(house.places[k] - pose[:3, 3]) < 1.3]
            return near[0] if near else None
        far = [k for k in known if np.linalg.norm(house.places[k] - pose[:3, 3]) > 7.5]
        return far[int(self.rng.integers(len(far)))] if far else None

    def _unseen_spot(self, pose: Matrix) -> NDArray[np.float64]:
        while True:
            spot = self.house.free_spot()
            if np.linalg.norm(spot - pose[:3, 3]) > 7.5:
                return spot

    def _carry(self, pose: Matrix, time: float) -> None:
        if self._held is None:
            return
        k, until = self._held
        yaw = math.radians(self.walk.yaw)
        ahead = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
        hands = pose[:3, 3] + 0.6 * ahead + 0.15 * right - [0, 0, 0.45]
        if time >= until and self._inside(pose[:3, 3] + 0.9 * ahead):
            self.house.put(k, pose[:3, 3] + 0.9 * ahead - [0, 0, 0.8], time)
            self._held = None
        else:
            self.house.put(k, hands, time)

    def _inside(self, spot: NDArray[np.float64]) -> bool:
        within = np.mod(spot[:2], ROOM_M)
        return bool((within > 0.3).all() and (within < ROOM_M - 0.3).all())

    def truth(self) -> TruthState:
        """Exact truth up to the last frame drawn."""
        path = Path(np.array(self.times), np.array(self.poses))
        return TruthState(path, self.house.records, self.seen, self.house.events)
