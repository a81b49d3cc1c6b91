"""The pose-consistency gate: when most things that stay put disagree by one rigid motion, the pose jumped.

After a tracking failure or a loop closure the poses given are off from the map by a turn and a shift. Pairs
of observations that lie to each other as two remembered things of their kinds do each propose such a motion
(RANSAC over all pairs); the one that most things agree with is taken, if far fewer agree with the pose given.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.belief import dominant
from situ.memory.motion import AGENT, FIXED
from situ.memory.tracks import SLOTS, Heads, Table, bucket, cell

# One observation of late. `time` is -inf where there is none.
LATELY = np.dtype(
    [("time", "f8"), ("position", "f8", 3), ("sigma", "f8"), ("label", "i4"), ("features", "i4", SLOTS)]
)
MOST_PAIRS = 128
WINDOW_S, WINDOW_SIZE = 6.0, 64
WELL_KNOWN = 3  # sightings
FARTHEST_M = 3.0  # how far a jump may shift what is seen
_WIDEST_RAD = math.radians(60.0)
_LEAST_BASE_M = 0.7  # two things nearer than this tell no turn
_TOLERANCE_M = 0.15
_LEAST_WEIGHT, _LEAST_LEAD = 4.0, 3.0  # fixed things weigh two, portable ones one
_LEAST_SHARE = 0.6  # of what could agree


class Window:
    """What was seen in the last seconds, in a ring; and since when there have been strays."""

    def __init__(self) -> None:
        self.seen: NDArray[np.void] = np.zeros(WINDOW_SIZE, LATELY)
        self.since = np.zeros(3)  # the first stray, the last one, and the next place in the ring
        self.clear()

    def clear(self) -> None:
        self.seen["time"] = -np.inf
        self.since[:] = (np.inf, -np.inf, 0.0)


@njit(cache=True)
def note_strays(
    window: NDArray[np.void],
    since: NDArray[np.float64],
    rows: Table,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    time: float,
) -> bool:
    """Take a frame into the window; whether something in it matches nothing well known."""
    stray = False
    for i in range(observed.shape[0]):
        stray |= chosen[i] < 0 or rows[chosen[i]].hits < WELL_KNOWN
        seen, at = observed[i], int(since[2])
        entry = window[at]
        entry.time, entry.label = time, seen.label
        entry.sigma = math.sqrt(max(seen.covariance[0], seen.covariance[3]))
        for k in range(3):
            entry.position[k] = seen.position[k]
        for k in range(SLOTS):
            entry.features[k] = seen.features[k]
        since[2] = (at + 1) % window.shape[0]
    if stray:
        if time - since[1] > WINDOW_S:
            since[0] = time
        since[1] = time
    return stray


@njit(cache=True)
def wide_frame(window: NDArray[np.void], since: float, time: float) -> NDArray[np.void]:
    """What is seen now, and of each other kind what was seen last since the first stray."""
    kept = np.zeros(window.shape[0], np.bool_)
    for i in range(window.shape[0]):
        seen = window[i]
        kept[i] = seen.time >= since and time - seen.time <= WINDOW_S
        for j in range(window.shape[0]):
            if kept[i] and window[j].time > seen.time and window[j].label == seen.label:
                same = True
                for k in range(SLOTS):
                    same &= window[j].features[k] == seen.features[k]
                if same:
                    kept[i] = False
    return window[kept]


@njit(cache=True)
def jump(
    rows: Table,
    heads: Heads,
    observed: NDArray[np.void],
    position: NDArray[np.float64],
    key_of: NDArray[np.int32],
) -> NDArray[np.float64]:
    """Shift and yaw about the camera (x, y, z, yaw) that explain a frame; NaN if the pose as given does."""
    pairs = np.empty((MOST_PAIRS, 2), np.int32)
    count = _likely_pairs(rows, heads, observed, key_of, pairs)
    none = np.full(4, np.nan)
    if count < 2:
        return none
    could = _weight_of_all(rows, pairs[:count])
    as_given = _agreement(rows, observed, pairs[:count], position, np.zeros(4))
    if as_given > (1.0 - _LEAST_SHARE) * could:
        return none
    best, most = none, 0.0
    for p in range(count):
        for q in range(p + 1, count):
            if pairs[p, 0] == pairs[q, 0] or pairs[p, 1] == pairs[q, 1]:
                continue
            motion = _motion(rows, observed, pairs[p], pairs[q], position)
            if not math.isnan(motion[0]):
                weight = _agreement(rows, observed, pairs[:count], position, motion)
                if weight > most:
                    best, most = motion, weight
    if most >= _LEAST_WEIGHT and most >= as_given + _LEAST_LEAD and most >= _LEAST_SHARE * could:
        return best
    # Few things in view: all of them must agree, and none can have been mistaken for another.
    alone = as_given == 0.0 and most == could and _one_partner_each(pairs[:count])
    return best if alone else none


@njit(cache=True)
def _likely_pairs(rows: Table, heads: Heads, observed, key_of, pairs) -> int:  # type: ignore[no-untyped-def]
    """Observations and well-known things of their kind that a jump could have brought apart."""
    count = 0
    for i in range(observed.shape[0]):
        seen = observed[i]
        x, y = seen.position[0], seen.position[1]
        for cx in range(cell(x - FARTHEST_M), cell(x + FARTHEST_M) + 1):
            for cy in range(cell(y - FARTHEST_M), cell(y + FARTHEST_M) + 1):
                slot = heads[bucket(cx, cy, heads.shape[0])]
                while slot >= 0:
                    row = rows[slot]
                    if row.cell_x == cx and row.cell_y == cy and count < pairs.shape[0]:
                        steady = row.hits >= WELL_KNOWN and row.held == 0 and row.motion != AGENT
                        if steady and row.p_here > 0.6 and _same_kind(row, seen, key_of):
                            pairs[count, 0], pairs[count, 1] = i, slot
                            count += 1
                    slot = row.next
    return count


@njit(cache=True)
def _same_kind(row, seen, key_of) -> bool:  # type: ignore[no-untyped-def]
    if dominant(row.labels, row.label_weights) != seen.label:
        return False
    for k in range(SLOTS):
        feature = seen.features[k]
        if feature == 0:
            break
        mine, other = 0.0, 0.0
        for j in range(SLOTS):
            if row.features[j] == feature:
                mine = row.feature_weights[j]
            elif row.features[j] != 0 and key_of[row.features[j]] == key_of[feature]:
                other += row.feature_weights[j]
        if other > mine:
            return False
    return True


@njit(cache=True)
def _weight(row) -> float:  # type: ignore[no-untyped-def]
    return 2.0 if row.motion == FIXED else 1.0


@njit(cache=True)
def _weight_of_all(rows: Table, pairs: NDArray[np.int32]) -> float:
    """What all observations that have a partner weigh together."""
    total = 0.0
    for k in range(pairs.shape[0]):
        if k == 0 or pairs[k, 0] != pairs[k - 1, 0]:
            total += _weight(rows[pairs[k, 1]])
    return total


@njit(cache=True)
def _one_partner_each(pairs: NDArray[np.int32]) -> bool:
    for k in range(pairs.shape[0]):
        for j in range(k):
            if pairs[k, 0] == pairs[j, 0] or pairs[k, 1] == pairs[j, 1]:
                return False
    return True


@njit(cache=True)
def _motion(rows: Table, observed, one, two, position) -> NDArray[np.float64]:  # type: ignore[no-untyped-def]
    """The turn and shift that bring two observations to two things, NaN if none does."""
    motion = np.full(4, np.nan)
    a, b = observed[one[0]].position, observed[two[0]].position
    to_a, to_b = rows[one[1]].position, rows[two[1]].position
    dx, dy, to_dx, to_dy = b[0] - a[0], b[1] - a[1], to_b[0] - to_a[0], to_b[1] - to_a[1]
    length, to_length = math.hypot(dx, dy), math.hypot(to_dx, to_dy)
    loose = _loose(observed[one[0]]) + _loose(observed[two[0]])
    if min(length, to_length) < _LEAST_BASE_M or abs(length - to_length) > loose:
        return motion
    if abs((b[2] - a[2]) - (to_b[2] - to_a[2])) > loose:
        return motion
    yaw = math.atan2(to_dy, to_dx) - math.atan2(dy, dx)
    yaw = math.atan2(math.sin(yaw), math.cos(yaw))
    if abs(yaw) > _WIDEST_RAD:
        return motion
    c, s = math.cos(yaw), math.sin(yaw)
    mid_x, mid_y = (a[0] + b[0]) / 2 - position[0], (a[1] + b[1]) / 2 - position[1]
    x = (to_a[0] + to_b[0]) / 2 - position[0] - (c * mid_x - s * mid_y)
    y = (to_a[1] + to_b[1]) / 2 - position[1] - (s * mid_x + c * mid_y)
    if math.hypot(x, y) > FARTHEST_M:
        return motion
    motion[0], motion[1], motion[3] = x, y, yaw
    motion[2] = (to_a[2] + to_b[2] - a[2] - b[2]) / 2
    return motion


@njit(cache=True)
def _loose(seen) -> float:  # type: ignore[no-untyped-def]
    """How far an observation may lie from its thing."""
    allowed: float = _TOLERANCE_M + 2.0 * seen.sigma
    return allowed


@njit(cache=True)
def _agreement(rows: Table, observed, pairs, position, motion) -> float:  # type: ignore[no-untyped-def]
    """What the observations weigh that a motion brings to a thing of their kind."""
    c, s = math.cos(motion[3]), math.sin(motion[3])
    total, counted = 0.0, -1
    for k in range(pairs.shape[0]):
        if pairs[k, 0] == counted:
            continue
        seen, row = observed[pairs[k, 0]], rows[pairs[k, 1]]
        x, y = seen.position[0] - position[0], seen.position[1] - position[1]
        gap_x = c * x - s * y + position[0] + motion[0] - row.position[0]
        gap_y = s * x + c * y + position[1] + motion[1] - row.position[1]
        if math.hypot(gap_x, gap_y) <= _loose(seen):
            total += _weight(row)
            counted = pairs[k, 0]
    return total
