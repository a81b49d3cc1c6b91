"""A belief as a table of possible worlds, laid out straight from the stored rows.

Every object has doubts of its own, whose levels depend on its number alone and cover each doubt evenly (a
Latin hypercube): of 64 worlds a thing that is 75 % real is in exactly 48. So odds do not change with what
else is remembered, and are the same today as when the past is asked again. What is uncertain together (what a
word means, whether a detector splits things, where a wall stands, a path that drifts) has one level for all.
"""

import weakref
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from situ.english import name_key
from situ.geometry.path import Path
from situ.geometry.path_uncertainty import PathSamples
from situ.memory.reading.identity import (
    Nodes,
    likely_doubles,
    model,
    real_features,
    there_features,
    usual_detection_rate,
)
from situ.memory.reading.levels import given_shared, normal_levels, shared_level, strata
from situ.memory.reading.move_doubts import move_features, poisson_levels
from situ.memory.reading.names import name_ceilings, votes_of
from situ.memory.reading.objects import AGENT_MPS, FARTHEST_WALK_M, HELD_GROWTH_S, HELD_MOST_M, HELD_SPREAD_M
from situ.memory.reading.stays import UNKNOWN_SIZE_M
from situ.memory.tables.motion import AGENT
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.vocabulary import LABEL
from situ.questions.programs.table import FAIR_LOG_ODDS, SURE, Double, Margins, Mask, Worlds
from situ.questions.rules.dates import ended
from situ.questions.rules.moves import PEOPLE, Move
from situ.state.protocol import LIKELY

if TYPE_CHECKING:
    from situ.memory.reading.state import MemoryState

COUNT = 64  # worlds: an answer of even odds is then off by 6 %, less where strata even it out
_REAL, _NAME, _STAYS, _X, _Y, _Z, _ROOM, _MOVED, _DOUBLE, _HANDS, _GRIP, _CLEAR, _ENDED = range(13)
_PER_MOVE = 1301  # so that each move of an object has doubts of its own
_LEAST_SIGMA_M = 0.01  # what is known exactly would have no spread to take a root of
_OFTEN = 4  # what was seen so often was seen clearly
# Nine in ten of the moves that a memory tells of the only object of a name happened, over foreign streams;
# the generated days that the other chances are learned on hold few of these.
_LONE_MOVED = 0.9
_STAYS_S = 60.0  # for about so long somebody stays where they were seen
# For about so long a hand keeps what it is no longer seen to hold; generated days hold too few such moments.
_GRIP_S = 180.0


