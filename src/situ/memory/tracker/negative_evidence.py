"""Negative evidence: what a look in vain takes away from the things that should have been seen."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.looks import LOOKING
from situ.memory.tables.motion import AGENT, hazard_of, watch
from situ.memory.tables.rates import p_detect, range_bin
from situ.memory.tables.tracks import CELL_M, Heads, Table, bucket, cell
from situ.memory.tracker.belief import leak, weigh
from situ.memory.tracker.occlusion import p_hidden, p_hidden_without_depth, plain_view, slack


@njit(cache=True)
def look(
    rows: Table,
    heads: Heads,
    rates: NDArray[np.void],
    world_to_camera: NDArray[np.float64],
    position: NDArray[np.float64],
    lens: NDArray[np.float64],  # fx fy cx cy width height
    codes: NDArray[np.uint8],
    metres: NDArray[np.float64],
    frame: int,
    time: float,
    reach: float,
    border: float,
    observed: NDArray[np.void],
    missed: NDArray[np.int32],
    motion: NDArray[np.void],
) -> int:
    """Every object whose place is in plain view and that was not seen loses belief; the count of them.

    `codes` is a 0 x 0 table when there is no depth: then much might hide the thing.
    """
    count, blind = 0, codes.shape[0] == 0
    one_look_s = LOOKING.one_blind_look_s if blind else LOOKING.one_look_s
    for cx in range(cell(position[0] - reach), cell(position[0] + reach) + 1):
        for cy in range(cell(position[1] - reach), cell(position[1] + reach) + 1):
            if not cell_in_view(world_to_camera, cx, cy, position[2], lens):
                continue
            slot = heads[bucket(cx, cy, heads.shape[0])]
            while slot >= 0:
                row = rows[slot]
                at, slot = slot, row.next
                if row.cell_x != cx or row.cell_y != cy or row.last_frame == frame or row.held or row.inside:
                    continue
                z, clear = plain_view(row, world_to_camera, lens, codes, metres, border)
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
                if hidden < LOOKING.hidden:
                    miss(row, rates, motion, time, z, far, clear, hidden)
                    missed[count] = at
                    count += 1
    return count


@njit(cache=True)
def cell_in_view(
    world_to_camera: NDArray[np.float64], cx: int, cy: int, height: float, lens: NDArray[np.float64]
) -> bool:
    """A quick test that spares whole cells behind the camera."""
    m = world_to_camera
    x, y = (cx + 0.5) * CELL_M, (cy + 0.5) * CELL_M
    ahead: bool = m[2, 0] * x + m[2, 1] * y + m[2, 2] * height + m[2, 3] > -2.0 * CELL_M
    return ahead


@njit(cache=True)
def miss(  # type: ignore[no-untyped-def]
    row, rates, motion, time: float, z: float, far: float, clear: float, hidden: float
) -> None:
    """A look in vain at a thing that may be hidden; `clear` is negative without depth."""
    if row.hits >= 3 and row.p_here > 0.5:
        watch(motion, rates, row.filed, time - row.last_look)
    leak(row, hazard_of(motion, rates, row.filed), time)
    here, not_here = 1.0 - p_detect(rates[0], far, row.size), 1.0
    if clear < 0.0:
        here = 0.0  # without depth, being overlooked is a part of being hidden
    elif clear > z + slack(row, z) + 0.5 * max(row.size[0], row.size[1], row.size[2]):
        here *= LOOKING.seen_through
    else:
        not_here = hidden + (1.0 - hidden) * LOOKING.surface  # what hides a thing is there with or without it
    here = hidden + (1.0 - hidden) * here
    if row.motion == AGENT:  # it may just have walked on
        walked = row.p_here * (1.0 - math.exp(-(time - row.last_seen) / LOOKING.stride_s))
        row.p_here -= walked
        row.p_gone += walked
    here *= row.p_here
    weigh(row, here, row.p_gone * not_here, row.p_false * not_here, row.stay_false * not_here)
    if hidden < 0.5:
        row.misses[range_bin(far, row.size)] += 1
    row.last_look = time
    if math.isnan(row.absent_since) and row.motion != AGENT:  # an agent is elsewhere, not gone
        row.absent_since = time
