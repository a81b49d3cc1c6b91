"""Everything that the memory holds in working memory, and the few ways in which an object comes and goes."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.memory.options import MemoryOptions
from situ.memory.options.looks import PAST_VIEWS
from situ.memory.options.poses import DEPTH_ERROR
from situ.memory.tables.motion import AGENT, Motion, count_move
from situ.memory.tables.pending_rows import AS_ATTRIBUTE, AS_LABEL, Journal, segment_id
from situ.memory.tables.rates import Rates, fresh_rates, p_first_sighting, p_real
from situ.memory.tables.replaced import Replaced
from situ.memory.tables.row_types import OBSERVED, VERSION
from situ.memory.tables.tracks import APPEARED, Tracks
from situ.memory.tables.vocabulary import Words
from situ.memory.tracker.belief import dominant
from situ.memory.tracker.births import begin
from situ.memory.tracker.past_views import Views, lens_of
from situ.memory.tracker.places import Places
from situ.memory.tracker.pose_correction import Drift
from situ.memory.tracker.recent_view import Window
from situ.memory.tracker.versions import BORN, PLACED, RENAMED, STAYS, out_of_date, put_into_words, to_bodies

_NO_ROWS = np.zeros(0, np.int32)


@dataclass
class Mind:
    """The working memory. Its size depends on how many things there are, not on how long they are watched."""

    options: MemoryOptions = field(default_factory=MemoryOptions)
    tracks: Tracks = field(default_factory=Tracks)
    words: Words = field(default_factory=Words)
    views: Views = field(default_factory=Views)
    journal: Journal = field(default_factory=Journal)
    frames: int = 0
    next_id: int = 1
    time: float = -math.inf
    known: float = -math.inf
    pose: Matrix | None = None  # the last one, as given
    by_label: dict[int, set[int]] = field(default_factory=dict)
    seen_together: dict[int, set[int]] = field(default_factory=dict)  # surely different things
    within_reach: dict[int, float] = field(default_factory=dict)  # object id -> when it was last that near
    odd_since: dict[int, float] = field(default_factory=dict)  # last seen so before it was called otherwise
    replaced: list[Replaced] = field(default_factory=list)  # of late, see renaming.py
    holding: set[int] = field(default_factory=set)
    doubled: set[int] = field(default_factory=set)  # labels of which things were reported twice in a frame
    contents: dict[int, int] = field(default_factory=dict)  # what lies in a thing, and in which
    window: Window = field(default_factory=Window)  # what was seen of late
    agents: set[int] = field(default_factory=set)  # objects that walk about on their own
    cameras: list[Camera] = field(default_factory=list)
    told: dict[int, bytes] = field(default_factory=dict)  # the last version of each object
    embeddings: dict[int, NDArray[np.float32]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rates: Rates = fresh_rates(self.options.portable_stay_s)
        self.motion = Motion(self.options)
        self.drift = Drift(self.options)
        self.places = Places(self.options.place_radius_m)
        self._missed = np.empty(0, np.int32)
        self._camera: Camera | None = None
        self._camera_number = 0
        self._lens = np.zeros(0)
        self.pair_scratch = np.empty((256, 2), np.int64)
        o = self.options
        self.limits = np.array(
            [o.gate, o.model_sigma_m, o.model_size_share, o.held_sigma_m, o.track_gap_s, o.track_speed_mps,
             o.agent_speed_mps, o.look_range_m, o.border_share, o.reach_m]
        )  # fmt: skip
        self._pairs, self._costs = np.empty((1024, 3), np.int32), np.empty(1024)

    @property
    def rows(self) -> NDArray[np.void]:
        return self.tracks.rows

    def scratch(self) -> NDArray[np.int32]:
        """Room for one number for each row."""
        if len(self._missed) != len(self.rows):
            self._missed = np.empty(len(self.rows), np.int32)
        return self._missed

    def candidates(self, room: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Tables for at least so many pairs of an observation and a row, and what each costs."""
        if room > len(self._costs):
            self._pairs, self._costs = np.empty((2 * room, 3), np.int32), np.empty(2 * room)
        return self._pairs, self._costs

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

    def first_sighting(self, observed: NDArray[np.void], which: int, frame: int, time: float) -> int:
        """A new object from an observation that matches nothing; its row."""
        number = self.next_id
        self.next_id += 1
        slot = self.tracks.add(number)
        doubt = self._doubt_of_appearance(observed[which], time)
        chance = p_real(p_first_sighting(self.rates, float(observed[which]["score"])), doubt)
        begin(self.rows, slot, observed, which, chance, frame, time, self.motion.table)
        self.rows[slot]["doubt"] = doubt
        self.rows[slot]["appeared"] = APPEARED if doubt > 1.0 else 0
        self.tracks.place(slot)
        self.note_motion(slot)
        self.by_label.setdefault(int(observed[which]["label"]), set()).add(number)
        return slot

    def _doubt_of_appearance(self, seen: np.void, time: float) -> float:
        """By how much likelier a thing is a false detection where there was none before: the less, the longer
        ago that was."""
        if self.motion.table[int(seen["label"])]["kind"] == AGENT:
            return 1.0
        o = self.options
        empty, latest = self.views.emptiness(seen["position"], seen["size"], time, o.look_range_m, self.rates)
        if empty <= PAST_VIEWS.empty_before:
            return 1.0
        return 1.0 + (o.appearance_doubt - 1.0) / (1.0 + (time - latest) / o.appearance_s)

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
        """A thing has left its place, or (minus one) turns out not to have."""
        count_move(self.motion, self.rates, int(self.rows[slot]["filed"]), moves)

    def label_of(self, slot: int) -> int:
        row = self.rows[slot]
        return int(dominant(row["labels"], row["label_weights"]))

    def forget_row(self, slot: int) -> None:
        """Take an object out of mind: it was a false detection, or has become part of another one."""
        row = self.rows[slot]
        number = int(row["id"])
        if row["told_stay"] >= 0:
            self.journal.deaths.append((self.known, number))
            self.told.pop(number, None)
        self.by_label[int(row["filed"])].discard(number)
        self.within_reach.pop(number, None)
        self.odd_since.pop(number, None)
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
        row = self.rows[slot]
        self.journal.closings.append((self.known, segment_id(int(row["id"]), int(row["stay"]))))
        row["segment"] = np.nan
        row["stay"] += 1
        row["stay_since"] = since
        row["unsteady"] = -np.inf
        row["stay_hits"] = row["hits"]
        row["stay_labels"], row["stay_weights"] = 0, 0.0
        row["told_position"] = np.nan  # whatever was said of its place is out of date
        row["told_spread"] = 0.0

    @property
    def depth_error(self) -> float:
        """The share by which depth seems to be off, with the sign of what is too short."""
        rate = self.rates[0]
        share = float(rate["dragged"]) / (float(rate["stepped"]) + DEPTH_ERROR.steps_m2) - self.drift.pull
        return min(max(share / DEPTH_ERROR.shows, -DEPTH_ERROR.most_share), DEPTH_ERROR.most_share)

    def tell(self, slot: int) -> None:
        """Write a version of an object as it stands."""
        self.tell_all(np.array([slot], np.int32))

    def tell_all(self, slots: NDArray[np.int32]) -> None:
        """Write a version of each of some objects."""
        rows, journal, known = self.rows, self.journal, self.known
        versions, notes = np.zeros(len(slots), VERSION), np.empty((len(slots), 3), np.int64)
        put_into_words(
            rows, slots, self.words.key_of, self.motion.table, self.rates, self.depth_error, versions, notes
        )
        numbers, stays = rows["id"][slots].tolist(), rows["stay"][slots].tolist()
        features = versions["features"].tolist()
        for k, body in enumerate(to_bodies(versions)):
            number, stay = numbers[k], stays[k]
            flags, before, label = notes[k].tolist()
            if flags & RENAMED:
                self.by_label[before].discard(number)
                self.by_label.setdefault(label, set()).add(number)
                self.note_motion(int(slots[k]))
            if flags & BORN:
                journal.births.append((number, known))
            if flags & (PLACED | STAYS):
                row = rows[slots[k]]
                since = float(row["stay_since"])
                if flags & PLACED:
                    x, y, _ = row["position"].tolist()
                    journal.segments.append((segment_id(number, stay), x, y, since, number, stay))
                if flags & STAYS:
                    journal.stays.append((number, stay, since, known))
            journal.versions.append((number, stay, known, body))
            journal.called.setdefault((AS_LABEL, label, number), known)
            for feature in features[k]:
                if feature == 0:
                    break
                journal.called.setdefault((AS_ATTRIBUTE, feature, number), known)
            self.told[number] = body

    def tell_changed(self) -> None:
        """Write versions of all that has changed at all, so that who asks now hears what is believed now."""
        slots = self.scratch()
        count = out_of_date(self.rows, slots)
        if count:
            self.tell_all(slots[:count].copy())

    def observed(self, count: int) -> NDArray[np.void]:
        return np.zeros(count, OBSERVED)
