"""Places that the wearer was told the names of, and which of them a point is in.

Two places of one name are two places. "The bedroom" is the one the wearer is in, else the one they were in
lately, else the nearest.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from situ.errors import Unanswerable
from situ.geometry.nearest import nearest_within
from situ.lazy import lazily
from situ.questions.rules.wearer import heading_now
from situ.state.protocol import Skill, SpatialState
from situ.state.sightings import lately_since

_AROUND_M = 1.5  # things stand this far (one sigma) beyond where people walk
_FARTHEST = 6.0  # squared distance, in sigmas, beyond which a thing is in no place that is known
_ROUNDING_M = 1e-6
_FARTHEST_M = 3.0  # from the nearest spot whose place is known
_BORDER = 2.0  # of things in generated homes with a margin of 1 to 1.5, 0.91 were in the nearer place
_ALONE = 9.0  # log odds where there is no other place
# Three points for each axis that stand for a normal distribution, and their weights (Gauss-Hermite).
NODES = np.array(list(product((0.0, -math.sqrt(3.0), math.sqrt(3.0)), repeat=2)))
_FARTHEST_NODE = math.sqrt(6.0)  # from the middle, in standard deviations
WEIGHTS = np.outer((2 / 3, 1 / 6, 1 / 6), (2 / 3, 1 / 6, 1 / 6)).ravel()


class NamedPlace(Protocol):
    """Where the wearer was when told the name of a place: the mean and the spread of the spots."""

    @property
    def tag(self) -> str: ...

    @property
    def mean(self) -> tuple[float, float, float]: ...

    @property
    def covariance(self) -> NDArray[np.float64]: ...

    @property
    def last(self) -> float:
        """When the wearer was last there."""
        ...


class WithPlaces(Skill):
    """A state that knows places by name."""

    @abstractmethod
    def places(self) -> Sequence[NamedPlace]: ...


class WithWalls(Skill):
    """A state that knows where the rooms end: the truth of a world."""

    @abstractmethod
    def place_at(self, point: Sequence[float]) -> tuple[str, float]:
        """The place around a point and how surely it is inside; "" if none."""


class KnownSpots(Protocol):
    """Spots (n, 2) of which the place is known, the numbers of those places (n,), and how many metres more
    than it is away a spot counts, because another place is likelier (n,)."""

    @property
    def spots(self) -> NDArray[np.float64]: ...

    @property
    def places(self) -> NDArray[np.int64]: ...

    @property
    def doubt_m(self) -> NDArray[np.float64]: ...


class Anchors(Protocol):
    """Known spots, looked up in space."""

    def near(self, ground: NDArray[np.float64], radius: float) -> KnownSpots:
        """At least those within a distance of some points (n, 2)."""
        ...


class WithAnchors(Skill):
    """A state that knows of some spots, of things and of the wearer, in which place they are."""

    @abstractmethod
    def place_anchors(self) -> Anchors | None: ...


@dataclass(frozen=True)
class Located:
    """For each point the number of the place that explains it best (-1: none that is known), and by how much
    (log odds) that beats every other place, and every place of another name. Within `slack_m` of the point it
    is the same place, as far as that is known. `rival` is the next best place, `surely` how likely the point
    is not in that one: walls that nobody has seen lie anywhere between."""

    place: NDArray[np.int64]
    margin: NDArray[np.float64]
    margin_of_name: NDArray[np.float64]
    slack_m: NDArray[np.float64]
    rival: NDArray[np.int64]
    surely: NDArray[np.float64]


class Places:
    """All named places of a state, ready to look points up in."""

    def __init__(
        self, nodes: Sequence[NamedPlace], walls: WithWalls | None = None, anchors: Anchors | None = None
    ) -> None:
        self.nodes = tuple(nodes)
        self._walls = walls
        self._anchors = anchors
        self._tags: dict[tuple[float, float], str] = {}

    @lazily
    def tags(self) -> NDArray[np.object_]:
        return np.array([node.tag for node in self.nodes], dtype=object)

    @lazily
    def _names(self) -> NDArray[np.int64]:
        """A number for each place; those of one name share it."""
        numbers = {tag: k for k, tag in enumerate(dict.fromkeys(self.tags))}
        return np.array([numbers[tag] for tag in self.tags], np.int64)

    @lazily
    def _namesakes(self) -> bool:
        return len({node.tag for node in self.nodes}) < len(self.nodes)

    @classmethod
    def of(cls, state: SpatialState) -> "Places":
        known = _OF_STATES.get(state)  # one question asks for the places of many things
        if known is not None:
            return known
        nodes = state.places() if isinstance(state, WithPlaces) else ()
        if isinstance(state, WithWalls):
            return cls(nodes, state)
        if not isinstance(state, WithAnchors):
            return cls(nodes)
        found = _OF_STATES[state] = cls(nodes, None, state.place_anchors() if nodes else None)
        return found

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def locate(self, points: ArrayLike) -> Located:
        """In which places some points (n, 2 or 3) lie."""
        ground = np.asarray(points, dtype=float)[..., :2].reshape(-1, 2)
        count = len(ground)
        if not self.nodes or not count:
            none, zeros = np.full(count, -1), np.zeros(count)
            return Located(none, zeros, zeros, zeros, none, np.ones(count))
        if self._walls is not None:
            return self._within(self._walls, ground)
        if self._anchors is not None:
            return self._by_anchors(self._anchors, ground)
        means, narrow, volume = self._spread_out
        away = ground[:, None] - means
        squared = np.einsum("nki,kij,nkj->nk", away, narrow, away)
        scores = np.where(squared <= _FARTHEST, -0.5 * (squared + volume), -np.inf)
        return self._best(scores, np.zeros(count))

    @lazily
    def _wide(self) -> NDArray[np.float64]:
        """How far things of each place are spread over the ground (places, 2, 2)."""
        walked = np.array([node.covariance[:2, :2] for node in self.nodes]).reshape(-1, 2, 2)
        return np.asarray(walked + np.eye(2) * _AROUND_M**2)

    @lazily
    def _spread_out(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Of each place its middle, the inverse of how far its things are spread, and how large it is."""
        means = np.array([node.mean[:2] for node in self.nodes], dtype=float)
        volume = np.log(np.linalg.det(self._wide))
        return means, np.asarray(np.linalg.inv(self._wide), float), np.asarray(volume, float)

    def _within(self, walls: WithWalls, ground: NDArray[np.float64]) -> Located:
        """By the walls, where they are known."""
        numbers = {node.tag: k for k, node in enumerate(self.nodes)}
        found = [walls.place_at(point) for point in ground.tolist()]
        place = np.array([numbers.get(tag, -1) for tag, _ in found])
        margin = np.where(place >= 0, [depth for _, depth in found], 0.0)
        none = np.full(len(place), -1)
        return Located(place, margin, margin, np.zeros(len(place)), none, np.ones(len(place)))

    def _by_anchors(self, anchors: Anchors, ground: NDArray[np.float64]) -> Located:
        """The place of the nearest spot that has one; the margin is how much nearer, in half metres."""
        gaps = self._gaps(anchors.near(ground, _FARTHEST_M), ground)
        scores = np.where(gaps <= _FARTHEST_M, -2.0 * gaps, -np.inf)
        # A gap changes by no more than the point moves; places beyond the farthest may be just beyond it.
        rows, best = np.arange(len(gaps)), scores.argmax(axis=1)
        least = gaps[rows, best]
        gaps[rows, best] = np.inf
        rival = np.minimum(gaps.min(axis=1), _FARTHEST_M)
        return self._best(scores, (rival - least) / 2)

    def _best(self, scores: NDArray[np.float64], slack: NDArray[np.float64]) -> Located:
        """The place of the highest score for each point (n, places)."""
        rows, best = np.arange(len(scores)), scores.argmax(axis=1)
        top = scores[rows, best]
        known = np.isfinite(top)
        others = scores.copy()
        others[rows, best] = -np.inf
        rival = others.argmax(axis=1)
        rivalled = np.isfinite(others[rows, rival])
        margin = of_name = _beyond(others, top, known)
        if self._namesakes:
            alike = self._names == self._names[best][:, None]
            of_name = _beyond(np.where(alike, -np.inf, scores), top, known)
        return Located(
            np.where(known, best, -1), margin, of_name, np.where(known, slack, 0.0),
            np.where(rivalled, rival, -1),
            np.where(rivalled, 1.0 / (1.0 + np.exp(-_BORDER * margin)), 1.0),
        )  # fmt: skip

    def _gaps(self, known: KnownSpots, ground: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each point is from the nearest spot of each place (n, places); if none is near, infinite
        or at least farther than the farthest."""
        order = np.argsort(known.places, kind="stable")
        spots, doubt = known.spots[order], known.doubt_m[order]
        column, width = self._columns(known.places[order]), len(self.nodes) + 1  # the last: not a node
        return nearest_within(ground, spots, column, width, _FARTHEST_M, doubt)[:, :-1]

    def _columns(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which node some places are, by their numbers; one beyond the last for those that have none."""
        by_id, ids = self._by_id
        k = np.minimum(np.searchsorted(ids, places), len(ids) - 1)
        return np.where(ids[k] == places, by_id[k], len(ids))

    @lazily
    def _by_id(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The nodes in the order of the numbers of their places, and these."""
        ids = np.array([node.id for node in self.nodes], np.int64)  # type: ignore[attr-defined]
        order = np.argsort(ids)
        return order, ids[order]

    def tags_of(self, points: ArrayLike) -> list[str]:
        """The names of the places in which some points lie; "" where there is none."""
        return [self.nodes[k].tag if k >= 0 else "" for k in self._place(points).tolist()]

    def _place(self, points: ArrayLike) -> NDArray[np.int64]:
        """`locate` for who needs no odds."""
        if self._walls is not None or self._anchors is None or not self.nodes:
            return self.locate(points).place
        ground = np.asarray(points, dtype=float)[..., :2].reshape(-1, 2)
        if not len(ground):
            return np.zeros(0, np.int64)
        gaps = self._gaps(self._anchors.near(ground, _FARTHEST_M), ground)
        place = gaps.argmin(axis=1)
        return np.where(gaps[np.arange(len(place)), place] <= _FARTHEST_M, place, -1)

    def tag_of(self, point: Sequence[float]) -> str:
        """The same for one point; one question asks for the same few again and again."""
        spot = (float(point[0]), float(point[1]))
        if spot not in self._tags:
            self.expect([spot])
        return self._tags[spot]

    def expect(self, points: Iterable[Sequence[float]]) -> None:
        """These will be asked for one by one: locate them together."""
        spots = dict.fromkeys((float(p[0]), float(p[1])) for p in points)
        new = [spot for spot in spots if spot not in self._tags]
        self._tags.update(zip(new, self.tags_of(new), strict=True))

    def near(self, name: str, ground: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of some points over the ground (n, 2) are near enough to a place of a name to be in it."""
        if self._walls is not None or not len(ground):
            return np.ones(len(ground), bool)
        numbers = [k for k, node in enumerate(self.nodes) if node.tag == name]
        if self._anchors is None:
            near = np.zeros(len(ground), bool)
            for k in numbers:
                near |= np.hypot(*(ground - self.nodes[k].mean[:2]).T) <= self.reach(k) + _ROUNDING_M
            return near
        known = self._anchors.near(ground, _FARTHEST_M)
        ids = [self.nodes[k].id for k in numbers]  # type: ignore[attr-defined]
        of_it = known.spots[(known.places[:, None] == np.array(ids, np.int64)).any(axis=1)]
        low, high = of_it.min(axis=0, initial=np.inf), of_it.max(axis=0, initial=-np.inf)
        return np.asarray(((ground >= low - _FARTHEST_M) & (ground <= high + _FARTHEST_M)).all(axis=1))

    def reach(self, number: int) -> float:
        """Metres from the middle of a place beyond which nothing is in it."""
        return float(np.sqrt(_FARTHEST * np.linalg.eigvalsh(self._wide[number])[-1]))

    def called(self, name: str, state: SpatialState) -> list[int]:
        """The numbers of the places of a name, the one that is meant first."""
        numbers = [k for k, node in enumerate(self.nodes) if node.tag == name]
        if not numbers:
            raise Unanswerable(f"I do not know a place called {name}")
        if len(numbers) == 1:
            return numbers
        here = heading_now(state)
        inside = int(self.locate(here.position).place[0])
        since = lately_since([self.nodes[k].last for k in numbers], state.now)

        def rank(k: int) -> tuple[bool, bool, float]:
            node = self.nodes[k]
            return k != inside, node.last < since, here.ground_distance(node.mean)

        return sorted(numbers, key=rank)


# For as long as the states live; places hold no state, or it would live for ever.
_OF_STATES: "WeakKeyDictionary[object, Places]" = WeakKeyDictionary()


def place_of(state: SpatialState, point: Sequence[float]) -> str:
    """The name of the place in which a point lies; "" if none is known."""
    return Places.of(state).tag_of(point)


def _beyond(
    others: NDArray[np.float64], top: NDArray[np.float64], known: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """By how much the best score beats those of the others (n, places), minus infinity for none; 0 where
    there is no place at all."""
    rivals = others.max(axis=1)
    gap = np.full(len(top), _ALONE)
    np.subtract(top, rivals, out=gap, where=np.isfinite(rivals))
    return np.where(known, gap, 0.0)
