"""Which things look the same, by their leading label and attributes."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.tables.tracks import SLOTS, Table
from situ.memory.tracker.belief import dominant
from situ.memory.tracker.versions import leads


@njit(cache=True)
def alike(rows: Table, a: int, b: int, key_of: NDArray[np.int32]) -> bool:
    first, second = rows[a], rows[b]
    if dominant(first.labels, first.label_weights) != dominant(second.labels, second.label_weights):
        return False
    return not at_odds(rows, a, b, key_of)


@njit(cache=True)
def at_odds(rows: Table, a: int, b: int, key_of: NDArray[np.int32]) -> bool:
    """Whether an attribute of one thing is another than the other's."""
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
def confirmed_alike(rows: Table, slot: int, key_of: NDArray[np.int32]) -> NDArray[np.int32]:
    """Other rows that are settled, likely real and alike, in the order of their objects' numbers."""
    label = dominant(rows[slot].labels, rows[slot].label_weights)
    kin = np.empty(rows.shape[0], np.int32)
    count = 0
    for other in range(rows.shape[0]):
        row = rows[other]
        if row.filed != label or row.id == 0 or row.settled == 0 or not row.p_false < 0.5 or other == slot:
            continue
        if alike(rows, slot, other, key_of):
            at = count
            while at > 0 and rows[kin[at - 1]].id > row.id:
                kin[at] = kin[at - 1]
                at -= 1
            kin[at] = other
            count += 1
    return kin[:count].copy()
