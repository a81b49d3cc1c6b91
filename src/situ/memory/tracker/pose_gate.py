"""The pose-consistency gate: when most things that stay put disagree by one rigid motion, the pose jumped.

After a tracking failure or a loop closure the poses given are off from the map by a turn and a shift. Pairs
of observations that lie to each other as two remembered things of their kinds do each propose such a motion
(RANSAC over all pairs); the one that most things agree with is taken, if far fewer agree with the pose given.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.poses import JUMPS
from situ.memory.options.scales import SCALE
from situ.memory.tables.motion import AGENT, FIXED
from situ.memory.tables.tracks import SLOTS, Heads, Table, bucket, cell
from situ.memory.tracker.belief import dominant
from situ.memory.tracker.recent_view import leap_m, wide_frame

MOST_PAIRS = 128  # a jump shows in a few dozen matches; more only cost

# An observation, and where a well-known thing of its kind was before: a match that a jump would explain.
PAIR = np.dtype([("seen", "i4"), ("slot", "i4"), ("place", "f8", 3), ("weight", "f8")])


@njit(cache=True)
def recent_jump(
    rows: Table,
    heads: Heads,
    window: NDArray[np.void],
    since: NDArray[np.float64],
    pace: NDArray[np.float64],
    pose: Matrix,
    key_of: NDArray[np.int32],
    time: float,
) -> NDArray[np.float64]:
    """The jump that the strays of late tell of, see `jump`; NaN if there is none."""
    wide = wide_frame(window, since[0], time)
    if len(wide) < 2:
        return np.full(4, np.nan)
    leapt = leap_m(pace, time)
    motion: NDArray[np.float64] = jump(rows, heads, wide, pose[:3, 3].copy(), key_of, since[0], leapt)
    return motion


@njit(cache=True)
def jump(
    rows: Table,
    heads: Heads,
    observed: NDArray[np.void],
    position: NDArray[np.float64],
    key_of: NDArray[np.int32],
    since: float,
    leap_m: float,
) -> NDArray[np.float64]:
    """Shift and yaw about the camera (x, y, z, yaw) that explain what was seen since a time by what was known
    before; NaN if the pose as given does. `leap_m` is how far a step went that no wearer would make, 0
    without one, or RESTARTED."""
    none = np.full(4, np.nan)
    if _in_place(rows, heads, observed, key_of, since) > (1.0 - JUMPS.least_share) * 2.0 * observed.shape[0]:
        return none  # whatever else there is, the pose as given explains enough: most frames end here
    far = JUMPS.restart_m if leap_m < 0.0 else max(SCALE.room_m, leap_m + JUMPS.beyond_leap_m)
    widest = JUMPS.widest_rad if leap_m >= 0.0 else math.pi
    table = np.zeros(MOST_PAIRS, PAIR)
    pairs = table[: _likely_pairs(rows, heads, observed, key_of, since, far, table)]
    if len(pairs) < 2:
        return none
    _share_weights(pairs)
    could = _weight_of_all(pairs)
    as_given = _agreement(observed, pairs, position, np.zeros(4))
    if as_given > (1.0 - JUMPS.least_share) * could:
        return none
    best, most = none, 0.0
    for p in range(len(pairs)):
        for q in range(p + 1, len(pairs)):
            if pairs[p].seen == pairs[q].seen or pairs[p].slot == pairs[q].slot:
                continue
            motion = _motion(observed, pairs[p], pairs[q], position, far, widest)
            if not math.isnan(motion[0]):
                weight = _agreement(observed, pairs, position, motion)
                if weight > most:
                    best, most = motion, weight
    less = 1 if leap_m > 0.0 else 0
    enough = most >= JUMPS.least_weight[less] and most >= as_given + JUMPS.least_lead[less]
    # Few things in view: all of them must agree, and none can have been mistaken for another.
    alone = as_given == 0.0 and most == could and _one_partner_each(pairs)
    if alone or (enough and most >= JUMPS.least_share * could):
        best = _refined(observed, pairs, position, best)
    else:
        best = none
    return best


@njit(cache=True)
def _in_place(rows: Table, heads: Heads, observed, key_of, since: float) -> float:  # type: ignore[no-untyped-def]
    """How many observations lie where a well-known thing of their kind is; each weighs two at most."""
    count = 0.0
    for i in range(observed.shape[0]):
        seen = observed[i]
        x, y, near, found = seen.position[0], seen.position[1], _loose(seen), False
        for cx in range(cell(x - near), cell(x + near) + 1):
            for cy in range(cell(y - near), cell(y + near) + 1):
                slot = heads[bucket(cx, cy, heads.shape[0])]
                while slot >= 0 and not found:
                    row = rows[slot]
                    apart = math.hypot(x - row.position[0], y - row.position[1])
                    apart = max(apart, 0.5 * abs(seen.position[2] - row.position[2]))  # heights err more
                    lately = row.stay > 0 and row.stay_since >= since
                    found = apart <= near and not lately and _steady(row, since)
                    found = found and _same_kind(row, seen, key_of)
                    slot = row.next
        count += 1.0 if found else 0.0
    return count


@njit(cache=True)
def _likely_pairs(  # type: ignore[no-untyped-def]
    rows: Table, heads: Heads, observed, key_of, since: float, far: float, pairs
) -> int:
    """Observations and well-known things of their kind that a jump could have brought apart."""
    count = 0
    for i in range(observed.shape[0]):
        seen = observed[i]
        x, y = seen.position[0], seen.position[1]
        for cx in range(cell(x - far), cell(x + far) + 1):
            for cy in range(cell(y - far), cell(y + far) + 1):
                slot = heads[bucket(cx, cy, heads.shape[0])]
                while slot >= 0:
                    row = rows[slot]
                    here = row.cell_x == cx and row.cell_y == cy and count < pairs.shape[0]
                    if here and _steady(row, since) and _same_kind(row, seen, key_of):
                        pair = pairs[count]
                        pair.seen, pair.slot = i, slot
                        pair.weight = 2.0 if row.motion == FIXED else 1.0
                        lately = row.stay > 0 and row.stay_since >= since
                        for k in range(3):
                            pair.place[k] = row.previous[k] if lately else row.position[k]
                        count += 1
                    slot = row.next
    return count


@njit(cache=True)
def _share_weights(pairs: NDArray[np.void]) -> None:
    """Of things that have doubles any may be meant: a pair tells the less, the more of them there are."""
    shared = np.ones(pairs.shape[0])
    for k in range(pairs.shape[0]):
        things, sightings = 0, 0
        for j in range(pairs.shape[0]):
            things += pairs[j].seen == pairs[k].seen
            sightings += pairs[j].slot == pairs[k].slot
        shared[k] = max(things, sightings)
    for k in range(pairs.shape[0]):
        pairs[k].weight /= shared[k]


@njit(cache=True)
def _steady(row, since: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether it was well known where a thing was, before the jump if there was one: after it, it is looked
    for in the wrong place, and found in a new one."""
    known = row.hits >= SCALE.few and row.first_seen < since and row.held == 0 and row.motion != AGENT
    return bool(known and (row.p_here > 0.6 or row.absent_since >= since))


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
def _weight_of_all(pairs: NDArray[np.void]) -> float:
    """What all observations that have a partner weigh together."""
    total, heaviest = 0.0, 0.0
    for k in range(pairs.shape[0]):
        if k > 0 and pairs[k].seen != pairs[k - 1].seen:
            total, heaviest = total + heaviest, 0.0
        heaviest = max(heaviest, pairs[k].weight)
    return total + heaviest


