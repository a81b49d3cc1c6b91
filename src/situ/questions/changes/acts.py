"""What was done and how it was then: directions at the moment of an act, acts counted, acts of others."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.changes.first_view import DirectionAtMoment
from situ.questions.programs.named import Named, OfOne, Raw
from situ.questions.programs.relations import FAIR_DEG
from situ.questions.programs.schema import Json
from situ.questions.rules.ways import TURN_WORDS
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class WhereWhenPut(DirectionAtMoment):
    """The direction of an object from the wearer at the moment when another came to its present place."""

    which: Selector
    anchor: Selector

    kind: ClassVar[str] = "where_when_put"
    frame: ClassVar[str] = "the wearer's heading and place when the thing was put down; only yaw counts"
    asks = "When I last put down the {anchor}, in which direction from me was the {which}?"
    does: ClassVar[Json] = {
        "ask": "direction_then",
        "of": "{which:ever}",
        "when": "put",
        "anchor": "{anchor:ever}",
    }


@question_kind
@dataclass(frozen=True)
class TurnTowards(OfOne):
    """Which way the wearer has to turn to walk towards an object: in the words of a guide."""

    kind: ClassVar[str] = "turn_towards"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG
    asks = "Which way do I have to turn to walk towards {one}?"
    offers = tuple(TURN_WORDS.values())
    does: ClassVar[Json] = {"ask": "get", "what": "turn", "of": "{one}"}


@question_kind
@dataclass(frozen=True)
class TimesPut(Raw):
    """How many times the wearer put something on or into a piece of furniture."""

    anchor: Selector

    kind: ClassVar[str] = "times_put"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "1 where every move is on record"
    asks = "How many times have I put something on or into the {anchor}?"
    does: ClassVar[Json] = {"ask": "times_put", "of": "{anchor:ever}"}


@question_kind
@dataclass(frozen=True)
class KindsOn(Named):
    """How many different kinds of things are on a piece of furniture."""

    anchor: Selector

    kind: ClassVar[str] = "kinds_on"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "how clearly each thing is on it or not, 1 where it is fair to ask"
    unit: ClassVar[float] = 1.0
    asks = "How many different kinds of things are on the {anchor}?"
    does: ClassVar[Json] = {
        "ask": "count", "kinds": True, "of": {"op": "rel", "rel": "on", "to": {"op": "the", "of": "{anchor}"}}
    }  # fmt: skip


@question_kind
@dataclass(frozen=True)
class GoneSince(Raw):
    """How many of a kind were there at a time and are not any more; if `added`, the other way round."""

    which: Selector
    time: float
    added: bool = False

    kind: ClassVar[str] = "gone_since"
    frame: ClassVar[str] = "everything that is believed to be there at the two times"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    does: ClassVar[Json] = {"ask": "turnover", "of": "{which:ever}", "since": "{time}", "added": "{added}"}

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} have {'come' if self.added else 'gone'} since {self.time:g} s?"


@question_kind
@dataclass(frozen=True)
class MovedByOther(Raw):
    """Which of several things was the last to be moved by somebody else than the wearer."""

    choices: tuple[Selector, ...]

    kind: ClassVar[str] = "moved_by_other"
    frame: ClassVar[str] = "places of rest, one after the other; no direction is involved"
    margin_unit: ClassVar[str] = "spans of thirty seconds to the next such move of another of them"
    min_margin: ClassVar[float] = 0.25
    asks = "Which of these did somebody else move last?"
    does: ClassVar[Json] = {"ask": "moved_last", "of": "{choices:ever}", "names": "{choices:text}"}

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(choice.singular for choice in self.choices)
