"""The common path of a frame in two compiled calls; what is rare is flagged and left to Python."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.rates import p_confusion
from situ.memory.tables.tracks import Heads, Table
from situ.memory.tracker.association import STATIC, gate
from situ.memory.tracker.belief import fuse, norm3
from situ.memory.tracker.keyframes import best_frames
from situ.memory.tracker.negative_evidence import look
from situ.memory.tracker.observation_table import anchor

LIKELY = (
    0.3  # where a thing comes from is looked into once it is less likely than this to be a false detection
)
DOUBTED = 0.9  # a thing this likely to be a false detection is dropped
REPLACED = 3  # sightings in a row under another name before a thing counts as replaced

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
    reach: float,
    border: float,
    arm: float,
    missed: NDArray[np.int32],
    best: NDArray[np.float64],
    near: NDArray[np.bool_],
    key_of: NDArray[np.int32],
    motion: NDArray[np.void],
) -> tuple[int, int]:
    """Fuse what was matched and look for what was not; how many were missed, and flags.

    `best` and `near` are filled: how good a view each observation is, and whether it is within reach.
    `lens` is empty where nothing is known of the camera: then nothing counts as missed.
    """
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
        if row.streak >= REPLACED:
            flags |= RENAMED
        if row.settled == 0 and row.p_false < LIKELY:
            flags |= CONFIRMED
    for k in range(count):
        row = rows[missed[k]]
        if row.p_false > DOUBTED:
            flags |= DOUBTFUL
        elif row.gone == 0 and row.p_gone > row.p_here and row.p_false < 0.5 and row.motion != AGENT:
            flags |= EMPTIED
    return count, flags
