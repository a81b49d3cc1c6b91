"""A wearer who walks through rooms and feeds a memory with what a faulty detector makes of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.memory_stress_rooms import CAMERA, FURNITURE, SMALL, Point, Rooms, Thing, in_plain_view, look
from situ.geometry.pose import Matrix, camera_pose, inverse, transform, wrap_deg
from situ.language import Memory
from situ.perception import FreeSpace, Observation, ObservedFrame

EYE_M = 1.6
SPEED_MPS, TURN_DPS = 0.9, 60.0
_TICK_S = 0.1


@dataclass
class Detector:
    """Faults beyond those of the usual detector, which misses a few and measures to a few centimetres."""

    miss: float = 0.05
    sigma_m: float = 0.03
    sigma_share: float = 0.01
    depth_scale: float = 1.0  # a systematic error that is not in the stated sigma
    size_scale: float = 1.0
    confusion: dict[str, str] = field(default_factory=dict)  # what a kind is taken for,
    confused: float = 0.0  # and how often
    invented: float = 0.01  # things that are not there, for each frame
    stated_share: float = 1.0  # of the true sigma that is stated


class Stage:
    """Rooms, things, a wearer, and a memory that watches. Time passes when the wearer does something."""

    def __init__(self, seed: int, rooms: int = 3, fps: float = 2.0, same_rooms: bool = False) -> None:
        self.rng = np.random.default_rng([seed, 99])
        self.rooms = Rooms(self.rng, rooms, same_rooms)
        self.things: list[Thing] = []
        self.detector = Detector()
        self.memory = Memory.create(":memory:")
        self.fps, self.time, self._due = fps, 10.0, 10.0
        self.position, self.yaw = self.rooms.middle(0)[:2], 0.0
        self.pitch = -15.0
        self.pose_error: Matrix = np.eye(4)  # what the odometry adds to the true pose
        self.before_frame: list[Callable[[], None]] = []
        self.after_look: Callable[[list[Observation]], list[Observation]] = lambda seen: seen
        self.carried: list[tuple[Thing, Point]] = []  # with their place ahead, left and up of the eyes
        self.focus: list[Thing] = []  # what the family is about: asked about first
        self.seen_now: list[Thing] = []
        self.detected_now: list[Thing] = []
        self.frame_time = 0.0
        self.settled = 0.0  # when the first tour ended

    # The world

    def add(self, name: str, room: int, place: Point | None = None, **attributes: str) -> Thing:
        size = FURNITURE.get(name)
        if place is None:
            place = self.free_spot(room, 0.5 * size[2] if size else None)
        side = float(self.rng.uniform(0.1, 0.25))
        thing = Thing(name, place, size or (side, side, side), attributes)
        self.things.append(thing)
        return thing

    def free_spot(self, room: int, height: float | None = None, apart: float = 0.6) -> Point:
        """A spot in a room that is clear of other things."""
        for _ in range(200):
            spot = self.rooms.within(room, 0.5, height)
            gaps = [float(np.linalg.norm(t.place[:2] - spot[:2])) for t in self.things if t.present]
            if min(gaps, default=9.0) > apart:
                return spot
        return spot

    def furnish(self, small: int = 6) -> None:
        """Furniture and small things, each one of its kind, in every room."""
        names = list(FURNITURE)
        self.rng.shuffle(names)
        colours = ["red", "blue", "green", "white", "black", "pink"]
        kinds = [(name, colour) for name in SMALL for colour in colours]
        self.rng.shuffle(kinds)
        for room in range(len(self.rooms)):
            for name in names[room * 2 : room * 2 + 2]:
                self.add(name, room)
            for _ in range(small):
                name, colour = kinds.pop()
                self.add(str(name), room, colour=str(colour))

    def move(self, thing: Thing, place: Point) -> None:
        thing.place, thing.changed, thing.looks = np.asarray(place, dtype=float), self.time, 0

    def remove(self, thing: Thing) -> None:
        thing.present, thing.changed, thing.looks = False, self.time, 0

    # The wearer

    @property
    def pose(self) -> Matrix:
        return camera_pose((self.position[0], self.position[1], EYE_M), self.yaw, self.pitch)

    def go(self, target: Point) -> None:
        """Walk to a point of the same room."""
        way = np.asarray(target)[:2] - self.position
        if np.linalg.norm(way) > 0.05:
            self.turn(math.degrees(math.atan2(way[1], way[0])))
        while (distance := float(np.linalg.norm(np.asarray(target)[:2] - self.position))) > 1e-6:
            way = np.asarray(target)[:2] - self.position
            self.position = self.position + way * min(1.0, SPEED_MPS * _TICK_S / distance)
            self._tick()

    def turn(self, yaw: float) -> None:
        while abs(gap := wrap_deg(yaw - self.yaw)) > 1e-6:
            self.yaw = wrap_deg(self.yaw + float(np.clip(gap, -TURN_DPS * _TICK_S, TURN_DPS * _TICK_S)))
            self._tick()

    def go_to_room(self, room: int) -> None:
        """Through the doors in between, to the middle of a room."""
        here = self.rooms.room_of(self.position)
        while here != room:
            ahead = 1 if room > here else -1
            near, far = self.rooms.door(min(here, here + ahead))
            self.go(near if ahead > 0 else far)
            self.go(far if ahead > 0 else near)
            here += ahead
        self.go(self.rooms.middle(room)[:2] + self.rng.uniform(-0.5, 0.5, 2))

    def look_around(self) -> None:
        start = self.yaw
        for part in range(1, 5):
            self.turn(start + 90.0 * part)

    def tour(self, rounds: int = 1) -> None:
        """Every room, and back to the first."""
        for _ in range(rounds):
            for room in [*range(len(self.rooms)), *reversed(range(len(self.rooms) - 1))]:
                self.go_to_room(room)
                self.look_around()

    def learn(self, rounds: int = 1) -> None:
        """The first tour, after which questions about changes are about."""
        self.tour(rounds)
        self.settled = self.time
        for thing in self.things:
            thing.home = thing.place.copy()

    def face(self, thing: Thing) -> None:
        away = thing.place[:2] - self.position
        self.turn(math.degrees(math.atan2(away[1], away[0])))

    def stay(self, seconds: float) -> None:
        for _ in range(round(seconds / _TICK_S)):
            self._tick()

    def until_frame(self) -> None:
        """Wait for the next frame, so that what is asked is asked as of what was just seen."""
        while self.time != self.frame_time:
            self._tick()

    def sleep(self, seconds: float) -> None:
        """Nothing is watched for a while."""
        self.time += seconds
        self._due = self.time

    def _tick(self) -> None:
        self.time += _TICK_S
        if self.carried:
            c, s = math.cos(math.radians(self.yaw)), math.sin(math.radians(self.yaw))
            for thing, (ahead, left, up) in self.carried:
                x, y = self.position
                place = np.array([x + ahead * c - left * s, y + ahead * s + left * c, EYE_M + up])
                self.move(thing, place)
        for act in self.before_frame:
            act()
        if self.time + 1e-9 >= self._due:
            self._due += 1.0 / self.fps
            self.frame()

    # The detector

    def frame(self) -> None:
        pose, self.frame_time = self.pose, self.time
        self.seen_now, nearest = look(self.rooms, self.things, pose)
        shown = self.pose_error @ pose
        self.detected_now = [t for t in self.seen_now if self.rng.random() >= self.detector.miss]
        seen = [self._observation(thing, pose, shown) for thing in self.detected_now]
        seen += [self._invention(shown, nearest) for _ in range(self.rng.poisson(self.detector.invented))]
        seen = self.after_look(seen)
        for thing in self.detected_now:
            thing.seen, thing.first_seen = self.time, min(thing.first_seen, self.time)
            thing.seen_at = thing.place
        for thing in self.things:
            last = thing.place if thing.seen_at is None else thing.seen_at
            if not thing.present and in_plain_view(self.rooms, last, pose, nearest):
                thing.looks += 1
        free = FreeSpace.from_metres(nearest * self.detector.depth_scale)
        place = f"room {self.rooms.room_of(self.position) + 1}"
        self.memory.observe(ObservedFrame(self.time, shown, tuple(seen), CAMERA, free, place))

    def _observation(self, thing: Thing, pose: Matrix, shown: Matrix) -> Observation:
        d = self.detector
        local = transform(inverse(pose), thing.place)
        distance = float(np.linalg.norm(local))
        sigma = d.sigma_m + d.sigma_share * distance
        local = local * (d.depth_scale + self.rng.normal(0.0, sigma) / distance) + self.rng.normal(
            0.0, 0.01, 3
        )
        name = thing.name
        if name in d.confusion and self.rng.random() < d.confused:
            name = d.confusion[name]
        x, y, z = transform(shown, local).tolist()
        a, b, c = (d.size_scale * side for side in thing.size)
        score = float(self.rng.uniform(0.55, 1.0))
        return Observation(name, (x, y, z), score, d.stated_share * sigma, None, (a, b, c), thing.attributes)

    def _invention(self, shown: Matrix, nearest: np.ndarray) -> Observation:
        u, v = self.rng.uniform(0.1, 0.9, 2)
        depth = min(float(nearest[int(v * nearest.shape[0]), int(u * nearest.shape[1])]), 5.0)
        ray = np.array([(u - 0.5) * 640 / CAMERA.fx, (v - 0.5) * 480 / CAMERA.fy, 1.0])
        x, y, z = transform(shown, ray * depth).tolist()
        thing = self.things[int(self.rng.integers(len(self.things)))]
        return Observation(thing.name, (x, y, z), 0.6, 0.06, None, thing.size, thing.attributes)
