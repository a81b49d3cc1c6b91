"""In which place a spot is, by where the wearer walked and from where things were seen.

Looked up around the points that are asked for: a question is about a few things in one corner of a house.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.memory.reading.history import History
from situ.memory.reading.remembered_objects import RememberedObjects
from situ.memory.reading.vantages import Vantages

MOST_FRAMES = 20_000  # a longer diary costs too much to read for one question
MOST_THINGS = 400  # so many things tell by where they were seen from in which room they are
_NEAR_M = 4.5  # what was never seen from nearer may be behind a window


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
        self._blocks = list(history.blocks(last_frame)) if 0 <= last_frame <= MOST_FRAMES else []

    def __bool__(self) -> bool:
        """Whether any place is known at all."""
        return len(self._walked.places) > 0

    def near(self, ground: NDArray[np.float64], radius: float) -> Spots:
        """At least those within a distance of some points (n, 2)."""
        low, high = ground.min(axis=0) - radius, ground.max(axis=0) + radius
        spots, places = self._known_spots
        inside = (spots >= low) & (spots <= high)
        kept = np.flatnonzero(inside[:, 0] & inside[:, 1])
        return Spots(spots[kept], places[kept])

    @cached_property
    def _known_spots(self) -> Spots:
        walked, placed = self._walked, self._placed
        return Spots(
            np.concatenate([walked.spots, placed.spots]), np.concatenate([walked.places, placed.places])
        )

    @cached_property
    def _walked(self) -> Spots:
        parts = [block.placed_until(self._last_frame) for block in self._blocks]
        spots = np.concatenate([np.zeros((0, 2)), *(spots for spots, _ in parts)])
        places = np.concatenate([np.zeros(0, np.int64), *(places for _, places in parts)])
        return Spots(spots, places)  # those of one run are thinned out; of others a few are the same

    @cached_property
    def _things(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self._history.last_object > MOST_THINGS and self._views.total > MOST_THINGS:
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

    @cached_property
    def _placed(self) -> Spots:
        """The things of which it is known in which place they are."""
        numbers, centers = self._things
        if not len(numbers):
            return Spots(np.zeros((0, 2)), np.zeros(0, np.int64))
        row, seen_in, since = self._vantages().best(numbers, self._at, self._known, self._last_frame)
        frames, times, places, ground = self._frames
        k = np.minimum(np.searchsorted(frames, seen_in), len(frames) - 1)
        fits = np.flatnonzero((places[k] > 0) & (times[k] >= since))
        best = fits[np.flatnonzero(np.diff(row[fits], append=-1))]  # the best of a thing comes last
        thing, stood = row[best], k[best]
        away = ground[stood] - centers[thing]
        near = np.hypot(away[:, 0], away[:, 1]) <= _NEAR_M
        return Spots(centers[thing[near]], places[stood[near]])

    def _vantages(self) -> Vantages:
        """Read again only where the file has changed: a question asks as of a time, and every time anew."""
        cached, version = self._history.cached, self._history.file_version
        if cached.vantages is None or cached.vantages[0] != version:
            cached.vantages = version, Vantages.read(self._history.connection, MOST_FRAMES)
        return cached.vantages[1]
