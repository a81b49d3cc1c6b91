"""Named places: in which room an object is, what a room holds, and the way to it."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named
from situ.questions.programs.relations import FAIR_DEG
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.programs.table import FAIR_LOG_ODDS
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector

_INSIDE = {"op": "in", "place": "{place}"}


class _OfPlaces(Named):
    """A question about named places."""

    frame: ClassVar[str] = (
        "the places that the wearer was told the names of; a thing is in the one that explains it best"
    )
    margin_unit: ClassVar[str] = "log odds to the next place, of the least sure thing"
    min_margin: ClassVar[float] = FAIR_LOG_ODDS
    unit: ClassVar[float] = FAIR_LOG_ODDS
    largest: ClassVar[float] = math.inf


@question_kind
@dataclass(frozen=True)
class PlaceOf(_OfPlaces):
    """The place in which an object is."""

    which: Selector

    kind: ClassVar[str] = "place_of"
    asks = "In which room is the {which}?"
    does: ClassVar[Json] = {"ask": "get", "what": "place", "of": "{which}"}


@question_kind
@dataclass(frozen=True)
class IsIn(_OfPlaces):
    """Whether an object of a kind is in a place."""

    place: str
    which: Selector

    kind: ClassVar[str] = "is_in"
    asks = "Is {which:a} in the {place}?"
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "exists", "of": {**_INSIDE, "of": "{which}"}}


@question_kind
@dataclass(frozen=True)
class CountInPlace(_OfPlaces):
    """How many objects of a kind are in a place now."""

    place: str
    which: Selector

    kind: ClassVar[str] = "count_in_place"
    asks = "How many {which:plural} are in the {place}?"
    does: ClassVar[Json] = {"ask": "count", "of": {**_INSIDE, "of": "{which}"}}


@question_kind
@dataclass(frozen=True)
class ContentsOf(_OfPlaces):
    """What is in a place, as a list in words."""

    place: str

    kind: ClassVar[str] = "contents_of"
    min_margin: ClassVar[float] = 0.0
    asks = "What is in the {place}?"
    does: ClassVar[Json] = {"ask": "list", "of": {**_INSIDE, "of": {"op": "things"}}}


@question_kind
@dataclass(frozen=True)
class PlacesWith(_OfPlaces):
    """The named places that hold an object of a kind; if `most`, the one that holds most of them."""

    which: Selector
    most: bool = False

    kind: ClassVar[str] = "places_with"
    does: ClassVar[Json] = {"ask": "per", "per": "place", "of": "{which}", "want": "{want}"}

    @property
    def want(self) -> str:
        return "most" if self.most else "any"

    @property
    def text(self) -> str:
        return (
            f"Which room has the most {self.which.plural}?"
            if self.most
            else f"Which rooms have {self.which:a}?"
        )

    def told(self, result: Result) -> Answer:
        rooms = [f"the {one.name}" for one in result.entries if one.number and one.name in str(result.value)]
        numbers = {"count": len(rooms), "each": max((one.number or 0 for one in result.entries), default=0)}
        words = SEPARATOR.join(rooms) or NOTHING
        return replace(super().told(result), value=words, numbers=numbers, odds={words: result.confidence})


@question_kind
@dataclass(frozen=True)
class WayToPlace(_OfPlaces):
    """The direction of a place from the wearer, in eight sectors."""

    place: str

    kind: ClassVar[str] = "way_to_place"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG
    asks = "Where is the {place} from here?"
    offers = (*SECTORS, SAME_LOCATION)
    does: ClassVar[Json] = {"ask": "me", "what": "toward", "place": "{place}"}


@question_kind
@dataclass(frozen=True)
class WhereAmI(_OfPlaces):
    """The place in which the wearer is."""

    kind: ClassVar[str] = "where_am_i"
    asks = "In which room am I?"
    does: ClassVar[Json] = {"ask": "me", "what": "place_at"}
