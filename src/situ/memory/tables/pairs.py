"""Which pairs of objects have been noted already: a set of pairs of numbers that compiled code can ask."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

_MIX = 0x9E3779B97F4A7C1  # odd, and without a pattern: neighbours land far apart


class PairSet:
    """Open addressing; 0 marks a free place. It only spares noting a pair again, and may be empty."""

    def __init__(self) -> None:
        self.keys: NDArray[np.int64] = np.zeros(1024, np.int64)
        self.used = 0

    def make_room(self, count: int) -> None:
        """For so many pairs more."""
        if 2 * (self.used + count) > len(self.keys):
            old = self.keys[self.keys != 0]
            room = len(self.keys)
            while room < 4 * (self.used + count):
                room *= 2
            self.keys = np.zeros(room, np.int64)
            add_keys(self.keys, old)


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


@njit(cache=True)
def add_keys(keys: NDArray[np.int64], more: NDArray[np.int64]) -> None:
    for k in range(more.shape[0]):
        keys[find_key(keys, more[k])] = more[k]
