"""Places by name, and which of them a spot is in: by where the wearer walked and saw objects from."""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.nearest import nearest_of_runs, run_starts
from situ.lazy import lazily
from situ.memory.file.packing import first_of_each_cell

if TYPE_CHECKING:
    from situ.memory.reading.history import History
    from situ.memory.reading.objects import RememberedObjects

MOST_FRAMES = 20_000  # a longer path costs too much to read for one question
MOST_THINGS = 400  # so many objects tell by where they were seen from in which room they are
_NEAR_M = 4.5  # what was never seen from nearer may be behind a window
_VOTE_M = 0.5  # a sighting from so much nearer by has e times the vote
_STRAY_VOTE = 0.02  # of all votes; so many come from another room
LOG_ODDS_A_METRE = 4.0  # by which a spot is in one place rather than in another that is a metre farther off
_BEST = "SELECT object_id, frame, known_from, quality FROM keyframe WHERE frame <= ?"
_BEGAN = "SELECT object_id, valid_from, known_from FROM stay WHERE stay > 0"
_Area = tuple[float, float, float, float]  # from west and south to east and north


class Place(NamedTuple):
    """A place node: where the wearer was when told its name."""

    id: int
    tag: str
    mean: tuple[float, float, float]
    covariance: NDArray[np.float64]
    frames: int
    first: float
    last: float

    @classmethod
    def of(cls, row: tuple[int, int, int, float, float, bytes], tag: str) -> "Place":
        number, _, count, first, last, body = row
        values = np.frombuffer(body)
        x, y, z = values[:3].tolist()
        return cls(number, tag, (x, y, z), values[3:].reshape(3, 3), count, first, last)


class Spots(NamedTuple):
    """Spots of which it is known in which place they may be: (n, 2), the number of the place (n,), and how
    many metres more than it is away a spot counts, because another place is likelier (n,)."""

    spots: NDArray[np.float64]
    places: NDArray[np.int64]
    doubt_m: NDArray[np.float64]

    @classmethod
    def none(cls) -> "Spots":
        return cls(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0))


class Walked(NamedTuple):
    """Where the wearer was in which place (n,), by place: frames, spots (n, 2) and numbers of places."""

    frames: NDArray[np.int64]
    spots: NDArray[np.float64]
    places: NDArray[np.int64]


def walked(history: "History") -> Walked:
    """The path of the first frames, thinned out run by run."""
    parts = [(np.zeros(0, np.int64), np.zeros((0, 2)), np.zeros(0, np.int64))]
    for k in range(history.frames.run_of(MOST_FRAMES) + 1):
        run = history.frames.run(k)
        named = np.flatnonzero(run.places > 0)
        rows = named[first_of_each_cell(run.positions[named, :2], run.places[named])]
        parts.append((run.numbers[rows], run.positions[rows, :2], run.places[rows]))
    frames, spots, places = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(places, kind="stable")
    return Walked(frames[order], spots[order], places[order])


