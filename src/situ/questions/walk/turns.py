"""The wearer's own way in a guide's words: left, then right."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.journeys import PAIRS as PAIRS
from situ.questions.programs.journeys import turns_of as turns_of
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class TurnsAfter(Raw):
    """The first two turns that the wearer took on foot after an object had come to its present place."""

    which: Selector
    seconds: float

    kind: ClassVar[str] = "turns_after"
    frame: ClassVar[str] = "the direction of walking before each turn; where the head looks does not count"
    margin_unit: ClassVar[str] = "degrees by which the least clear turn is one"
    min_margin: ClassVar[float] = 5.0
    asks = "Which turns did I take, in order, in the {seconds:g} seconds after I last put down the {which}?"
    offers = PAIRS
    does: ClassVar[Json] = {"ask": "turns_taken", "of": "{which:ever}", "seconds": "{seconds}"}
