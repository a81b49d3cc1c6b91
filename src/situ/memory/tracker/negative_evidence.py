"""Negative evidence: objects that should be in view and were not detected become less likely to be there."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.visibility import HEALTH, OCCLUSION, PAST_VIEWS
from situ.memory.tables.motion import AGENT, hazard_of, watch
from situ.memory.tables.rates import p_found, p_recurs, p_through, range_bin
from situ.memory.tables.tracks import BEARINGS, CELL_M, Table, bucket, cell
from situ.memory.tracker.presence import leak, weigh
from situ.memory.tracker.step import MISSED


@njit(cache=True)
def plain_view(row, view, border):  # type: ignore[no-untyped-def]
    """Depth of the object's place and how far the view is clear there: -1 without depth, 0 where it is not
    measured or outside the picture."""
    lens, codes, metres = view.lens, view.codes, view.metres
    m, p = view.poses[1], row.position
    z = m[2, 0] * p[0] + m[2, 1] * p[1] + m[2, 2] * p[2] + m[2, 3]
    if z < 0.2:
        return 0.0, 0.0
    u = lens[0] * (m[0, 0] * p[0] + m[0, 1] * p[1] + m[0, 2] * p[2] + m[0, 3]) / z + lens[2]
    v = lens[1] * (m[1, 0] * p[0] + m[1, 1] * p[1] + m[1, 2] * p[2] + m[1, 3]) / z + lens[3]
    edge_u, edge_v = border * lens[4], border * lens[5]
    if u < edge_u or u >= lens[4] - edge_u or v < edge_v or v >= lens[5] - edge_v:
        return 0.0, 0.0
    if codes.shape[0] == 0:
        return z, -1.0
    r, c = int(v / lens[5] * codes.shape[0]), int(u / lens[4] * codes.shape[1])
    clear: float = metres[codes[r, c]]
    # Beside the edge of a wall half of an object may be hidden: then it need not be detected.
    half = 0.5 * lens[0] * max(row.size[0], row.size[1]) / z
    for side in (max(u - half, 0.0), min(u + half, lens[4] - 1.0)):
        beside = metres[codes[r, int(side / lens[4] * codes.shape[1])]]
        if beside > 0.0:
            clear = min(clear, beside)
    return z, clear


@njit(cache=True)
def p_hidden(row, world_to_camera, z: float, clear: float) -> float:  # type: ignore[no-untyped-def]
    """How likely the surface that depth shows hides the object: surely if it lies before the object's front.

    A wall between two rooms is nearer to a picture on its far side than a wardrobe is wide: so what counts is
    where the front of this very object would be, seen from here.
    """
    behind = (clear - z + to_front(row, world_to_camera, z)) / slack(row, z)
    chance: float = 1.0 / (1.0 + math.exp(OCCLUSION.sharpness * (behind - OCCLUSION.even)))
    return chance


@njit(cache=True)
def to_front(row, world_to_camera, z: float) -> float:  # type: ignore[no-untyped-def]
    """Depth from the front of an object to its centre, along the line of sight through its box."""
    m, p = world_to_camera, row.position
    away = m[0, 0] * p[0] + m[0, 1] * p[1] + m[0, 2] * p[2] + m[0, 3]
    below = m[1, 0] * p[0] + m[1, 1] * p[1] + m[1, 2] * p[2] + m[1, 3]
    nearest = math.inf
    for k in range(3):
        # What the line of sight gains along an axis of the world for each metre of depth.
        along = abs(m[0, k] * away + m[1, k] * below + m[2, k] * z) / z
        nearest = min(nearest, 0.5 * row.size[k] / max(along, 1e-6))
    return nearest


@njit(cache=True)
def slack(row, z: float) -> float:  # type: ignore[no-untyped-def]
    """How much depth and place of an object may be off."""
    spread = math.sqrt(max(row.covariance[0], row.covariance[3], row.covariance[5]))
    allowed: float = SCALE.slack_m + OCCLUSION.slack_share * z + spread
    return allowed


@njit(cache=True)
def bearing_bin(dx: float, dy: float) -> int:
    """From which side of an object one looks at it."""
    return math.floor(math.atan2(dy, dx) / (2.0 * math.pi) * BEARINGS) % BEARINGS


@njit(cache=True)
def note_view(row, position: NDArray[np.float64], time: float) -> None:  # type: ignore[no-untyped-def]
    """An object was seen from a position: from this side, up to this far, nothing lasting hides it."""
    dx, dy = position[0] - row.position[0], position[1] - row.position[1]
    side = bearing_bin(dx, dy)
    if row.found_from[side] == 0 or time - row.last_seen >= SCALE.moment_s:
        row.found_from[side] += 1
    row.seen_from[side] = max(row.seen_from[side], math.sqrt(dx * dx + dy * dy))


@njit(cache=True)
def forget_views(row) -> None:  # type: ignore[no-untyped-def]
    """An object is elsewhere: nothing is known of what hides it there."""
    row.seen_from[:] = 0.0
    row.found_from[:] = 0
    row.missed_from[:] = 0


@njit(cache=True)
def p_hidden_without_depth(  # type: ignore[no-untyped-def]
    row, world_to_camera, position, z: float, detections: NDArray[np.void]
) -> float:
    """The same where no depth is given: walls are not known, so a side from which the object has not been
    seen, or not from as far, tells nothing; nor does a view with something before it. From other sides it is
    hidden, or overlooked, as often as it was so far."""
    dx, dy = position[0] - row.position[0], position[1] - row.position[1]
    side = bearing_bin(dx, dy)
    far = math.sqrt(dx * dx + dy * dy)
    aside = math.hypot(position[0] - row.seen_at[0], position[1] - row.seen_at[1])
    same_view = aside <= OCCLUSION.same_view * far  # False where that is not known yet
    if far > OCCLUSION.farther * row.seen_from[side] or (far > SCALE.room_m and not same_view):
        return 1.0
    m, p = world_to_camera, row.position
    x = (m[0, 0] * p[0] + m[0, 1] * p[1] + m[0, 2] * p[2] + m[0, 3]) / z
    y = (m[1, 0] * p[0] + m[1, 1] * p[1] + m[1, 2] * p[2] + m[1, 3]) / z
    for i in range(detections.shape[0]):
        other = detections[i]
        ahead = other.in_camera[2]
        if ahead < 0.2 or ahead > z:
            continue
        wide = 0.5 * OCCLUSION.wider * max(other.size[0], other.size[1]) / ahead
        high = 0.5 * OCCLUSION.wider * other.size[2] / ahead
        if abs(other.in_camera[0] / ahead - x) < wide and abs(other.in_camera[1] / ahead - y) < high:
            return 1.0
    found, missed = row.found_from[side], row.missed_from[side]
    row.missed_from[side] += 1
    chance: float = (missed + 1.0) / (found + missed + 2.0)
    return chance


@njit(cache=True)
def find_missed(tables, view, detections: NDArray[np.void], missed: NDArray[np.int32]) -> int:  # type: ignore[no-untyped-def]
    """Every object whose place is in plain view and that was not seen loses belief; the count of them.
    Without depth much might hide it."""
    rows, heads, motion, rates = tables.rows, tables.heads, tables.motion, tables.rates
    time, position, world_to_camera = view.time, view.poses[0, :3, 3].copy(), view.poses[1]
    count, blind, reach = 0, view.codes.shape[0] == 0, tables.limits.look_range_m
    about = np.empty(missed.shape[0], MISSED)
    one_look_s = SCALE.moment_s if blind else SCALE.glance_s
    for cx in range(cell(position[0] - reach), cell(position[0] + reach) + 1):
        for cy in range(cell(position[1] - reach), cell(position[1] + reach) + 1):
            if not cell_in_view(world_to_camera, cx, cy, position[2]):
                continue
            slot = heads[bucket(cx, cy, heads.shape[0])]
            while slot >= 0:
                row = rows[slot]
                at, slot = slot, row.next
                if row.cell_x != cx or row.cell_y != cy or row.last_frame == view.number:
                    continue
                if row.held or row.inside:
                    continue
                z, clear = plain_view(row, view, PAST_VIEWS.border)
                if z == 0.0 or clear == 0.0 or time - row.last_look < one_look_s:
                    continue
                x, y = row.position[0] - position[0], row.position[1] - position[1]
                up = row.position[2] - position[2]
                far = math.sqrt(x * x + y * y + up * up)  # as far as a detector has to see
                if far > reach or count == missed.shape[0]:
                    continue
                if blind:
                    hidden = p_hidden_without_depth(row, world_to_camera, position, z, detections)
                else:
                    hidden = p_hidden(row, world_to_camera, z, clear)
                if hidden < CHANCE.surely:
                    one = about[count]
                    one.row, one.depth, one.clear, one.distance = at, z, clear, far
                    one.hidden, one.found = hidden, p_found(rates[0], far, row)
                    missed[count] = at
                    count += 1
    odds = _log_odds_of_working(rows, about[:count], rates[0], detections.shape[0], view.seconds)
    for k in range(count):
        row = rows[missed[k]]
        note_miss(row, rates, motion, time, about[k], _p_working(odds, row, about[k]))
    return count


@njit(cache=True)
def _log_odds_of_working(  # type: ignore[no-untyped-def]
    rows: Table, missed: NDArray[np.void], rates, found: int, seconds: float
):
    """Log odds of the shares of what it usually finds that the detector may find in this frame, by what it
    found and did not; they are learned for the next one. Silence where much is expected is evidence about the
    detector first: one that does not work goes on so for about a minute."""
    odds, stays = np.empty(len(HEALTH.shares)), math.exp(-min(seconds, SCALE.minute_s) / SCALE.minute_s)
    for k in range(len(HEALTH.shares)):
        share = HEALTH.shares[k]
        before = stays * rates.working[k] + (1.0 - stays) * HEALTH.prior[k]
        odds[k] = math.log(before)
        if found > 0:
            odds[k] += min(found, HEALTH.most_found) * math.log(max(share, 1e-6))
        for i in range(missed.shape[0]):
            odds[k] += math.log(1.0 - share * _expected(rows[missed[i].row], missed[i]))
    chances = np.exp(odds - odds.max())
    rates.working[:] = chances / chances.sum()
    return odds


@njit(cache=True)
def _expected(row, missed) -> float:  # type: ignore[no-untyped-def]
    """How likely an object would be found by a detector that works as usual."""
    return min(float(row.p_here * (1.0 - missed.hidden) * missed.found), 0.99)


@njit(cache=True)
def _p_working(odds, row, missed) -> float:  # type: ignore[no-untyped-def]
    """The share of what it usually finds that the detector finds now, by all but one object."""
    total, weights, most = 0.0, 0.0, odds.max()
    for k in range(len(HEALTH.shares)):
        share = HEALTH.shares[k]
        chance = math.exp(odds[k] - most) / (1.0 - share * _expected(row, missed))
        total, weights = total + share * chance, weights + chance
    return total / weights


@njit(cache=True)
def cell_in_view(world_to_camera: NDArray[np.float64], cx: int, cy: int, height: float) -> bool:
    """A quick test that spares whole cells behind the camera."""
    m = world_to_camera
    x, y = (cx + 0.5) * CELL_M, (cy + 0.5) * CELL_M
    ahead: bool = m[2, 0] * x + m[2, 1] * y + m[2, 2] * height + m[2, 3] > -2.0 * CELL_M
    return ahead


@njit(cache=True)
def note_miss(row, rates, motion, time: float, missed, working: float) -> None:  # type: ignore[no-untyped-def]
    """A negative observation of an object that may be hidden, by a detector that finds a share of what it
    usually does."""
    z, clear, hidden, found = missed.depth, missed.clear, missed.hidden, missed.found
    if row.hits >= 3 and row.p_here > 0.5:
        watch(motion, rates, row.filed, time - row.last_look)
    leak(row, hazard_of(motion, rates, row.filed), time)
    here, not_here = 1.0 - working * found, 1.0
    if clear < 0.0:
        here = 1.0 - working  # without depth, being overlooked is a part of being hidden
    elif clear > z + slack(row, z) + 0.5 * max(row.size[0], row.size[1], row.size[2]):
        here *= p_through(rates[0])
    else:
        not_here = hidden + (1.0 - hidden) * CHANCE.even  # what hides an object is there with or without it
    here = hidden + (1.0 - hidden) * here
    if row.motion == AGENT:  # it may just have walked on, unless it has been there for long
        stays_s = max(SCALE.glance_s, row.last_seen - row.stay_since)
        walked = row.p_here * (1.0 - math.exp(-(time - row.last_look) / stays_s))
        row.p_here -= walked
        row.p_gone += walked
    here *= row.p_here
    shown = (1.0 - hidden) * working
    again = 1.0 - shown * p_recurs(row)
    false = not_here * (row.recurs * again + 1.0 - row.recurs)
    row.recurs = min(row.recurs * not_here * again / false, 1.0)
    weigh(row, here, row.p_gone * not_here, row.p_false * false, row.stay_false * false)
    if shown > 0.5:
        row.misses[range_bin(missed.distance, row.size)] += 1
    row.vain += shown
    row.last_look = time
    if math.isnan(row.absent_since) and row.motion != AGENT:  # an agent is elsewhere, not gone
        row.absent_since = time
