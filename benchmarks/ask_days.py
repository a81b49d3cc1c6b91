"""Generated days for questions in plain language: exact observations, and a truth that knows its rooms.

Detections are exact. They may come alone (what is not seen loses no belief), with the camera, or with camera
and depth. What belief is worth under noise is measured by `benchmarks.memory`; here it is the language.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from situ.benchmarks.drawn_recording import CoarselyDrawn
from situ.benchmarks.ucs.film import FOV_DEG, VISIBILITY, write_day
from situ.geometry.camera import Camera
from situ.geometry.path import Path as Walk
from situ.language import Memory
from situ.perception.oracle import oracle_frames
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState
from situ.state.visit_log import VisitLog
from situ.worlds.days import Day, DaySpec, simulate

CAMERA = Camera.from_fov(320, 240, FOV_DEG)
DETECTIONS, WITH_CAMERA, WITH_DEPTH = "detections", "camera", "depth"
STARTED_AT = datetime(2026, 3, 2, 9, 0)  # by the clock on the wall, when a day's recording begins


@dataclass(frozen=True)
class TrueRoom:
    """A room by its walls."""

    tag: str
    x0: float
    y0: float
    x1: float
    y1: float
    walked: tuple[float, float, float] = (0.0, 0.0, 0.0)  # the middle of where the wearer was

    def depth_m(self, x: float, y: float) -> float:
        """How far a point is inside the walls; negative outside."""
        return min(x - self.x0, self.x1 - x, y - self.y0, self.y1 - y)

    @property
    def mean(self) -> tuple[float, float, float]:
        return self.walked

    @property
    def last(self) -> float:
        return 0.0

    @property
    def covariance(self) -> np.ndarray:
        return np.diag([(self.x1 - self.x0) ** 2, (self.y1 - self.y0) ** 2, 0.1]) / 12


class RoomedTruth(TruthState):
    """The truth of a day. A point is in the room whose walls are around it; a room is known once entered."""

    def __init__(
        self,
        path: Walk,
        objects: Mapping[int, ObjectRecord],
        sightings: Mapping[int, Sequence[Sighting]],
        events: Sequence[Event] = (),
        rooms: Sequence[TrueRoom] = (),
    ) -> None:
        super().__init__(path, objects, sightings, events)
        self._rooms = tuple(rooms)

    def places(self) -> Sequence[TrueRoom]:
        found = []
        for room in self._rooms:
            spots = [(x, y) for x, y in self.path.positions[:, :2].tolist() if room.depth_m(x, y) > 0]
            if spots:
                x, y = np.mean(spots, axis=0).tolist()
                found.append(replace(room, walked=(x, y, 1.6)))
        return found

    def place_at(self, point: Sequence[float]) -> tuple[str, float]:
        """The room around a point, and by how many half metres it is inside."""
        for room in self._rooms:
            depth = room.depth_m(point[0], point[1])
            if depth >= 0:
                return room.tag, depth / 0.5
        return "", 0.0

    def visits(self) -> VisitLog:
        """The wearer's stays in rooms, by the walls around the path."""
        tags = [self.place_at(point)[0] for point in self.path.positions.tolist()]
        times = self.path.times.tolist()
        return VisitLog.along(zip(tags, times, times, strict=True), self.now)

    def as_of(self, time: float) -> "RoomedTruth":
        then = super().as_of(time)
        return RoomedTruth(then._path, then._records, then._sightings, then._events, self._rooms)


@dataclass(frozen=True, eq=False)
class AskedDay:
    """A day as it was lived, and the memory of somebody who saw it without a fault."""

    truth: RoomedTruth
    memory: Memory


def live_day(
    seed: int, seconds: float = 900.0, into: str | Path = ":memory:", observed: str = DETECTIONS
) -> AskedDay:
    """One home for some time, and its memory. The same seed gives the same day."""
    day = simulate(DaySpec(seconds, homes=1, rooms=6), np.random.default_rng([seed, *b"ask"]))
    rooms = rooms_of(day)
    memory = Memory.create(into)
    with tempfile.TemporaryDirectory() as folder:
        write_day(Path(folder) / "day", day, CAMERA, 1.0)
        recording = CoarselyDrawn.open(Path(folder) / "day")
        plain = TruthState.of(recording, VISIBILITY)
        truth = RoomedTruth(plain.path, plain._records, plain._sightings, plain._events, rooms)
        for frame in oracle_frames(recording, VISIBILITY):
            tag = truth.place_at(frame.T_world_camera[:3, 3])[0]
            camera = None if observed == DETECTIONS else frame.camera
            free = frame.free if observed == WITH_DEPTH else None
            memory.observe(replace(frame, place=tag or None, camera=camera, free=free).exact())
        memory.set_clock(STARTED_AT)
    return AskedDay(truth, memory)


def rooms_of(day: Day) -> list[TrueRoom]:
    """The rooms of a day's home; those of one kind are told apart by a number."""
    found: list[TrueRoom] = []
    names: dict[str, int] = {}
    for room in day.world.sites[0].home.plan.rooms:
        names[room.name] = names.get(room.name, 0) + 1
        tag = room.name if names[room.name] == 1 else f"{_ORDINALS[names[room.name]]} {room.name}"
        found.append(TrueRoom(tag, room.area.x0, room.area.y0, room.area.x1, room.area.y1))
    return found


_ORDINALS = {2: "second", 3: "third", 4: "fourth"}
