"""Whether a place is in plain view, or something may hide what stands there."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.looks import OCCLUSION
from situ.memory.options.scales import SCALE
from situ.memory.tables.tracks import BEARINGS


@njit(cache=True)
def plain_view(row, look, border):  # type: ignore[no-untyped-def]
    """Depth of the object's place and how far the view is clear there: -1 without depth, 0 where it is not
    measured or outside the picture."""
    lens, codes, metres = look.lens, look.codes, look.metres
    m, p = look.poses[1], row.position
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
    # Beside the edge of a wall half of a thing may be hidden: then it need not be detected.
    half = 0.5 * lens[0] * max(row.size[0], row.size[1]) / z
    for side in (max(u - half, 0.0), min(u + half, lens[4] - 1.0)):
        beside = metres[codes[r, int(side / lens[4] * codes.shape[1])]]
        if beside > 0.0:
            clear = min(clear, beside)
    return z, clear


@njit(cache=True)
def p_hidden(row, world_to_camera, z: float, clear: float) -> float:  # type: ignore[no-untyped-def]
    """How likely the surface that depth shows hides the thing: surely so if it lies before the thing's front.

    A wall between two rooms is nearer to a picture on its far side than a wardrobe is wide: so what counts is
    where the front of this very thing would be, seen from here.
    """
    behind = (clear - z + to_front(row, world_to_camera, z)) / slack(row, z)
    chance: float = 1.0 / (1.0 + math.exp(OCCLUSION.sharpness * (behind - OCCLUSION.even)))
    return chance


@njit(cache=True)
def to_front(row, world_to_camera, z: float) -> float:  # type: ignore[no-untyped-def]
    """Depth from the front of a thing to its centre, along the line of sight through its box."""
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
    """How much depth and place of a thing may be off."""
    spread = math.sqrt(max(row.covariance[0], row.covariance[3], row.covariance[5]))
    allowed: float = SCALE.slack_m + OCCLUSION.slack_share * z + spread
    return allowed


@njit(cache=True)
def bearing_bin(dx: float, dy: float) -> int:
    """From which side of a thing one looks at it."""
    return math.floor(math.atan2(dy, dx) / (2.0 * math.pi) * BEARINGS) % BEARINGS


@njit(cache=True)
def note_view(row, position: NDArray[np.float64], time: float) -> None:  # type: ignore[no-untyped-def]
    """A thing was seen from a position: from this side, up to this far, nothing lasting hides it."""
    dx, dy = position[0] - row.position[0], position[1] - row.position[1]
    side = bearing_bin(dx, dy)
    if row.found_from[side] == 0 or time - row.last_seen >= SCALE.moment_s:
        row.found_from[side] += 1
    row.seen_from[side] = max(row.seen_from[side], math.sqrt(dx * dx + dy * dy))


@njit(cache=True)
def forget_views(row) -> None:  # type: ignore[no-untyped-def]
    """A thing is elsewhere: nothing is known of what hides it there."""
    row.seen_from[:] = 0.0
    row.found_from[:] = 0
    row.missed_from[:] = 0


@njit(cache=True)
def p_hidden_without_depth(  # type: ignore[no-untyped-def]
    row, world_to_camera, position, z: float, observed: NDArray[np.void]
) -> float:
    """The same where no depth is given: walls are not known, so a side from which the thing has not been
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
    for i in range(observed.shape[0]):
        other = observed[i]
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
