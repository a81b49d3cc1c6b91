"""In which place a spot is, by where the wearer walked and from where things were seen.

Looked up around the points that are asked for: a question is about a few things in one corner of a house.
"""

from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.geometry.nearest import nearest_of_runs
from situ.memory.reading.history import History
from situ.memory.reading.remembered_objects import RememberedObjects
from situ.memory.reading.vantages import Vantages

MOST_FRAMES = 20_000  # a longer diary costs too much to read for one question
MOST_THINGS = 400  # so many things tell by where they were seen from in which room they are
_NEAR_M = 4.5  # what was never seen from nearer may be behind a window
_VOTE_M = 0.5  # a sighting from so much nearer by has e times the vote
_STRAY_VOTE = 0.02  # of all votes; so many come from another room
LOG_ODDS_A_METRE = 4.0  # by which a spot is in one place rather than in another that is a metre farther off


class Spots(NamedTuple):
    """Spots of which it is known in which place they may be: (n, 2), the number of the place (n,), and how
    many metres more than it is away a spot counts, because another place is likelier (n,)."""

    spots: NDArray[np.float64]
    places: NDArray[np.int64]
    doubt_m: NDArray[np.float64]

    @classmethod
    def none(cls) -> Self:
        return cls(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0))


class Anchors:
    """Where the wearer walked, and each thing by where they stood at its best sightings since it came there.
    What is seen from near is seen from its own room, since walls hide the rest; but a door shows the next
    room, too. So each sighting has a vote, the more the nearer it was."""

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
        known = self._known_spots
        inside = (known.spots >= low) & (known.spots <= high)
        kept = np.flatnonzero(inside[:, 0] & inside[:, 1])
        return Spots(known.spots[kept], known.places[kept], known.doubt_m[kept])

    @cached_property
    def _known_spots(self) -> Spots:
        walked, placed = self._walked, self._placed
        return Spots(*(np.concatenate(parts) for parts in zip(walked, placed, strict=True)))

    @cached_property
    def _walked(self) -> Spots:
        parts = [block.placed_until(self._last_frame) for block in self._blocks]
        spots = np.concatenate([np.zeros((0, 2)), *(spots for spots, _ in parts)])
        places = np.concatenate([np.zeros(0, np.int64), *(places for _, places in parts)])
        # Those of one run are thinned out; of others a few are the same.
        return Spots(spots, places, np.zeros(len(places)))

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
        """The things of which it is known in which places they may be."""
        numbers, centers = self._things
        if not len(numbers):
            return Spots.none()
        row, seen_in, since = self._vantages().best(numbers, self._at, self._known, self._last_frame)
        frames, times, places, ground = self._frames
        k = np.minimum(np.searchsorted(frames, seen_in), len(frames) - 1)
        fits = np.flatnonzero((places[k] > 0) & (times[k] >= since))
        if not len(fits):
            return Spots.none()
        row, k = row[fits], k[fits]
        away = np.hypot(*(ground[k] - centers[row]).T)
        ids = np.unique(places[k])
        cell, shape = row * len(ids) + np.searchsorted(ids, places[k]), (len(numbers), len(ids))
        votes = np.bincount(cell, np.exp(-away / _VOTE_M), len(numbers) * len(ids)).reshape(shape)
        runs = np.flatnonzero(np.diff(row, prepend=-1))  # those of one thing come in a row
        near = np.zeros(len(numbers), bool)
        near[row[runs]] = np.minimum.reduceat(away, runs) <= _NEAR_M
        thing, place = np.nonzero((votes > 0.0) & near[:, None])
        likely = np.full(votes.shape, -np.inf)
        share = votes[thing, place] / votes[thing].sum(axis=1)
        likely[thing, place] = np.log(share + _STRAY_VOTE) - self._from_walked(centers, ids)[thing, place]
        doubt = (likely[thing].max(axis=1) - likely[thing, place]) / LOG_ODDS_A_METRE
        return Spots(centers[thing], ids[place], doubt)

    def _from_walked(self, centers: NDArray[np.float64], ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far things are from where the wearer walked in each of some places (n, places)."""
        order = np.argsort(self._walked.places, kind="stable")
        spots, places = self._walked.spots[order], self._walked.places[order]
        runs = np.flatnonzero(np.diff(places, prepend=-1))
        nearest = np.minimum(nearest_of_runs(centers, spots, runs), _NEAR_M)
        column = np.searchsorted(places[runs], ids)  # whoever saw a thing from a place walked there
        return np.asarray(nearest[:, column])

    def _vantages(self) -> Vantages:
        """Read again only where the file has changed: a question asks as of a time, and every time anew."""
        cached, version = self._history.cached, self._history.file_version
        if cached.vantages is None or cached.vantages[0] != version:
            cached.vantages = version, Vantages.read(self._history.connection, MOST_FRAMES)
        return cached.vantages[1]
