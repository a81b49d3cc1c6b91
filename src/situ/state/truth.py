"""The truth of a recording as a spatial state."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.recording import Event, ObjectRecord, Recording
from situ.state.diary import Stay
from situ.state.protocol import ObjectView, Sighting
from situ.state.visibility import Visibility
from situ.state.visit_log import VisitLog

# An event of this kind carries the new box: data = {"center": [...], "size": [...], "yaw_deg": ...}
MOVED = "moved"
# These carry no data: before `appeared` and after `removed` the object is nowhere.
APPEARED, REMOVED = "appeared", "removed"
# The wearer came into a place: data = {"place": name}, "" for none that has a name.
ENTERED = "entered"
# A `moved` event may say by `act` that the wearer has the thing in hand.
IN_HANDS = ("taken", "carried")
_SAME_M = 0.01


class TruthState:
    """Exact boxes from the world, and sightings from the recording's per-frame annotations."""

    strict: ClassVar[bool] = True

    def __init__(
        self,
        path: Path,
        objects: Mapping[int, ObjectRecord],
        sightings: Mapping[int, Sequence[Sighting]],
        events: Sequence[Event] = (),
    ) -> None:
        self._path = path
        self._records = objects
        self._sightings = {key: tuple(seen) for key, seen in sightings.items() if seen}
        self._events = tuple(events)
        self._events_of: dict[int | None, list[Event]] = {}
        for event in self._events:
            self._events_of.setdefault(event.object_id, []).append(event)

    @classmethod
    def of(cls, recording: Recording, visibility: Visibility | None = None) -> "TruthState":
        """Truth at the end of a recording; `as_of` gives any earlier moment. What counts as seen is what the
        recording states, unless another rule is given."""
        rule = visibility or Visibility.stated_in(recording.meta)
        sightings: dict[int, list[Sighting]] = {}
        for frame in recording.frames:
            for seen in frame.visible:
                clarity = rule.clarity(seen.share)
                if clarity > 0:
                    sightings.setdefault(seen.object_id, []).append(
                        Sighting(frame.index, frame.time, clarity)
                    )
        return cls(recording.path, recording.objects, sightings, recording.events)

    @property
    def now(self) -> float:
        return float(self._path.times[-1]) if len(self._path) else 0.0

    @property
    def path(self) -> Path:
        return self._path

    def objects(self) -> Sequence[ObjectView]:
        return self._views

    @cached_property
    def _views(self) -> tuple[ObjectView, ...]:
        return tuple(self._view(object_id) for object_id in sorted(self._sightings))

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._sightings.get(object_id, ())

    def where(self, object_id: int, time: float) -> Box | None:
        record = self._records.get(object_id)
        if record is None:
            return None
        moved: Event | None = None
        gone = False
        for event in self._events_of.get(object_id, ()):
            if event.kind == MOVED and event.time <= time:
                moved, gone = event, False
            elif event.kind == (REMOVED if event.time <= time else APPEARED):
                gone = True
        if gone:
            return None
        return record.box if moved is None else box_from_event(moved)

    def stays(self, object_id: int) -> Sequence[Stay]:
        """Where a thing was, one place after the other; what appears later begins then."""
        record = self._records.get(object_id)
        if record is None:
            return ()
        events = self._events_of.get(object_id, ())
        found = (
            [] if any(e.kind == APPEARED for e in events) else [Stay(object_id, record.box, self._path.start)]
        )
        for event in events:
            if event.kind == MOVED and event.time <= self.now:
                box, held = box_from_event(event), event.data.get("act") in IN_HANDS
                still = found and held == found[-1].held
                if not still or math.dist(box.center, found[-1].box.center) > _SAME_M:
                    found.append(Stay(object_id, box, event.time, held))
        return found

    def moved_since(self, time: float) -> Sequence[int]:
        moved = {e.object_id for e in self._events if e.kind == MOVED and time < e.time <= self.now}
        return sorted(i for i in moved if i is not None and i in self._sightings)

    def visits(self) -> VisitLog:
        """The wearer's stays in named places: each ends with the last frame before the next was entered."""
        entered = [e for e in self._events if e.kind == ENTERED and e.time <= self.now]
        times = self._path.times
        left = [float(times[max(0, self._path.index_at(e.time) - 1)]) for e in entered[1:]]
        runs = zip(entered, [*left, self.now][: len(entered)], strict=True)
        return VisitLog.along(((str(e.data["place"]), e.time, end) for e, end in runs), self.now)

    def as_of(self, time: float) -> "TruthState":
        earlier = {
            key: seen[: bisect_right(seen, time, key=_time_of)] for key, seen in self._sightings.items()
        }
        # An object that appears later must stay nowhere, so that event is kept.
        events = [event for event in self._events if event.time <= time or event.kind == APPEARED]
        return TruthState(self._path.until(time), self._records, earlier, events)

    def _view(self, object_id: int) -> ObjectView:
        record = self._records[object_id]
        presence = _clearest(self._sightings[object_id])
        box = self.where(object_id, self.now) or record.box
        return ObjectView(object_id, record.category, box, record.attributes, presence)


def _time_of(sighting: Sighting) -> float:
    return sighting.time


def _clearest(seen: Sequence[Sighting]) -> float:
    """The best clarity; most things are seen quite clearly soon."""
    best = 0.0
    for sighting in seen:
        if sighting.clarity >= 1.0:
            return sighting.clarity
        best = max(best, sighting.clarity)
    return best


def box_from_event(event: Event) -> Box:
    """The box that a `moved` event carries."""
    x, y, z = event.data["center"]
    sx, sy, sz = event.data["size"]
    return Box((x, y, z), (sx, sy, sz), event.data.get("yaw_deg", 0.0))
