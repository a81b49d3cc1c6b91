"""Where a newly found object came from: it is new, or a known one of its kind that was moved."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options import Limits
from situ.memory.options.moves import DEPARTURE
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import BELIEF
from situ.memory.options.visibility import PAST_VIEWS
from situ.memory.tables.motion import PORTABLE, hazard_of
from situ.memory.tables.offsets import distance, norm3
from situ.memory.tables.tracks import APPEARED, NOT_APPEARED, SLOTS, Table, dominant, leads
from situ.memory.tracker.past_views import Tables, evidence_of_emptiness, stood_by
from situ.memory.tracker.presence import doubt_of

# It is too early to say, or it is a new object; it is one that was thought to have moved and never did; a new
# object, though a known one may have moved there; or that known one.
NOTHING, NEVER_LEFT, PERHAPS, MOVED = range(4)


class Scene(NamedTuple):
    """What a judgement is made on: tracks, how objects move, detection rates, past views, the wearer."""

    rows: Table
    motion: NDArray[np.void]
    rates: NDArray[np.void]
    limits: Limits
    views: Tables
    metres: NDArray[np.float64]  # by the codes of free space
    wearer: NDArray[np.float64]
    time: float


class Verdict(NamedTuple):
    """What is to be done about a newly found object."""

    verdict: int
    known: np.int64  # the row of the known object that it is about
    known_gone: bool  # whether that is known to have left its place
    p_moved: float  # how likely it has moved here


@njit(cache=True)
def likeliest(slot: int, lookalikes: NDArray[np.int32], scene) -> tuple[np.int64, float]:  # type: ignore[no-untyped-def]
    """Of the lookalikes of a new object the one that it most likely is, and how likely that one
    has left. Of several that have left it is the closest: most are taken from close by."""
    rows, best, most, left = scene.rows, np.int64(-1), -1.0, 0.0
    for k in range(lookalikes.shape[0]):
        chance = _left(rows[lookalikes[k]], rows[slot], scene)
        near = 1.0 / (
            1.0 + distance(rows[lookalikes[k]].position, rows[slot].position) / DEPARTURE.close_by_m
        )
        if chance * near > most:
            best, most, left = np.int64(lookalikes[k]), chance * near, chance
    return best, left


@njit(cache=True)
def _left(row, new, scene) -> float:  # type: ignore[no-untyped-def]
    """How likely a known object is real and has left its place; 0 if it cannot be the new one."""
    if row.sure_seen >= new.first_seen or not in_time(row, new):
        return 0.0
    real = 1.0 - row.p_false
    if row.held or lies_about(row, new) or within_reach(row, new, scene.limits.reach_m, SCALE.moment_s):
        return float(0.99 * real)
    if row.inside and not row.unverified:  # it was put out of sight, and can be taken out unseen
        return float(CHANCE.likely * real)
    at_hand = CHANCE.seldom if norm3(row.offset) <= scene.limits.reach_m else 0.0
    if could_take(row, new, scene):
        at_hand = CHANCE.perhaps if norm3(new.offset) > SCALE.arm_m else CHANCE.even
        at_hand = CHANCE.likely if new.held else at_hand
    stays = math.exp(
        -hazard_of(scene.motion, scene.rates, row.filed) * max(0.0, scene.time - row.last_look)
    ) * (1.0 - at_hand)
    chance: float = real * (1.0 - stays * row.p_here / max(row.p_here + row.p_gone, 1e-12))
    return chance


@njit(cache=True)
def could_take(row, new, scene) -> bool:  # type: ignore[no-untyped-def]
    """Whether the wearer, within reach of whom one turned up, stands by the place of one like it, or has
    done so since that was last looked at."""
    reach_m, wearer = scene.limits.reach_m, scene.wearer
    if norm3(new.offset) > reach_m:
        return False
    if math.hypot(wearer[0] - row.position[0], wearer[1] - row.position[1]) <= reach_m:
        return True
    return bool(stood_by(scene.views, row.position, reach_m, max(row.last_look, row.last_seen)))


@njit(cache=True)
def lies_about(row, new) -> bool:  # type: ignore[no-untyped-def]
    """Whether an object whose place is not known well may be the one that was found."""
    sigma = math.sqrt(max(row.covariance[0], row.covariance[3]))
    return bool(sigma > SCALE.beside_m and distance(row.position, new.position) < 3.0 * sigma)


@njit(cache=True)
def within_reach(row, new, reach_m: float, gap_s: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether the wearer could have picked the object up just now: near a moment ago, and near still."""
    gap = new.first_seen - row.last_seen
    return bool(0.0 < gap <= gap_s and max(norm3(row.offset), norm3(new.offset)) <= reach_m)


@njit(cache=True)
def in_time(row, new) -> bool:  # type: ignore[no-untyped-def]
    """Whether an object could have been brought from its last place to the new one."""
    return bool(
        distance(row.position, new.position) <= 1.0 + SCALE.run_mps * (new.first_seen - row.sure_seen)
    )


@njit(cache=True)
def may_be_at_hand(rows: Table, other: int, slot: int, reach_m: float, gap_s: float) -> bool:
    """Whether a known object was just picked up, or lies about somewhere, and so may be the one in a row."""
    row, new = rows[other], rows[slot]
    return bool(within_reach(row, new, reach_m, gap_s) or lies_about(row, new))