class Vantages(NamedTuple):
    """The best frames of all objects (n,), object by object, the worse first, and from when on each was
    known; when they were seen, in which place and where (n, 2) the wearer was. `first` is where the frames of
    each number begin, up to one without any. And when objects came to other places (m,), in order, and from
    when on that was known."""

    first: NDArray[np.int64]
    frames: NDArray[np.int64]
    known: NDArray[np.float64]
    times: NDArray[np.float64]
    places: NDArray[np.int64]
    ground: NDArray[np.float64]
    moved: NDArray[np.int64]
    came: NDArray[np.float64]
    told: NDArray[np.float64]

    @classmethod
    def read(cls, history: "History") -> "Vantages":
        connection = history.connection
        best = np.array(connection.all(_BEST, (MOST_FRAMES,)), float).reshape(-1, 4)
        best = best[np.lexsort((best[:, 1], best[:, 3], best[:, 0]))]
        stays = np.array(connection.all(_BEGAN), float).reshape(-1, 3)
        stays = stays[np.lexsort((stays[:, 1], stays[:, 0]))]
        frames, table = best[:, 1].astype(np.int64), history.frames.between(0, MOST_FRAMES)
        if not len(table.numbers):
            best, frames = best[:0], frames[:0]
        k = np.minimum(np.searchsorted(table.numbers, frames), len(table.numbers) - 1)
        # A frame that was forgotten says nothing, nor does one whose place has no name.
        held = (table.numbers[k] == frames) & (table.places[k] > 0)
        best, frames, k = best[held], frames[held], k[held]
        highest = int(max(best[:, 0].max(initial=0.0), stays[:, 0].max(initial=0.0)))
        return cls(
            np.searchsorted(best[:, 0], np.arange(highest + 3)), frames, best[:, 2],
            table.times[k], table.places[k], table.positions[k, :2],
            stays[:, 0].astype(np.int64), stays[:, 1], stays[:, 2],
        )  # fmt: skip

    def best(
        self, numbers: NDArray[np.int64], at: float, known: float, last_frame: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of objects by their numbers: the place in that list, and which of the best frames, from the worst
        to the best of each: those that were known, since the object was where it was at a time."""
        first, numbers = self.first, np.minimum(numbers, len(self.first) - 2)  # of later ones there are none
        begin = first[numbers]
        count = first[numbers + 1] - begin
        end = count.cumsum()
        row = np.arange(len(numbers)).repeat(count)
        seen = np.arange(len(row)) + (begin - end + count)[row]
        came = (self.came <= at) & (self.told <= known)
        since = np.full(len(first), -np.inf)
        since[self.moved[came]] = self.came[came]  # the last of an object comes last and stays
        mine = (self.frames[seen] <= last_frame) & (self.known[seen] <= known)
        mine &= self.times[seen] >= since[numbers][row]
        return row[mine], seen[mine]


class Anchors:
    """Where the wearer walked, and each object by where they stood at its best sightings since it came there.
    What is seen from near is seen from its own room, since walls hide the rest; but a door shows the next
    room, too. So each sighting has a vote, the more the nearer it was.

    It is looked up around the points that are asked for: a question is about a few objects in one corner."""

    def __init__(
        self, history: "History", last_frame: int, at: float, known: float, objects: "RememberedObjects"
    ) -> None:
        self._numbers, self._centers = objects.numbers, objects.centers()
        if len(self._numbers) > MOST_THINGS:
            self._numbers, self._centers = self._numbers[:0], self._centers[:0]
        # What is kept from one state to the next must not hold the history, or its snapshot would stay open.
        self._path = history.kept(("walked",), lambda: walked(history))
        if len(self._numbers):
            self._vantages = history.kept(("vantages",), lambda: Vantages.read(history))
        self._last_frame, self._at, self._known = last_frame, at, known
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
        """At least those in an area. Most questions look around once; for one that looks elsewhere again all
        are worked out."""
        if self._looked is None or not _within(area, self._looked[0]):
            if self._looked is not None:
                area = -math.inf, -math.inf, math.inf, math.inf
            walked, placed = self._walked, self._placed(area)
            self._looked = (
                area,
                Spots(
                    np.concatenate([walked.spots, placed.spots]),
                    np.concatenate([walked.places, placed.places]),
                    np.concatenate([walked.doubt_m, placed.doubt_m]),
                ),
            )
        return self._looked[1]

    @lazily
    def _walked(self) -> Spots:
        """By place."""
        if not 0 <= self._last_frame <= MOST_FRAMES:
            return Spots.none()
        frames, spots, places = self._path
        by_then = frames <= self._last_frame
        return Spots(spots[by_then], places[by_then], np.zeros(np.count_nonzero(by_then)))

    def _placed(self, area: _Area) -> Spots:
        """The objects in an area of which it is known in which places they may be."""
        inside = _inside(self._centers, area)
        numbers, centers = self._numbers[inside], self._centers[inside]
        if not len(numbers):
            return Spots.none()
        vantages = self._vantages
        row, seen = vantages.best(numbers, self._at, self._known, self._last_frame)
        if not len(row):
            return Spots.none()
        away = np.hypot(*(vantages.ground[seen] - centers[row]).T)
        of = vantages.places[seen]
        ids = np.flatnonzero(np.bincount(of))
        number = np.zeros(ids[-1] + 1, np.int64)
        number[ids] = np.arange(len(ids))
        shape = len(numbers), len(ids)
        counted = np.bincount(row * len(ids) + number[of], np.exp(-away / _VOTE_M), shape[0] * shape[1])
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
        """By how many metres more each place counts as far from each object than the likeliest (n, places);
        where an object may be in one place only there is no doubt."""
        doubts = np.zeros(votes.shape)
        torn = np.flatnonzero(may_be.sum(axis=1) > 1)
        if len(torn):
            share = votes[torn] / votes[torn].sum(axis=1)[:, None]
            likely = np.log(share + _STRAY_VOTE) - self._from_walked(centers[torn], ids)
            likely[~may_be[torn]] = -np.inf
            doubts[torn] = (likely.max(axis=1)[:, None] - likely) / LOG_ODDS_A_METRE
        return doubts

    def _from_walked(self, centers: NDArray[np.float64], ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far objects are from where the wearer walked in each of some places (n, places)."""
        spots, places, _ = self._walked
        runs = run_starts(places)
        nearest = np.minimum(nearest_of_runs(centers, spots, runs), _NEAR_M)
        column = np.searchsorted(places[runs], ids)  # whoever saw an object from a place walked there
        return np.asarray(nearest[:, column])


def _inside(spots: NDArray[np.float64], area: _Area) -> NDArray[np.int64]:
    """Which of some spots (n, 2) are in an area."""
    west, south, east, north = area
    x, y = spots[:, 0], spots[:, 1]
    return ((x >= west) & (x <= east) & (y >= south) & (y <= north)).nonzero()[0]


def _within(area: _Area, other: _Area) -> bool:
    """Whether one area lies in another."""
    west, south, east, north = other
    return area[0] >= west and area[1] >= south and area[2] <= east and area[3] <= north
