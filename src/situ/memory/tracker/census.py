"""Counts over all that is known: how many things have doubles, and how many were found of late."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.tables.motion import AGENT
from situ.memory.tables.tracks import SLOTS, Table
from situ.memory.tracker.belief import dominant

_MIX = 0x9E3779B97F4A7C1  # odd, and without a pattern: neighbours land far apart


@njit(cache=True)
def shares(rows: Table, lately: float) -> tuple[float, float]:
    """Of the things that surely are: how many doubles there are for each kind, by label and attributes; and
    what share of all was first found after a time, where it still is."""
    room = 4
    while room < 2 * rows.shape[0]:
        room *= 2
    kinds = np.zeros(room, np.int64)
    known, distinct, fresh = 0, 0, 0
    for slot in range(rows.shape[0]):
        row = rows[slot]
        if row.id == 0 or row.settled == 0 or not row.p_false < 0.5 or row.motion == AGENT:
            continue
        known += 1
        fresh += row.stay == 0 and row.first_seen > lately
        code = look_code(dominant(row.labels, row.label_weights), row.features)
        at = code & (room - 1)
        while kinds[at] != 0 and kinds[at] != code:
            at = (at + 1) & (room - 1)
        if kinds[at] == 0:
            kinds[at] = code
            distinct += 1
    return (known - distinct + 0.5) / (distinct + 1.0), (fresh + 0.5) / (known + 0.5)


@njit(cache=True)
def look_code(label: int, features: NDArray[np.int32]) -> int:
    """One number for a label and a set of attributes, in whatever order; never 0."""
    together, code = np.int64(0), np.int64(label)
    for k in range(SLOTS):
        if features[k] != 0:
            mixed = np.int64(features[k]) * np.int64(_MIX)
            together += mixed ^ (mixed >> 29)
    code = code * np.int64(1000003) + together * np.int64(_MIX)
    code ^= code >> 31
    return int(code) if code != 0 else 1
