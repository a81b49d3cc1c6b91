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
    known, distinct, fresh, _ = tally(rows, lately, -1)
    told: tuple[float, float] = shares_of(known, distinct, fresh)
    return told


@njit(cache=True)
def shares_of(known: int, distinct: int, fresh: int) -> tuple[float, float]:
    return (known - distinct + 0.5) / (distinct + 1.0), (fresh + 0.5) / (known + 0.5)


@njit(cache=True)
def tally(rows: Table, lately: float, left_out: int) -> tuple[int, int, int, bool]:
    """How many things there surely are, of how many kinds, and how many were first found after a time, where
    they still are. One row may be left out; it is said whether it would be the only one of its kind."""
    room = 4
    while room < 2 * rows.shape[0]:
        room *= 2
    kinds = np.zeros(room, np.int64)
    known, distinct, fresh = 0, 0, 0
    for slot in range(rows.shape[0]):
        if slot == left_out or not surely_is(rows[slot]):
            continue
        known += 1
        fresh += found_since(rows[slot], lately)
        at, code = _kind_at(kinds, rows[slot])
        if kinds[at] == 0:
            kinds[at] = code
            distinct += 1
    if left_out < 0:
        return known, distinct, fresh, False
    at, _ = _kind_at(kinds, rows[left_out])
    return known, distinct, fresh, bool(kinds[at] == 0)


@njit(cache=True)
def surely_is(row) -> bool:  # type: ignore[no-untyped-def]
    return bool(row.id != 0 and row.settled != 0 and row.p_false < 0.5 and row.motion != AGENT)


@njit(cache=True)
def found_since(row, lately: float) -> bool:  # type: ignore[no-untyped-def]
    return bool(row.stay == 0 and row.first_seen > lately)


@njit(cache=True)
def _kind_at(kinds: NDArray[np.int64], row) -> tuple[int, int]:  # type: ignore[no-untyped-def]
    """Where the kind of a row is in a table, or belongs, and its code."""
    code = look_code(dominant(row.labels, row.label_weights), row.features)
    at = code & (kinds.shape[0] - 1)
    while kinds[at] != 0 and kinds[at] != code:
        at = (at + 1) & (kinds.shape[0] - 1)
    return at, code


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
