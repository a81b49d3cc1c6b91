"""The common path of a frame in one compiled call; what is rare is flagged and left to Python."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.sightings import BELIEF, MATCHING
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.rates import p_confusion
from situ.memory.tables.tracks import Heads, Table
from situ.memory.tracker.association import STATIC, gate
from situ.memory.tracker.belief import fuse, norm3
from situ.memory.tracker.carrying import settle_still
from situ.memory.tracker.keyframes import best_frames
from situ.memory.tracker.negative_evidence import look
from situ.memory.tracker.observation_table import anchor
from situ.memory.tracker.pose_correction import invert, shifted, solve
from situ.memory.tracker.recent_view import note_strays

# How far `take_in` came with a frame; the rest of it is for Python.
CONTESTED, STRAY, SHIFTED, MOVING, ABSORBED = range(5)

# What a frame may call for.
NEW, DOUBTFUL, EMPTIED, BACK, RENAMED, CONFIRMED, KEYFRAME, ODD = 1, 2, 4, 8, 16, 32, 64, 128


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
    drift: float,
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
        p_confusion(rates[0]),
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
    fuse(rows, heads, observed, chosen, how, rates, number, time, limits[1:3], key_of, motion, position)
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
def take_in(
    rows: Table,
    heads: Heads,
    observed: NDArray[np.void],
    given: Matrix,
    correction: Matrix,
    hands: NDArray[np.int32],
    agents: NDArray[np.int32],
    key_of: NDArray[np.int32],
    motion: NDArray[np.void],
    rates: NDArray[np.void],
    limits: NDArray[np.float64],
    numbers: NDArray[np.float64],  # time, number of the frame, whether places alone tell things apart,
    # whether something is held, whether poses drift, and how far they may have: metres and radians
    window: NDArray[np.void],
    since: NDArray[np.float64],
    lens: NDArray[np.float64],
    codes: NDArray[np.uint8],
    metres: NDArray[np.float64],
    pairs: NDArray[np.int32],
    costs: NDArray[np.float64],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    missed: NDArray[np.int32],
    notes: NDArray[np.float64],  # out, by observation: the quality of its view, and its last sighting before
    near: NDArray[np.bool_],
    poses: NDArray[np.float64],  # out: in the map, its inverse, and the correction
    step: NDArray[np.float64],  # out: the last correction, and the variances after it; see `solve`
) -> tuple[int, int, int, int]:
    """A frame without surprises from first to last: match, correct the pose, fuse, look for what is missing.

    How many pairs were found, how far it came, how many rows were missed, and flags.
    """
    time, number, sigma_m, sigma_rad = numbers[0], int(numbers[1]), numbers[5], numbers[6]
    pose = poses[0]
    pose[:] = correction @ given
    poses[2] = correction
    expected = from_offset(rows["offset"][hands], pose)
    found, contested = associate(
        rows, heads, observed, pose, hands, expected, agents, key_of, sigma_m**2, limits, rates, time,
        pairs, costs, chosen, how,
    )  # fmt: skip
    if contested or numbers[2] == 0.0:
        return found, CONTESTED, 0, 0
    if numbers[4] > 0.0 and note_strays(window, since, rows, observed, chosen, time):
        return found, STRAY, 0, 0
    if numbers[4] > 0.0 and sigma_m > 0.0:
        at = pose[:3, 3].copy()
        step[:5], step[5], step[6] = solve(rows, observed, chosen, at, sigma_m, sigma_rad, limits[1])
        if step[4] > 0.0:
            poses[2] = shifted(correction, at, step)
            pose[:] = poses[2] @ given
            if step[4] > MATCHING.rematch_m:
                return found, SHIFTED, 0, 0
            anchor(observed, pose)
    if (numbers[3] > 0.0 or how.any()) and settle_still(rows, observed, chosen, how):
        return found, MOVING, 0, 0
    invert(pose, poses[1])
    count, flags = absorb(
        rows, heads, observed, chosen, how, rates, number, time, limits, poses[1], pose[:3, 3].copy(), lens,
        codes, metres, missed, notes, near, key_of, motion,
    )  # fmt: skip
    return found, ABSORBED, count, flags
