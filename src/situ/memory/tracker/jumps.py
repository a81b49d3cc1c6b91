"""Jumps of the pose: a rigid motion that explains what is seen better than objects that were moved.

After a tracking failure, a loop closure or a restart the given poses are off from the map by a turn and a
shift. Two observations that lie to each other as two remembered objects of their kinds do propose such a
motion (RANSAC over all pairs). The best one is taken if its evidence beats that of the pose as given by more
than a motion costs that was found by a search: how seldom poses jump, and how many motions could be told
apart.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.poses import JUMPS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import SAME_LOOK
from situ.memory.tables.motion import AGENT, hazard_of
from situ.memory.tables.tracks import SLOTS, bucket, cell, dominant
from situ.memory.tracker.drift import shifted
from situ.memory.tracker.identity import merge, share_attributes
from situ.memory.tracker.recent_window import leap_m, note_strays, wide_frame
from situ.memory.tracker.step import Step
from situ.memory.tracker.working_memory import WorkingMemory

MOST_PAIRS = 128  # a jump shows in a few dozen matches; more only cost
# An observation, and where a well-known object of its kind was before: a match that a jump would explain.
# `stays` is how likely that object is still there, and one of `among` candidates of the observation.
EXPLAINED = np.dtype([("seen", "i4"), ("slot", "i4"), ("among", "i4"), ("place", "f8", 3), ("stays", "f8")])
_KEPT = ("position", "covariance", "p_here", "p_gone")  # of an object whose place is known better


@njit(cache=True)
def jump(  # type: ignore[no-untyped-def]
    tables,
    detections: NDArray[np.void],
    position: NDArray[np.float64],
    since: float,
    leap_m: float,
    time: float,
) -> NDArray[np.float64]:
    """Shift and yaw about the camera (x, y, z, yaw) that explain what was seen since a time by what was known
    before; NaN if the pose as given does. `leap_m` is how far a step went that no wearer would make, 0
    without one, or RESTARTED."""
    none = np.full(4, np.nan)
    stray = _strays(tables, detections, since)
    if stray.sum() < 2:
        return none  # most frames end here
    far, widest, chance = max(SCALE.room_m, leap_m + JUMPS.beyond_leap_m), JUMPS.widest_rad, CHANCE.rarely
    if leap_m > 0.0:
        chance = CHANCE.even
    elif leap_m < 0.0:
        far, widest, chance = JUMPS.restart_m, math.pi, CHANCE.perhaps
    table = np.zeros(MOST_PAIRS, EXPLAINED)
    pairs = table[: _likely_pairs(tables, detections, since, far, time, table)]
    best, as_given = none, _evidence(detections, pairs, position, np.zeros(4))
    most = as_given
    for p in range(len(pairs)):
        for q in range(p + 1, len(pairs)):
            one, two = pairs[p], pairs[q]
            if one.seen == two.seen or one.slot == two.slot or not (stray[one.seen] and stray[two.seen]):
                continue
            motion = _motion(detections, one, two, position, far, widest)
            if not math.isnan(motion[0]):
                evidence = _evidence(detections, pairs, position, motion)
                if evidence > most:
                    best, most = motion, evidence
    if math.isnan(best[0]):
        return none
    sigma = np.mean(_sigmas(detections))
    # In square metres times radians: where the wearer may have jumped to, and what cannot be told apart.
    motions = math.pi * far**2 * 2.0 * widest
    alike = (2.0 * math.pi) ** 1.5 * sigma**2 * sigma / SCALE.room_m
    if most - as_given < math.log(motions / alike) - math.log(chance):
        return none
    refined: NDArray[np.float64] = _refined(detections, pairs, position, best)
    return refined


@njit(cache=True)
def _strays(tables, detections: NDArray[np.void], since: float) -> NDArray[np.bool_]:  # type: ignore[no-untyped-def]
    """Which observations do not lie where a well-known object of their kind is."""
    rows, heads, key_of = tables.rows, tables.heads, tables.key_of
    stray = np.ones(detections.shape[0], np.bool_)
    for i in range(detections.shape[0]):
        seen = detections[i]
        x, y, near = seen.position[0], seen.position[1], _loose(seen)
        for cx in range(cell(x - near), cell(x + near) + 1):
            for cy in range(cell(y - near), cell(y + near) + 1):
                slot = heads[bucket(cx, cy, heads.shape[0])]
                while slot >= 0 and stray[i]:
                    row = rows[slot]
                    apart = math.hypot(x - row.position[0], y - row.position[1])
                    apart = max(apart, 0.5 * abs(seen.position[2] - row.position[2]))  # heights err more
                    lately = row.stay > 0 and row.stay_since >= since
                    found = apart <= near and not lately and _steady(row, since)
                    stray[i] = not (found and _same_kind(row, seen, key_of))
                    slot = row.next
    return stray


@njit(cache=True)
def _likely_pairs(  # type: ignore[no-untyped-def]
    tables, detections: NDArray[np.void], since: float, far: float, time: float, pairs: NDArray[np.void]
) -> int:
    """Observations and well-known objects of their kind that a jump could have brought apart."""
    rows, heads, count = tables.rows, tables.heads, 0
    for i in range(detections.shape[0]):
        seen, first = detections[i], count
        x, y = seen.position[0], seen.position[1]
        for cx in range(cell(x - far), cell(x + far) + 1):
            for cy in range(cell(y - far), cell(y + far) + 1):
                slot = heads[bucket(cx, cy, heads.shape[0])]
                while slot >= 0:
                    row = rows[slot]
                    here = row.cell_x == cx and row.cell_y == cy and count < pairs.shape[0]
                    if here and _steady(row, since) and _same_kind(row, seen, tables.key_of):
                        pair = pairs[count]
                        pair.seen, pair.slot = i, slot
                        unseen_s = max(0.0, time - min(float(row.last_seen), since))
                        leaves = hazard_of(tables.motion, tables.rates, row.filed)
                        pair.stays = CHANCE.surely * math.exp(-leaves * unseen_s)
                        lately = row.stay > 0 and row.stay_since >= since
                        for k in range(3):
                            pair.place[k] = row.previous[k] if lately else row.position[k]
                        count += 1
                    slot = row.next
        for k in range(first, count):
            pairs[k].among = count - first
    return count


@njit(cache=True)
def _steady(row, since: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether it was well known where an object was, before the jump if there was one: after it, it is looked
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
def _motion(detections, one, two, position, far: float, widest: float) -> NDArray[np.float64]:  # type: ignore[no-untyped-def]
    """The turn and shift that bring two observations to two objects, NaN if none does."""
    motion = np.full(4, np.nan)
    a, b = detections[one.seen].position, detections[two.seen].position
    to_a, to_b = one.place, two.place
    dx, dy, to_dx, to_dy = b[0] - a[0], b[1] - a[1], to_b[0] - to_a[0], to_b[1] - to_a[1]
    length, to_length = math.hypot(dx, dy), math.hypot(to_dx, to_dy)
    loose = _loose(detections[one.seen]) + _loose(detections[two.seen])
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
    """How far an observation may lie from its object."""
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
def _sigmas(detections: NDArray[np.void]) -> NDArray[np.float64]:
    """How far observations lie from their objects, in metres."""
    sigmas = np.empty(detections.shape[0])
    for i in range(detections.shape[0]):
        sigmas[i] = SCALE.shift_m + detections[i].sigma
    return sigmas


@njit(cache=True)
def _evidence(detections, pairs, position, motion) -> float:  # type: ignore[no-untyped-def]
    """Log likelihood of the observations that have candidates, after a motion, beside that of objects which
    may be anywhere in a room: an object of the kind stays where it was, or another one is seen."""
    c, s, total = math.cos(motion[3]), math.sin(motion[3]), 0.0
    k = 0
    while k < pairs.shape[0]:
        first, i, chance = k, pairs[k].seen, 1.0
        seen = detections[i]
        sigma = SCALE.shift_m + seen.sigma
        peak = JUMPS.room_m2 / (2.0 * math.pi * sigma**2)
        x, y = seen.position[0] - position[0], seen.position[1] - position[1]
        while k < pairs.shape[0] and pairs[k].seen == i:
            pair = pairs[k]
            gap_x = c * x - s * y + position[0] + motion[0] - pair.place[0]
            gap_y = s * x + c * y + position[1] + motion[1] - pair.place[1]
            gap_z = seen.position[2] + motion[2] - pair.place[2]
            gap2 = (gap_x**2 + gap_y**2 + gap_z**2) / sigma**2
            chance += pair.stays / pair.among * (peak * math.exp(-0.5 * gap2) - 1.0)
            k += 1
        total += math.log(chance)
        if k == first:
            break
    return total


@njit(cache=True)
def _refined(detections, pairs, position, motion) -> NDArray[np.float64]:  # type: ignore[no-untyped-def]
    """The motion that fits all that agree best, in the sense of least squares (Procrustes in the plane)."""
    fits = np.zeros(pairs.shape[0], np.bool_)
    total, mean, to_mean = 0.0, np.zeros(3), np.zeros(3)
    for k in range(pairs.shape[0]):
        seen, pair = detections[pairs[k].seen], pairs[k]
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
            seen = detections[pairs[k].seen]
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


def correct_jump(memory: WorkingMemory, step: Step) -> bool:
    """Whether the pose has jumped away from the map; if so the correction takes it back.

    A window opens with the first detection that matches nothing well tables. Over a few seconds odometry is
    good, so that what was seen within it lies to each other as in one wide frame.
    """
    window, time = memory.window, step.time
    if not note_strays(window.seen, window.state, memory.rows, step.detections, step.rows, time):
        return False
    since, leapt_m = float(window.state["first_stray"][0]), leap_m(window.state, time)
    wide = wide_frame(window.seen, since, time)
    motion = jump(memory.track_tables, wide, step.pose[:3, 3].copy(), since, leapt_m, time)
    if np.isnan(motion[0]):
        return False
    window.clear()
    drifted = 0.0 <= leapt_m < math.hypot(motion[0], motion[1])
    memory.drift.follow(motion, step.pose, drifted)
    _put_right(memory, motion, step.pose, since)
    return True


def _put_right(memory: WorkingMemory, motion: NDArray[np.float64], pose: Matrix, since: float) -> None:
    """Objects that were put into the map from a pose that was off are where the motion takes them: most are
    twins of objects that are there already, or these objects thought to have moved."""
    rows = memory.rows
    turn = shifted(np.eye(4), pose[:3, 3].copy(), motion)
    # Whatever was missed since then was looked for in the wrong place.
    vain = (rows["id"] > 0) & (rows["absent_since"] >= since)
    rows["p_here"][vain] += rows["p_gone"][vain]
    rows["p_gone"][vain], rows["gone"][vain], rows["absent_since"][vain] = 0.0, 0, np.nan
    late = [n for n, slot in sorted(memory.tracks.slot_of.items()) if rows[slot]["stay_since"] >= since]
    for number in late:
        slot = memory.tracks.slot_of.get(number)
        if slot is None:
            continue
        row = memory.rows[slot]
        place = turn[:3, :3] @ row["position"] + turn[:3, 3]
        if row["stay"] > 0:
            stayed = float(np.abs(place - row["previous"]).max()) < SCALE.beside_m
            memory.count_move(slot, -1.0 if stayed else 0.0)
            _move(memory, slot, row["previous"].copy() if stayed else place)
            continue
        _move(memory, slot, place)
        twin = _twin(memory, slot)
        if twin >= 0:
            kept = {name: memory.rows[twin][name].copy() for name in _KEPT}
            merge(memory, slot, twin, True)
            for name, value in kept.items():
                memory.rows[twin][name] = value
            memory.tracks.move(twin)


def _move(memory: WorkingMemory, slot: int, place: NDArray[np.float64]) -> None:
    row = memory.rows[slot]
    row["position"], row["unverified"] = place, 0
    memory.tracks.move(slot)
    if row["published"]:
        memory.new_stay(slot, float(row["stay_since"]))
        memory.publish(slot)


def _twin(memory: WorkingMemory, slot: int) -> int:
    """A well-known row of the same kind at the same spot, -1 if there is none."""
    rows, row = memory.rows, memory.rows[slot]
    near = np.abs(rows["position"] - row["position"]).max(axis=1) < SCALE.beside_m
    near &= (rows["id"] > 0) & (rows["first_seen"] < row["first_seen"]) & (rows["hits"] >= SCALE.few)
    for other in np.flatnonzero(near).tolist():
        if other != slot and share_attributes(memory, slot, other, SAME_LOOK):
            return other
    return -1
