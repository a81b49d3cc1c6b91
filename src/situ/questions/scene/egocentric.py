"""What the wearer asks: where is it from here, how far, can I reach it, is it in view, where was it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.questions.base import question_kind
from situ.questions.programs.measures import FAIR_M
from situ.questions.programs.named import Named, OfOne
from situ.questions.programs.relations import FAIR_DEG, FAIR_REACH_M
from situ.questions.programs.schema import Json
from situ.questions.scene.fit import ARM_M
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector


@dataclass(frozen=True)
class _InSectors(OfOne):
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG
    offers = (*SECTORS, SAME_LOCATION)


@question_kind
@dataclass(frozen=True)
class WhereFromHere(_InSectors):
    """The direction of an object from the wearer, in eight sectors."""

    kind: ClassVar[str] = "where_from_here"
    asks = "Where is {one} from here?"
    does: ClassVar[Json] = {"ask": "get", "what": "way", "of": "{one}"}


@question_kind
@dataclass(frozen=True)
class WhereWas(_InSectors):
    """Where an object was at an earlier time, as a direction from where the wearer is now.

    Without a `time` it is the last place before the present one.
    """

    time: float | None = None

    kind: ClassVar[str] = "where_was"
    does: ClassVar[Json] = {"ask": "get", "what": "way", "of": "{one}", "at": "{at}"}

    @property
    def at(self) -> str | float:
        return "before" if self.time is None else self.time

    @property
    def text(self) -> str:
        when = "before it was moved" if self.time is None else f"at {self.time:g} s"
        return f"Where was {self.one} {when}, from here?"


@question_kind
@dataclass(frozen=True)
class DistanceFromHere(OfOne):
    """Metres over the ground from the wearer to the closest point of an object, to one decimal."""

    kind: ClassVar[str] = "distance_from_here"
    margin_unit: ClassVar[str] = "metres"
    min_margin: ClassVar[float] = 0.1
    unit: ClassVar[float] = 0.1
    asks = "How far away is {one}?"
    does: ClassVar[Json] = {"ask": "get", "what": "distance", "of": "{one}"}


@question_kind
@dataclass(frozen=True)
class CanReach(OfOne):
    """Whether an arm of `reach_m` reaches an object from where the wearer stands, without a step."""

    reach_m: float = ARM_M

    kind: ClassVar[str] = "can_reach"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.2
    unit: ClassVar[float] = FAIR_REACH_M
    asks = "Can I reach {one} from here without taking a step?"
    offers = (YES, NO)
    does: ClassVar[Json] = {
        "ask": "is",
        "of": "{one}",
        "in": {"op": "rel", "rel": "reach", "to": "me", "m": "{reach_m}"},
    }


@question_kind
@dataclass(frozen=True)
class InViewNow(OfOne):
    """Whether an object is in the wearer's view at this moment: seeing, not remembering."""

    kind: ClassVar[str] = "in_view_now"
    margin_unit: ClassVar[str] = "certainty that it counts, 0 to 1"
    largest: ClassVar[float] = 1.0
    asks = "Can I see {one} right now?"
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "exists", "of": {"op": "did", "act": "inview", "of": "{one}"}}


@question_kind
@dataclass(frozen=True)
class SeenWhen(OfOne):
    """When an object was seen last (or first), in seconds on the recording's clock."""

    first: bool = False

    kind: ClassVar[str] = "seen_when"
    margin_unit: ClassVar[str] = "seconds"
    min_margin: ClassVar[float] = 0.0
    largest: ClassVar[float] = 1.0
    does: ClassVar[Json] = {"ask": "get", "what": "{end}_seen", "of": "{one:ever}"}

    @property
    def end(self) -> str:
        return "first" if self.first else "last"

    @property
    def text(self) -> str:
        return f"When did I {self.end} see {self.one}?"


@question_kind
@dataclass(frozen=True)
class CloserToMe(Named):
    """Which of two objects is closer to the wearer."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "closer_to_me"
    margin_unit: ClassVar[str] = "metres between the two distances"
    min_margin: ClassVar[float] = 0.3
    unit: ClassVar[float] = FAIR_M
    largest: ClassVar[float] = math.inf
    calls: ClassVar[Mapping[str, str]] = {"first": "first_m", "second": "second_m"}
    asks = "Which is closer to me, the {first} or the {second}?"
    offers = ("{first}", "{second}")
    does: ClassVar[Json] = {
        "ask": "compare", "of": ["{first}", "{second}"], "names": ["{first:text}", "{second:text}"],
        "by": "distance",
    }  # fmt: skip


@question_kind
@dataclass(frozen=True)
class CountNow(Named):
    """How many objects of a kind are still there, as far as is known."""

    which: Selector

    kind: ClassVar[str] = "count_now"
    frame: ClassVar[str] = "everything that is believed to be there at the time of asking"
    asks = "How many {which:plural} are there now?"
    does: ClassVar[Json] = {"ask": "count", "of": "{which}"}


@question_kind
@dataclass(frozen=True)
class NextTo(OfOne):
    """What stands nearest to an object."""

    kind: ClassVar[str] = "next_to"
    margin_unit: ClassVar[str] = "metres between the nearest and the next"
    min_margin: ClassVar[float] = 0.2
    unit: ClassVar[float] = FAIR_M
    asks = "What is next to {one}?"
    does: ClassVar[Json] = {
        "ask": "get", "what": "name",
        "of": {
            "op": "top", "by": {"measure": "distance", "to": {"op": "the", "of": "{one}"}},
            "of": {"op": "except", "of": {"op": "things"}, "but": {"op": "the", "of": "{one}"}},
        },
    }  # fmt: skip
