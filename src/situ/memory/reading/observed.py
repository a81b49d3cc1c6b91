"""The single observations behind the objects of a memory: their frames, their tracks, where in the view."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.packing import unpack_seen
from situ.memory.reading.history import History

_FAR = 1 << 40  # beyond the number of any frame
MOST_RUNS = 256  # of frames, the latest: some hours of a usual stream
_RUNS = (
    "SELECT first_frame, observations, seen FROM chunk WHERE first_frame <= ? "
    "ORDER BY first_frame DESC LIMIT ?"
)


class Observed:
    """What was observed up to a frame, by the number under which it was filed and then by frame."""

    def __init__(self, history: History, last_frame: int, known: float) -> None:
        self._history, self._known = history, known
        runs = [_run(history, *row) for row in history.connection.all(_RUNS, (last_frame, MOST_RUNS))]
        table = np.concatenate(runs[::-1]) if runs else np.zeros(0, _ROW)
        table["row"] = np.arange(len(table))
        table = table[table["frame"] <= last_frame]
        self.table = table[np.lexsort((table["frame"], table["number"]))]
        self._numbers = self.table["number"]

    def of(self, object_id: int) -> NDArray[np.void]:
        """The observations of an object, in the order of frames."""
        parts = []
        for number, start, stop in self._history.sources(object_id, self._known):
            first, last = np.searchsorted(self._numbers, (number, number + 1))
            rows = self.table[first:last]
            if start > -1e299 or stop < 1e299:
                low, high = self._history.frames_between(start, stop, int(rows["frame"].max(initial=0)))
                rows = rows[(rows["frame"] >= low) & (rows["frame"] <= high)]
            parts.append(rows)
        if len(parts) == 1:
            return parts[0]
        found = np.concatenate(parts) if parts else self.table[:0]
        return found[np.argsort(found["frame"], kind="stable")]

    def shown(self, ids: NDArray[np.int64], frames: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each of some frames shows an object, one for each of them (n,)."""
        keys, wanted = self._keys, ids * _FAR + frames
        at = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        found = keys[at] == wanted if len(keys) else np.zeros(wanted.shape, bool)
        for number in np.unique(ids).tolist():
            if number in self._history.renamed:
                mine = ids == number
                found[mine] = np.isin(frames[mine], self.of(number)["frame"])
        return np.asarray(found)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """Number and frame of each in one number, in order."""
        return np.asarray(self._numbers * _FAR + self.table["frame"])

    def counts(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often what was filed under some numbers was observed (n,)."""
        return np.searchsorted(self._numbers, ids + 1) - np.searchsorted(self._numbers, ids)

    def scores(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """How sure the detector was of each object on average; of one that was not observed lately, 0."""
        total = np.concatenate([[0.0], np.cumsum(self.table["score"].astype(float))])
        first, last = np.searchsorted(self._numbers, ids), np.searchsorted(self._numbers, ids + 1)
        return np.asarray((total[last] - total[first]) / np.maximum(last - first, 1))


# When, under which number it was filed, where in the camera's axes; `row` counts as they were made.
_ROW = np.dtype(
    [("row", "i8"), ("frame", "i8"), ("number", "i8"), ("track", "i8"), ("at", "f4", 3), ("score", "f4")]
)


def _run(history: History, first_frame: int, count: int, seen: bytes | None) -> NDArray[np.void]:
    """One run of frames, unpacked once: it only ever grows, or is forgotten whole."""
    kept = history.cached.unpacked
    found = kept.get(first_frame)
    if found is None or (found[0] is not seen and found[0] != seen):
        packed = unpack_seen(seen, count)
        rows = np.zeros(len(packed), _ROW)
        rows["frame"], rows["number"] = packed["frame"].astype(np.int64) + first_frame, packed["object_id"]
        rows["track"], rows["at"], rows["score"] = packed["track_id"], packed["in_camera"], packed["score"]
        found = kept[first_frame] = (seen, rows)
        if len(kept) > 2 * MOST_RUNS:
            kept.pop(next(iter(kept)))
    return found[1]
