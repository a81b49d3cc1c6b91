"""The compiled steps of a frame: predict, gate and assign, fuse and look for what is missing."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.looks import PAST_VIEWS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.sightings import MATCHING
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.rates import count_through
from situ.memory.tracker.association import STATIC, assign, gate
from situ.memory.tracker.belief import fuse, is_refuted, norm3
from situ.memory.tracker.keyframes import best_frames
from situ.memory.tracker.negative_evidence import look_in_vain
from situ.memory.tracker.observation_table import anchor
from situ.memory.tracker.occlusion import plain_view, slack
from situ.memory.tracker.pose_correction import walk
from situ.memory.tracker.recent_view import note_step

# What a frame may call for.
NEW, DOUBTFUL, EMPTIED, BACK, RENAMED, CONFIRMED, KEYFRAME, ODD = 1, 2, 4, 8, 16, 32, 64, 128


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
    known,
    drift: NDArray[np.void],
    observed: NDArray[np.void],
    pose: Matrix,
    loose,  # see `gate`
    time: float,
    room,
    out,  # which row each observation is of, and how
) -> int:
    """Candidate pairs and the cheapest assignment; how many candidates there are. If that is more than there
    is room for, nothing may be made of it."""
    (pairs, costs), (chosen, how) = room, out
    anchor(observed, pose, known.rates)
    count: int = gate(known, drift, observed, loose, time, room)
    if count <= pairs.shape[0]:
        assign(pairs[:count], costs[:count], MATCHING.gate, chosen, how)
    return count


@njit(cache=True)
def absorb(  # type: ignore[no-untyped-def]
    known,
    look,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    out,  # rows missed; how good a view is and when its object was seen before; within reach
) -> tuple[int, int]:
    """Fuse what was matched and look for what was not; how many were missed, and flags."""
    rows, _, _, motion, rates, limits = known
    missed, notes, near = out
    for i in range(observed.shape[0]):
        notes[i, 0], notes[i, 1] = 0.0, rows[chosen[i]].last_seen if chosen[i] >= 0 else 0.0
    fuse(known, look, observed, chosen, how)
    flags = KEYFRAME if best_frames(rows, observed, chosen, look.time, notes[:, 0]) else 0
    count = 0
    if look.lens.shape[0]:
        count = look_in_vain(known, look, observed, missed)
    for i in range(observed.shape[0]):
        near[i] = motion[observed[i].label].kind == PORTABLE and norm3(observed[i].offset) <= limits.reach_m
        if chosen[i] < 0:
            flags |= NEW
            continue
        flags |= _flags_of_match(rows[chosen[i]])
        if look.lens.shape[0] and look.codes.shape[0] and how[i] == STATIC:
            row = rows[chosen[i]]
            z, clear = plain_view(row, look, PAST_VIEWS.border)
            if clear > 0.0:
                side = max(row.size[0], row.size[1], row.size[2])
                count_through(rates[0], clear > z + slack(row, z) + 0.5 * side)
    for k in range(count):
        row = rows[missed[k]]
        if is_refuted(row):
            flags |= DOUBTFUL
        elif row.gone == 0 and row.p_gone > row.p_here and row.p_false < 0.5 and row.motion != AGENT:
            flags |= EMPTIED
    return count, flags


@njit(cache=True)
def _flags_of_match(row) -> int:  # type: ignore[no-untyped-def]
    """What a match calls for."""
    flags = 0
    if row.gone and row.p_here > 0.5:
        flags |= BACK
    if row.streak == 1:
        flags |= ODD
    if row.streak >= SCALE.few:
        flags |= RENAMED
    if row.settled == 0 and row.p_false < CHANCE.perhaps:
        flags |= CONFIRMED
    return flags
