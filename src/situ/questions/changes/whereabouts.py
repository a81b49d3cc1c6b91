"""What became of things during a stream: where they were kept, how they travelled, what was taken."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector

_FURNITURE = "the furniture named; no direction is involved"


@question_kind
@dataclass(frozen=True)
class KeptWhere(Raw):
    """On or in which piece of furniture an object was before it was moved to its present place."""

    which: Selector
    choices: tuple[Selector, ...]

    kind: ClassVar[str] = "kept_where"
    frame: ClassVar[str] = _FURNITURE
    margin_unit: ClassVar[str] = "metres between the nearest piece of furniture named and the next"
    asks = "Where was the {which} before it was last moved?"
    does: ClassVar[Json] = {"ask": "kept", "of": "{which:ever}", "at": "{choices:ever}", "names": "{options}"}

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"at the {choice}" for choice in self.choices)


@question_kind
@dataclass(frozen=True)
class CarriedFromTo(Raw):
    """From which piece of furniture to which an object was last moved. `choices` are pairs."""

    which: Selector
    choices: tuple[tuple[Selector, Selector], ...]

    kind: ClassVar[str] = "carried_from_to"
    frame: ClassVar[str] = _FURNITURE
    margin_unit: ClassVar[str] = "metres between the best pair and the next"
    asks = "From where to where was the {which} moved the last time?"
    does: ClassVar[Json] = {
        "ask": "kept", "of": "{which:ever}", "at": "{starts:ever}", "to": "{ends:ever}", "names": "{options}"
    }  # fmt: skip

    @property
    def starts(self) -> tuple[Selector, ...]:
        return tuple(start for start, _ in self.choices)

    @property
    def ends(self) -> tuple[Selector, ...]:
        return tuple(end for _, end in self.choices)

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"from the {a} to the {b}" for a, b in self.choices)


@question_kind
@dataclass(frozen=True)
class TakenFrom(Raw):
    """Which of several things was the last to be taken from a piece of furniture."""

    anchor: Selector
    choices: tuple[Selector, ...]

    kind: ClassVar[str] = "taken_from"
    frame: ClassVar[str] = _FURNITURE
    margin_unit: ClassVar[str] = "metres by which every place could be wrong; of two that left, half-minutes"
    min_margin: ClassVar[float] = 0.25
    asks = "Which of these did I take from the {anchor} last?"
    does: ClassVar[Json] = {
        "ask": "taken_last",
        "of": "{choices:ever}",
        "names": "{choices:text}",
        "at": "{anchor:ever}",
    }

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(choice.singular for choice in self.choices)
