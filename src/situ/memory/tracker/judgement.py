"""Where a newly found object came from: a judgement on what is known of it, of its kind and of its place."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options import Limits
from situ.memory.options.looks import PAST_VIEWS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tables.tracks import APPEARED, NOT_APPEARED, Table
from situ.memory.tracker.belief import doubt_of, norm3
from situ.memory.tracker.departure import apart, could_take, likeliest, may_be_at_hand
from situ.memory.tracker.kin import confirmed_alike
from situ.memory.tracker.past_views import Tables, sum_up

# It is too early to say, or it is a new thing; it is one that was thought to have moved and never did; a new
# thing, though a known one may have moved there; or that known one.
NOTHING, NEVER_LEFT, PERHAPS, MOVED = range(4)

# How things move, what is known of the eyes, limits, past views, and metres by the codes of free space.
About = tuple[NDArray[np.void], NDArray[np.void], Limits, Tables, NDArray[np.float64]]


@njit(cache=True)
def judge_next(
    rows: Table,
    slots: NDArray[np.int32],
    key_of: NDArray[np.int32],
    about: About,
    wearer: NDArray[np.float64],
    time: float,
) -> tuple[int, int, int, bool, float]:
    """Judge newly found objects one after the other, up to the first about which something is to be done:
    which it is (as many as there are if it is none), and what `judge` says of it."""
    for k in range(slots.shape[0]):
        slot = slots[k]
        if rows[slot].motion == AGENT:  # association alone says which agent it is
            rows[slot].settled = 1
            continue
        kin = confirmed_alike(rows, slot, key_of)
        verdict, other, known_gone, moved = judge(rows, slot, kin, about, wearer, time)
        if verdict != NOTHING:
            return k, verdict, other, known_gone, moved
    return slots.shape[0], NOTHING, -1, False, 0.0


@njit(cache=True)
def judge(
    rows: Table,
    slot: int,
    kin: NDArray[np.int32],
    about: About,
    wearer: NDArray[np.float64],
    time: float,
) -> tuple[int, int, bool, float]:
    """What is to be done about a newly found object; the known thing that it is about, whether that is known
    to have left its place, and how likely it has moved here."""
    _, rates, limits, views, metres = about
    row, doubt = rows[slot], doubt_of(rows, slot, rates)
    for k in range(kin.shape[0]):
        other = rows[kin[k]]
        if other.unverified and apart(other.previous, row.position) < SCALE.beside_m:
            return NEVER_LEFT if doubt < CHANCE.perhaps else NOTHING, int(kin[k]), False, 0.0
    if not kin.shape[0]:
        row.settled = 1 if doubt < BELIEF.sure else 0
        return NOTHING, -1, False, 0.0
    empty, _ = sum_up(views, metres, row.position, row.size, row.first_seen, limits.look_range_m, rates)
    if row.appeared == 0:
        row.appeared = APPEARED if empty > PAST_VIEWS.empty_before else NOT_APPEARED
    reach, gap = limits.reach_m, SCALE.moment_s
    elder, left = likeliest(rows, kin, slot, about, wearer, time)
    known_gone = left >= 0.5
    may_come = left > 0.0 and (
        row.appeared == APPEARED
        or may_be_at_hand(rows, elder, slot, reach, gap)
        or (known_gone and kin.shape[0] == 1)
    )
    if left > 0.0 and not may_come:
        moved = _p_moved(rows, elder, left, empty)
        may_come = moved > CHANCE.surely
        if not may_come and doubt < BELIEF.sure:
            row.settled = 1
            moved = _p_moved(rows, elder, left, empty)
            return PERHAPS, elder, known_gone, moved
    if not may_come:
        row.settled = 1 if doubt < BELIEF.sure else 0
        return NOTHING, elder, known_gone, 0.0
    at_once = rows[elder].held or may_be_at_hand(rows, elder, slot, reach, gap)
    if row.hits == 1 and not at_once and _in_arms(rows, kin, slot, views, wearer, reach):
        return NOTHING, elder, known_gone, 0.0  # whether it is in the hands the next sighting shows
    # A single sighting must not draw a thing away from a place that nobody has found empty.
    enough = doubt < (CHANCE.perhaps if known_gone else BELIEF.sure)
    return MOVED if enough and (known_gone or row.hits > 1) else NOTHING, elder, known_gone, 0.0


@njit(cache=True)
def _in_arms(
    rows: Table,
    kin: NDArray[np.int32],
    slot: int,
    views: Tables,
    wearer: NDArray[np.float64],
    reach: float,
) -> bool:
    """Whether it is at an arm's length from a wearer who may have taken one like it from its place."""
    if norm3(rows[slot].offset) > SCALE.arm_m:
        return False
    for k in range(kin.shape[0]):
        other = rows[kin[k]]
        if not other.gone and could_take(other, rows[slot], views, wearer, reach):
            return True
    return False


@njit(cache=True)
def _p_moved(rows: Table, elder: int, left: float, empty: float) -> float:
    """One more of a kind in a place that was not looked at well: another thing, or the known one moved there.

    Another one is the less likely, the better its place was looked at before (`empty`).
    """
    another = CHANCE.perhaps * math.exp(-max(0.0, empty))
    if rows[elder].motion == PORTABLE:
        left = max(left, CHANCE.rarely)
    return float(left / (left + another))
