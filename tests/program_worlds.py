"""Random worlds and random programs for tests: rooms, furniture, things on it, moves, a walk."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState
from situ.state.truth import ENTERED, MOVED, REMOVED

KINDS = ("cup", "plate", "book", "lamp", "box")
FURNITURE = ("table", "shelf")
COLORS = ("red", "blue", "green")
Json = Any


class World(TruthState):
    """A truth whose named places are two half planes: x below 0 is the kitchen, above it the hall."""

    turn_deg: float = 0.0
    mirrored: bool = False

    def places(self) -> "Sequence[Room]":
        return (Room("kitchen", (-2.0, 0.0, 0.0)), Room("hall", (2.0, 0.0, 0.0)))

    def place_at(self, point: Sequence[float]) -> tuple[str, float]:
        angle = -math.radians(self.turn_deg)
        x = point[0] * math.cos(angle) - point[1] * math.sin(angle)
        return ("kitchen" if x < 0 else "hall"), abs(x) / 0.1

    def as_of(self, time: float) -> "World":
        earlier = super().as_of(time)
        found = World(earlier.path, self._records, earlier._sightings, earlier._events)
        found.turn_deg = self.turn_deg
        return found


class Room:
    def __init__(self, tag: str, mean: tuple[float, float, float]) -> None:
        self.tag, self.mean, self.covariance, self.last = tag, mean, np.eye(3), 0.0


def world(seed: int, turn_deg: float = 0.0, mirror: bool = False) -> World:
    """A world of a seed, turned about the origin or mirrored in the plane y = 0."""
    rng = np.random.default_rng(seed)
    angle = math.radians(turn_deg)

    def put(x: float, y: float) -> tuple[float, float]:
        y = -y if mirror else y
        return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)

    def boxed(x: float, y: float, z: float, size: tuple[float, float, float]) -> Box:
        return Box((*put(x, y), z), size, turn_deg)

    records: dict[int, ObjectRecord] = {}
    tables = []
    for number in range(3):
        x, y = rng.uniform(-4, 4, 2).tolist()
        tables.append((x, y))
        box = boxed(x, y, 0.4, (1.4, 0.8, 0.8))
        records[number] = ObjectRecord(number, str(rng.choice(FURNITURE)), box, {})
    for number in range(3, 15):
        size = tuple(rng.uniform(0.1, 0.3, 3).tolist())
        if rng.random() < 0.5:
            x, y = tables[int(rng.integers(3))]
            x, y, bottom = x + rng.uniform(-0.5, 0.5), y + rng.uniform(-0.3, 0.3), 0.8
        else:
            (x, y), bottom = rng.uniform(-4, 4, 2).tolist(), 0.0
        looks = {"color": str(rng.choice(COLORS))}
        box = boxed(x, y, bottom + size[2] / 2, size)
        records[number] = ObjectRecord(number, str(rng.choice(KINDS)), box, looks)
    frames = 40
    spots = np.cumsum(rng.normal(0, 0.3, (frames, 2)), axis=0)
    yaws = np.cumsum(rng.normal(0, 20, frames))
    poses = np.stack([
        camera_pose((*put(x, y), 1.5), turn_deg + (-yaw if mirror else yaw))
        for (x, y), yaw in zip(spots.tolist(), yaws.tolist(), strict=True)
    ])  # fmt: skip
    seen = {
        number: [
            Sighting(frame, float(frame), 1.0)
            for frame in sorted(rng.choice(frames, 6, replace=False).tolist())
        ]
        for number in records
        if rng.random() < 0.9
    }
    events = [Event(0.0, ENTERED, None, {"place": "kitchen"}), Event(20.0, ENTERED, None, {"place": "hall"})]
    for number in rng.choice(np.arange(3, 15), 4, replace=False).tolist():
        x, y = rng.uniform(-4, 4, 2).tolist()
        old = records[number].box
        box = boxed(x, y, old.center[2], old.size)
        data = {"center": list(box.center), "size": list(box.size), "yaw_deg": box.yaw_deg}
        events.append(Event(float(rng.uniform(5, 35)), MOVED, number, data))
    events.append(Event(30.0, REMOVED, int(rng.integers(3, 15)), {}))
    events.sort(key=lambda event: event.time)
    found = World(Path(np.arange(frames, dtype=float), poses), records, seen, events)
    found.turn_deg = turn_deg
    return found


def random_set(rng: np.random.Generator, depth: int = 3) -> Json:
    """A random set, well formed."""
    leaf = depth <= 0 or rng.random() < 0.3
    pick = lambda *options: options[int(rng.integers(len(options)))]  # noqa: E731
    if leaf:
        found: dict[str, Json] = {"op": "things"}
        if rng.random() < 0.7:
            found["kind"] = pick(*KINDS, *FURNITURE)
        if rng.random() < 0.3:
            found["with"] = {"color": pick(*COLORS)}
        if rng.random() < 0.3:
            found["ever"] = True
        return found
    inner = lambda: random_set(rng, depth - 1)  # noqa: E731
    op = pick("and", "or", "not", "except", "in", "rel", "did", "top", "compare", "same", "between", "can")
    if op in ("and", "or"):
        return {"op": op, "of": [inner() for _ in range(int(rng.integers(1, 4)))]}
    if op == "not":
        return {"op": "not", "of": inner()}
    if op == "except":
        return {"op": "except", "of": inner(), "but": inner()}
    if op == "in":
        return {"op": "in", "of": inner(), "place": pick("kitchen", "hall")}
    if op == "rel":
        if rng.random() < 0.5:
            return {
                "op": "rel",
                "of": inner(),
                "rel": pick("left", "right", "front", "behind", "near"),
                "to": "me",
            }
        to = {"op": "things", "kind": pick(*FURNITURE)}
        return {"op": "rel", "of": inner(), "rel": pick("on", "near", "under", "left", "behind"), "to": to}
    if op == "did":
        return {"op": "did", "of": inner(), "act": pick("seen", "moved", "inview"), **pick({}, {"since": 20})}
    if op == "top":
        return {
            "op": "top",
            "of": inner(),
            "by": pick("distance", "volume", "last_seen"),
            "n": int(rng.integers(1, 4)),
        }
    if op == "between":
        one, other = ({"op": "things", "kind": kind} for kind in rng.permutation(FURNITURE).tolist())
        return {"op": "between", "of": inner(), "one": one, "other": other, "m": 1.0}
    if op == "can":
        return {"op": "can", "of": inner(), "act": pick("fit under", "reach", "sit on"), "size": 0.5}
    if op == "compare":
        return {"op": "compare", "of": inner(), "by": pick("distance", "height"), "than": 1.5}
    return {
        "op": "same",
        "of": inner(),
        "as": {"op": "things", "kind": pick(*KINDS)},
        "what": pick("color", "place"),
    }


def swapped(program: Json) -> Json:
    """The program with left and right exchanged."""
    if isinstance(program, Mapping):
        return {key: swapped(value) for key, value in program.items()}
    if isinstance(program, list):
        return [swapped(one) for one in program]
    return {"left": "right", "right": "left"}.get(program, program) if isinstance(program, str) else program
