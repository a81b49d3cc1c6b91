"""What was so when the wearer put an object down; and which of two lengths lies between two objects."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.relations import FAIR_REACH_M
from situ.questions.programs.schema import Json
from situ.questions.scene.fit import ARM_M
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector
from situ.questions.walk.journey import WayTowards as WayTowards

BEFORE_S = 1.0  # a moment before a thing was put down it was still in the hands


@question_kind
@dataclass(frozen=True)
class CouldReach(Raw):
    """Whether an object was within an arm's reach where the wearer last put another down."""

    which: Selector
    anchor: Selector

    kind: ClassVar[str] = "could_reach"
    frame: ClassVar[str] = "the wearer's place when the thing was put down"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.2
    unit: ClassVar[float] = FAIR_REACH_M
    asks = "Where I stood when I last put down the {anchor}, could I reach the {which} without taking a step?"
    offers = (YES, NO)
    does: ClassVar[Json] = {
        "as_of": {"put": "{anchor:ever}"},
        "do": {"ask": "is", "of": "{which}", "in": {"op": "rel", "rel": "reach", "to": "me", "m": ARM_M}},
    }


@question_kind
@dataclass(frozen=True)
class KindsBefore(Raw):
    """How many kinds of things were on a piece of furniture before the wearer put an object down."""

    anchor: Selector
    which: Selector

    kind: ClassVar[str] = "kinds_before"
    frame: ClassVar[str] = "the furniture named, a moment before; no direction is involved"
    margin_unit: ClassVar[str] = "certainty that each thing was there, 0 to 1"
    largest: ClassVar[float] = 1.0
    asks = "Before I last put down the {which}, how many different kinds of things were on the {anchor}?"
    does: ClassVar[Json] = {
        "as_of": {"put": "{which:ever}", "earlier": BEFORE_S},
        "do": {
            "ask": "count", "kinds": True,
            "of": {"op": "rel", "rel": "on", "to": {"op": "the", "of": "{anchor}"}},
        },
    }  # fmt: skip


@question_kind
@dataclass(frozen=True)
class HowFarApart(Raw):
    """Which of two lengths is nearer to the distance between two objects."""

    first: Selector
    second: Selector
    metres: tuple[float, float]

    kind: ClassVar[str] = "how_far_apart"
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    margin_unit: ClassVar[str] = "share by which the distance is nearer to the one than to the other"
    min_margin: ClassVar[float] = 0.2
    asks = "What is the distance between the {first} and the {second}?"
    does: ClassVar[Json] = {
        "ask": "closest",
        "of": "{first:ever}",
        "to": "{second:ever}",
        "choices": "{metres}",
    }

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"about {length:g} m" for length in self.metres)
