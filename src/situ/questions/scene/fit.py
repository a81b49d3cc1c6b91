"""Reach, size and fit: what a person could touch, which object is larger, what could stand on what."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector

ARM_M = 0.75
SPAN_M = 1.6
FLAT_TOP = "flat_top"


@dataclass(frozen=True)
class _OfTwo(Raw):
    """A question about two objects."""

    first: Selector
    second: Selector

    frame: ClassVar[str] = "the objects' own boxes"


@question_kind
@dataclass(frozen=True)
class WithinReach(_OfTwo):
    """Whether two objects are so close that an arm reaches from one to the other, or two arms touch both."""

    both_arms: bool = False
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "within_reach"
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.25
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "within", "of": "{first:ever}", "to": "{second:ever}", "m": "{reach_m}"}

    @property
    def reach_m(self) -> float:
        return SPAN_M if self.both_arms else ARM_M

    @property
    def text(self) -> str:
        if self.both_arms:
            return (
                f"Could a person with outstretched arms touch the {self.first} and the {self.second} at the "
                f"same time from one spot (at most {SPAN_M} m between them)?"
            )
        pair = f"the {self.first} and the {self.second}"
        return f"Are {pair} within arm's reach of each other (at most {ARM_M} m apart)?"


@question_kind
@dataclass(frozen=True)
class Larger(_OfTwo):
    """Which of two objects is larger: it must have the larger volume and the longer longest side."""

    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "larger"
    margin_unit: ClassVar[str] = "doublings of the volume; 0 where volume and longest side disagree"
    min_margin: ClassVar[float] = 0.6
    asks = "Which of the two is larger: the {first} or the {second}?"
    offers = ("{first}", "{second}")
    does: ClassVar[Json] = {
        "ask": "larger", "of": ["{first:ever}", "{second:ever}"], "names": ["{first:text}", "{second:text}"]
    }  # fmt: skip


@question_kind
@dataclass(frozen=True)
class FitsOn(_OfTwo):
    """Whether one object could stand on another; `stacked` asks that both could carry something."""

    stacked: bool = False
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "fits_on"
    margin_unit: ClassVar[str] = "metres of spare or missing room on the upper side"
    min_margin: ClassVar[float] = 0.06
    offers = (YES, NO)
    does: ClassVar[Json] = {
        "ask": "fits_on",
        "of": "{first:ever}",
        "to": "{second:ever}",
        "stacked": "{stacked}",
    }

    @property
    def text(self) -> str:
        if self.stacked:
            return (
                f"Could the {self.first} be stacked on the {self.second}: do both have a flat top, and does "
                f"the {self.first} not stick out over the {self.second}?"
            )
        return (
            f"Could the {self.first} stand on top of the {self.second} without sticking out over its edges?"
        )
