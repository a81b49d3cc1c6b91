"""The common path of a frame in one compiled call; what is rare is flagged and left to Python."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.sightings import BELIEF, MATCHING
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.tracks import Heads, Table
from situ.memory.tracker.association import STATIC, assign, gate
from situ.memory.tracker.belief import fuse, norm3
from situ.memory.tracker.carrying import settle_still
from situ.memory.tracker.frame_end import (
    CONTENTS,
    DRIFTS,
    FLAGS,
    FOUND,
    HOLDING,
    LOOKS,
    MISSED,
    NEAR,
    NUMBER,
    SECONDS,
    STAGE,
    TIME,
    VIEWED,
    finish,
)
from situ.memory.tracker.keyframes import best_frames
from situ.memory.tracker.negative_evidence import look
from situ.memory.tracker.observation_table import anchor
from situ.memory.tracker.past_views import add_view
from situ.memory.tracker.pose_correction import align, invert, walk
from situ.memory.tracker.pose_gate import recent_jump
from situ.memory.tracker.recent_view import note_step, note_strays
from situ.memory.tracker.two_names import rival_of

# How far `take_in` came with a frame; the rest of it is for Python.
NO_ROOM, CONTESTED, JUMPED, SHIFTED, MOVING, ABSORBED, FINISHED = range(7)

# What a frame may call for.
NEW, DOUBTFUL, EMPTIED, BACK, RENAMED, CONFIRMED, KEYFRAME, ODD, RIVAL = 1, 2, 4, 8, 16, 32, 64, 128, 256


@njit(cache=True)
def associate(
    rows: Table,
    heads: Heads,
    observed: NDArray[np.void],
    pose: NDArray[np.float64],
    hands: NDArray[np.int32],
    expected: NDArray[np.float64],
    agents: NDArray[np.int32],
    key_of: NDArray[np.int32],
    drift: NDArray[np.void],
    limits: NDArray[np.float64],
    rates: NDArray[np.void],
    time: float,
    pairs: NDArray[np.int32],
    costs: NDArray[np.float64],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
) -> tuple[int, bool]:
    """Candidate pairs, and the assignment where no two observations or objects compete (else True)."""
    anchor(observed, pose)
    count = gate(
        rows,
        heads,
        observed,
        hands,
        expected,
        agents,
        key_of,
        drift,
        limits,
        rates,
        time,
        pairs,
        costs,
    )
    if count > pairs.shape[0]:
        return count, True
    for i in range(observed.shape[0]):
        chosen[i], how[i] = -1, STATIC
    for k in range(count):
        i = pairs[k, 0]
        if chosen[i] >= 0:
            return count, True
        chosen[i], how[i] = pairs[k, 1], pairs[k, 2]
    for i in range(observed.shape[0]):
        for j in range(i):
            if chosen[i] >= 0 and chosen[i] == chosen[j]:
                return count, True
    return count, False


@njit(cache=True)
def absorb(
    rows: Table,
    heads: Heads,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    rates: NDArray[np.void],
    number: int,
    time: float,
    limits: NDArray[np.float64],
    camera_from_world: NDArray[np.float64],
    position: NDArray[np.float64],
    lens: NDArray[np.float64],
    codes: NDArray[np.uint8],
    metres: NDArray[np.float64],
    missed: NDArray[np.int32],
    notes: NDArray[np.float64],
    near: NDArray[np.bool_],
    key_of: NDArray[np.int32],
    motion: NDArray[np.void],
    way: float,
) -> tuple[int, int]:
    """Fuse what was matched and look for what was not; how many were missed, and flags.

    `notes` and `near` are filled: how good a view each observation is and when its object was last seen
    before, and whether it is within reach. `lens` is empty where nothing is known of the camera: then nothing
    counts as missed.
    """
    reach, border, arm = limits[7], limits[8], limits[9]
    best = notes[:, 0]
    for i in range(observed.shape[0]):
        notes[i, 0], notes[i, 1] = 0.0, rows[chosen[i]].last_seen if chosen[i] >= 0 else 0.0
    fuse(rows, heads, observed, chosen, how, rates, number, time, limits[1:3], key_of, motion, position, way)
    flags = KEYFRAME if best_frames(rows, observed, chosen, time, best) else 0
    count = 0
    if lens.shape[0]:
        count = look(
            rows,
            heads,
            rates,
            camera_from_world,
            position,
            lens,
            codes,
            metres,
            number,
            time,
            reach,
            border,
            observed,
            missed,
            motion,
        )
    for i in range(observed.shape[0]):
        offset = observed[i].offset
        near[i] = motion[observed[i].label].kind == PORTABLE and norm3(offset) <= arm
        if chosen[i] < 0:
            flags |= NEW
            continue
        row = rows[chosen[i]]
        if row.gone and row.p_here > 0.5:
            flags |= BACK
        if rival_of(rows, heads, chosen[i], notes[i, 1], time) >= 0:
            flags |= RIVAL
        if row.streak == 1:
            flags |= ODD
        if row.streak >= BELIEF.replaced:
            flags |= RENAMED
        if row.settled == 0 and row.p_false < BELIEF.likely:
            flags |= CONFIRMED
    for k in range(count):
        row = rows[missed[k]]
        if row.p_false > BELIEF.doubted:
            flags |= DOUBTFUL
        elif row.gone == 0 and row.p_gone > row.p_here and row.p_false < 0.5 and row.motion != AGENT:
            flags |= EMPTIED
    return count, flags


@njit(cache=True)
def take_in(  # type: ignore[no-untyped-def]
    known,  # rows, heads, key_of, motion, rates, limits
    walked,  # drift, correction, window, since, pace, steps; see `Drift`, `Window` and `to_columns`
    eyes,  # lens, codes, metres
    views,
    scratch,  # pairs, costs, missed; rows that were touched, pairs side by side, those noted
    match,  # out: chosen, how, notes, near; pose in the map and its inverse; numbers; a jump of the pose
    log,  # out: frames, numbers of objects, places, versions and what they call for; see `finish`
    observed: NDArray[np.void],
    given: Matrix,
    hands: NDArray[np.int32],
    agents: NDArray[np.int32],
    numbers: tuple[float, ...],
) -> None:
    """A frame without surprises from first to last: match, correct the pose, fuse, look for what is missing,
    say what has changed, and put it down. Where it comes to a halt, and why, is in the numbers of `match`."""
    rows, heads, key_of, motion, rates, limits = known
    drift, correction, window, since, pace, steps = walked
    lens, codes, metres = eyes
    pairs, costs, missed = scratch[0], scratch[1], scratch[2]
    chosen, how, notes, near, poses, out, jumped = match
    time, number, pose = numbers[TIME], int(numbers[NUMBER]), poses[0]
    if steps[4] > 0.0:  # a step is taken once, however often a frame is tried
        walk(drift, steps[0], steps[1])
        note_step(window, since, pace, steps[0], steps[1], numbers[SECONDS], time)
        steps[4] = 0.0
    pose[:] = correction @ given
    expected = from_offset(rows["offset"][hands], pose)
    found, contested = associate(
        rows, heads, observed, pose, hands, expected, agents, key_of, drift, limits, rates,
        time, pairs, costs, chosen, how,
    )  # fmt: skip
    out[FOUND], out[STAGE] = found, NO_ROOM
    if found > pairs.shape[0]:
        return
    out[STAGE] = CONTESTED
    if numbers[LOOKS] > 0.0:
        return
    if contested:
        assign(pairs[:found], costs[:found], limits[0], chosen, how)
    if numbers[DRIFTS] > 0.0:
        if note_strays(window, since, rows, observed, chosen, time):
            out[STAGE] = JUMPED
            jumped[:] = recent_jump(rows, heads, window, since, pace, pose, key_of, time)
            if not np.isnan(jumped[0]):
                return
        out[STAGE] = SHIFTED
        shift = align(rows, observed, chosen, pose[:3, 3].copy(), correction, drift, rates, limits[1])
        if shift > 0.0:
            pose[:] = correction @ given
            if shift > MATCHING.rematch_m:
                return
            anchor(observed, pose)
    out[STAGE] = MOVING
    if (numbers[HOLDING] > 0.0 or how.any()) and settle_still(rows, observed, chosen, how):
        return
    invert(pose, poses[1])
    count, flags = absorb(
        rows, heads, observed, chosen, how, rates, number, time, limits, poses[1], pose[:3, 3].copy(), lens,
        codes, metres, missed, notes, near, key_of, motion, drift[0].way,
    )  # fmt: skip
    out[STAGE], out[MISSED], out[FLAGS], out[VIEWED] = ABSORBED, count, flags, 1
    out[NEAR] = near.any()
    if lens.shape[0] and codes.shape[0]:
        out[VIEWED] = add_view(views, time, number, pose, poses[1], lens, codes)
    if flags & ~(KEYFRAME | ODD) or numbers[HOLDING] + numbers[CONTENTS] > 0.0 or not out[VIEWED]:
        return
    if finish(
        known, drift, correction, scratch, log, observed, given, pose, hands, chosen, missed[:count], numbers,
        out,
    ):  # fmt: skip
        out[STAGE] = FINISHED
