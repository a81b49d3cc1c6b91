"""The wearer's own day: which places, for how long, how often, and how far on foot."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named, Raw
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.scene.view import NO, YES


class _OfVisits(Named):
    frame: ClassVar[str] = "the places that the wearer was told the names of, along the path"
    margin_unit: ClassVar[str] = "seconds"
    min_margin: ClassVar[float] = 0.0


@question_kind
@dataclass(frozen=True)
class TimeIn(_OfVisits):
    """For how many seconds the wearer was in a place, all visits together or the last one alone."""

    place: str
    last: bool = False
    since: float | None = None

    kind: ClassVar[str] = "time_in"
    does: ClassVar[Json] = {
        "ask": "me",
        "what": "time_in",
        "place": "{place}",
        "last": "{last}",
        "since": "{since}",
    }

    @property
    def text(self) -> str:
        return f"How long was I in the {self.place}{' the last time' if self.last else ''}?"


@question_kind
@dataclass(frozen=True)
class Visits(_OfVisits):
    """How many times the wearer was in a place."""

    place: str
    since: float | None = None

    kind: ClassVar[str] = "visits"
    asks = "How many times was I in the {place}?"
    does: ClassVar[Json] = {"ask": "me", "what": "times_in", "place": "{place}", "since": "{since}"}


@question_kind
@dataclass(frozen=True)
class BeenTo(_OfVisits):
    """Whether the wearer was in a place, since a time."""

    place: str
    since: float | None = None

    kind: ClassVar[str] = "been_to"
    asks = "Have I been in the {place}?"
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "me", "what": "been", "place": "{place}", "since": "{since}"}


@question_kind
@dataclass(frozen=True)
class LastIn(_OfVisits):
    """When the wearer last came into a place, or left it."""

    place: str
    entered: bool = False

    kind: ClassVar[str] = "last_in"

    @property
    def text(self) -> str:
        return f"When did I {'enter' if self.entered else 'leave'} the {self.place}?"

    @property
    def program(self) -> Json:
        return {"ask": "me", "what": "entered" if self.entered else "last_in", "place": self.place}


@question_kind
@dataclass(frozen=True)
class WhereWasI(_OfVisits):
    """The place in which the wearer was at a time."""

    time: float

    kind: ClassVar[str] = "where_was_i"
    unit: ClassVar[float] = 1.0
    largest: ClassVar[float] = math.inf

    asks = "Where was I at {time:g} s?"
    does: ClassVar[Json] = {"ask": "me", "what": "place_at", "at": "{time}"}


@question_kind
@dataclass(frozen=True)
class PlaceBefore(_OfVisits):
    """The place in which the wearer was before this one."""

    steps: int = 1

    kind: ClassVar[str] = "place_before"
    asks = "Where was I before this?"
    does: ClassVar[Json] = {"ask": "me", "what": "before", "steps": "{steps}"}


@question_kind
@dataclass(frozen=True)
class PlacesVisited(_OfVisits):
    """The places in which the wearer was since a time, in the order of the first visit."""

    since: float | None = None

    kind: ClassVar[str] = "places_visited"
    asks = "Which rooms have I been in?"
    does: ClassVar[Json] = {"ask": "me", "what": "places", "since": "{since}"}

    def told(self, result: Result) -> Answer:
        words = SEPARATOR.join(f"the {tag}" for tag in str(result.value).split(SEPARATOR))
        if result.value == NOTHING:
            raise Unanswerable("you were in no place that I know the name of")
        return replace(super().told(result), value=words, odds={words: 1.0})


@question_kind
@dataclass(frozen=True)
class BeenHere(Raw):
    """Whether the wearer was at this very spot before, and had left it in between."""

    kind: ClassVar[str] = "been_here"
    frame: ClassVar[str] = "the ground, where the wearer stands"
    margin_unit: ClassVar[str] = "metres between the nearest earlier spot and the limit"
    min_margin: ClassVar[float] = 0.3
    asks = "Have I been here before?"
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "route", "what": "been_here"}


@question_kind
@dataclass(frozen=True)
class DistanceWalked(_OfVisits):
    """Metres that the wearer walked since a time."""

    since: float | None = None

    kind: ClassVar[str] = "distance_walked"
    frame: ClassVar[str] = "the ground"
    margin_unit: ClassVar[str] = "metres"
    largest: ClassVar[float] = math.inf
    asks = "How far have I walked?"
    does: ClassVar[Json] = {"ask": "me", "what": "walked", "since": "{since}"}

    def told(self, result: Result) -> Answer:
        metres = result.numbers["distance_m"]
        return replace(super().told(result), margin=metres, numbers={"walked_m": metres})
