"""Depth that is far off in a single frame: an edge, a pane of glass. The thing is seen in its direction, not
at its distance, and nothing is seen at its place: that is no second thing."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.sightings import STRAY_DEPTH
from situ.memory.tables.motion import AGENT
from situ.memory.tables.tracks import SLOTS, Table
from situ.memory.tracker.belief import norm3


@njit(cache=True)
def match_stray_depth(
    rows: Table,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    eye: NDArray[np.float64],
    time: float,
    reach_m: float,
) -> NDArray[np.int32]:
    """Give observations that match nothing to the well-known thing of their kind on the same line of sight,
    if that was not seen. Only once in a row: what is seen there again has been moved there. Those that are
    left."""
    for i in range(observed.shape[0]):
        if chosen[i] >= 0:
            continue
        seen = observed[i]
        away = seen.position - eye
        distance = norm3(away)
        if distance <= reach_m:  # which may be in the hands
            continue
        best = -1  # of several the one that has been known the longest
        for slot in range(rows.shape[0]):
            row = rows[slot]
            if row.id == 0 or row.filed != seen.label or (best >= 0 and rows[best].id < row.id):
                continue
            likely = _is_known(row) and _looks_alike(row, seen) and _in_line(row, eye, away, distance)
            if likely and not (chosen == slot).any():
                best = slot
        if best >= 0:
            chosen[i] = best
            rows[best].astray = time
    return np.flatnonzero(chosen < 0).astype(np.int32)


@njit(cache=True)
def _is_known(row) -> bool:  # type: ignore[no-untyped-def]
    """Whether a thing is surely at its place, and was seen there after its depth was last astray."""
    return bool(
        row.hits >= STRAY_DEPTH.enough_hits
        and row.p_here > 0.5
        and row.held == 0
        and row.motion != AGENT
        and row.last_seen > row.astray
    )


@njit(cache=True)
def _looks_alike(row, seen) -> bool:  # type: ignore[no-untyped-def]
    """Whether a thing has all that was seen of it."""
    for k in range(SLOTS):
        if seen.features[k] != 0 and not (row.features == seen.features[k]).any():
            return False
    return True


@njit(cache=True)
def _in_line(row, eye, away, distance: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether a thing lies on a line of sight."""
    x, y, z = row.position[0] - eye[0], row.position[1] - eye[1], row.position[2] - eye[2]
    along = (x * away[0] + y * away[1] + z * away[2]) / distance
    x, y, z = (
        x - away[0] * (along / distance),
        y - away[1] * (along / distance),
        z - away[2] * (along / distance),
    )
    aside = math.sqrt(x * x + y * y + z * z)
    size = max(row.size[0], row.size[1], row.size[2])
    return bool(along > 0.0 and aside <= STRAY_DEPTH.aside_m + STRAY_DEPTH.aside_share * size)
