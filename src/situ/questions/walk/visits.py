"""The wearer's own day: which places, for how long, how often, and how far on foot."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.moves import sure_of
from situ.questions.rules.ways import ever_walked
from situ.questions.scene.view import NO, YES
from situ.state.protocol import SpatialState

HERE_M = 1.5


@dataclass(frozen=True)
class _OfVisits(Named):
    frame: ClassVar[str] = "the places that the wearer was told the names of, along the path"
    margin_unit: ClassVar[str] = "seconds"
    min_margin: ClassVar[float] = 0.0
    what: ClassVar[str] = ""

    @property
    def program(self) -> Json:
        given = {name: value for name, value in vars(self).items() if value not in (None, False)}
        return {"ask": "me", "what": self.what, **given}


@dataclass(frozen=True)
class _OfOne(_OfVisits):
    place: str


@question_kind
@dataclass(frozen=True)
class TimeIn(_OfOne):
    """For how many seconds the wearer was in a place, all visits together or the last one alone."""

    last: bool = False
    since: float | None = None

    kind: ClassVar[str] = "time_in"
    what: ClassVar[str] = "time_in"

    @property
    def text(self) -> str:
        return f"How long was I in the {self.place}{' the last time' if self.last else ''}?"


@question_kind
@dataclass(frozen=True)
class Visits(_OfOne):
    """How many times the wearer was in a place."""

    since: float | None = None

    kind: ClassVar[str] = "visits"
    what: ClassVar[str] = "times_in"

    @property
    def text(self) -> str:
        return f"How many times was I in the {self.place}?"


@question_kind
@dataclass(frozen=True)
class BeenTo(_OfOne):
    """Whether the wearer was in a place, since a time."""

    since: float | None = None

    kind: ClassVar[str] = "been_to"
    what: ClassVar[str] = "been"

    @property
    def text(self) -> str:
        return f"Have I been in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)


@question_kind
@dataclass(frozen=True)
class LastIn(_OfOne):
    """When the wearer last came into a place, or left it."""

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

    @property
    def text(self) -> str:
        return f"Where was I at {self.time:g} s?"

    @property
    def program(self) -> Json:
        return {"ask": "me", "what": "place_at", "at": self.time}


@question_kind
@dataclass(frozen=True)
class PlaceBefore(_OfVisits):
    """The place in which the wearer was before this one."""

    steps: int = 1

    kind: ClassVar[str] = "place_before"
    what: ClassVar[str] = "before"

    @property
    def text(self) -> str:
        return "Where was I before this?"


@question_kind
@dataclass(frozen=True)
class PlacesVisited(_OfVisits):
    """The places in which the wearer was since a time, in the order of the first visit."""

    since: float | None = None

    kind: ClassVar[str] = "places_visited"
    what: ClassVar[str] = "places"

    @property
    def text(self) -> str:
        return "Which rooms have I been in?"

    def told(self, result: Result) -> Answer:
        words = SEPARATOR.join(f"the {tag}" for tag in str(result.value).split(SEPARATOR))
        if result.value == NOTHING:
            raise Unanswerable("you were in no place that I know the name of")
        return replace(super().told(result), value=words, odds={words: 1.0})


@question_kind
@dataclass(frozen=True)
class BeenHere:
    """Whether the wearer was at this very spot before, and had left it in between."""

    kind: ClassVar[str] = "been_here"
    frame: ClassVar[str] = "the ground, where the wearer stands"
    margin_unit: ClassVar[str] = "metres between the nearest earlier spot and the limit"
    min_margin: ClassVar[float] = 0.3

    @property
    def text(self) -> str:
        return "Have I been here before?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        path = ever_walked(state)
        before = path.came_by(HERE_M, 2 * HERE_M)
        if before is None:
            return _certain(Answer(NO, 1.0, (path.first_frame + len(path) - 1,), {}))
        numbers = {"age_s": state.now - before.time}
        value = YES if before.gap_m <= HERE_M else NO
        return _certain(Answer(value, abs(before.gap_m - HERE_M), (before.frame,), numbers))


@question_kind
@dataclass(frozen=True)
class DistanceWalked(_OfVisits):
    """Metres that the wearer walked since a time."""

    since: float | None = None

    kind: ClassVar[str] = "distance_walked"
    frame: ClassVar[str] = "the ground"
    margin_unit: ClassVar[str] = "metres"
    what: ClassVar[str] = "walked"
    largest: ClassVar[float] = math.inf

    @property
    def text(self) -> str:
        return "How far have I walked?"

    def told(self, result: Result) -> Answer:
        metres = result.numbers["distance_m"]
        return replace(super().told(result), margin=metres, numbers={"walked_m": metres})


def _certain(answer: Answer) -> Answer:
    """Where the wearer was is not in doubt, as far as it is known at all."""
    return replace(answer, odds=sure_of(answer.value, 1.0))
