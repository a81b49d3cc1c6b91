"""What became of things between before and after a cut, in all samples of a belief at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.memory.reading.sampling import SAMPLES, Draws, sampled_box
from situ.memory.reading.state import MemoryState
from situ.memory.reading.version_records import RememberedObject
from situ.questions.changes.between_visits import JUST_S, MOVED_M, SAME_M, SWAPPED_M, Fate, moved_or_swapped


class SampledFates:
    """Of some objects, with all that one of them may have changed places with, what the rules of
    `situ.questions.changes.between_visits` say in each sample."""

    def __init__(self, state: MemoryState, objects: Sequence[RememberedObject], split: float) -> None:
        self._state, self._objects, self._split = state, objects, split
        self._column = {view.id: k for k, view in enumerate(objects)}
        draws = Draws(objects, SAMPLES, state)
        stays = draws.stays()
        self._real, self._centers = draws.real(), draws.centers()
        self._gone = stays > np.array([view.remains for view in objects])
        # Where to a thing was moved unseen nobody knows.
        self._lost = ~self._gone & (stays > np.array([view.here for view in objects]))
        # By column; a cache of a method would hold the state in a circle of references.
        self._were: dict[int, Box | None] = {}

    def of(self, number: int, samples: Sequence[int]) -> list[Fate | None]:
        """The fate of a thing in some samples in which it is real, None where that is not known."""
        k, found = self._column[number], dict[int, Fate | None]()
        gone, lost = self._gone[samples, k], self._lost[samples, k]
        rows = np.array(samples, int)[~gone & ~lost]
        if self._split - JUST_S >= self._state.now:  # there is no after
            found = dict.fromkeys(rows.tolist(), Fate("unchanged", MOVED_M))
        elif (before := self._was(k)) is None:
            found = {row: self._not_there_before(k, row) for row in rows.tolist()}
        else:
            removed = np.array(samples, int)[gone].tolist()
            found = {**dict.fromkeys(removed, Fate("removed", 1.0)), **self._compared(k, rows, before)}
        return [found.get(sample) for sample in samples]

    def _was(self, k: int) -> Box | None:
        """Where a thing was before the cut."""
        if k not in self._were:
            self._were[k] = self._state.where(self._objects[k].id, self._split - JUST_S)
        return self._were[k]

    def _not_there_before(self, k: int, row: int) -> Fate:
        box = sampled_box(self._objects[k].box, self._centers[row, k].tolist())
        return Fate("added", 1.0) if self._state.viewed(box, self._split) else Fate("unchanged", 0.0)

    def _compared(self, k: int, rows: NDArray[np.int64], before: Box) -> dict[int, Fate | None]:
        """Of a thing that was there before and is in these samples."""
        moved = self._away(rows, before)[:, k]
        far = moved >= MOVED_M
        near = zip(rows[~far].tolist(), moved[~far].tolist(), strict=True)
        found: dict[int, Fate | None] = {row: Fate("unchanged", MOVED_M - gap) for row, gap in near}
        if not far.any():
            return found
        gaps = self._partner_gaps(k, rows[far], before)
        for row, gap, partner_gap in zip(rows[far].tolist(), moved[far].tolist(), gaps.tolist(), strict=True):
            found[row] = None if np.isnan(partner_gap) else moved_or_swapped(gap, partner_gap)
        return found

    def _partner_gaps(self, k: int, rows: NDArray[np.int64], before: Box) -> NDArray[np.float64]:
        """How far the best partner's places are from an exchange: infinite where there is none, not a number
        where nobody knows where one is that may be."""
        away = self._away(rows, before)
        near = self._real[rows] & (away <= 2 * SWAPPED_M)
        gaps = np.full(len(rows), np.inf)
        for other in np.flatnonzero(near.any(axis=0)).tolist():
            was = self._was(other)
            if was is None or _apart(np.array(was.center), before) < SAME_M:
                continue
            from_there = self._away(rows, was)
            fits = near[:, other] & ~self._gone[rows, other] & (from_there[:, other] >= MOVED_M)
            gap = np.maximum(from_there[:, k], away[:, other])
            gaps[fits] = np.minimum(gaps, gap)[fits]
        gaps[(near & self._lost[rows]).any(axis=1)] = np.nan
        return gaps

    def _away(self, rows: NDArray[np.int64], box: Box) -> NDArray[np.float64]:
        """How far each thing is from a place over the ground in some samples."""
        return _apart(self._centers[rows], box)


def _apart(centers: NDArray[np.float64], box: Box) -> NDArray[np.float64]:
    x, y, _ = box.center
    return np.asarray(np.hypot(centers[..., 0] - x, centers[..., 1] - y))
