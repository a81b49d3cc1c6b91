"""Stays of an object: a new one begins where it is put; one that never was becomes another object's."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.tables.tracks import SLOTS, Table, dominant
from situ.memory.tracker.presence import weigh


@njit(cache=True)
def begin_stay(rows: Table, slot: int, since: float) -> tuple[int, int]:
    """An object is somewhere else from a time on; its number, and the stay that has ended."""
    row = rows[slot]
    ended = row.stay
    row.segment[:] = np.nan
    row.stay += 1
    row.stay_since = since
    row.returned = 0
    row.unsteady = -math.inf
    row.stay_hits = row.hits
    row.stay_labels[:], row.stay_weights[:] = 0, 0.0
    row.published_position[:] = np.nan  # whatever was said of its place is out of date
    row.published_spread = 0.0
    return row.id, ended


@njit(cache=True)
def split_stay(rows: Table, slot: int, other: int, place: NDArray[np.float64]) -> float:
    """What was seen of an object since its last move goes into a cleared row, under that row's number; the
    object itself was at a place all along. Since when they are two."""
    old, new = rows[slot], rows[other]
    number = new.id
    since: float = old.stay_since
    rows[other] = old
    new.id, new.stay, new.stay_since, new.first_seen = number, 0, since, since
    new.published, new.published_stay = 0, -1
    new.unverified, new.settled, new.appeared = 0, 0, 1
    _share_out(new, old)
    new.filed = dominant(new.labels, new.label_weights)
    old.position[:], old.seen_from[:] = place, 0.0
    old.found_from[:], old.missed_from[:] = 0, 0
    old.unverified = 0
    return since


@njit(cache=True)
def _share_out(new, old) -> None:  # type: ignore[no-untyped-def]
    """Each part keeps its own detections and votes; few of them leave as much doubt as they ever would."""
    new.hits = max(1, old.hits - old.stay_hits)
    new.stay_hits = 0
    old.hits = max(1, old.stay_hits)
    weigh(new, new.p_here, new.p_gone, old.stay_false, old.stay_false)
    if not old.stay_weights.any():
        return
    new.labels[:], new.label_weights[:] = old.stay_labels, old.stay_weights
    for k in range(SLOTS):
        for j in range(SLOTS):
            if old.labels[j] == old.stay_labels[k]:
                old.label_weights[j] -= old.stay_weights[k]
    for k in range(SLOTS):
        old.label_weights[k] = max(old.label_weights[k], 0.0)
