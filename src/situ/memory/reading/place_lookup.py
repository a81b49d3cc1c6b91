"""In which place a spot is, by where the wearer walked and from where things were seen.

Looked up around the points that are asked for: a question is about a few things in one corner of a house.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.memory.reading.history import History
from situ.memory.reading.remembered_objects import RememberedObjects

MOST_FRAMES = 20_000  # a longer diary costs too much to read for one question
MOST_THINGS = 400  # so many things tell by where they were seen from in which room they are
_NEAR_M = 4.5  # what was never seen from nearer may be behind a window
_BEST = (
    "SELECT object_id, frame, quality FROM keyframe WHERE object_id IN ({}) AND frame <= ? "
    "AND known_from <= ? ORDER BY object_id, frame"
)
_SETTLED = (
    "SELECT object_id, max(valid_from) FROM stay WHERE object_id IN ({}) AND stay > 0 AND valid_from <= ? "
    "AND known_from <= ? GROUP BY object_id"
)


class Spots(NamedTuple):
    """Spots of which it is known in which place they are: (n, 2), and the number of the place (n,)."""

    spots: NDArray[np.float64]
    places: NDArray[np.int64]


class Anchors:
    """Where the wearer walked, and each thing by where they stood at its nearest clear sighting since it came
    there. What is seen from near is seen from its own room: walls hide the rest."""

    def __init__(
        self, history: History, last_frame: int, at: float, known: float, views: RememberedObjects
    ) -> None:
        self._history = history
        self._last_frame = last_frame
        self._at = at
        self._known = known
        self._views = views
        self._place_of: dict[int, int] = {}  # of things that were looked up; 0 where it is not known
        self._blocks = list(history.blocks(last_frame)) if 0 <= last_frame <= MOST_FRAMES else []

    def __bool__(self) -> bool:
        """Whether any place is known at all."""
        return len(self._walked.places) > 0

    def near(self, ground: NDArray[np.float64], radius: float) -> Spots:
        """At least those within a distance of some points (n, 2)."""
        low, high = ground.min(axis=0) - radius, ground.max(axis=0) + radius
        walked, (numbers, centers) = self._walked, self._things
        kept = ((walked.spots >= low) & (walked.spots <= high)).all(axis=1)
        inside = np.flatnonzero(((centers >= low) & (centers <= high)).all(axis=1))
        asked = numbers[inside].tolist()
        self._look_up([k for k in inside.tolist() if int(numbers[k]) not in self._place_of])
        places = np.array([self._place_of[number] for number in asked], np.int64)
        told = places > 0
        return Spots(
            np.concatenate([walked.spots[kept], centers[inside][told]]),
            np.concatenate([walked.places[kept], places[told]]),
        )

    @cached_property
    def _walked(self) -> Spots:
        parts = [block.placed_until(self._last_frame) for block in self._blocks]
        spots = np.concatenate([np.zeros((0, 2)), *(spots for spots, _ in parts)])
        places = np.concatenate([np.zeros(0, np.int64), *(places for _, places in parts)])
        return Spots(spots, places)  # those of one run are thinned out; of others a few are the same

    @cached_property
    def _things(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self._views.total > MOST_THINGS:
            return np.zeros(0, np.int64), np.zeros((0, 2))
        return self._views.centers()

    @cached_property
    def _frames(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Numbers, times, places and spots of all frames."""
        blocks = self._blocks
        return (
            np.concatenate([block.frames for block in blocks]),
            np.concatenate([block.times for block in blocks]),
            np.concatenate([block.table[13] for block in blocks]).astype(np.int64),
            np.concatenate([block.positions for block in blocks])[:, :2],
        )

    def _look_up(self, which: list[int]) -> None:
        """The places of some of the things, by their rows."""
        if not which:
            return
        numbers, centers = self._things
        center_of = dict(zip(numbers[which].tolist(), centers[which].tolist(), strict=True))
        marks, run = ",".join("?" * len(which)), self._history.connection.execute
        settled = dict(run(_SETTLED.format(marks), (*center_of, self._at, self._known)).fetchall())
        best = run(_BEST.format(marks), (*center_of, self._last_frame, self._known)).fetchall()
        self._place_of |= dict.fromkeys(center_of, 0)
        if not best:
            return
        frames, times, places, ground = self._frames
        rows = np.array(best)
        owners = rows[:, 0].astype(np.int64)
        k = np.minimum(np.searchsorted(frames, rows[:, 1]), len(frames) - 1)
        since = np.array([settled.get(number, -np.inf) for number in owners.tolist()])
        fits = np.flatnonzero((places[k] > 0) & (times[k] >= since))
        order = fits[np.argsort(rows[fits, 2], kind="stable")]  # the best comes last and stays
        seen_from = dict(zip(owners[order].tolist(), k[order].tolist(), strict=True))
        stood = np.fromiter(seen_from.values(), np.int64, len(seen_from))
        away = ground[stood] - np.array([center_of[number] for number in seen_from]).reshape(-1, 2)
        near = np.hypot(away[:, 0], away[:, 1]) <= _NEAR_M
        told = np.where(near, places[stood], 0)
        self._place_of.update(zip(seen_from, told.tolist(), strict=True))
