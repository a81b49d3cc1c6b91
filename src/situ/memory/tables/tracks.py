"""The objects that are in mind now, in one flat table that compiled code can walk."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.tables.rates import RANGES

SLOTS = 8  # label and attribute votes kept for an object
KEYFRAMES = 5  # best frames kept for an object
BEARINGS = 12  # sides from which an object may have been seen
CELL_M = 1.5  # of the grid in which objects are looked up: a gate of association is seldom wider
APPEARED, NOT_APPEARED = 1, 2  # whether its place had been seen empty before; 0: not looked into

# Why an object is one of its own (`origin`): it turned up where the place had been seen empty; its box lay
# inside that of another of its name in the same frame; it was parted from another; just one of its name was
# known about there, and that was not found in this frame.
INTO_EMPTY, INSIDE_ANOTHER, PARTED, STRAY = 1, 2, 4, 8

# One row for each object in mind; id 0 marks a free row. Times are on the recording's clock.
TRACK = np.dtype(
    [
        ("id", "i8"),
        ("stay", "i4"),  # how often it has moved
        ("held", "u1"),
        ("appeared", "u1"),
        ("unverified", "u1"),  # the place it moved from was never seen empty
        ("settled", "u1"),  # where it came from has been decided
        ("gone", "u1"),  # its absence has been noted
        ("held_misses", "u1"),
        ("published", "u1"),  # a version has been published
        ("returned", "u1"),  # it came into view again after the poses may have drifted
        ("motion", "u1"),  # how objects of its kind move, see motion.py
        ("inside", "i8"),  # the object that it lies in and goes with, 0 if none
        ("place_in", "f8", 3),  # and where, from that one's centre
        ("position", "f8", 3),
        ("covariance", "f8", 6),  # xx xy xz yy yz zz
        ("size", "f8", 3),
        ("size_weight", "f8"),
        ("doubt", "f8"),  # how much likelier than usual a first detection of it was to be false
        ("prior", "f8"),  # how likely a first detection was to be real when it was taken in
        ("p_false", "f8"),  # it never was: a false detection
        ("p_here", "f8"),  # it is where it is remembered
        ("p_gone", "f8"),  # it was, but has been moved or removed
        ("stay_false", "f8"),  # like p_false, on the detections since the last move alone
        ("recurs", "f8"),  # if it is a false detection, how likely one that comes again in its place
        ("found", "f8"),  # looks at its place that found it,
        ("looked", "f8"),  # of all up to the last that did,
        ("away", "f8"),  # of these, those while it was elsewhere;
        ("vain", "f8"),  # and negative observations since then
        ("misfit", "f8"),  # squared distance from where it was expected, by what was stated; 1 on average
        ("origin", "u1"),  # why it is a row of its own, see `births`
        ("track_runs", "i4"),  # how often the told number of its track has changed
        ("walked", "i4"),  # steps in a row that it moved on in view
        ("came_from", "i8"),  # the object that it was before the last of them,
        ("step", "f8", 2),  # and that step
        ("hits", "i8"),
        ("stay_hits", "i8"),  # hits before the last move
        ("misses", "i4", RANGES),  # since the last hit, by range
        ("seen_from", "f4", BEARINGS),  # the farthest from which it was seen at its place, by side
        ("found_from", "i4", BEARINGS),  # looks from there that found it, or did not
        ("missed_from", "i4", BEARINGS),
        ("renamed", "i4"),  # detections in a row with another name or attribute, always the same,
        ("renamed_to", "i4"),  # which as a number,
        ("renamed_at", "f8"),  # and when the first of them was
        ("first_seen", "f8"),
        ("last_seen", "f8"),
        ("sure_seen", "f8"),  # last seen under its own name
        ("last_look", "f8"),
        ("last_frame", "i8"),
        ("way", "f8"),  # of the wearer when it was last seen, as the drift of poses counts it
        ("stay_since", "f8"),
        ("absent_since", "f8"),  # NaN while nothing speaks against it
        ("labels", "i4", SLOTS),
        ("label_weights", "f8", SLOTS),
        ("stay_labels", "i4", SLOTS),  # votes since the last move
        ("stay_weights", "f8", SLOTS),
        ("features", "i4", SLOTS),
        ("feature_weights", "f8", SLOTS),
        ("near_label", "i4"),  # what it was called from nearest by,
        ("near_m", "f8"),  # and how near that was
        ("track_id", "i8"),
        ("offset", "f8", 3),  # where it was last seen: ahead, left and up of the wearer
        ("seen_at", "f8", 3),  # where the wearer was when it was seen at its place, on average
        ("steady", "f8", 3),  # its place before a detection that did not fit it,
        ("unsteady", "f8"),  # and when that was
        ("grip", "f8", 3),  # where it usually is to the wearer who carries it, like `offset`
        ("lies_at", "f8", 3),  # where it is if it has left the grip of the wearer who carried it,
        ("lies_since", "f8"),  # and since when; NaN if it has not
        ("previous", "f8", 3),  # the place before the last move
        ("previous_since", "f8"),
        ("segment", "f8", 2),  # centre of the box under which the stay is found in space
        ("cell_x", "i4"),
        ("cell_y", "i4"),
        ("next", "i4"),
        ("key_quality", "f8", KEYFRAMES),
        ("key_time", "f8"),
        ("filed", "i4"),  # the label under which it is looked up
        ("published_stay", "i4"),
        ("published_position", "f8", 3),
        ("published_spread", "f8"),
        ("published_exists", "f8"),
        ("published_here", "f8"),
        ("published_label", "i4"),
        ("published_features", "i8"),
        ("published_seen", "f8"),
        ("published_size", "f8"),
    ]
)
Table = NDArray[np.void]
Heads = NDArray[np.int32]


class Tracks:
    """A growing table of tracks, hashed by the cell of the ground that they stand on."""

    def __init__(self, capacity: int = 64) -> None:
        self.rows: Table = np.zeros(capacity, TRACK)
        self._bytes = _bytes_of(self.rows)
        self.heads: Heads = np.full(_buckets(capacity), -1, np.int32)
        self._free = list(range(capacity - 1, -1, -1))
        self.slot_of: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.slot_of)

    def add(self, first_id: int, count: int = 1) -> list[int]:
        """Cleared rows for new objects, numbered one after the other; the caller sets their positions and
        calls `place`."""
        while len(self._free) < count:
            self._grow()
        slots = [self._free.pop() for _ in range(count)]
        self._bytes[slots] = 0  # a tenth of the time that a row of zeros takes
        for number, slot in enumerate(slots, first_id):
            self.rows[slot]["id"] = number
            self.slot_of[number] = slot
        return slots

    def place(self, slot: int) -> None:
        """File a new row under the cell of its position."""
        insert(self.rows, self.heads, slot)

    def move(self, slot: int) -> None:
        """File a row anew after its position changed."""
        refile(self.rows, self.heads, slot)

    def drop(self, slot: int) -> None:
        remove(self.rows, self.heads, slot)
        del self.slot_of[int(self.rows[slot]["id"])]
        self.rows[slot]["id"] = 0
        # Kept sorted so that a memory that was reopened hands out the same rows as one that never closed.
        self._free.append(slot)
        self._free.sort(reverse=True)

    def restore(self, slot: int, row: np.void) -> None:
        """Put a stored row back where it was."""
        while slot >= len(self.rows):
            self._grow()
        self.rows[slot] = row
        self._free.remove(slot)
        self.slot_of[int(self.rows[slot]["id"])] = slot
        insert(self.rows, self.heads, slot)

    def _grow(self) -> None:
        old = len(self.rows)
        rows = np.zeros(2 * old, TRACK)
        rows[:old] = self.rows
        self.rows, self.heads = rows, np.full(_buckets(2 * old), -1, np.int32)
        self._bytes = _bytes_of(rows)
        self._free = sorted([*self._free, *range(old, 2 * old)], reverse=True)
        for slot in sorted(self.slot_of.values()):
            insert(self.rows, self.heads, slot)


def _bytes_of(rows: Table) -> NDArray[np.uint8]:
    return rows.view(np.uint8).reshape(len(rows), -1)


def _buckets(capacity: int) -> int:
    return 1 << math.ceil(math.log2(4 * capacity))


@njit(cache=True)
def bucket(cell_x: int, cell_y: int, count: int) -> int:
    """Where a cell's list starts; `count` is a power of two."""
    return ((cell_x * 73856093) ^ (cell_y * 19349663)) & (count - 1)


