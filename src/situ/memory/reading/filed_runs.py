"""Which runs of frames hold an object's sightings, where these are filed under several numbers."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

Span = tuple[int, int, int]  # a number under which sightings are filed, and the first and the last frame
_Held = tuple[int, list[Span]]


class FiledRuns:
    """A thing that was taken for others hundreds of times has as many numbers, of which a run of frames holds
    one or two: the others need not be looked up there."""

    def __init__(self, spans: Sequence[Span], runs_of: Callable[[int], "array[int]"]) -> None:
        """`runs_of` gives the first frames of the runs that hold what was filed under a number, in order."""
        parts, counts = [np.zeros(0, np.int64)], array("q")
        for number, first, last in spans:
            runs = runs_of(number)
            begin = max(0, bisect_right(runs, first) - 1)  # the first frame may be amid a run
            end = max(begin, bisect_right(runs, last))
            parts.append(np.frombuffer(runs, np.int64)[begin:end])
            counts.append(end - begin)
        found = np.concatenate(parts)
        order = np.argsort(found, kind="stable")
        self._runs: list[int] = found[order].tolist()
        self._owners: list[int] = np.arange(len(spans)).repeat(counts)[order].tolist()
        self._spans = spans

    def between(self, first_run: int, last: int, newest_first: bool) -> Iterator[_Held]:
        """The runs from one on that begin by a frame, each with the spans of which it may hold something."""
        places = range(bisect_left(self._runs, first_run), bisect_right(self._runs, last))
        ordered = reversed(places) if newest_first else places
        for run, some in groupby(ordered, key=self._runs.__getitem__):
            yield run, [self._spans[self._owners[k]] for k in some]
