"""Everything that the memory holds in working memory, and the few ways in which an object comes and goes."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.memory.association import OBSERVED
from situ.memory.belief import add_vote, dominant
from situ.memory.drift import Drift
from situ.memory.journal import AS_ATTRIBUTE, AS_LABEL, SEGMENT_M, Journal, segment_id
from situ.memory.keyframes import view_quality
from situ.memory.options import MemoryOptions
from situ.memory.places import Places
from situ.memory.publish import VERSION, fill_version, note_told, to_body
from situ.memory.rates import Rates, fresh_rates, hazard, p_first_sighting
from situ.memory.tracks import Tracks
from situ.memory.views import Views
from situ.memory.words import Words

# A first sighting is as uncertain as its observation, and half as much again for what is not modelled.
_FIRST_VARIANCE = 1.5


@dataclass
class Mind:
    """The working memory. Its size depends on how many things there are, not on how long they are watched."""

    options: MemoryOptions = field(default_factory=MemoryOptions)
    tracks: Tracks = field(default_factory=Tracks)
    words: Words = field(default_factory=Words)
    rates: Rates = field(default_factory=fresh_rates)
    views: Views = field(default_factory=Views)
    journal: Journal = field(default_factory=Journal)
    frames: int = 0
    next_id: int = 1
    time: float = -math.inf
    known: float = -math.inf
    pose: Matrix | None = None  # the last one, as given
    by_label: dict[int, set[int]] = field(default_factory=dict)
    seen_together: set[tuple[int, int]] = field(default_factory=set)
    within_reach: dict[int, float] = field(default_factory=dict)  # object id -> when it was last that near
    holding: set[int] = field(default_factory=set)
    cameras: list[Camera] = field(default_factory=list)
    told: dict[int, bytes] = field(default_factory=dict)  # the last version of each object
    embeddings: dict[int, NDArray[np.float32]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.drift = Drift(self.options)
        self.places = Places(self.options.place_radius_m)
        self._version = np.zeros(1, VERSION)
        self._missed = np.empty(0, np.int32)
        self.pair_scratch = np.empty((256, 2), np.int64)
        o = self.options
        self.limits = np.array(
            [o.gate, o.model_sigma_m, o.model_size_share, o.held_sigma_m, o.track_gap_s, o.track_speed_mps]
        )

    @property
    def rows(self) -> NDArray[np.void]:
        return self.tracks.rows

    def scratch(self) -> NDArray[np.int32]:
        """Room for one number for each row."""
        if len(self._missed) != len(self.rows):
            self._missed = np.empty(len(self.rows), np.int32)
        return self._missed

    def camera_number(self, camera: Camera | None) -> int:
        """Cameras are numbered from 1 in the order in which they turn up; 0 is none."""
        if camera is None:
            return 0
        if camera not in self.cameras:
            self.cameras.append(camera)
        return self.cameras.index(camera) + 1

    def first_sighting(self, seen: np.void, frame: int, time: float, object_id: int | None = None) -> int:
        """A new object from an observation that matches nothing; its row."""
        number = self.next_id if object_id is None else object_id
        self.next_id = max(self.next_id, number + 1)
        slot = self.tracks.add(number)
        row = self.rows[slot]
        row["position"], row["covariance"] = seen["position"], seen["covariance"] * _FIRST_VARIANCE
        row["size"], row["offset"] = seen["size"], seen["offset"]
        row["size_weight"] = 1.0 if seen["size"].any() else 0.0
        row["p_here"] = row["prior"] = p_first_sighting(self.rates)
        row["p_false"] = row["stay_false"] = 1.0 - row["p_here"]
        row["hits"] = 1
        row["first_seen"] = row["last_seen"] = row["last_look"] = row["stay_since"] = time
        row["last_frame"] = frame
        row["absent_since"], row["key_time"] = np.nan, time
        row["key_quality"][0] = view_quality(float(seen["score"]), float(seen["clarity"]), seen["offset"])
        row["track_id"] = seen["track_id"]
        add_vote(row["labels"], row["label_weights"], int(seen["label"]), float(seen["score"]))
        row["stay_labels"], row["stay_weights"] = row["labels"], row["label_weights"]
        for feature in seen["features"].tolist():
            if feature:
                add_vote(row["features"], row["feature_weights"], feature, float(seen["score"]))
        self.tracks.place(slot)
        row["filed"], row["told_stay"] = seen["label"], -1
        self.by_label.setdefault(int(seen["label"]), set()).add(number)
        return slot

    def label_of(self, slot: int) -> int:
        row = self.rows[slot]
        return int(dominant(row["labels"], row["label_weights"]))

    def file(self, slot: int) -> None:
        """File an object under its leading label, which a vote may have changed."""
        row, label = self.rows[slot], self.label_of(slot)
        if row["filed"] != label:
            self.by_label[int(row["filed"])].discard(int(row["id"]))
            self.by_label.setdefault(label, set()).add(int(row["id"]))
            row["filed"] = label
            row["settled"] = 0  # under another name it may be another thing that has moved here

    def forget_row(self, slot: int) -> None:
        """Take an object out of mind: it was a false detection, or has become part of another one."""
        row = self.rows[slot]
        number = int(row["id"])
        if row["told_stay"] >= 0:
            self.journal.deaths.append((self.known, number))
            self.told.pop(number, None)
        self.by_label[int(row["filed"])].discard(number)
        self.within_reach.pop(number, None)
        self.holding.discard(number)
        self.embeddings.pop(number, None)
        self.tracks.drop(slot)

    def new_stay(self, slot: int, since: float) -> None:
        """The object is somewhere else from a time on."""
        row = self.rows[slot]
        self.journal.closings.append((self.known, segment_id(int(row["id"]), int(row["stay"]))))
        row["segment"] = np.nan
        row["stay"] += 1
        row["stay_since"] = since
        row["stay_hits"] = row["hits"]
        row["stay_labels"], row["stay_weights"] = 0, 0.0
        row["told_position"] = np.nan  # whatever was said of its place is out of date
        row["told_spread"] = 0.0

    def tell(self, slot: int) -> None:
        """Write a version of an object as it stands."""
        row = self.rows[slot]
        number, stay, since = int(row["id"]), int(row["stay"]), float(row["stay_since"])
        self.file(slot)
        if row["told_stay"] < 0:
            self.journal.births.append((number, self.known))
            row["segment"] = np.nan
        note_told(row)
        x, y = float(row["position"][0]), float(row["position"][1])
        if not row["held"] and not abs(row["segment"] - (x, y)).max() <= SEGMENT_M / 2:
            row["segment"] = x, y
            self.journal.segments.append((segment_id(number, stay), x, y, since, number, stay))
        if row["told_stay"] != stay:
            row["told_stay"] = stay
            self.journal.stays.append((number, stay, since, self.known))
        fill_version(self.rows, slot, self.words.key_of, hazard(self.rates), self._version)
        body = to_body(self._version)
        self.journal.versions.append((number, stay, self.known, body))
        self.journal.called.setdefault((AS_LABEL, int(row["filed"]), number), self.known)
        for feature in self._version["features"][0].tolist():
            if feature:
                self.journal.called.setdefault((AS_ATTRIBUTE, feature, number), self.known)
        self.told[number] = body

    def observed(self, count: int) -> NDArray[np.void]:
        return np.zeros(count, OBSERVED)
