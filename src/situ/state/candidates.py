"""Which things a phrase means: the one list from which an answer takes its value, odds, age and evidence.

In view now beats seen lately beats nearest. What has been taken away comes last: it is no longer there, but
it was seen.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence

from situ.geometry.path import Path
from situ.state.protocol import LIKELY, Candidate, Phrase, Skill, SpatialState

LATELY_S, LATELY_SHARE = 10.0, 0.1  # seen within this of the latest, or within this share of its age


def certain(state: SpatialState, which: Phrase) -> tuple[Candidate, ...]:
    """The candidates of a state that has no doubt but that in the presence of its objects, by id."""
    found = []
    for view in state.objects():
        if which.matches(view):
            there = 0.0 if state.where(view.id, state.now) is None else 1.0
            found.append(Candidate(view, state.sightings(view.id), view.presence, 1.0, there, there))
    return tuple(found)


class InOrder(tuple[Candidate, ...]):
    """Candidates that already are in the order in which they are meant."""


class Searchable(ABC):
    """A state that finds things in space without looking at all of them."""

    @abstractmethod
    def candidates_near(
        self, which: Phrase, point: Sequence[float], radius: float
    ) -> Sequence[Candidate]: ...


class _Nearby(Skill):
    """A state that can tell which candidates are near, whether or not it looks at all things for that."""

    @abstractmethod
    def candidates_near(
        self, which: Phrase, point: Sequence[float], radius: float
    ) -> Sequence[Candidate]: ...


def candidates_near(
    state: SpatialState, which: Phrase, point: Sequence[float], radius: float
) -> Sequence[Candidate]:
    """The candidates that are believed to be within a distance over the ground of a point."""
    if isinstance(state, _Nearby) and math.isfinite(radius):
        return state.candidates_near(which, point, radius)
    x, y = point[0], point[1]
    return [
        thing
        for thing in state.candidates(which)
        if math.hypot(thing.view.box.center[0] - x, thing.view.box.center[1] - y) <= radius
    ]


def ranked(found: Iterable[Candidate], path: Path, now: float) -> Sequence[Candidate]:
    """In the order in which they are meant: there at all, in view now, seen lately, nearest."""
    if isinstance(found, InOrder):
        return found
    things = list(found)
    if len(things) < 2 or not len(path):
        return things
    here, frame = path.heading_at(now), path.index_at(now)
    moments = [thing.last.time for thing in things if thing.left and thing.last is not None]
    lately = lately_since(moments, now)

    def rank(thing: Candidate) -> tuple[bool, bool, bool, float, int]:
        recent = thing.last is not None and thing.last.time >= lately
        gap = here.ground_distance(thing.view.box.center)
        return thing.remains < LIKELY, not thing.in_view(frame), not recent, gap, thing.id

    return sorted(things, key=rank)


class Ordered(ABC):
    """A state that knows the order already and gives one candidate after the other."""

    @abstractmethod
    def each_meant(self, which: Phrase) -> Iterator[Candidate]: ...


def each_meant(state: SpatialState, which: Phrase) -> Iterator[Candidate]:
    """The candidates in the order in which they are meant."""
    if isinstance(state, Ordered):
        return state.each_meant(which)
    return iter(ranked(state.candidates(which), state.path, state.now))


def first_meant(state: SpatialState, which: Phrase, test: Callable[[Candidate], bool]) -> Candidate | None:
    """The first, in the order in which they are meant, that passes a test."""
    return next(filter(test, each_meant(state, which)), None)


def lately_since(moments: Sequence[float], now: float) -> float:
    """From when on something counts as seen lately: about as late as the latest of some moments."""
    latest = max(moments, default=now)
    return latest - max(LATELY_S, LATELY_SHARE * (now - latest))
