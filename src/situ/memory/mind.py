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
from situ.memory.journal import SEGMENT_M, Journal, segment_id
from situ.memory.options import MemoryOptions
from situ.memory.places import Places
from situ.memory.publish import note_told, version_of
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
    cameras: list[Camera] = field(default_factory=list)
    embeddings: dict[int, NDArray[np.float32]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.drift = Drift(self.options)
        self.places = Places(self.options.place_radius_m)

    @property
    def rows(self) -> NDArray[np.void]:
        return self.tracks.rows

    def first_sighting(self, seen: np.void, frame: int, time: float, object_id: int | None = None) -> int:
        """A new object from an observation that matches nothing; its row."""
        number = self.next_id if object_id is None else object_id
        self.next_id = max(self.next_id, number + 1)
        slot = self.tracks.add(number)
        row = self.rows[slot]
        row["position"], row["covariance"] = seen["position"], seen["covariance"] * _FIRST_VARIANCE
        row["size"], row["offset"] = seen["size"], seen["offset"]
        row["size_weight"] = 1.0 if seen["size"].any() else 0.0
        row["p_here"] = p_first_sighting(self.rates)
        row["p_false"] = 1.0 - row["p_here"]
        row["hits"] = 1
        row["first_seen"] = row["last_seen"] = row["last_look"] = row["stay_since"] = time
        row["last_frame"] = frame
        row["absent_since"] = row["key_time"] = np.nan
        row["track_id"] = seen["track_id"]
        add_vote(row["labels"], row["label_weights"], int(seen["label"]), float(seen["score"]))
        for feature in seen["features"].tolist():
            if feature:
                add_vote(row["features"], row["feature_weights"], feature, float(seen["score"]))
        self.tracks.place(slot)
        self.by_label.setdefault(int(seen["label"]), set()).add(number)
        return slot

    def label_of(self, slot: int) -> int:
        row = self.rows[slot]
        return int(dominant(row["labels"], row["label_weights"]))

    def relabel(self, slot: int, old: int) -> None:
        """File an object under its leading label after a vote changed it."""
        number, new = int(self.rows[slot]["id"]), self.label_of(slot)
        self.by_label[old].discard(number)
        self.by_label.setdefault(new, set()).add(number)

    def forget_row(self, slot: int) -> None:
        """Take an object out of mind: it was a false detection, or has become part of another one."""
        row = self.rows[slot]
        number = int(row["id"])
        if row["told"]:
            self.journal.deaths.append((self.known, number))
        for label in set(row["labels"].tolist()):
            self.by_label.get(label, set()).discard(number)
        self.within_reach.pop(number, None)
        self.embeddings.pop(number, None)
        self.tracks.drop(slot)

    def new_stay(self, slot: int, since: float) -> None:
        """The object is somewhere else from a time on."""
        row = self.rows[slot]
        self.journal.closings.append((self.known, segment_id(int(row["id"]), int(row["stay"]))))
        row["segment"] = np.nan
        row["stay"] += 1
        row["stay_since"] = since
        row["told_position"] = np.nan  # whatever was said of its place is out of date
        row["told_spread"] = 0.0

    def tell(self, slot: int) -> None:
        """Write a version of an object as it stands."""
        row = self.rows[slot]
        number, stay, since = int(row["id"]), int(row["stay"]), float(row["stay_since"])
        if not row["told"]:
            self.journal.births.append((number, self.known))
            row["segment"] = np.nan
        note_told(row)
        x, y = float(row["position"][0]), float(row["position"][1])
        if not row["held"] and not abs(row["segment"] - (x, y)).max() <= SEGMENT_M / 2:
            row["segment"] = x, y
            self.journal.segments.append((segment_id(number, stay), x, y, since, number, stay))
        self.journal.stays.append((number, stay, since, self.known))
        body = version_of(row, self.words.key_of, hazard(self.rates))
        self.journal.versions.append((number, stay, self.known, body))

    def observed(self, count: int) -> NDArray[np.void]:
        return np.zeros(count, OBSERVED)
