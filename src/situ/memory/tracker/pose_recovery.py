"""A jump of the pose, found in what was seen of late, and what to put right after one."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.options.scales import SCALE
from situ.memory.options.sightings import SAME_LOOK
from situ.memory.tracker.merge_and_split import merge, share_attributes
from situ.memory.tracker.pose_correction import shifted
from situ.memory.tracker.pose_gate import recent_jump
from situ.memory.tracker.recent_view import leap_m, note_strays
from situ.memory.tracker.working_memory import Mind

_KEPT = ("position", "covariance", "p_here", "p_gone")  # of a thing whose place is known better


def realign(
    mind: Mind, observed: NDArray[np.void], chosen: NDArray[np.int32], pose: Matrix, time: float
) -> bool:
    """Whether the pose has jumped away from the map; if so the correction takes it back.

    A window opens with the first observation that matches nothing well known. Over a few seconds odometry is
    good, so that what was seen within it lies to each other as in one wide frame.
    """
    window = mind.window
    if not note_strays(window.seen, window.since, mind.rows, observed, chosen, time):
        return False
    motion = recent_jump(mind.known_tables, window.seen, window.since, window.pace, pose, time)
    if np.isnan(motion[0]):
        return False
    follow_jump(mind, motion, pose)
    return True


def follow_jump(mind: Mind, motion: NDArray[np.float64], pose: Matrix) -> None:
    """Strays of late tell of a jump: the correction takes it back."""
    since, leapt_m = float(mind.window.since[0]), leap_m(mind.window.pace, mind.time)
    mind.window.clear()
    mind.drift.take_back(motion, pose, drifted=0.0 <= leapt_m < math.hypot(motion[0], motion[1]))
    _put_right(mind, motion, pose, since)


def _put_right(mind: Mind, motion: NDArray[np.float64], pose: Matrix, since: float) -> None:
    """Things that were put into the map from a pose that was off are where the motion takes them: most are
    twins of things that are there already, or these things thought to have moved."""
    rows = mind.rows
    turn = shifted(np.eye(4), pose[:3, 3].copy(), motion)
    # Whatever was looked for in vain since then was looked for in the wrong place.
    vain = (rows["id"] > 0) & (rows["absent_since"] >= since)
    rows["p_here"][vain] += rows["p_gone"][vain]
    rows["p_gone"][vain], rows["gone"][vain], rows["absent_since"][vain] = 0.0, 0, np.nan
    late = [n for n, slot in sorted(mind.tracks.slot_of.items()) if rows[slot]["stay_since"] >= since]
    for number in late:
        slot = mind.tracks.slot_of.get(number)
        if slot is None:
            continue
        row = mind.rows[slot]
        place = turn[:3, :3] @ row["position"] + turn[:3, 3]
        if row["stay"] > 0:
            stayed = float(np.abs(place - row["previous"]).max()) < SCALE.beside_m
            mind.count_move(slot, -1.0 if stayed else 0.0)
            _move(mind, slot, row["previous"].copy() if stayed else place)
            continue
        _move(mind, slot, place)
        twin = _twin(mind, slot)
        if twin >= 0:
            kept = {name: mind.rows[twin][name].copy() for name in _KEPT}
            merge(mind, slot, twin, True)
            for name, value in kept.items():
                mind.rows[twin][name] = value
            mind.tracks.move(twin)


def _move(mind: Mind, slot: int, place: NDArray[np.float64]) -> None:
    row = mind.rows[slot]
    row["position"], row["unverified"] = place, 0
    mind.tracks.move(slot)
    if row["told"]:
        mind.new_stay(slot, float(row["stay_since"]))
        mind.tell(slot)


def _twin(mind: Mind, slot: int) -> int:
    """A well-known row of the same kind at the same spot, -1 if there is none."""
    rows, row = mind.rows, mind.rows[slot]
    near = np.abs(rows["position"] - row["position"]).max(axis=1) < SCALE.beside_m
    near &= (rows["id"] > 0) & (rows["first_seen"] < row["first_seen"]) & (rows["hits"] >= SCALE.few)
    for other in np.flatnonzero(near).tolist():
        if other != slot and share_attributes(mind, slot, other, SAME_LOOK):
            return other
    return -1
