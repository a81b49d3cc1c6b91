"""The last sightings of things before times, found together where all sightings and frames are at hand."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.identity_rules import Source
from situ.memory.reading.sighting_book import SightingBook
from situ.memory.tables.pending_rows import FOREVER


def rows_of(sources: Sequence[Source]) -> NDArray[np.float64]:
    """Sources as rows (n, 3)."""
    return np.fromiter(chain.from_iterable(sources), float, 3 * len(sources)).reshape(-1, 3)


class LastBefore:
    """Lookups among the sightings of a whole file."""

    def __init__(self, sightings: SightingBook, times: NDArray[np.float64]) -> None:
        """`times`: of all frames."""
        self._sightings, self._taken = sightings, times

    def filed(self, sources: Sequence[Source]) -> NDArray[np.float64]:
        """Sources (n, 5), each with when what was filed under it was seen first and last while it counted; if
        it never was, the first is after the last."""
        rows = rows_of(sources)
        begun, until = self._sightings.seen_within(rows[:, 0].astype(np.int64), self._taken)
        return np.column_stack([rows, begun, np.minimum(until, rows[:, 2])])

    def codes(
        self, filed: NDArray[np.float64], counts: Sequence[int], times: Sequence[float], last_frame: int
    ) -> NDArray[np.int64]:
        """For each of some things, of which so many of the rows tell, the last frame before its time that
        shows it: twice the number of the frame, plus one if it is clear; -1 where there is none. Of many
        numbers the one under which a thing was seen last mostly tells, and few others are looked at."""
        edges = np.cumsum([0, *counts[:-1]])
        owners, before = np.arange(len(counts)).repeat(counts), np.repeat(np.array(times, float), counts)
        starts, begun, until = filed[:, 1], filed[:, 3], np.minimum(filed[:, 4], before)
        until[(starts >= before) | (begun > until)] = -np.inf  # others were given later
        latest = np.maximum.reduceat(until, edges)
        latest[latest == -np.inf] = np.inf  # nothing is left
        rows = np.flatnonzero(until == latest[owners])
        best = np.full(len(counts), -1)
        np.maximum.at(best, owners[rows], self._within(filed[rows], before[rows], last_frame))
        until[rows] = -np.inf
        sure = np.where(best >= 0, self._taken[best >> 1], -np.inf)
        rows = np.flatnonzero((until >= sure[owners]) & (until > -np.inf))
        if len(rows):  # hardly ever
            np.maximum.at(best, owners[rows], self._within(filed[rows], before[rows], last_frame))
        return best

    def _within(
        self, sources: NDArray[np.float64], before: NDArray[np.float64], last_frame: int
    ) -> NDArray[np.int64]:
        """The same of single sources."""
        starts, stops = sources[:, 1], np.minimum(sources[:, 2], before)
        first, last = np.searchsorted(self._taken, (starts, stops))
        last = np.where(stops >= FOREVER, last_frame, np.minimum(last - 1, last_frame))
        codes = self._sightings.last_codes(sources[:, 0].astype(np.int64), last)
        return np.where(codes >= 2 * first, codes, -1)
