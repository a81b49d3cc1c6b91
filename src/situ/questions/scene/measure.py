"""Distances between objects and the sizes of objects."""

from dataclasses import dataclass, replace
from typing import ClassVar

from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.select import Selector

CM_PER_M = 100


class _Measured(Raw):
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    step_m: float

    @property
    def step(self) -> float | None:
        return self.step_m or None


@question_kind
@dataclass(frozen=True)
class ClosestDistance(_Measured):
    """Metres between the closest points of two kinds of object, to one decimal.

    With a `step_m` the distance is taken between points of a lattice of that step, as VSI-Bench did.
    """

    first: Selector
    second: Selector
    step_m: float = 0.0

    kind: ClassVar[str] = "closest_distance"
    margin_unit: ClassVar[str] = "metres between the two"
    min_margin: ClassVar[float] = 0.1
    asks = "How many metres are there between the {first} and the {second}, where they come closest?"
    does: ClassVar[Json] = {"ask": "closest", "of": "{first:ever}", "to": "{second:ever}", "step": "{step}"}


@question_kind
@dataclass(frozen=True)
class NearestTo(_Measured):
    """Which of several kinds of object has the closest point to another."""

    candidates: tuple[Selector, ...]
    target: Selector
    step_m: float = 0.0

    kind: ClassVar[str] = "nearest_to"
    margin_unit: ClassVar[str] = "metres between the nearest and the next"
    min_margin: ClassVar[float] = 0.15
    does: ClassVar[Json] = {
        "ask": "nearest", "of": "{candidates:ever}", "names": "{candidates:text}", "to": "{target:ever}",
        "step": "{step}",
    }  # fmt: skip

    @property
    def text(self) -> str:
        names = ", ".join(self.options)
        return f"Which of these comes closest to the {self.target}, from edge to edge: {names}?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(which.singular for which in self.candidates)


@question_kind
@dataclass(frozen=True)
class LongestSide(Raw):
    """The longest of an object's three sides, in whole centimetres."""

    which: Selector

    kind: ClassVar[str] = "longest_side"
    frame: ClassVar[str] = "the object's own box"
    margin_unit: ClassVar[str] = "centimetres"
    min_margin: ClassVar[float] = 1.0
    asks = "How many centimetres long is the longest side of the {which}?"
    does: ClassVar[Json] = {"ask": "get", "what": "size", "of": "{which:ever}"}

    def told(self, result: Result) -> Answer:
        side = result.numbers["side_m"] * CM_PER_M
        return replace(super().told(result), margin=side, evidence=(), numbers={"longest_side_cm": side})
