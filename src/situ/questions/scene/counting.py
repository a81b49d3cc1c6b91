"""How many, and which are more."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Named
from situ.questions.programs.schema import Json
from situ.questions.select import Selector

EQUAL = "equal"


@question_kind
@dataclass(frozen=True)
class Count(Named):
    """How many of the objects seen so far match."""

    which: Selector

    kind: ClassVar[str] = "count"
    frame: ClassVar[str] = "everything seen so far"
    asks = "How many different {which:plural} did we see in total?"
    does: ClassVar[Json] = {"ask": "count", "of": "{which:ever}"}


@question_kind
@dataclass(frozen=True)
class Compare(Named):
    """Which of two kinds of object has more members among those seen so far."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "compare"
    frame: ClassVar[str] = "everything seen so far"
    asks = "Did we see more {first:plural} or more {second:plural}, or equally many of both?"
    offers = ("{first:plural}", "{second:plural}", EQUAL)
    does: ClassVar[Json] = {
        "ask": "compare", "of": ["{first:ever}", "{second:ever}"],
        "names": ["{first:plural}", "{second:plural}"],
    }  # fmt: skip
