"""How likely a known thing has left its place, and is the one that turned up elsewhere."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.moves import DEPARTURE
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.tables.motion import hazard_of
from situ.memory.tables.tracks import Table
from situ.memory.tracker.belief import norm3
from situ.memory.tracker.past_views import stood_by


@njit(cache=True)
def likeliest(  # type: ignore[no-untyped-def]
    rows: Table, kin: NDArray[np.int32], slot: int, about, wearer: NDArray[np.float64], time: float
) -> tuple[int, float]:
    """Of the things that look like the one in a row the one that it most likely is, and how likely that one
    has left. Of several that have left it is the closest: most are taken from close by."""
    motion, rates, limits, views, _ = about
    best, most, left = -1, -1.0, 0.0
    for k in range(kin.shape[0]):
        beside = could_take(rows[kin[k]], rows[slot], views, wearer, limits.reach_m)
        chance = _left(rows[kin[k]], rows[slot], motion, rates, time, beside, limits)
        near = 1.0 / (1.0 + apart(rows[kin[k]].position, rows[slot].position) / DEPARTURE.close_by_m)
        if chance * near > most:
            best, most, left = int(kin[k]), chance * near, chance
    return best, left


@njit(cache=True)
def _left(row, new, motion, rates, time: float, beside: bool, limits) -> float:  # type: ignore[no-untyped-def]
    """How likely a known thing is real and has left its place; 0 if it cannot be the new one."""
    if row.sure_seen >= new.first_seen or not in_time(row, new):
        return 0.0
    real = 1.0 - row.p_false
    if row.held or lies_about(row, new) or within_reach(row, new, limits.reach_m, SCALE.moment_s):
        return float(0.99 * real)
    if row.inside and not row.unverified:  # it was put out of sight, and can be taken out unseen
        return float(CHANCE.likely * real)
    at_hand = CHANCE.seldom if norm3(row.offset) <= limits.reach_m else 0.0
    if beside:
        at_hand = CHANCE.perhaps if norm3(new.offset) > SCALE.arm_m else CHANCE.even
        at_hand = CHANCE.likely if new.held else at_hand
    stays = math.exp(-hazard_of(motion, rates, row.filed) * max(0.0, time - row.last_look)) * (1.0 - at_hand)
    chance: float = real * (1.0 - stays * row.p_here / max(row.p_here + row.p_gone, 1e-12))
    return chance


@njit(cache=True)
def could_take(row, new, views, wearer, reach_m: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether the wearer, within reach of whom one turned up, stands by the place of one like it, or has
    done so since that was last looked at."""
    if norm3(new.offset) > reach_m:
        return False
    if math.hypot(wearer[0] - row.position[0], wearer[1] - row.position[1]) <= reach_m:
        return True
    return bool(stood_by(views, row.position, reach_m, max(row.last_look, row.last_seen)))


@njit(cache=True)
def lies_about(row, new) -> bool:  # type: ignore[no-untyped-def]
    """Whether a thing whose place is not known well may be the one that was found."""
    sigma = math.sqrt(max(row.covariance[0], row.covariance[3]))
    return bool(sigma > SCALE.beside_m and apart(row.position, new.position) < 3.0 * sigma)


@njit(cache=True)
def within_reach(row, new, reach_m: float, gap_s: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether the wearer could have picked the thing up just now: near a moment ago, and near still."""
    gap = new.first_seen - row.last_seen
    return bool(0.0 < gap <= gap_s and max(norm3(row.offset), norm3(new.offset)) <= reach_m)


@njit(cache=True)
def in_time(row, new) -> bool:  # type: ignore[no-untyped-def]
    """Whether a thing could have been brought from its last place to the new one."""
    return bool(apart(row.position, new.position) <= 1.0 + SCALE.run_mps * (new.first_seen - row.sure_seen))


@njit(cache=True)
def apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@njit(cache=True)
def may_be_at_hand(rows: Table, other: int, slot: int, reach_m: float, gap_s: float) -> bool:
    """Whether a known thing was just picked up, or lies about somewhere, and so may be the one in a row."""
    row, new = rows[other], rows[slot]
    return bool(within_reach(row, new, reach_m, gap_s) or lies_about(row, new))
