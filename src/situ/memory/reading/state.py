"""The memory as a spatial state: what is believed as of two times."""

import json
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.path_uncertainty import PathSamples
from situ.geometry.pose import Matrix
from situ.memory.file.tombstones import Tombstones
from situ.memory.file.wall_clock import WallClock
from situ.memory.reading import views
from situ.memory.reading.history import History
from situ.memory.reading.objects import RememberedObject, RememberedObjects
from situ.memory.reading.observed import Observed
from situ.memory.reading.path import SampledPath, WalkedPath
from situ.memory.reading.places import Anchors, Place
from situ.memory.reading.sightings import GLIMPSE, Seen, Sightings
from situ.memory.reading.stays import StayHistory
from situ.state.diary import Stay
from situ.state.protocol import LIKELY, Sighting
from situ.state.visit_log import VisitLog

if TYPE_CHECKING:
    from situ.memory.reading.worlds import BelievedWorlds

PATH_SAMPLES = 64  # as many as there are possible worlds, so that both are drawn together
T = TypeVar("T")


class MemoryState:
    """What the memory held to be so at event time `now`, as known at `known_at`."""

    strict: ClassVar[bool] = False

    def __init__(self, history: History, at: float, known_at: float) -> None:
        self._history, self._at, self.known_at = history, at, known_at
        self._last_frame = history.last_frame(at, known_at)
        self._path = WalkedPath(history, self._last_frame, known_at)
        self._moment = history.moment(at, known_at)
        self._seen: dict[int, Sightings] = {}
        self._stays: dict[int, StayHistory] = {}
        self._anchors: Anchors | None = None
        self._states: dict[tuple[float, float], MemoryState] = {}

    def kept(self, key: object, find: Callable[[], T]) -> T:
        """What all states of this moment share; it must hold neither a state nor a history."""
        if key not in self._moment:
            self._moment[key] = find()
        found: T = self._moment[key]
        return found

    @property
    def now(self) -> float:
        return self._at

    # ------------------------------------------------------------------ the memory as a whole
    @property
    def deleted(self) -> Tombstones:
        """What was deleted on request, whenever that was."""
        return self._history.tombstones()

    @property
    def forgotten_before(self) -> float:
        """Up to when details have been thinned out, if the memory has a horizon."""
        return self._history.horizon()

    @property
    def wall_clock(self) -> WallClock | None:
        """The hours of the day, if the memory was told of them."""
        return self._history.wall_clock()

    @property
    def metric(self) -> bool:
        """Whether distances are metres; if not, they are guesses that are right in proportion only."""
        return bool(self._history.facts().get("scale_from", "unsaid"))

    @property
    def nameless(self) -> bool:
        """Whether no detector that watched could name anything."""
        return bool(self._history.facts().get("names", "unsaid") == "")

    @property
    def known_names(self) -> frozenset[str]:
        """All names that the detectors which watched can give; none where they may give any."""
        return frozenset(json.loads(self._history.facts().get("known_names", "[]")))

    @property
    def calibrated(self) -> bool:
        """Whether a score of the eyes that watched is the chance that its name is right."""
        return bool(self._history.facts().get("calibrated", ""))

    @property
    def unplaced(self) -> dict[str, tuple[int, float, float]]:
        """What was seen by now but has no place: by name how often, when last, and where from there."""
        said = json.loads(self._history.facts().get("unplaced", "{}"))
        return {label: tuple(seen) for label, seen in said.items() if seen[1] <= self._at}

    def names(self) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """All categories and attributes that objects have gone under."""
        return self.kept("names", lambda: self._history.called(self.known_at))

    # ------------------------------------------------------------------ the wearer
    @cached_property
    def path_samples(self) -> PathSamples | None:
        """Ways in which the path may be off; None where the poses are believed."""
        return self.kept("path samples", self._sample_path)

    def _sample_path(self) -> PathSamples | None:
        doubt = self._history.path_doubt()
        if doubt is None:
            return None
        latest = self._at >= self._history.end
        known = doubt if latest else doubt.until(self._at, self.known_at)
        return None if known.none else known.samples(PATH_SAMPLES)

    @cached_property
    def paths(self) -> Sequence[Path]:
        """The path as it may have been, in each possible world."""
        samples = self.path_samples
        if samples is None:
            return (self._path,)
        drawn = (samples.only(number) for number in range(len(samples)))
        return tuple(SampledPath(self._path, one, self.moment) for one in drawn)

    @property
    def moment(self) -> float:
        """The time at which the wearer is asked about: after the last frame, if they have been lost since."""
        samples = self.path_samples
        lost = samples is not None and self._at >= self._history.end
        return max(self._at, samples.doubt.present) if samples is not None and lost else self._at

    @property
    def path(self) -> Path:
        return self._path

    @property
    def pose(self) -> Matrix:
        """Where the wearer is."""
        if self._last_frame < 0:
            raise Unanswerable(f"nothing had been observed by {self._at:g} s")
        return self._path.pose_of(self._last_frame)

    def places(self) -> tuple[Place, ...]:
        """Place nodes as they stood."""
        return self._history.places(min(self._at, self.known_at))

    def place_now(self) -> str | None:
        """The tag under which the wearer is, if the last frame had one."""
        number = self._history.frames.place_of(self._last_frame)
        return next((place.tag for place in self.places() if place.id == number), None)

    def place_anchors(self) -> Anchors | None:
        """Spots of which it is known in which place they are; None where the memory is too long to read."""
        found = self.kept("anchors", self._find_anchors)
        return found or None

    def _find_anchors(self) -> Anchors:
        return Anchors(self._history, self._last_frame, self._at, self.known_at, self.objects())

    def visits(self) -> VisitLog:
        """The named places that the wearer was in, in order."""
        return self.kept("visits", self._find_visits)

    def _find_visits(self) -> VisitLog:
        tags = {place.id: place.tag for place in self.places()}
        columns = self._history.frames.between(0, self._last_frame)
        edges = np.flatnonzero(np.diff(columns.places, prepend=-1, append=-1))
        first, last = edges[:-1], edges[1:] - 1
        names = [tags.get(place, "") for place in columns.places[first].tolist()]
        return VisitLog.along(
            zip(names, columns.times[first].tolist(), columns.times[last].tolist(), strict=True), self._at
        )

    def viewed(self, box: Box, before: float) -> bool:
        """Whether the place of a box was in plain view before a time; a hand's width aside it was so, too."""
        x, y, z = box.center
        about = Box((round(x, 1), round(y, 1), round(z, 1)), box.size)
        return self.kept(
            ("viewed", about, before),
            lambda: views.viewed(self._history, about, before, self._last_frame, self.known_at),
        )

    # ------------------------------------------------------------------ objects
    def objects(self) -> RememberedObjects:
        return self.kept("objects", self._read_objects)

    def _read_objects(self) -> RememberedObjects:
        numbers, table = self._history.objects(self._at, self.known_at)
        # The wearer's pose says where what they hold is.
        pose = self.pose if self._last_frame >= 0 and (table["held"] & 1).any() else np.eye(4)
        return RememberedObjects(numbers, table, self._at, pose, self._history.decoder)

    def object(self, object_id: int) -> RememberedObject | None:
        """One object by its number."""
        return self.objects().one(object_id)

    def near(self, point: Sequence[float], radius: float, least_m3: float = 0.0) -> list[RememberedObject]:
        """Objects whose centre is believed to lie within a distance over the ground, nearest first; those
        that are smaller than a volume are left out."""
        return self.objects().near(float(point[0]), float(point[1]), radius, least_m3)

    def seen_in(self, frames: Sequence[int]) -> tuple[RememberedObject, ...]:
        """The objects that some frames may show, by id."""
        filed = {number for frame in frames for number in self._history.filed_in(frame)}
        heirs = {heir for number in filed for heir in self._history.heirs(number, self.known_at)}
        found = (self.object(number) for number in sorted(heirs))
        return tuple(view for view in found if view is not None)

    def keyframes(self, object_id: int, most: int = 5) -> tuple[int, ...]:
        """The frames that show an object best, best first; none from after the state's time."""
        found: list[tuple[float, int]] = []
        for number, start, stop in self._history.sources(object_id, self.known_at):
            first, last = self._history.frames.within(start, stop, self._last_frame)
            rows = self._history.keyframes(number, first, last, self.known_at, most)
            found += [(-quality, frame) for frame, quality in rows]
        return tuple(frame for _, frame in sorted(found)[:most])

    # ------------------------------------------------------------------ sightings
    @property
    def last_seen(self) -> Seen:
        """The last sighting of each object, in the order of `objects`."""
        return self.kept("last seen", self._read_last_seen)

    def _read_last_seen(self) -> Seen:
        return self._history.last_seen(self.objects().numbers, self._last_frame, self.known_at)

    def sightings(self, object_id: int) -> Sightings:
        if object_id not in self._seen:
            read = partial(_seen_until, self._history, object_id, self.known_at, self._last_frame)
            self._seen[object_id] = Sightings(self._last_of(object_id), read)
        return self._seen[object_id]

    def _last_of(self, object_id: int) -> Sighting | None:
        rows = self.objects().rows_of([object_id])
        if rows:
            seen, k = self.last_seen, rows[0]
        else:  # an object that is no longer one
            seen = _seen_until(self._history, object_id, self.known_at, self._last_frame)
            k = len(seen.frames) - 1
        if k < 0 or seen.frames[k] < 0:
            return None
        return Sighting(int(seen.frames[k]), float(seen.times[k]), 1.0 if seen.clear[k] else GLIMPSE)

    def in_view(self, object_id: int) -> bool:
        """Whether the object was seen in the frame at the state's time: seeing, not remembering."""
        last = self.sightings(object_id).last
        return last is not None and last.frame == self._last_frame

    @property
    def observed(self) -> Observed:
        """The single observations behind the objects."""
        return self.kept("observed", lambda: Observed(self._history, self._last_frame, self.known_at))

    # ------------------------------------------------------------------ the past
    def _history_of(self, object_id: int) -> StayHistory:
        if object_id not in self._stays:
            self._stays |= self._history.stays([object_id], self.known_at)
        return self._stays[object_id]

    def where(self, object_id: int, time: float) -> Box | None:
        if time >= self._at:
            view = self.object(object_id)
            return None if view is None or view.remains < LIKELY else view.box
        return self._history_of(object_id).where(time, lambda: self._path.pose_at(time))

    def settled_since(self, object_id: int, time: float) -> float:
        return self._history_of(object_id).settled_since(time) if time < self._at else time

    def stays(self, object_id: int) -> Sequence[Stay]:
        """Where an object has been, one stay after the other."""
        return self._history_of(object_id).stays(self._at)

    def moved_since(self, time: float) -> Sequence[int]:
        numbers = self._history.moved_since(time, self._at, self.known_at)
        self._stays |= self._history.stays([n for n in numbers if n not in self._stays], self.known_at)
        return numbers

    def as_of(self, time: float) -> "MemoryState":
        return self._state(min(time, self._at), min(time, self.known_at))

    def back_at(self, time: float) -> "MemoryState":
        """What was so at an earlier time, by what is known now."""
        return self._state(min(time, self._at), self.known_at)

    def _state(self, at: float, known: float) -> "MemoryState":
        if (at, known) not in self._states:
            self._states[at, known] = MemoryState(self._history, at, known)
        return self._states[at, known]

    def worlds(self) -> "BelievedWorlds":
        """The table of possible worlds."""
        from situ.memory.reading.worlds import BelievedWorlds  # which reads states

        table: BelievedWorlds = self.kept("worlds", lambda: BelievedWorlds(self))
        return table.of_state(self)

    # ------------------------------------------------------------------ pictures
    def thumbnail(self, frame: int) -> bytes | None:
        return self._history.thumbnail(frame) if frame <= self._last_frame else None

    def pictured(self, first: int, most: int) -> list[int]:
        """The frames from one on that have a picture; some of them where there are more than `most`."""
        return views.pictured(self._history, first, self._last_frame, most)

    def pictured_beside(self, frames: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        """Each frame with the nearest ones that have a picture: not after it, and not before it."""
        return views.pictured_beside(self._history, frames, self._last_frame)


def _seen_until(history: History, object_id: int, known: float, last_frame: int) -> Seen:
    """The sightings of an object up to a frame. Not of a state: what it keeps must not hold it."""
    return history.seen(object_id, known).until(last_frame)