@njit(cache=True)
def looks_alike(rows: Table, a: int, b: int, key_of: NDArray[np.int32]) -> bool:
    first, second = rows[a], rows[b]
    if dominant(first.labels, first.label_weights) != dominant(second.labels, second.label_weights):
        return False
    return not attributes_conflict(rows, a, b, key_of)


@njit(cache=True)
def attributes_conflict(rows: Table, a: int, b: int, key_of: NDArray[np.int32]) -> bool:
    """Whether an attribute of one object is another than the other's."""
    first, second = rows[a], rows[b]
    for k in range(SLOTS):
        feature = first.features[k]
        if feature == 0 or not leads(first, k, key_of):
            continue
        for j in range(SLOTS):
            other = second.features[j]
            if (
                other != 0
                and other != feature
                and key_of[other] == key_of[feature]
                and leads(second, j, key_of)
            ):
                return True
    return False


@njit(cache=True)
def confirmed_lookalikes(rows: Table, slot: int, key_of: NDArray[np.int32]) -> NDArray[np.int32]:
    """Other rows that are settled, likely real and alike, in the order of their objects' numbers."""
    label = dominant(rows[slot].labels, rows[slot].label_weights)
    lookalikes = np.empty(rows.shape[0], np.int32)
    count = 0
    for other in range(rows.shape[0]):
        row = rows[other]
        if row.filed != label or row.id == 0 or row.settled == 0 or not row.p_false < 0.5 or other == slot:
            continue
        if looks_alike(rows, slot, other, key_of):
            at = count
            while at > 0 and rows[lookalikes[at - 1]].id > row.id:
                lookalikes[at] = lookalikes[at - 1]
                at -= 1
            lookalikes[at] = other
            count += 1
    return lookalikes[:count].copy()


@njit(cache=True)
def judge(slot: int, lookalikes: NDArray[np.int32], scene) -> Verdict:  # type: ignore[no-untyped-def]
    """Where a newly found object came from, as far as that can be told by now."""
    rows, rates, views = scene.rows, scene.rates, scene.views
    row, doubt = rows[slot], doubt_of(rows, slot, rates)
    for k in range(lookalikes.shape[0]):
        other = rows[lookalikes[k]]
        if other.unverified and distance(other.previous, row.position) < SCALE.beside_m:
            return Verdict(
                NEVER_LEFT if doubt < CHANCE.perhaps else NOTHING, np.int64(lookalikes[k]), False, 0.0
            )
    if not lookalikes.shape[0]:
        row.settled = 1 if doubt < BELIEF.sure else 0
        return Verdict(NOTHING, np.int64(-1), False, 0.0)
    far_m, reach, gap = scene.limits.look_range_m, scene.limits.reach_m, SCALE.moment_s
    empty, _ = evidence_of_emptiness(
        views, scene.metres, row.position, row.size, row.first_seen, far_m, rates
    )
    if row.appeared == 0:
        row.appeared = APPEARED if empty > PAST_VIEWS.empty_before else NOT_APPEARED
    elder, left = likeliest(slot, lookalikes, scene)
    known_gone = left >= 0.5
    may_come = left > 0.0 and (
        (row.appeared == APPEARED and _p_moved(rows, elder, left, empty) > CHANCE.perhaps)
        or may_be_at_hand(rows, elder, slot, reach, gap)
        or (known_gone and lookalikes.shape[0] == 1)
    )
    if left > 0.0 and not may_come:
        moved = _p_moved(rows, elder, left, empty)
        may_come = moved > CHANCE.surely
        if not may_come and doubt < BELIEF.sure:
            row.settled = 1
            moved = _p_moved(rows, elder, left, empty)
            return Verdict(PERHAPS, elder, known_gone, moved)
    if not may_come:
        row.settled = 1 if doubt < BELIEF.sure else 0
        return Verdict(NOTHING, elder, known_gone, 0.0)
    at_once = rows[elder].held or may_be_at_hand(rows, elder, slot, reach, gap)
    if row.hits == 1 and not at_once and _in_arms(slot, lookalikes, scene):
        return Verdict(NOTHING, elder, known_gone, 0.0)  # whether it is in the hands the next detection shows
    # A single detection must not draw an object away from a place that was not found empty.
    enough = doubt < (CHANCE.perhaps if known_gone else BELIEF.sure)
    return Verdict(MOVED if enough and (known_gone or row.hits > 1) else NOTHING, elder, known_gone, 0.0)


@njit(cache=True)
def _in_arms(slot: int, lookalikes: NDArray[np.int32], scene) -> bool:  # type: ignore[no-untyped-def]
    """Whether it is at an arm's length from a wearer who may have taken one like it from its place."""
    rows = scene.rows
    if norm3(rows[slot].offset) > SCALE.arm_m:
        return False
    for k in range(lookalikes.shape[0]):
        other = rows[lookalikes[k]]
        if not other.gone and could_take(other, rows[slot], scene):
            return True
    return False


@njit(cache=True)
def _p_moved(rows: Table, elder: int, left: float, empty: float) -> float:
    """One more of a kind in a place that was not seen well before: another one, or the known one moved there.

    Another one is the less likely, the better its place was looked at before (`empty`); but looks may have
    overlooked it all the same. What stays for years is therefore another one, unless it was out of view for
    hours.
    """
    another = CHANCE.perhaps * max(math.exp(-max(0.0, empty)), CHANCE.hardly**2)
    if rows[elder].motion == PORTABLE:
        left = max(left, CHANCE.rarely)
    return float(left / (left + another))