@njit(cache=True)
def cell(value: float) -> int:
    return math.floor(value / CELL_M)


@njit(cache=True)
def insert(rows: Table, heads: Heads, slot: int) -> None:
    row = rows[slot]
    row.cell_x, row.cell_y = cell(row.position[0]), cell(row.position[1])
    at = bucket(row.cell_x, row.cell_y, heads.shape[0])
    row.next = heads[at]
    heads[at] = slot


@njit(cache=True)
def remove(rows: Table, heads: Heads, slot: int) -> None:
    row = rows[slot]
    at = bucket(row.cell_x, row.cell_y, heads.shape[0])
    if heads[at] == slot:
        heads[at] = row.next
        return
    before = heads[at]
    while rows[before].next != slot:
        before = rows[before].next
    rows[before].next = row.next


@njit(cache=True)
def refile(rows: Table, heads: Heads, slot: int) -> None:
    row = rows[slot]
    if row.cell_x != cell(row.position[0]) or row.cell_y != cell(row.position[1]):
        remove(rows, heads, slot)
        insert(rows, heads, slot)


@njit(cache=True)
def add_vote(ids: NDArray[np.int32], weights: NDArray[np.float64], vote: int, weight: float) -> None:
    """Count a vote; when all places are taken the weakest one gives way."""
    weakest = 0
    for k in range(SLOTS):
        if ids[k] == vote:
            weights[k] += weight
            return
        if weights[k] < weights[weakest]:
            weakest = k
    for k in range(SLOTS):
        if ids[k] == 0:
            weakest = k
            break
    ids[weakest] = vote
    weights[weakest] = weight


@njit(cache=True)
def dominant(ids: NDArray[np.int32], weights: NDArray[np.float64]) -> int:
    best = 0
    for k in range(1, SLOTS):
        if weights[k] > weights[best]:
            best = k
    leading: int = ids[best]
    return leading


@njit(cache=True)
def leads(row, k: int, key_of) -> bool:  # type: ignore[no-untyped-def]
    """Whether no other value of the same attribute has more votes."""
    for j in range(SLOTS):
        rival = j != k and row.features[j] != 0 and key_of[row.features[j]] == key_of[row.features[k]]
        if rival and (row.feature_weights[j], -j) > (row.feature_weights[k], -k):
            return False
    return True


@njit(cache=True)
def vote_share(ids: NDArray[np.int32], weights: NDArray[np.float64], wanted: int) -> float:
    total, mine = 0.0, 0.0
    for k in range(SLOTS):
        total += weights[k]
        if ids[k] == wanted:
            mine = weights[k]
    return mine / total if total > 0 else 0.0
