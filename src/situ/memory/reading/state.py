"""The memory as a spatial state: what is believed as of two times, and samples of it."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.path_doubt import PathSamples
from situ.geometry.pose import Matrix
from situ.memory.file.tombstones import Tombstones
from situ.memory.file.wall_clock import WallClock
from situ.memory.reading import diary, pictures
from situ.memory.reading.all_sightings import AllSightings
from situ.memory.reading.carried_looks import CarriedLooks
from situ.memory.reading.history import History
from situ.memory.reading.lazy_path import WalkedPath
from situ.memory.reading.observed import Observed
from situ.memory.reading.past_looks import viewed
from situ.memory.reading.place_book import Place
from situ.memory.reading.place_lookup import Anchors
from situ.memory.reading.remembered_candidates import RememberedCandidate
from situ.memory.reading.remembered_objects import RememberedObjects
from situ.memory.reading.sightings import Sightings
from situ.memory.reading.version_records import RememberedObject, Timeline
from situ.memory.reading.versions_at import AtHand, InFile, Told
from situ.state.candidates import Searchable
from situ.state.diary import Carried, Stay
from situ.state.protocol import LIKELY, Candidate, Phrase
from situ.state.shared_past import SharedPast
from situ.state.sightings import Recalled
from situ.state.stay_log import StayLog
from situ.state.visit_log import VisitLog

if TYPE_CHECKING:
    from situ.memory.reading.worlds import BelievedWorlds

PATH_SAMPLES = 64  # as many as there are samples of things, so that both are drawn together
_MOST_TABLES = 16  # of names that were asked for at one moment
_Key = tuple[str | None, tuple[tuple[str, str], ...]]


class MemoryState(Searchable):
    """What the memory held to be so at event time `now`, as known at `known_at`."""

    strict: ClassVar[bool] = False

    def __init__(self, history: History, at: float, known_at: float, told: Told | None = None) -> None:
        """`told` spares the lookup of what was last said of each object, where that is at hand."""
        self._history = history
        self._at = at
        self.known_at = known_at
        self._last_frame = history.last_frame(at, known_at)
        self._path = WalkedPath(history, self._last_frame, known_at)
        self._versions = InFile(history, at, known_at)
        if told is not None:
            self._versions = AtHand(history, at, known_at, told)
        self._objects: RememberedObjects | None = None
        self._candidates: dict[_Key, tuple[Candidate, ...]] = {}
        self._seen = AllSightings(history, known_at, self._last_frame)
        self._stays: dict[int, Sequence[Stay]] = {}
        self._moved: frozenset[int] = frozenset()
        self._timelines: dict[int, Timeline] = {}
        self._carried: dict[int, CarriedLooks] = {}
        self._boxes: dict[tuple[int, float], Box | None] = {}
        self._viewed: dict[tuple[Box, float], bool] = {}
        self._nodes: tuple[Place, ...] | None = None
        self._anchors: Anchors | None = None
        self._earlier: dict[float, MemoryState] = {}
        self._back: dict[float, MemoryState] = {}
        self._worlds: dict[tuple[str, ...] | None, BelievedWorlds] = {}

    @property
    def now(self) -> float:
        return self._at

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
        """Whether none of the eyes that watched could name anything."""
        return bool(self._history.facts().get("names", "unsaid") == "")

    @property
    def known_names(self) -> frozenset[str]:
        """All names that the eyes which watched can tell; none where they may tell any."""
        return frozenset(json.loads(self._history.facts().get("known_names", "[]")))

    @property
    def unplaced(self) -> dict[str, tuple[int, float, float]]:
        """What was seen by now but has no place: by name how often, when last, and where from there."""
        told = json.loads(self._history.facts().get("unplaced", "{}"))
        return {label: tuple(seen) for label, seen in told.items() if seen[1] <= self._at}

    @cached_property
    def path_samples(self) -> PathSamples | None:
        """Ways in which the path may be off; None where the poses are believed."""
        doubt = self._history.path_doubt()
        if doubt is None:
            return None
        latest = self._at >= self._history.end
        known = doubt if latest else doubt.until(self._at, self.known_at)
        return None if known.none else known.samples(PATH_SAMPLES)

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

    def objects(self) -> RememberedObjects:
        if self._objects is None:
            # Asked for where something is held; the state itself must not be held by what it holds, or its
            # snapshot of the file would outlive it.
            pose = partial(_pose_at, self._path, self._at)
            self._objects = RememberedObjects(
                self._versions, self._at, pose, self._history.decoder, self._history.whole
            )
        return self._objects

    def object(self, object_id: int) -> RememberedObject | None:
        """One object, at the cost of one lookup."""
        return self.objects().one(object_id)

    def near(
        self, point: Sequence[float], radius: float, least_m3: float = 0.0, reach_m: float = math.inf
    ) -> Sequence[RememberedObject]:
        """Objects whose centre is believed to lie within a distance over the ground, nearest first; those
        that are smaller than a volume, or have no part within reach, may be left out."""
        return self.objects().near(float(point[0]), float(point[1]), radius, least_m3, reach_m)

    def candidates(self, which: Phrase) -> tuple[Candidate, ...]:
        key = (which.category, which.attributes)
        if key not in self._candidates:
            views = self.objects().matching(which)
            self._candidates[key] = tuple(self.candidate(view, which) for view in views)
        return self._candidates[key]

    def candidates_near(self, which: Phrase, point: Sequence[float], radius: float) -> tuple[Candidate, ...]:
        """Those within a distance over the ground of a point, nearest first."""
        return tuple(self.candidate(v, which) for v in self.near(point, radius) if which.matches(v))

    def recalled(self, since: float) -> list[Recalled]:
        things = self.objects().real()
        numbers = [thing[0] for thing in things]
        frames, times = self._seen.lasts(numbers)
        order = np.lexsort((np.array(numbers), -times))
        late = order[(times[order] >= since) & (frames[order] >= 0)].tolist()
        last = frames.tolist()
        return [Recalled(last[k], *things[k]) for k in late]

    def candidate(self, view: RememberedObject, which: Phrase) -> Candidate:
        """An object as a candidate of a phrase."""
        self._seen.ends.expect(view.id)
        thing: RememberedCandidate = object.__new__(RememberedCandidate)  # as in `version_records`
        thing.__dict__.update(
            id=view.id, view=view, real=view.presence, kind=view.called(which.category), there=view.here,
            remains=view.remains, all_seen=self._seen,
        )  # fmt: skip
        return thing

    def sightings(self, object_id: int) -> Sightings:
        return self._seen.of(object_id)

    def seen_in(self, frames: Sequence[int]) -> tuple[RememberedObject, ...]:
        """The objects that some frames may show, by id."""
        filed = {number for frame in frames for number in self._history.filed_in(frame)}
        heirs = {heir for number in filed for heir in self._history.heirs(number, self.known_at)}
        self.objects().expect(heirs)
        found = (self.object(number) for number in sorted(heirs))
        return tuple(view for view in found if view is not None)

    def where(self, object_id: int, time: float) -> Box | None:
        at = min(time, self._at)
        if at == self._at:
            view = self.object(object_id)
            return None if view is None or view.remains < LIKELY else view.box
        key = (object_id, at)
        if key not in self._boxes:  # samples of belief ask again and again
            self._boxes[key] = self._timeline(object_id).where(at, partial(_pose_at, self._path, at))
        return self._boxes[key]

    def settled_since(self, object_id: int, time: float) -> float:
        return self._timeline(object_id).settled_since(time) if time < self._at else time

    def carried_since(self, object_id: int, time: float) -> float:
        return self._timeline(object_id).carried_since(time) if time < self._at else time

    def carried_back(self, object_id: int, time: float) -> Iterator[Carried]:
        if object_id not in self._carried:
            seen, timeline = self.sightings(object_id), self._timeline(object_id)
            self._carried[object_id] = CarriedLooks(seen, timeline, self._path)
        return self._carried[object_id].back_from(time)

    def shared_past(self, object_id: int) -> SharedPast | None:
        # Who asks goes through the week of a thing: that takes longer than to look up all objects.
        stays = None if self._history.stay_book_for(1.0) is None else self.stays(object_id)
        if not isinstance(stays, StayLog) or not stays.number:
            return None
        until = min(self._timeline(object_id).settled_until(stays.number), self._path.settled_until)
        return SharedPast(stays.settled, until, self._history.filed_spans(object_id, self.known_at)[:, :4])

    def viewed(self, box: Box, before: float) -> bool:
        # What is in plain view is so a hand's width aside, too: samples of a belief ask about such places.
        x, y, z = box.center
        about = Box((round(x, 1), round(y, 1), round(z, 1)), box.size)
        key = (about, before)
        if key not in self._viewed:  # as above
            self._viewed[key] = viewed(self._history, about, before, self._last_frame, self.known_at)
        return self._viewed[key]

    def _timeline(self, object_id: int) -> Timeline:
        timeline = self._timelines.get(object_id)
        if timeline is None:
            timeline = Timeline(*self._history.stays(object_id, self.known_at))
            self._timelines[object_id] = timeline
        return timeline

    def as_of(self, time: float) -> "MemoryState":
        if time not in self._earlier:
            self._earlier[time] = MemoryState(self._history, min(time, self._at), min(time, self.known_at))
        return self._earlier[time]

    def back_at(self, time: float) -> "MemoryState":
        """What was so at an earlier time, by what is known now."""
        if time not in self._back:
            self._back[time] = MemoryState(self._history, min(time, self._at), self.known_at)
        return self._back[time]

    @property
    def all_sightings(self) -> AllSightings:
        return self._seen

    def worlds(self, kinds: Iterable[str] | None = None) -> "BelievedWorlds":
        """The table of possible worlds of the objects that may bear one of some names, or of all."""
        from situ.memory.reading.worlds import BelievedWorlds  # which reads states

        key = None if kinds is None else tuple(sorted(kinds))
        if None in self._worlds:
            key = None
        if key not in self._worlds:
            if len(self._worlds) >= _MOST_TABLES:
                self._worlds.clear()
            self._worlds[key] = BelievedWorlds(self, key)
        return self._worlds[key]

    @cached_property
    def observed(self) -> Observed:
        """The single observations behind the objects."""
        return Observed(self._history, self._last_frame, self.known_at)

    def keyframes(self, object_id: int, most: int = 5) -> tuple[int, ...]:
        """The frames that show an object best, best first; none from after the state's time."""
        found: list[tuple[float, int]] = []
        for number, start, stop in self._history.sources(object_id, self.known_at):
            first, last = self._history.frames_between(start, stop, self._last_frame)
            rows = self._history.keyframes(number, first, last, self.known_at, most)
            found += [(-quality, frame) for frame, quality in rows]
        return tuple(frame for _, frame in sorted(found)[:most])

    def thumbnail(self, frame: int) -> bytes | None:
        return self._history.thumbnail(frame) if frame <= self._last_frame else None

    def pictured(self, first: int, most: int) -> list[int]:
        """The frames from one on that have a picture; some of them where there are more than `most`."""
        return pictures.pictured(self._history, first, self._last_frame, most)

    def pictured_beside(self, frames: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        """Each frame with the nearest ones that have a picture: not after it, and not before it."""
        return pictures.pictured_beside(self._history, frames, self._last_frame)

    def places(self) -> tuple[Place, ...]:
        """Place nodes as they stood."""
        if self._nodes is None:
            self._nodes = self._history.places(min(self._at, self.known_at))
        return self._nodes

    def place_now(self) -> str | None:
        """The tag under which the wearer is, if the last frame had one."""
        number = self._history.place_of(self._last_frame)
        return next((place.tag for place in self.places() if place.id == number), None)

    def stays(self, object_id: int) -> Sequence[Stay]:
        """Where an object has been, one stay after the other."""
        if object_id not in self._stays:
            # Who asks for one of those that were moved asks for all of them.
            asked = self._moved - self._stays.keys() if object_id in self._moved else (object_id,)
            self._stays.update(diary.stays(self._history, sorted(asked), self._at, self.known_at))
        return self._stays[object_id]

    def moved_since(self, time: float) -> Sequence[int]:
        numbers = diary.moved_since(self._history, time, self._at, self.known_at)
        self._moved = frozenset(numbers)
        self._seen.ends.expect_all(numbers)
        self.objects().expect(numbers)
        return numbers

    def place_anchors(self) -> Anchors | None:
        """Spots of which it is known in which place they are; None where the memory is too long to read."""
        if self._anchors is None:
            views = self.objects()
            self._anchors = Anchors(self._history, self._last_frame, self._at, self.known_at, views)
        return self._anchors or None

    def visits(self) -> VisitLog:
        """The named places that the wearer was in, in order."""
        tags = {place.id: place.tag for place in self.places()}
        return diary.visits(self._history, self._last_frame, self._at, tags)

    def in_view(self, object_id: int) -> bool:
        """Whether the object was seen in the frame at the state's time: seeing, not remembering."""
        last = next(reversed(self.sightings(object_id)), None)
        return last is not None and last.frame == self._last_frame


def _pose_at(path: WalkedPath, at: float) -> Matrix:
    return path.pose_of(path.index_at(at))
