"""Negative evidence: what a look in vain takes away from the things that should have been seen."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.belief import leak, weigh
from situ.memory.motion import AGENT, hazard_of, watch
from situ.memory.rates import p_detect, range_bin
from situ.memory.tracks import CELL_M, Heads, Table, bucket, cell

SEEN_THROUGH = 0.15  # depth shows nothing there although it is there: thin, shiny or misplaced
SURFACE = 0.5  # depth shows something there although it is gone
WITHOUT_DEPTH = 0.6  # the share of things in the field of view that nothing hides
_ONE_LOOK_S = 0.4
_STRIDE_S = 0.4  # within which somebody who walks has left the place where they were


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
    missed: NDArray[np.int32],
    motion: NDArray[np.void],
) -> int:
    """Every object whose place is in plain view and that was not seen loses belief; the count of them.

    `codes` is a 0 x 0 table when there is no depth: then anything might hide the thing.
    """
    count = 0
    for cx in range(cell(position[0] - reach), cell(position[0] + reach) + 1):
        for cy in range(cell(position[1] - reach), cell(position[1] + reach) + 1):
            if not cell_in_view(world_to_camera, cx, cy, position[2], lens):
                continue
            slot = heads[bucket(cx, cy, heads.shape[0])]
            while slot >= 0:
                row = rows[slot]
                if (
                    row.cell_x == cx
                    and row.cell_y == cy
                    and row.last_frame != frame
                    and not (row.held or row.inside)
                ):
                    z, clear = plain_view(row, world_to_camera, lens, codes, metres, border)
                    x, y, up = (
                        row.position[0] - position[0],
                        row.position[1] - position[1],
                        row.position[2] - position[2],
                    )
                    far = math.sqrt(x * x + y * y + up * up)  # as far as a detector has to see
                    if z > 0.0 and far <= reach and clear != 0.0 and count < missed.shape[0]:
                        # Looks in quick succession are one look: what hides a thing hides it in all of them.
                        if time - row.last_look < _ONE_LOOK_S:
                            slot = row.next
                            continue
                        miss(row, rates, motion, time, z, far, clear)
                        missed[count] = slot
                        count += 1
                slot = row.next
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
def plain_view(row, world_to_camera, lens, codes, metres, border):  # type: ignore[no-untyped-def]
    """Depth of the object's place and how far the view is clear there: -1 without depth, 0 when hidden."""
    m, p = world_to_camera, row.position
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
    clear = metres[codes[int(v / lens[5] * codes.shape[0]), int(u / lens[4] * codes.shape[1])]]
    if clear < z - slack(row, z) - half_way_through(row, m, z):
        return z, 0.0
    return z, clear


@njit(cache=True)
def half_way_through(row, world_to_camera, z: float) -> float:  # type: ignore[no-untyped-def]
    """Depth from the surface of a thing to its centre along the line of sight.

    A bottle before a wall is hidden from the room behind it, though the wall is nearer than it is tall.
    """
    m, p = world_to_camera, row.position
    away = m[0, 0] * p[0] + m[0, 1] * p[1] + m[0, 2] * p[2] + m[0, 3]
    below = m[1, 0] * p[0] + m[1, 1] * p[1] + m[1, 2] * p[2] + m[1, 3]
    # The third column of the rotation is the upward direction of the world as the camera sees it.
    rise = abs(m[0, 2] * away + m[1, 2] * below + m[2, 2] * z) / z
    along = math.sqrt(max(1.0 + (away / z) ** 2 + (below / z) ** 2 - rise * rise, 0.0))
    across = 0.5 * max(row.size[0], row.size[1])
    inside: float = min(across / max(along, 1e-6), 0.5 * row.size[2] / max(rise, 1e-6))
    return inside


@njit(cache=True)
def slack(row, z: float) -> float:  # type: ignore[no-untyped-def]
    """How much depth and place of a thing may be off."""
    spread = math.sqrt(max(row.covariance[0], row.covariance[3], row.covariance[5]))
    allowed: float = 0.08 + 0.04 * z + spread
    return allowed


@njit(cache=True)
def miss(row, rates, motion, time: float, z: float, far: float, clear: float) -> None:  # type: ignore[no-untyped-def]
    if row.hits >= 3 and row.p_here > 0.5:
        watch(motion, rates, row.filed, time - row.last_look)
    leak(row, hazard_of(motion, rates, row.filed), time)
    detect = p_detect(rates[0], far)
    here, not_here = 1.0 - detect, 1.0
    if clear < 0.0:
        here = 1.0 - detect * WITHOUT_DEPTH
    elif clear > z + slack(row, z) + 0.5 * max(row.size[0], row.size[1], row.size[2]):
        here *= SEEN_THROUGH
    else:
        not_here = SURFACE
    if row.motion == AGENT:  # it may just have walked on
        walked = row.p_here * (1.0 - math.exp(-(time - row.last_seen) / _STRIDE_S))
        row.p_here -= walked
        row.p_gone += walked
    here *= row.p_here
    weigh(row, here, row.p_gone * not_here, row.p_false * not_here, row.stay_false * not_here)
    row.misses[range_bin(far)] += 1
    row.last_look = time
    if math.isnan(row.absent_since) and row.motion != AGENT:  # an agent is elsewhere, not gone
        row.absent_since = time