@njit(cache=True)
def _one_partner_each(pairs: NDArray[np.void]) -> bool:
    for k in range(pairs.shape[0]):
        for j in range(k):
            if pairs[k].seen == pairs[j].seen or pairs[k].slot == pairs[j].slot:
                return False
    return True


@njit(cache=True)
def _motion(observed, one, two, position, far: float, widest: float) -> NDArray[np.float64]:  # type: ignore[no-untyped-def]
    """The turn and shift that bring two observations to two things, NaN if none does."""
    motion = np.full(4, np.nan)
    a, b = observed[one.seen].position, observed[two.seen].position
    to_a, to_b = one.place, two.place
    dx, dy, to_dx, to_dy = b[0] - a[0], b[1] - a[1], to_b[0] - to_a[0], to_b[1] - to_a[1]
    length, to_length = math.hypot(dx, dy), math.hypot(to_dx, to_dy)
    loose = _loose(observed[one.seen]) + _loose(observed[two.seen])
    if min(length, to_length) < SCALE.arm_m or abs(length - to_length) > loose:
        return motion
    if abs((b[2] - a[2]) - (to_b[2] - to_a[2])) > loose:
        return motion
    yaw = math.atan2(to_dy, to_dx) - math.atan2(dy, dx)
    yaw = math.atan2(math.sin(yaw), math.cos(yaw))
    if abs(yaw) > widest:
        return motion
    c, s = math.cos(yaw), math.sin(yaw)
    mid_x, mid_y = (a[0] + b[0]) / 2 - position[0], (a[1] + b[1]) / 2 - position[1]
    x = (to_a[0] + to_b[0]) / 2 - position[0] - (c * mid_x - s * mid_y)
    y = (to_a[1] + to_b[1]) / 2 - position[1] - (s * mid_x + c * mid_y)
    if math.hypot(x, y) > far:
        return motion
    motion[0], motion[1], motion[3] = x, y, yaw
    motion[2] = (to_a[2] + to_b[2] - a[2] - b[2]) / 2
    return motion


