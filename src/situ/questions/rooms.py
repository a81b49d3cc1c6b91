"""Named places: in which room a thing is, what a room holds, and the way to it."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.heading import SAME_LOCATION, SECTORS, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.select import Selector, plural, with_article
from situ.questions.view import NO, YES
from situ.questions.wearer import full_name, heading_now, last_frame, surely_there
from situ.state.protocol import ObjectView, SpatialState

_AROUND_M = 1.5  # things stand this far (one sigma) beyond where people walk
_FARTHEST = 6.0  # squared distance, in sigmas, beyond which a thing is in no place that is known
_FRAME = "the places that the wearer was told the names of; a thing is in the one that explains it best"


class NamedPlace(Protocol):
    """Where the wearer was when told the name of a place: the mean and the spread of the spots."""

    @property
    def tag(self) -> str: ...

    @property
    def mean(self) -> tuple[float, float, float]: ...

    @property
    def covariance(self) -> NDArray[np.float64]: ...


@runtime_checkable
class WithPlaces(Protocol):
    """A state that knows places by name."""

    def places(self) -> Sequence[NamedPlace]: ...


def known_places(state: SpatialState) -> Sequence[NamedPlace]:
    return state.places() if isinstance(state, WithPlaces) else ()


def place_of(state: SpatialState, point: Sequence[float]) -> tuple[str, float]:
    """The place in which a point lies, and by how much (log odds) that beats the next one; "" if none."""
    best: dict[str, float] = {}
    for place in known_places(state):
        spread = place.covariance[:2, :2] + np.eye(2) * _AROUND_M**2
        away = np.array([point[0] - place.mean[0], point[1] - place.mean[1]])
        squared = float(away @ np.linalg.solve(spread, away))
        if squared <= _FARTHEST:
            score = -0.5 * (squared + math.log(np.linalg.det(spread)))
            best[place.tag] = max(score, best.get(place.tag, -math.inf))
    if not best:
        return "", 0.0
    tag, *others = sorted(best, key=lambda name: -best[name])
    return tag, best[tag] - best[others[0]] if others else 9.0


def things_in(state: SpatialState, which: Selector, place: str) -> list[tuple[ObjectView, float]]:
    """Things of a kind that are still there and in a place, each with how surely it is in it."""
    found = []
    for view in surely_there(state, which.select(state)):
        tag, margin = place_of(state, view.box.center)
        if tag == place:
            found.append((view, margin))
    return found


@dataclass(frozen=True)
class _OfPlace:
    """A question about a place by its name."""

    place: str

    frame: ClassVar[str] = _FRAME

    def _checked(self, state: SpatialState) -> list[NamedPlace]:
        nodes = [place for place in known_places(state) if place.tag == self.place]
        if not nodes:
            raise Unanswerable(f"I do not know a place called {self.place}")
        return nodes


@question_kind
@dataclass(frozen=True)
class PlaceOf:
    """The place in which a thing is: of several, the one that was seen last."""

    which: Selector

    kind: ClassVar[str] = "place_of"
    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "log odds to the next place"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return f"In which room is the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        views = [view for view in self.which.select(state) if view.presence > 0.5]
        if not views:
            raise Unanswerable(f"I have not seen {with_article(self.which.singular)}")
        if not known_places(state):
            raise Unanswerable("I have not been told the name of any place")
        there = [view for view in views if state.where(view.id, state.now) is not None]
        seen = [(s[-1].time, -view.id, view) for view in there if (s := state.sightings(view.id))]
        if not seen:
            raise Unanswerable(f"I do not know where the {self.which.singular} is now")
        view = max(seen)[2]
        tag, margin = place_of(state, view.box.center)
        if not tag:
            raise Unanswerable(f"the {self.which.singular} is in no place that I know the name of")
        return Answer(tag, margin, last_frame(state, view.id), {"log_odds": margin})


@question_kind
@dataclass(frozen=True)
class IsIn(_OfPlace):
    """Whether a thing of a kind is in a place."""

    which: Selector

    kind: ClassVar[str] = "is_in"
    margin_unit: ClassVar[str] = "log odds to the next place"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return f"Is {with_article(self.which.singular)} in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        self._checked(state)
        if not any(view.presence > 0.5 for view in self.which.select(state)):
            raise Unanswerable(f"I have not seen {with_article(self.which.singular)}")
        found = things_in(state, self.which, self.place)
        margin = max((margin for _, margin in found), default=1.0)
        return Answer(YES if found else NO, margin, _frames(state, found), {"count": len(found)})


@question_kind
@dataclass(frozen=True)
class CountInPlace(_OfPlace):
    """How many things of a kind are in a place now."""

    which: Selector

    kind: ClassVar[str] = "count_in_place"
    margin_unit: ClassVar[str] = "log odds to the next place, of the least sure thing"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        self._checked(state)
        found = things_in(state, self.which, self.place)
        margin = min((margin for _, margin in found), default=1.0)
        return Answer(len(found), margin, _frames(state, found), {"count": len(found)})


@question_kind
@dataclass(frozen=True)
class ContentsOf(_OfPlace):
    """What is in a place, as a list in words: the most frequent first."""

    kind: ClassVar[str] = "contents_of"
    margin_unit: ClassVar[str] = "log odds to the next place, of the least sure thing"
    min_margin: ClassVar[float] = 0.0

    @property
    def text(self) -> str:
        return f"What is in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        self._checked(state)
        found = things_in(state, Selector(), self.place)
        kinds = Counter(full_name(view) for view, _ in found)
        words = [_several(name, n) for name, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))]
        margin = min((margin for _, margin in found), default=1.0)
        return Answer(", ".join(words) or "nothing", margin, _frames(state, found), {"count": len(found)})


@question_kind
@dataclass(frozen=True)
class WayToPlace(_OfPlace):
    """The direction of a place from the wearer, in eight sectors; the nearest of those with the name."""

    kind: ClassVar[str] = "way_to_place"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return f"Where is the {self.place} from here?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def answer(self, state: SpatialState) -> Answer:
        here = heading_now(state)
        place = min(self._checked(state), key=lambda node: here.ground_distance(node.mean))
        bearing, distance, _ = here.polar(place.mean)
        return Answer(*named_way(bearing, distance), (), {"bearing_deg": bearing, "distance_m": distance})


@question_kind
@dataclass(frozen=True)
class WhereAmI:
    """The place in which the wearer is."""

    kind: ClassVar[str] = "where_am_i"
    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "log odds to the next place"
    min_margin: ClassVar[float] = 0.7

    @property
    def text(self) -> str:
        return "In which room am I?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        if not len(state.path) or not known_places(state):
            raise Unanswerable("I have not been told the name of any place")
        latest = state.path.index_at(state.now)
        tag, margin = place_of(state, heading_now(state).position)
        if not tag:
            raise Unanswerable("you are in no place that I know the name of")
        return Answer(tag, margin, (latest,), {"log_odds": margin})


def _frames(state: SpatialState, found: Sequence[tuple[ObjectView, float]]) -> tuple[int, ...]:
    """The last frames that show some things."""
    return tuple(sorted({frame for view, _ in found for frame in last_frame(state, view.id)}))


def _several(name: str, number: int) -> str:
    *words, noun = name.split(" ")
    return with_article(name) if number == 1 else " ".join([str(number), *words, plural(noun)])
