"""In which place a spot is, by where the wearer walked and from where things were seen.

Looked up around the points that are asked for: a question is about a few things in one corner of a house.
"""

import math
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.geometry.nearest import nearest_of_runs, run_starts
from situ.lazy import lazily
from situ.memory.reading.history import History
from situ.memory.reading.remembered_objects import RememberedObjects
from situ.memory.reading.vantages import Vantages

MOST_FRAMES = 20_000  # a longer diary costs too much to read for one question
MOST_THINGS = 400  # so many things tell by where they were seen from in which room they are
_NEAR_M = 4.5  # what was never seen from nearer may be behind a window
_VOTE_M = 0.5  # a sighting from so much nearer by has e times the vote
_STRAY_VOTE = 0.02  # of all votes; so many come from another room
LOG_ODDS_A_METRE = 4.0  # by which a spot is in one place rather than in another that is a metre farther off


_Area = tuple[float, float, float, float]  # from west and south to east and north


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
        self._looked: tuple[_Area, Spots] | None = None

    def __bool__(self) -> bool:
        """Whether any place is known at all."""
        return len(self._walked.places) > 0

    def near(self, ground: NDArray[np.float64], radius: float) -> Spots:
        """At least those within a distance of some points (n, 2)."""
        (west, south), (east, north) = ground.min(axis=0).tolist(), ground.max(axis=0).tolist()
        area = west - radius, south - radius, east + radius, north + radius
        known = self._known_spots(area)
        kept = _inside(known.spots, area)
        return Spots(known.spots[kept], known.places[kept], known.doubt_m[kept])

    def _known_spots(self, area: _Area) -> Spots:
        """At least those in an area. Most questions look around once; for who looks elsewhere again all are
        worked out."""
        if self._looked is None or not _within(area, self._looked[0]):
            if self._looked is not None:
                area = -math.inf, -math.inf, math.inf, math.inf
            walked, placed = self._walked, self._placed(area)
            self._looked = area, Spots(*(np.concatenate(parts) for parts in zip(walked, placed, strict=True)))
        return self._looked[1]

    @lazily
    def _walked(self) -> Spots:
        """By place. Those of one run of frames are thinned out; of others a few are the same."""
        if not 0 <= self._last_frame <= MOST_FRAMES:
            return Spots.none()
        frames, spots, places = self._history.walked(MOST_FRAMES)
        by_then = frames <= self._last_frame
        return Spots(spots[by_then], places[by_then], np.zeros(np.count_nonzero(by_then)))

    @lazily
    def _things(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self._history.last_object > MOST_THINGS and self._views.total > MOST_THINGS:
            return np.zeros(0, np.int64), np.zeros((0, 2))
        return self._views.centers()

    def _placed(self, area: _Area) -> Spots:
        """The things in an area of which it is known in which places they may be."""
        numbers, centers = self._things
        inside = _inside(centers, area)
        numbers, centers = numbers[inside], centers[inside]
        if not len(numbers):
            return Spots.none()
        vantages = self._vantages()
        row, seen = vantages.best(numbers, self._at, self._known, self._last_frame)
        if not len(row):
            return Spots.none()
        east, north = (vantages.ground[seen] - centers[row]).T
        away, of = np.hypot(east, north), vantages.places[seen]
        ids = np.flatnonzero(np.bincount(of))
        number = np.zeros(ids[-1] + 1, np.int64)
        number[ids] = np.arange(len(ids))
        shape = len(numbers), len(ids)
        cell = row * len(ids) + number[of]
        counted = np.bincount(cell, np.exp(-away / _VOTE_M), shape[0] * shape[1])
        votes = np.asarray(counted, float).reshape(shape)
        near = np.zeros(len(numbers), bool)
        near[row[away <= _NEAR_M]] = True
        may_be = (votes > 0.0) & near[:, None]
        thing, place = may_be.nonzero()
        return Spots(centers[thing], ids[place], self._doubts(votes, may_be, centers, ids)[thing, place])

    def _doubts(
        self,
        votes: NDArray[np.float64],
        may_be: NDArray[np.bool_],
        centers: NDArray[np.float64],
        ids: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """By how many metres more each place counts as far from each thing than the likeliest (n, places);
        where things may be in one place only there is no doubt."""
        doubts = np.zeros(votes.shape)
        torn = np.flatnonzero(may_be.sum(axis=1) > 1)
        if len(torn):
            share = votes[torn] / votes[torn].sum(axis=1)[:, None]
            likely = np.log(share + _STRAY_VOTE) - self._from_walked(centers[torn], ids)
            likely[~may_be[torn]] = -np.inf
            doubts[torn] = (likely.max(axis=1)[:, None] - likely) / LOG_ODDS_A_METRE
        return doubts

    def _from_walked(self, centers: NDArray[np.float64], ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far things are from where the wearer walked in each of some places (n, places)."""
        spots, places, _ = self._walked
        runs = run_starts(places)
        nearest = np.minimum(nearest_of_runs(centers, spots, runs), _NEAR_M)
        column = np.searchsorted(places[runs], ids)  # whoever saw a thing from a place walked there
        return np.asarray(nearest[:, column])

    def _vantages(self) -> Vantages:
        """Read again only where the file has changed: a question asks as of a time, and every time anew."""
        cached, version = self._history.cached, self._history.file_version
        if cached.vantages is None or cached.vantages[0] != version:
            blocks = list(self._history.blocks(MOST_FRAMES))
            cached.vantages = version, Vantages.read(self._history.connection, blocks, MOST_FRAMES)
        return cached.vantages[1]


def _inside(spots: NDArray[np.float64], area: _Area) -> NDArray[np.int64]:
    """Which of some spots (n, 2) are in an area."""
    west, south, east, north = area
    x, y = spots[:, 0], spots[:, 1]
    return ((x >= west) & (x <= east) & (y >= south) & (y <= north)).nonzero()[0]


def _within(area: _Area, other: _Area) -> bool:
    """Whether one area lies in another."""
    west, south, east, north = other
    return area[0] >= west and area[1] >= south and area[2] <= east and area[3] <= north
