"""Named places: in which room a thing is, what a room holds, and the way to it."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from situ.geometry.heading import HERE_M, SAME_LOCATION, SECTORS, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named, things
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.programs.table import FAIR_LOG_ODDS
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.places import NamedPlace, Places
from situ.questions.rules.wearer import heading_now
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector, with_article
from situ.state.protocol import SpatialState

_FRAME = "the places that the wearer was told the names of; a thing is in the one that explains it best"
# The middle of a place moves while more of it is walked: by so much, and by this share of its spread.
_MIDDLE_M, _MIDDLE_SHARE = 0.2, 0.25


@dataclass(frozen=True)
class _OfPlaces(Named):
    """A question about named places."""

    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "log odds to the next place, of the least sure thing"
    min_margin: ClassVar[float] = FAIR_LOG_ODDS
    unit: ClassVar[float] = FAIR_LOG_ODDS
    largest: ClassVar[float] = math.inf


@question_kind
@dataclass(frozen=True)
class PlaceOf(_OfPlaces):
    """The place in which a thing is."""

    which: Selector

    kind: ClassVar[str] = "place_of"

    @property
    def text(self) -> str:
        return f"In which room is the {self.which.singular}?"

    @property
    def program(self) -> Json:
        return {"ask": "get", "what": "place", "of": things(self.which)}


@dataclass(frozen=True)
class _OfPlace(_OfPlaces):
    """A question about a place by its name."""

    place: str

    def inside(self, which: Selector | None = None) -> Json:
        """What is in the place."""
        return {"op": "in", "of": things(which), "place": self.place}


@question_kind
@dataclass(frozen=True)
class IsIn(_OfPlace):
    """Whether a thing of a kind is in a place."""

    which: Selector

    kind: ClassVar[str] = "is_in"

    @property
    def text(self) -> str:
        return f"Is {with_article(self.which.singular)} in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def program(self) -> Json:
        return {"ask": "exists", "of": self.inside(self.which)}


@question_kind
@dataclass(frozen=True)
class CountInPlace(_OfPlace):
    """How many things of a kind are in a place now."""

    which: Selector

    kind: ClassVar[str] = "count_in_place"

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are in the {self.place}?"

    @property
    def program(self) -> Json:
        return {"ask": "count", "of": self.inside(self.which)}


@question_kind
@dataclass(frozen=True)
class ContentsOf(_OfPlace):
    """What is in a place, as a list in words."""

    kind: ClassVar[str] = "contents_of"
    min_margin: ClassVar[float] = 0.0

    @property
    def text(self) -> str:
        return f"What is in the {self.place}?"

    @property
    def program(self) -> Json:
        return {"ask": "list", "of": self.inside()}


@question_kind
@dataclass(frozen=True)
class PlacesWith(_OfPlaces):
    """The named places that hold a thing of a kind; if `most`, the one that holds most of them."""

    which: Selector
    most: bool = False

    kind: ClassVar[str] = "places_with"

    @property
    def text(self) -> str:
        if self.most:
            return f"Which room has the most {self.which.plural}?"
        return f"Which rooms have {with_article(self.which.singular)}?"

    @property
    def program(self) -> Json:
        want = "most" if self.most else "any"
        return {"ask": "per", "per": "place", "of": things(self.which), "want": want}

    def told(self, result: Result) -> Answer:
        rooms = [f"the {one.name}" for one in result.entries if one.number and one.name in str(result.value)]
        numbers = {"count": len(rooms), "each": max((one.number or 0 for one in result.entries), default=0)}
        words = SEPARATOR.join(rooms) or NOTHING
        return replace(super().told(result), value=words, numbers=numbers, odds={words: result.confidence})


@question_kind
@dataclass(frozen=True)
class WayToPlace:
    """The direction of a place from the wearer, in eight sectors."""

    place: str

    frame: ClassVar[str] = _FRAME
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
        places = Places.of(state)
        place = places.nodes[places.called(self.place, state)[0]]
        bearing, distance, _ = heading_now(state).polar(place.mean)
        value, margin = named_way(bearing, distance)
        numbers = {"bearing_deg": bearing, "distance_m": distance}
        return Answer(value, margin, (), numbers, odds=_told({value: _toward(place, margin, distance)}))


def _toward(place: NamedPlace, margin_deg: float, distance: float) -> float:
    """How surely the middle of a place lies where it seems to: it is that of the spots walked so far."""
    spread = float(np.sqrt(np.trace(np.asarray(place.covariance)[:2, :2])))
    sigma = _MIDDLE_M + _MIDDLE_SHARE * spread
    here = 0.5 * (1.0 + math.erf((HERE_M - distance) / (sigma * math.sqrt(2.0))))
    if distance < HERE_M:
        return here
    aside = math.degrees(math.atan2(sigma, distance))
    return (1.0 - here) * 0.5 * (1.0 + math.erf(margin_deg / (aside * math.sqrt(2.0))))


@question_kind
@dataclass(frozen=True)
class WhereAmI(_OfPlaces):
    """The place in which the wearer is."""

    kind: ClassVar[str] = "where_am_i"

    @property
    def text(self) -> str:
        return "In which room am I?"

    @property
    def program(self) -> Json:
        return {"ask": "me", "what": "place_at"}


def _told(odds: dict[str, float]) -> dict[str, float]:
    """The odds of names, likeliest first; what is missing is in no place that has one."""
    return {name: odds[name] for name in sorted(odds, key=lambda tag: (-odds[tag], tag)) if odds[name] > 0.0}
