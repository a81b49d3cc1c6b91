"""The single observations behind the objects of a memory: their frames, their tracks, where in the view."""

import numpy as np
from numpy.typing import NDArray

from situ.memory.reading.history import History


class Observed:
    """What was observed up to a frame, by the number under which it was filed and then by frame."""

    def __init__(self, history: History, last_frame: int, known: float) -> None:
        self._rules, self._frames, self._known = history.rules, history.frames, known
        table = history.observed(last_frame)
        self.table = table[np.lexsort((table["frame"], table["number"]))]
        self._numbers = self.table["number"].copy()

    def of(self, object_id: int) -> NDArray[np.void]:
        """The observations of an object, in the order of frames."""
        parts = []
        for number, start, stop in self._rules.sources(object_id, self._known):
            first, last = np.searchsorted(self._numbers, (number, number + 1))
            rows = self.table[first:last]
            low, high = self._frames.within(start, stop)
            parts.append(rows[(rows["frame"] >= low) & (rows["frame"] <= high)] if len(rows) else rows)
        if len(parts) == 1:
            return parts[0]
        found = np.concatenate(parts) if parts else self.table[:0]
        return found[np.argsort(found["frame"], kind="stable")]

    def counts(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often what was filed under some numbers was observed (n,)."""
        return np.searchsorted(self._numbers, ids + 1) - np.searchsorted(self._numbers, ids)

    def scores(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """How sure the detector was of each object on average; of one that was not observed lately, 0."""
        total = np.concatenate([[0.0], np.cumsum(self.table["score"].astype(float))])
        first, last = np.searchsorted(self._numbers, ids), np.searchsorted(self._numbers, ids + 1)
        return np.asarray((total[last] - total[first]) / np.maximum(last - first, 1))
