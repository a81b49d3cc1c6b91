"""The compiled steps of a frame: predict, gate and assign, fuse and look for what is missing."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.tracks import Heads, Table
from situ.memory.tracker.association import assign, gate
from situ.memory.tracker.belief import fuse, norm3
from situ.memory.tracker.keyframes import best_frames
from situ.memory.tracker.negative_evidence import look
from situ.memory.tracker.observation_table import anchor
from situ.memory.tracker.pose_correction import walk
from situ.memory.tracker.recent_view import note_step
from situ.memory.tracker.two_names import rival_of

# What a frame may call for.
NEW, DOUBTFUL, EMPTIED, BACK, RENAMED, CONFIRMED, KEYFRAME, ODD, RIVAL = 1, 2, 4, 8, 16, 32, 64, 128, 256


@njit(cache=True)
def predict(  # type: ignore[no-untyped-def]
    drift: NDArray[np.void], window, steps: NDArray[np.float64], seconds: float, time: float,
    correction: Matrix, given: Matrix,
) -> Matrix:  # fmt: skip
    """Where the wearer is after a step of the odometry, as far as the map is known."""
    seen, since, pace = window
    walk(drift, steps[0], steps[1])
    note_step(seen, since, pace, steps[0], steps[1], seconds, time)
    return correction @ given


@njit(cache=True)
def associate(  # type: ignore[no-untyped-def]
    known,  # rows, heads, key_of, motion, rates, limits
    drift: NDArray[np.void],
    observed: NDArray[np.void],
    pose: Matrix,
    hands: NDArray[np.int32],
    expected: NDArray[np.float64],
    agents: NDArray[np.int32],
    time: float,
    room,  # pairs and costs
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
) -> int:
    """Candidate pairs and the cheapest assignment; how many candidates there are. If that is more than there
    is room for, nothing may be made of it."""
    rows, heads, key_of, _, rates, limits = known
    pairs, costs = room
    anchor(observed, pose)
    count = gate(
        rows, heads, observed, hands, expected, agents, key_of, drift, limits, rates, time, pairs, costs
    )
    if count <= pairs.shape[0]:
        assign(pairs[:count], costs[:count], limits.gate, chosen, how)
    return count


@njit(cache=True)
def absorb(  # type: ignore[no-untyped-def]
    known,  # rows, heads, key_of, motion, rates, limits
    eyes,  # lens, codes, metres; `lens` is empty where nothing is known of the camera: nothing is missed
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    number: int,
    time: float,
    poses: NDArray[np.float64],  # in the map, and its inverse
    way: float,
    out,  # rows missed; how good a view is and when its object was seen before; within reach
) -> tuple[int, int]:
    """Fuse what was matched and look for what was not; how many were missed, and flags."""
    rows, heads, key_of, motion, rates, limits = known
    lens, codes, metres = eyes
    missed, notes, near = out
    position = poses[0, :3, 3].copy()
    for i in range(observed.shape[0]):
        notes[i, 0], notes[i, 1] = 0.0, rows[chosen[i]].last_seen if chosen[i] >= 0 else 0.0
    fuse(rows, heads, observed, chosen, how, rates, number, time, limits, key_of, motion, position, way)
    flags = KEYFRAME if best_frames(rows, observed, chosen, time, notes[:, 0]) else 0
    count = 0
    if lens.shape[0]:
        count = look(
            rows, heads, rates, poses[1], position, lens, codes, metres, number, time, limits.look_range_m,
            limits.border_share, observed, missed, motion,
        )  # fmt: skip
    for i in range(observed.shape[0]):
        near[i] = motion[observed[i].label].kind == PORTABLE and norm3(observed[i].offset) <= limits.reach_m
        if chosen[i] < 0:
            flags |= NEW
            continue
        flags |= _flags_of_match(rows, heads, chosen[i], notes[i, 1], time)
    for k in range(count):
        row = rows[missed[k]]
        if row.p_false > BELIEF.doubted:
            flags |= DOUBTFUL
        elif row.gone == 0 and row.p_gone > row.p_here and row.p_false < 0.5 and row.motion != AGENT:
            flags |= EMPTIED
    return count, flags


@njit(cache=True)
def _flags_of_match(rows: Table, heads: Heads, slot: int, before: float, time: float) -> int:
    """What a match calls for, of an object that was last seen before."""
    row, flags = rows[slot], 0
    if row.gone and row.p_here > 0.5:
        flags |= BACK
    if rival_of(rows, heads, slot, before, time) >= 0:
        flags |= RIVAL
    if row.streak == 1:
        flags |= ODD
    if row.streak >= BELIEF.replaced:
        flags |= RENAMED
    if row.settled == 0 and row.p_false < BELIEF.likely:
        flags |= CONFIRMED
    return flags
