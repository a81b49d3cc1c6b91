"""The state of the tracker, and the few ways in which an object comes and goes."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.memory.clock import Clock
from situ.memory.options import Limits, MemoryOptions
from situ.memory.tables.motion import AGENT, Motion, count_move
from situ.memory.tables.pairs import PairSet
from situ.memory.tables.pending_rows import Journal, segment_id
from situ.memory.tables.rates import Rates, fresh_rates
from situ.memory.tables.row_types import RENAMED
from situ.memory.tables.tracks import Tracks, dominant
from situ.memory.tables.vocabulary import Words
from situ.memory.tracker.drift import Drift
from situ.memory.tracker.initialisation import initialise
from situ.memory.tracker.past_views import PastViews, lens_of
from situ.memory.tracker.places import Places
from situ.memory.tracker.publish import out_of_date, write_versions
from situ.memory.tracker.recent_window import ODOMETRY, RecentWindow
from situ.memory.tracker.stays import begin_stay
from situ.memory.tracker.step import CANDIDATE, PAIR, TrackTables
from situ.perception.freespace import METRES_OF_CODE

_NO_ROWS = np.zeros(0, np.int32)


@dataclass
class WorkingMemory:
    """The state of the tracker. Its size depends on how many objects there are, not on how many frames."""

    options: MemoryOptions = field(default_factory=MemoryOptions)
    tracks: Tracks = field(default_factory=Tracks)
    words: Words = field(default_factory=Words)
    views: PastViews = field(default_factory=PastViews)
    journal: Journal = field(default_factory=Journal)
    frames: int = 0
    next_id: int = 1
    time: float = -math.inf
    known: float = -math.inf
    pose: Matrix | None = None  # the last one, as given
    by_label: dict[int, set[int]] = field(default_factory=dict)
    seen_together: dict[int, set[int]] = field(default_factory=dict)  # surely different objects
    within_reach: dict[int, float] = field(default_factory=dict)  # object id -> when it was last that near
    holding: set[int] = field(default_factory=set)
    contents: dict[int, int] = field(default_factory=dict)  # what lies in an object, and in which
    clock: Clock = field(default_factory=Clock)
    window: RecentWindow = field(default_factory=RecentWindow)  # what was seen of late
    agents: set[int] = field(default_factory=set)  # objects that walk about on their own
    cameras: list[Camera] = field(default_factory=list)
    embeddings: dict[int, NDArray[np.float32]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rates: Rates = fresh_rates(self.options.portable_stay_s)
        self.motion = Motion(self.options)
        self.drift = Drift(self.options)
        self.places = Places(self.options.place_radius_m)
        self._missed = np.empty(0, np.int32)
        self._touched = np.empty(0, np.int32)
        self._camera: Camera | None = None
        self._camera_number = 0
        self._lens = np.zeros(0)
        self.noted = PairSet()  # of those in `seen_together`
        self.pairs: NDArray[np.void] = np.empty(256, PAIR)  # scratch
        self.odometry: NDArray[np.void] = np.zeros(1, ODOMETRY)
        self.limits = Limits.of(self.options)
        self._candidates: NDArray[np.void] = np.empty(1024, CANDIDATE)

    @property
    def rows(self) -> NDArray[np.void]:
        return self.tracks.rows

    def scratch(self) -> NDArray[np.int32]:
        """Room for one number for each row."""
        if len(self._missed) != len(self.rows):
            self._missed = np.empty(len(self.rows), np.int32)
        return self._missed

    def touched(self, room: int) -> NDArray[np.int32]:
        """Room for so many rows, and once more."""
        if len(self._touched) < 2 * room:
            self._touched = np.empty(4 * room, np.int32)
        return self._touched

    def candidates(self, room: int) -> NDArray[np.void]:
        """A table for at least so many candidates of association."""
        if room > len(self._candidates):
            self._candidates = np.empty(2 * room, CANDIDATE)
        return self._candidates

    def knows_camera(self, camera: Camera) -> bool:
        """Whether it is the one of the last frame, and so needs no check."""
        return camera is self._camera

    def camera_number(self, camera: Camera | None) -> int:
        """Cameras are numbered from 1 in the order in which they turn up; 0 is none."""
        if camera is None:
            return 0
        if camera is not self._camera:  # mostly it is the last one
            if camera not in self.cameras:
                self.cameras.append(camera)
            self._camera, self._lens = camera, lens_of(camera)
            self._camera_number = self.cameras.index(camera) + 1
        return self._camera_number

    def lens(self, camera: Camera) -> NDArray[np.float64]:
        self.camera_number(camera)
        return self._lens

    @property
    def track_tables(self) -> TrackTables:
        """What is known, as compiled code takes it."""
        tracks = self.tracks
        return TrackTables(
            tracks.rows, tracks.heads, self.words.key_of, self.motion.table, self.rates, self.limits
        )

    def first_sightings(
        self, detections: NDArray[np.void], which: NDArray[np.int32], frame: int
    ) -> list[int]:
        """New objects from observations that match nothing; their rows."""
        labels, first = detections["label"][which].tolist(), self.next_id
        self.next_id += len(labels)
        slots = self.tracks.add(first, len(labels))
        initialise(
            self.track_tables, np.array(slots, np.int32), detections, which, frame, self.time,
            self.views.tables, METRES_OF_CODE,
        )  # fmt: skip
        self.rows["way"][slots] = self.drift.state["way"]
        kinds = self.motion.table["kind"]
        for number, label in enumerate(labels, first):
            if kinds[label] == AGENT:
                self.agents.add(number)
            self.by_label.setdefault(label, set()).add(number)
        return slots

    def note_motion(self, slot: int) -> None:
        """How a row moves goes with the name under which it is filed."""
        row = self.rows[slot]
        row["motion"] = self.motion.table[int(row["filed"])]["kind"]
        if row["motion"] == AGENT:
            self.agents.add(int(row["id"]))
        else:
            self.agents.discard(int(row["id"]))

    def agent_slots(self) -> NDArray[np.int32]:
        if not self.agents:
            return _NO_ROWS
        slot_of = self.tracks.slot_of
        return np.array([slot_of[number] for number in sorted(self.agents)], np.int32)

    def count_move(self, slot: int, moves: float = 1.0) -> None:
        """An object has left its place, or (minus one) turns out not to have."""
        count_move(self.motion, self.rates, int(self.rows[slot]["filed"]), moves)

    def label_of(self, slot: int) -> int:
        row = self.rows[slot]
        return int(dominant(row["labels"], row["label_weights"]))

    def forget_row(self, slot: int) -> None:
        """Take an object out of memory: it was a false detection, or has become part of another one."""
        row = self.rows[slot]
        number = int(row["id"])
        if row["published_stay"] >= 0:
            self.journal.deaths.append((self.known, number))
        self.by_label[int(row["filed"])].discard(number)
        self.within_reach.pop(number, None)
        self.holding.discard(number)
        self.agents.discard(number)
        self.contents.pop(number, None)
        self.embeddings.pop(number, None)
        for other in self.seen_together.pop(number, ()):
            self.seen_together[other].discard(number)
        self.tracks.drop(slot)

    def note_together(self, a: int, b: int) -> bool:
        """Two objects were seen side by side; whether that is news."""
        with_a = self.seen_together.setdefault(a, set())
        if b in with_a:
            return False
        with_a.add(b)
        self.seen_together.setdefault(b, set()).add(a)
        return True

    def new_stay(self, slot: int, since: float) -> None:
        """The object is somewhere else from a time on."""
        number, stay = begin_stay(self.rows, slot, since)
        self.journal.closings.append((self.known, segment_id(number, stay)))

    def publish(self, slot: int) -> None:
        """Write a version of an object as it stands."""
        self.publish_rows(np.array([slot], np.int32))

    def publish_rows(self, slots: NDArray[np.int32]) -> None:
        """Write a version of each of some objects."""
        said = self.journal.version_log
        said.make_room(len(slots))
        versions, notes = said.versions[len(said) :], said.notes[len(said) :]
        renamed = write_versions(self.track_tables, slots, self.known, versions, notes)
        self.note_published(slots, renamed)

    def note_published(self, slots: NDArray[np.int32], renamed: bool) -> None:
        """Versions of some objects have been written; perhaps under other names."""
        notes = self.journal.version_log.add(len(slots))
        if not renamed:
            return
        for slot, note in zip(slots.tolist(), notes, strict=True):
            if note["flags"] & RENAMED:
                number = int(note["number"])
                self.by_label[int(note["before"])].discard(number)
                self.by_label.setdefault(int(note["label"]), set()).add(number)
                self.note_motion(slot)

    def publish_changed(self) -> None:
        """Write versions of all that has changed at all: answers are from versions."""
        slots = self.scratch()
        count = out_of_date(self.rows, slots)
        if count:
            self.publish_rows(slots[:count].copy())