@njit(cache=True)
def _loose(seen) -> float:  # type: ignore[no-untyped-def]
    """How far an observation may lie from its thing."""
    allowed: float = SCALE.hand_m + 2.0 * seen.sigma
    return allowed


@njit(cache=True)
def _agrees(seen, pair, position, motion) -> bool:  # type: ignore[no-untyped-def]
    c, s = math.cos(motion[3]), math.sin(motion[3])
    x, y = seen.position[0] - position[0], seen.position[1] - position[1]
    gap_x = c * x - s * y + position[0] + motion[0] - pair.place[0]
    gap_y = s * x + c * y + position[1] + motion[1] - pair.place[1]
    gap_z = seen.position[2] + motion[2] - pair.place[2]
    return bool(max(math.hypot(gap_x, gap_y), 0.5 * abs(gap_z)) <= _loose(seen))


@njit(cache=True)
def _agreement(observed, pairs, position, motion) -> float:  # type: ignore[no-untyped-def]
    """What the observations weigh that a motion brings to a thing of their kind."""
    total, counted = 0.0, -1
    for k in range(pairs.shape[0]):
        pair = pairs[k]
        if pair.seen != counted and _agrees(observed[pair.seen], pair, position, motion):
            total += pair.weight
            counted = pair.seen
    return total


@njit(cache=True)
def _refined(observed, pairs, position, motion) -> NDArray[np.float64]:  # type: ignore[no-untyped-def]
    """The motion that fits all that agree best, in the sense of least squares (Procrustes in the plane)."""
    fits = np.zeros(pairs.shape[0], np.bool_)
    total, mean, to_mean = 0.0, np.zeros(3), np.zeros(3)
    for k in range(pairs.shape[0]):
        seen, pair = observed[pairs[k].seen], pairs[k]
        fits[k] = _agrees(seen, pair, position, motion)
        if fits[k]:
            weight = 1.0 / _loose(seen) ** 2
            total += weight
            mean += weight * seen.position
            to_mean += weight * pair.place
    mean, to_mean = mean / total, to_mean / total
    dot, cross = 0.0, 0.0
    for k in range(pairs.shape[0]):
        if fits[k]:
            seen = observed[pairs[k].seen]
            x, y = seen.position[0] - mean[0], seen.position[1] - mean[1]
            to_x, to_y = pairs[k].place[0] - to_mean[0], pairs[k].place[1] - to_mean[1]
            weight = 1.0 / _loose(seen) ** 2
            dot += weight * (x * to_x + y * to_y)
            cross += weight * (x * to_y - y * to_x)
    refined = np.zeros(4)
    refined[3] = math.atan2(cross, dot)
    c, s = math.cos(refined[3]), math.sin(refined[3])
    x, y = mean[0] - position[0], mean[1] - position[1]
    refined[0] = to_mean[0] - position[0] - (c * x - s * y)
    refined[1] = to_mean[1] - position[1] - (s * x + c * y)
    refined[2] = to_mean[2] - mean[2]
    return refined
