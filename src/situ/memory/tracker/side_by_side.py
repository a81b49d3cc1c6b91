"""Things that share a frame and stand close to each other: surely two, unless they stand in one place."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import SCALE
from situ.memory.options.sightings import DOUBLES
from situ.memory.tables.pairs import find_key, key_of_pair
from situ.memory.tables.tracks import Table


@njit(cache=True)
def note_pairs(
    rows: Table,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    pairs: NDArray[np.int64],
    noted: NDArray[np.int64],
    numbers: NDArray[np.int64],
    ids: NDArray[np.int64],
) -> tuple[int, int, bool]:
    """The objects of a frame, by observation, and pairs of them as in `seen_together`, by their numbers; how
    many pairs there are, how many of them are left in `pairs` as in `fresh_pairs`, and whether two stand in
    one place. If there are more than there is room for, nothing may be made of it."""
    for i in range(chosen.shape[0]):
        ids[i] = rows[chosen[i]].id
    count = seen_together(rows, observed, chosen, pairs)
    if count > pairs.shape[0]:
        return count, 0, False
    for k in range(count):
        numbers[k, 0], numbers[k, 1] = rows[pairs[k, 0]].id, rows[pairs[k, 1]].id
    doubtful = some_in_one_place(rows, pairs[:count])
    return count, fresh_pairs(rows, noted, pairs[:count]), doubtful


@njit(cache=True)
def seen_together(
    rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32], pairs: NDArray[np.int64]
) -> int:
    """Pairs of objects that stand close and share the frame, the elder first. The count of them, which may be
    more than there is room for."""
    count = 0
    for i in range(observed.shape[0]):
        for j in range(i):
            a, b = observed[i].position, observed[j].position
            apart = math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
            if apart < (SCALE.about_m if observed[i].label == observed[j].label else SCALE.beside_m):
                if count < pairs.shape[0]:
                    first, second = chosen[i], chosen[j]
                    if rows[first].id > rows[second].id:
                        first, second = second, first
                    pairs[count, 0], pairs[count, 1] = first, second
                count += 1
    return count


@njit(cache=True)
def fresh_pairs(rows: Table, noted: NDArray[np.int64], pairs: NDArray[np.int64]) -> int:
    """Of pairs of rows those that have not been noted before, as numbers of objects, in place of the others;
    how many there are. They are noted now."""
    count = 0
    for k in range(pairs.shape[0]):
        first, second = rows[pairs[k, 0]].id, rows[pairs[k, 1]].id
        key = key_of_pair(first, second)
        at = find_key(noted, key)
        if first != second and noted[at] == 0:
            noted[at] = key
            pairs[count, 0], pairs[count, 1] = first, second
            count += 1
    return count


@njit(cache=True)
def some_in_one_place(rows: Table, pairs: NDArray[np.int64]) -> bool:
    """Whether two of some pairs of rows stand in one place."""
    for k in range(pairs.shape[0]):
        elder, younger = pairs[k, 0], pairs[k, 1]
        if elder != younger and in_one_place(rows, elder, younger):
            return True
    return False


@njit(cache=True)
def in_one_place(rows: Table, elder: int, younger: int) -> bool:
    """Two solid things do not stand in one place."""
    one, two = rows[elder], rows[younger]
    if min(one.hits, two.hits) < SCALE.few or one.held or two.held:
        return False
    inside = True
    for k in range(3):
        inside &= abs(one.position[k] - two.position[k]) < DOUBLES.one_place * one.size[k]
    return inside
