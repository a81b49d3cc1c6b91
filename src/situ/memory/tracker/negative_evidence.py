"""Negative evidence: what a look in vain takes away from the things that should have been seen."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.looks import HEALTH, PAST_VIEWS
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.tables.motion import AGENT, hazard_of, watch
from situ.memory.tables.rates import p_found, p_recurs, p_through, range_bin
from situ.memory.tables.tracks import CELL_M, Table, bucket, cell
from situ.memory.tracker.belief import leak, weigh
from situ.memory.tracker.occlusion import p_hidden, p_hidden_without_depth, plain_view, slack


@njit(cache=True)
def look_in_vain(known, look, observed: NDArray[np.void], missed: NDArray[np.int32]) -> int:  # type: ignore[no-untyped-def]
    """Every object whose place is in plain view and that was not seen loses belief; the count of them.
    Without depth much might hide it."""
    rows, heads, _, motion, rates, limits = known
    time, position, world_to_camera = look.time, look.poses[0, :3, 3].copy(), look.poses[1]
    count, blind, reach = 0, look.codes.shape[0] == 0, limits.look_range_m
    about = np.empty((missed.shape[0], 5))  # depth, clear up to, distance, how likely hidden, or found
    one_look_s = SCALE.moment_s if blind else SCALE.glance_s
    for cx in range(cell(position[0] - reach), cell(position[0] + reach) + 1):
        for cy in range(cell(position[1] - reach), cell(position[1] + reach) + 1):
            if not cell_in_view(world_to_camera, cx, cy, position[2]):
                continue
            slot = heads[bucket(cx, cy, heads.shape[0])]
            while slot >= 0:
                row = rows[slot]
                at, slot = slot, row.next
                if row.cell_x != cx or row.cell_y != cy or row.last_frame == look.number:
                    continue
                if row.held or row.inside:
                    continue
                z, clear = plain_view(row, look, PAST_VIEWS.border)
                if z == 0.0 or clear == 0.0 or time - row.last_look < one_look_s:
                    continue
                x, y = row.position[0] - position[0], row.position[1] - position[1]
                up = row.position[2] - position[2]
                far = math.sqrt(x * x + y * y + up * up)  # as far as a detector has to see
                if far > reach or count == missed.shape[0]:
                    continue
                if blind:
                    hidden = p_hidden_without_depth(row, world_to_camera, position, z, observed)
                else:
                    hidden = p_hidden(row, world_to_camera, z, clear)
                if hidden < CHANCE.surely:
                    about[count, 0], about[count, 1], about[count, 2] = z, clear, far
                    about[count, 3], about[count, 4] = hidden, p_found(rates[0], far, row)
                    missed[count] = at
                    count += 1
    silence = _silence(rows, missed[:count], about, rates[0], observed.shape[0])
    for k in range(count):
        row = rows[missed[k]]
        working = _working(silence, row, about[k])
        miss(row, rates, motion, time, about[k], working)
    return count


@njit(cache=True)
def _silence(rows: Table, missed: NDArray[np.int32], about, rates, found: int):  # type: ignore[no-untyped-def]
    """Log odds of the shares of what it usually finds that the detector may find in this frame, by what it
    found and did not; they are learned for the next one. Silence where much is expected is evidence about the
    detector first."""
    silence = np.empty(len(HEALTH.shares))
    for k in range(len(HEALTH.shares)):
        share = HEALTH.shares[k]
        before = CHANCE.likely * rates.working[k] + (1.0 - CHANCE.likely) * HEALTH.prior[k]
        silence[k] = math.log(before)
        if found > 0:
            silence[k] += min(found, HEALTH.most_found) * math.log(max(share, 1e-6))
        for i in range(missed.shape[0]):
            silence[k] += math.log(1.0 - share * _expected(rows[missed[i]], about[i]))
    chances = np.exp(silence - silence.max())
    rates.working[:] = chances / chances.sum()
    return silence


@njit(cache=True)
def _expected(row, about) -> float:  # type: ignore[no-untyped-def]
    """How likely a thing would be found by a detector that works as usual."""
    return min(float(row.p_here * (1.0 - about[3]) * about[4]), 0.99)


@njit(cache=True)
def _working(silence, row, about) -> float:  # type: ignore[no-untyped-def]
    """The share of what it usually finds that the detector finds now, by all but one thing."""
    total, weights, most = 0.0, 0.0, silence.max()
    for k in range(len(HEALTH.shares)):
        share = HEALTH.shares[k]
        chance = math.exp(silence[k] - most) / (1.0 - share * _expected(row, about))
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
def miss(row, rates, motion, time: float, about, working: float) -> None:  # type: ignore[no-untyped-def]
    """A look in vain at a thing that may be hidden, by a detector that finds a share of what it usually does;
    `clear` is negative without depth."""
    z, clear, far, hidden, found = about[0], about[1], about[2], about[3], about[4]
    if row.hits >= 3 and row.p_here > 0.5:
        watch(motion, rates, row.filed, time - row.last_look)
    leak(row, hazard_of(motion, rates, row.filed), time)
    here, not_here = 1.0 - working * found, 1.0
    if clear < 0.0:
        here = 1.0 - working  # without depth, being overlooked is a part of being hidden
    elif clear > z + slack(row, z) + 0.5 * max(row.size[0], row.size[1], row.size[2]):
        here *= p_through(rates[0])
    else:
        not_here = hidden + (1.0 - hidden) * CHANCE.even  # what hides a thing is there with or without it
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
        row.misses[range_bin(far, row.size)] += 1
    row.vain += shown
    row.last_look = time
    if math.isnan(row.absent_since) and row.motion != AGENT:  # an agent is elsewhere, not gone
        row.absent_since = time
