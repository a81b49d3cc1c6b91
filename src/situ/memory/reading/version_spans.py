"""Which version was the last of an object at a time, found by one search for each object."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray


class VersionSpans(NamedTuple):
    """Versions (s,) by object and then by when they began to hold; until when each held; object and beginning
    in one number; and all times at which something began, in order."""

    rows: NDArray[np.int64]
    until: NDArray[np.float64]
    keys: NDArray[np.int64]
    began: NDArray[np.float64]

    @classmethod
    def of(cls, objects: NDArray[np.int64], since: NDArray[np.float64], until: NDArray[np.float64]) -> Self:
        """Of versions (k,): of which object each is, and from when until when it is the last of that; those
        of one object never at the same time."""
        rows = np.flatnonzero(since < until)
        rows = rows[np.lexsort((since[rows], objects[rows]))]
        began = np.sort(since[rows])
        rank = np.searchsorted(began, since[rows])
        return cls(rows, until[rows], objects[rows] * (len(began) + 1) + rank, began)

    def at(self, objects: NDArray[np.int64], time: float) -> NDArray[np.int64]:
        """The versions of those of some objects that had any at a time, in that order."""
        if not len(self.rows):
            return self.rows
        wide = len(self.began) + 1
        rank = int(np.searchsorted(self.began, time, side="right")) - 1
        place = np.searchsorted(self.keys, objects * wide + rank, side="right") - 1
        fits = (place >= 0) & (self.keys[place] >= objects * wide) & (time < self.until[place])
        return self.rows[place[fits]]
