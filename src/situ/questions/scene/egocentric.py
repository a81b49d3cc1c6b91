"""What the wearer asks: where is it from here, how far, can I reach it, is it in view, where was it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.questions.base import question_kind
from situ.questions.programs.measures import FAIR_M
from situ.questions.programs.named import Named, OfOne, things
from situ.questions.programs.relations import FAIR_DEG, FAIR_REACH_M
from situ.questions.programs.schema import Json
from situ.questions.scene.fit import ARM_M
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class WhereFromHere(OfOne):
    """The direction of a thing from the wearer, in eight sectors."""

    kind: ClassVar[str] = "where_from_here"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG

    @property
    def text(self) -> str:
        return f"Where is {self.name} from here?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    @property
    def program(self) -> Json:
        return {"ask": "get", "what": "way", "of": self.one()}


@question_kind
@dataclass(frozen=True)
class WhereWas(OfOne):
    """Where a thing was at an earlier time, as a direction from where the wearer is now.

    Without a `time` it is the last place before the present one.
    """

    time: float | None = None

    kind: ClassVar[str] = "where_was"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG

    @property
    def text(self) -> str:
        when = "before it was moved" if self.time is None else f"at {self.time:g} s"
        return f"Where was {self.name} {when}, from here?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    @property
    def program(self) -> Json:
        at = "before" if self.time is None else self.time
        return {"ask": "get", "what": "way", "of": self.one(), "at": at}


@question_kind
@dataclass(frozen=True)
class DistanceFromHere(OfOne):
    """Metres over the ground from the wearer to the closest point of a thing, to one decimal."""

    kind: ClassVar[str] = "distance_from_here"
    margin_unit: ClassVar[str] = "metres"
    min_margin: ClassVar[float] = 0.1
    unit: ClassVar[float] = 0.1

    @property
    def text(self) -> str:
        return f"How far away is {self.name}?"

    @property
    def program(self) -> Json:
        return {"ask": "get", "what": "distance", "of": self.one()}


@question_kind
@dataclass(frozen=True)
class CanReach(OfOne):
    """Whether an arm of `reach_m` reaches a thing from where the wearer stands, without a step."""

    reach_m: float = ARM_M

    kind: ClassVar[str] = "can_reach"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.2
    unit: ClassVar[float] = FAIR_REACH_M

    @property
    def text(self) -> str:
        return f"Can I reach {self.name} from here without taking a step?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def program(self) -> Json:
        reach = {"op": "rel", "rel": "reach", "to": "me", "m": self.reach_m}
        return {"ask": "is", "of": self.one(), "in": reach}


@question_kind
@dataclass(frozen=True)
class InViewNow(OfOne):
    """Whether a thing is in the wearer's view at this moment: seeing, not remembering."""

    kind: ClassVar[str] = "in_view_now"
    margin_unit: ClassVar[str] = "certainty that it counts, 0 to 1"
    largest: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return f"Can I see {self.name} right now?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def program(self) -> Json:
        return {"ask": "exists", "of": {"op": "did", "act": "inview", "of": self.one()}}


@question_kind
@dataclass(frozen=True)
class SeenWhen(OfOne):
    """When a thing was seen last (or first), in seconds on the recording's clock."""

    first: bool = False

    kind: ClassVar[str] = "seen_when"
    margin_unit: ClassVar[str] = "seconds"
    min_margin: ClassVar[float] = 0.0
    largest: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return f"When did I {'first' if self.first else 'last'} see {self.name}?"

    @property
    def program(self) -> Json:
        return {"ask": "get", "what": "first_seen" if self.first else "last_seen", "of": self.one(ever=True)}


@question_kind
@dataclass(frozen=True)
class CloserToMe(Named):
    """Which of two things is closer to the wearer."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "closer_to_me"
    margin_unit: ClassVar[str] = "metres between the two distances"
    min_margin: ClassVar[float] = 0.3
    unit: ClassVar[float] = FAIR_M
    largest: ClassVar[float] = math.inf
    calls: ClassVar[Mapping[str, str]] = {"first": "first_m", "second": "second_m"}

    @property
    def text(self) -> str:
        return f"Which is closer to me, the {self.first.singular} or the {self.second.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.singular, self.second.singular)

    @property
    def program(self) -> Json:
        both = [things(self.first), things(self.second)]
        return {"ask": "compare", "of": both, "names": list(self.options), "by": "distance"}


@question_kind
@dataclass(frozen=True)
class CountNow(Named):
    """How many things of a kind are still there, as far as is known."""

    which: Selector

    kind: ClassVar[str] = "count_now"
    frame: ClassVar[str] = "everything that is believed to be there at the time of asking"

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are there now?"

    @property
    def program(self) -> Json:
        return {"ask": "count", "of": things(self.which)}


@question_kind
@dataclass(frozen=True)
class NextTo(OfOne):
    """What stands nearest to a thing."""

    kind: ClassVar[str] = "next_to"
    margin_unit: ClassVar[str] = "metres between the nearest and the next"
    min_margin: ClassVar[float] = 0.2
    unit: ClassVar[float] = FAIR_M

    @property
    def text(self) -> str:
        return f"What is next to {self.name}?"

    @property
    def program(self) -> Json:
        the: Json = {"op": "the", "of": self.one()}
        others = {"op": "except", "of": things(), "but": the}
        nearest = {"op": "top", "of": others, "by": {"measure": "distance", "to": the}}
        return {"ask": "get", "what": "name", "of": nearest}
