"""Which runs of frames hold an object's sightings, where these are filed under several numbers."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.identity_rules import Source

_Held = tuple[int, list[Source]]


class RunStarts(NamedTuple):
    """The first frame of each run, and its time, in order."""

    frames: NDArray[np.int64]
    times: NDArray[np.float64]

    def around(
        self, start: NDArray[np.float64], stop: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first frames of the first and the last run that may hold something from one time on and before
        another; the last is before the first where none does."""
        frames = np.append(self.frames, -1)  # what is before all runs
        first = np.searchsorted(self.times, start, side="right") - 1
        return frames[np.maximum(first, 0)], frames[np.searchsorted(self.times, stop) - 1]

    def begun(self, frames: NDArray[np.float64]) -> NDArray[np.float64]:
        """When the runs began that hold some frames; those of a frame that never comes never do."""
        times = np.append(self.times, -np.inf)  # where the first frames were forgotten
        held = np.searchsorted(self.frames, frames, side="right") - 1
        return np.where(np.isinf(frames), np.inf, times[held])


class FiledRuns:
    """A thing that was taken for others hundreds of times has as many numbers, of which a run of frames holds
    one or two: the others need not be looked up there."""

    def __init__(
        self, sources: Sequence[Source], runs_of: Callable[[int], "array[int]"], starts: RunStarts
    ) -> None:
        """`runs_of` gives the first frames of the runs that hold what was filed under a number, in order."""
        _, begin, end = np.array(sources, float).reshape(-1, 3).T
        spans = zip(sources, *(ends.tolist() for ends in starts.around(begin, end)), strict=True)
        parts, counts = [np.zeros(0, np.int64)], array("q")
        for (number, _, _), first, last in spans:
            runs = runs_of(number)
            low = bisect_left(runs, first)
            high = max(low, bisect_right(runs, last))
            parts.append(np.frombuffer(runs, np.int64)[low:high])
            counts.append(high - low)
        found = np.concatenate(parts)
        order = np.argsort(found, kind="stable")
        self._runs: list[int] = found[order].tolist()
        self._owners: list[int] = np.arange(len(sources)).repeat(counts)[order].tolist()
        self._sources = sources

    def between(self, first_run: int, last: int, newest_first: bool) -> Iterator[_Held]:
        """The runs from one on that begin by a frame, each with the sources that it may hold."""
        places = range(bisect_left(self._runs, first_run), bisect_right(self._runs, last))
        ordered = reversed(places) if newest_first else places
        for run, some in groupby(ordered, key=self._runs.__getitem__):
            yield run, [self._sources[self._owners[k]] for k in some]
