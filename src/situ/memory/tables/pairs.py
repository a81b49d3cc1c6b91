"""Which pairs of objects have been noted already: a set of pairs of numbers that compiled code can ask."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

_ROOM = 1 << 14  # at first: for the pairs of some thousand objects
_MIX = 0x9E3779B97F4A7C1  # odd, and without a pattern: neighbours land far apart


class PairSet:
    """Open addressing; 0 marks a free place. It only spares noting a pair again: when it is full it starts
    anew, so that it does not grow with the stream."""

    def __init__(self) -> None:
        self.keys: NDArray[np.int64] = np.zeros(_ROOM, np.int64)
        self.used = 0

    def make_room(self, count: int) -> None:
        """For so many pairs more."""
        if 2 * (self.used + count) > len(self.keys):
            room = _ROOM
            while room < 4 * count:
                room *= 2
            self.keys, self.used = np.zeros(room, np.int64), 0


@njit(cache=True)
def key_of_pair(first: int, second: int) -> int:
    return int((np.int64(first) << 32) | np.int64(second))


@njit(cache=True)
def find_key(keys: NDArray[np.int64], key: int) -> int:
    """Where a key is, or belongs."""
    mixed = np.int64(key) * np.int64(_MIX)
    at = (mixed ^ (mixed >> 29)) & (keys.shape[0] - 1)
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & (keys.shape[0] - 1)
    return int(at)