class BelievedWorlds(Worlds):
    """What a memory believes of the objects that may bear one of some names, or of all."""

    def __init__(self, state: "MemoryState", count: int = COUNT) -> None:
        super().__init__(state.now, count)
        self.of_state(state)
        objects = state.objects()
        self._table, self.ids, self._words = objects.table, objects.numbers, objects.words
        self.yaws = np.zeros(len(self.ids))

    def of_state(self, state: "MemoryState") -> "BelievedWorlds":
        """The same table for another state of the same moment. The table outlives its states: if it held one,
        the file would stay open."""
        self._memory = weakref.ref(state)
        return self

    @property
    def state(self) -> "MemoryState":
        state = self._memory()
        assert state is not None, "the state of a table is gone"
        return state

    def _strata(self, doubt: int) -> NDArray[np.uint16]:
        return strata(self.count, doubt, self.ids)

    def _levels(self, doubt: int) -> NDArray[np.float64]:
        """Of each object its level of a doubt in each world, between 0 and 1 (S, N)."""
        return (self._strata(doubt) + 0.5) / self.count

    # ------------------------------------------------------------------ what each is
    @cached_property
    def categories(self) -> Sequence[str]:
        return [self._words.text(LABEL, n) for n in self._table["labels"][:, 0].tolist()]

    @cached_property
    def attributes(self) -> Sequence[Mapping[str, str]]:
        return [self._words.attributes(row) for row in self._table["features"].tolist()]

    @cached_property
    def presence(self) -> NDArray[np.float64]:
        """How likely each is an object and no false detection (N,)."""
        return model().p_real(self.real_features)

    @cached_property
    def counted(self) -> NDArray[np.float64]:
        glimpsed = np.zeros(self.number, bool)
        for k in np.flatnonzero(self.hits < _OFTEN).tolist():
            glimpsed[k] = not self.state.sightings(int(self.ids[k])).seen.clear.any()
        return np.where(glimpsed, LIKELY, 1.0)

    @property
    def counts(self) -> Mask:
        return np.asarray(self._levels(_CLEAR) <= self.counted)

    @property
    def real_features(self) -> NDArray[np.float64]:
        """What tells whether each is an object (N, features)."""
        return real_features(self._table, self.hits, self.state.observed.scores(self.ids), self._usual_rate)

    @cached_property
    def real(self) -> Margins:
        return np.where(self._levels(_REAL) <= self.presence, SURE, -SURE)

    @cached_property
    def hits(self) -> NDArray[np.int64]:
        """How often each was seen (N,); a version is not written for each sighting."""
        return np.maximum(self._table["hits"].astype(np.int64), self.state.observed.counts(self.ids))

    @cached_property
    def _usual_rate(self) -> float:
        return usual_detection_rate(self._table, self.hits)

    @cached_property
    def missed(self) -> Mask:
        """Which were looked for in vain since they were seen last (N,)."""
        return np.asarray((self.now > self._last_seen) & (self.now >= self._table["absent_since"]))

    @cached_property
    def remains(self) -> NDArray[np.float64]:
        """How likely each has not been seen to be gone (N,)."""
        return np.where(self.missed, model().p_there(self.there_features), 1.0)

    @property
    def there_features(self) -> NDArray[np.float64]:
        """What tells whether each of those that were missed is still there (N, features)."""
        return there_features(self._table, self._last_seen, self.now)

    @cached_property
    def _last_seen(self) -> NDArray[np.float64]:
        """When each was seen last (N,): a version is written when something is new, not at each sighting."""
        return np.asarray(np.maximum(self._table["last_seen"], self.last[0]))

    @cached_property
    def here(self) -> NDArray[np.float64]:
        """How likely each still is where it was last seen (N,): it may have been moved unseen."""
        table = self._table
        hazard = np.where(self._walks, np.maximum(table["hazard"], 1 / _STAYS_S), table["hazard"])
        stays = np.exp(-hazard * np.maximum(0.0, self.now - self._last_seen))
        looked = np.where(self.missed, self.remains, table["here"])
        return np.where(self.now <= self._last_seen, 1.0, looked * stays)

    @cached_property
    def _walks(self) -> Mask:
        """Which move by themselves (N,)."""
        people = np.array([category in PEOPLE for category in self.categories], bool)
        return np.asarray(((self._table["held"] >> 1) == AGENT) | people)

    @cached_property
    def there(self) -> Mask:
        return self._levels(_STAYS) <= self.remains

    @cached_property
    def placed(self) -> Mask:
        return np.asarray(self._levels(_STAYS) <= np.minimum(self.here, self.remains))

    @cached_property
    def votes(self) -> list[list[tuple[str, float]]]:
        """Of each object its names with their shares, the likeliest first."""
        return votes_of(self._table, self._words)

    def _name_chances(self, kind: str) -> NDArray[np.float64]:
        """How likely each bears a name (N,), whatever the worlds share."""
        wanted = name_key(kind)
        found = np.zeros(self.number)
        for k, votes in enumerate(self.votes):
            for rank, (name, share) in enumerate(votes):
                if name == wanted:
                    found[k] = model().p_name(share, int(self.hits[k]), rank == 0, len(votes))
        if not self.state.calibrated:
            return found
        return found * name_ceilings(self.state.observed, self.ids, self.hits)

    def _name_given_shared(self, kind: str) -> Margins:
        """The same in each world, given whether two words are names of one thing there (S, N)."""

        def found() -> Margins:
            chances = self._name_chances(kind)
            wanted, given = name_key(kind), np.tile(chances, (self.count, 1))
            for k in np.flatnonzero((chances > 0) & (chances < 1)).tolist():
                others = [name for name, _ in self.votes[k] if name != wanted]
                other = others[0] if others else ""
                shared = shared_level(self.count, "name", *sorted((wanted, other)))
                given[:, k] = given_shared(chances[k], shared, model().shared_name)
            return given

        return self.kept(("named", name_key(kind)), found)

    def named(self, kind: str) -> Mask:
        return np.asarray(self._levels(_NAME) <= self._name_given_shared(kind))

    def membership(self, kinds: Sequence[str], with_: Iterable[tuple[str, str]], ever: bool) -> Margins:
        if kinds:
            none = np.prod([1.0 - self._name_given_shared(kind) for kind in dict.fromkeys(kinds)], axis=0)
        else:
            none = np.zeros((self.count, self.number))
        found = (1.0 - none) * self.presence
        for key, value in with_:
            found = found * self.bears(key, value)
        return np.asarray(found if ever else found * self.remains)

    def doubles(self, columns: Sequence[int]) -> Sequence[Double]:
        """What may be one object twice. A detector that splits one thing splits many: half of that doubt is
        shared by all."""

        def found() -> list[Double]:
            shared = shared_level(self.count, "doubles")
            pairs = likely_doubles(self.nodes, sorted(columns, key=lambda k: int(self.ids[k])))
            return [Double(k, of, given_shared(p, shared, model().shared_double)) for k, of, p in pairs]

        return self.kept(("doubles", tuple(columns)), found)

    def levels_of_doubles(self, column: int) -> NDArray[np.float64]:
        return self._levels(_DOUBLE)[:, column]

    @cached_property
    def nodes(self) -> Nodes:
        return Nodes(
            self.state.observed,
            self.ids,
            self.centers.mean(axis=0),
            self.sizes,
            np.sqrt(self._variances.mean(axis=1)),
            self._table["exists"].astype(float),
            np.where(self.missed, self._table["here"], 1.0).astype(float),
            self.first_times,
            self._last_seen,
            self.hits,
            self._table["labels"].astype(np.int64),
            self._table["origin"].astype(np.int64),
            self._table["misfit"].astype(float),
            np.where(self._table["track_runs"] == 0, self._table["track"], -1),
            self.attributes,
        )

    # ------------------------------------------------------------------ where
    @cached_property
    def held(self) -> Mask:  # type: ignore[override]
        return np.asarray((self._table["held"] & 1) == 1)

    @property
    def in_hand(self) -> NDArray[np.bool_]:
        """It may have been put down unseen: the likelier, the longer nobody saw it in the hand."""
        keeps = np.exp(-np.maximum(0.0, self.now - self._last_seen) / _GRIP_S)
        return self.held & (self._levels(_GRIP) <= keeps)

    @cached_property
    def sizes(self) -> NDArray[np.float64]:  # type: ignore[override]
        sides = self._table["size"].astype(float)
        return np.where(sides[:, :1] > 0.0, sides, UNKNOWN_SIZE_M)

    @cached_property
    def _believed(self) -> NDArray[np.float64]:
        """Where each is thought to be (N, 3); what is held comes along."""
        spots = self._table["position"].astype(float)
        if self.held.any():
            spots = spots.copy()
            offsets = self._table["offset"][self.held].astype(float)
            spots[self.held] = from_offset(offsets, self.state.path.pose_at(self.now))
        return spots

    @cached_property
    def _more_m2(self) -> NDArray[np.float64]:
        """By how much a place is known less well than when it was seen, in square metres along each axis."""
        since = np.maximum(0.0, self.now - self._last_seen)
        hand = np.minimum(HELD_SPREAD_M * (1 + HELD_GROWTH_S * since), HELD_MOST_M) ** 2
        walk = np.minimum(AGENT_MPS * since, FARTHEST_WALK_M) ** 2
        agent = (self._table["held"] >> 1) == AGENT
        return np.where(self.held, hand, np.where(agent, walk, 0.0))

    @property
    def _variances(self) -> NDArray[np.float64]:
        return self._table["covariance"][:, [0, 3, 5]].astype(float) + self._more_m2[:, None]

    @cached_property
    def centers(self) -> NDArray[np.float64]:
        spread = self._table["covariance"].astype(float)
        wide = spread[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(-1, 3, 3)
        upwards = np.where(self.held, self._more_m2, 0.0)
        more = np.stack([self._more_m2, self._more_m2, upwards], axis=1) + _LEAST_SIGMA_M**2
        lower = np.linalg.cholesky(wide + more[:, :, None] * np.eye(3))
        normal = normal_levels(self.count)
        unit = np.stack([normal[self._strata(axis)] for axis in (_X, _Y, _Z)], axis=2)
        return self._drifted(self._believed + (lower @ unit.transpose(1, 2, 0)).transpose(2, 0, 1))

    @cached_property
    def _paths(self) -> PathSamples | None:
        """The path as it may have been, in each world."""
        samples = self.state.path_samples
        if samples is None:
            return None
        rows = np.arange(self.count) % len(samples)
        return PathSamples(samples.doubt, samples.errors[rows], samples.astray[rows])

    def _drifted(self, centers: NDArray[np.float64]) -> NDArray[np.float64]:
        """What was seen some way back is as far off as the way since is; what is held comes along."""
        if self._paths is None or not self.number:
            return centers
        moment = self.state.moment
        times = np.where(self.held, moment, self.last[0])
        return np.where(self.held[None, :, None], centers, self._paths.seen_from(moment, centers, times))

    def as_walked(self, point: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        points = np.tile(point, (self.count, 1))
        if self._paths is None:
            return points
        moved = self._paths.seen_from(self.state.moment, points[:, None], np.array([time]), wearer=True)
        return np.asarray(moved[:, 0])

    @property
    def paths(self) -> Sequence[Path]:
        state = self.state
        return state.paths if self._paths is not None else (state.path,)

    @cached_property
    def _located(self) -> Any:
        return self.places.locate(self._believed)

    @cached_property
    def rooms(self) -> NDArray[np.int64]:
        """Walls that nobody has seen lie anywhere between two places: one level for all things at a wall."""
        found = self._located
        if not self.number or not self.places:
            return np.full((self.count, self.number), -1)
        here = np.tile(found.place, (self.count, 1))
        own, sure = self._levels(_ROOM), np.tile(found.surely, (self.count, 1))
        doubtful = np.flatnonzero((found.surely < 1.0) & (found.place >= 0))
        walls = np.sort(np.stack([found.place, found.rival])[:, doubtful], axis=0)
        for wall in np.unique(walls, axis=1).T:
            at = doubtful[(walls == wall[:, None]).all(axis=0)]
            shared = shared_level(self.count, "wall", *map(str, wall.tolist()))
            sure[:, at] = given_shared(found.surely[at], shared[:, None], model().shared_wall)
        return np.where(own <= sure, here, found.rival[None])

    @cached_property
    def room_margins(self) -> NDArray[np.float64]:
        return np.asarray(self._located.margin) / FAIR_LOG_ODDS

    # ------------------------------------------------------------------ when
    @cached_property
    def last(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        seen = self.state.last_seen
        return seen.times, seen.frames

    @cached_property
    def first_times(self) -> NDArray[np.float64]:
        return self._table["first_seen"].astype(float)

    def happened(self, column: int, move: Move) -> NDArray[np.bool_]:
        """What turned up elsewhere may be another of its kind, or was misplaced."""

        features = self.kept(("move", column, move.arrived), lambda: move_features(self.state, move))
        chance = model().p_moved(features)
        if self.categories.count(self.categories[column]) == 1:  # there is no other of its kind
            chance = max(chance, _LONE_MOVED)
        return np.asarray(self._level_of(column, move, _MOVED) <= chance)

    def arrivals(self, column: int, move: Move) -> NDArray[np.float64]:
        end = self.kept(("ended", column, move.arrived), lambda: ended(self.state, move))
        return end.times(self._level_of(column, move, _ENDED))

    def by_wearer(self, column: int, move: Move) -> NDArray[np.bool_]:
        return np.asarray(self._level_of(column, move, _HANDS) <= model().by_wearer[int(move.by_wearer)])

    def _level_of(self, column: int, move: Move, doubt: int) -> NDArray[np.float64]:
        """The level of a doubt about one move of an object in each world (S,)."""
        number = int(self.ids[column]) + _PER_MOVE * round(10 * move.arrived)
        level = self.kept(
            ("level", doubt, number), lambda: (strata(self.count, doubt, number) + 0.5) / self.count
        )
        return np.asarray(level)

    def overlooked(self, number: int) -> NDArray[np.int64]:
        none, each = model().overlooked
        level = (np.random.default_rng(number).permutation(self.count) + 0.5) / self.count
        return poisson_levels(none + each * number, level)

    def as_of(self, time: float) -> Worlds:
        return self.state.as_of(time).worlds()

    def back_at(self, time: float) -> Worlds:
        return self.state.back_at(time).worlds()
