"""Reach, size and fit: what a person could touch, which thing is larger, what could stand on what."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.oriented import box_gap
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import OfThings, only
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

ARM_M = 0.75
SPAN_M = 1.6
FLAT_TOP = "flat_top"
LEAST_LONGER = 0.07  # doublings of the longest side, about 5 per cent: less cannot be seen


@question_kind
@dataclass(frozen=True)
class WithinReach(OfThings):
    """Whether two things are so close that an arm reaches from one to the other, or two arms touch both."""

    first: Selector
    second: Selector
    both_arms: bool = False
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "within_reach"
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.25

    @property
    def text(self) -> str:
        first, second = self.first.singular, self.second.singular
        if self.both_arms:
            return (
                f"Could a person with outstretched arms touch the {first} and the {second} at the same time "
                f"from one spot (at most {SPAN_M} m between them)?"
            )
        return f"Are the {first} and the {second} within arm's reach of each other (at most {ARM_M} m apart)?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return self.first, self.second

    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        gap = box_gap(things[0].box, things[1].box)
        reach = SPAN_M if self.both_arms else ARM_M
        return Answer(YES if gap <= reach else NO, abs(gap - reach), (), {"distance_m": gap})


@question_kind
@dataclass(frozen=True)
class Larger:
    """Which of two things is larger: it must have the larger volume and the longer longest side."""

    first: Selector
    second: Selector
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "larger"
    frame: ClassVar[str] = "the objects' own boxes"
    margin_unit: ClassVar[str] = "doublings of the volume; 0 where volume and longest side disagree"
    min_margin: ClassVar[float] = 0.6

    @property
    def text(self) -> str:
        return f"Which of the two is larger: the {self.first.singular} or the {self.second.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.singular, self.second.singular)

    def answer(self, state: SpatialState) -> Answer:
        first, second = only(state, self.first).box, only(state, self.second).box
        doublings = math.log2(max(first.volume, 1e-9) / max(second.volume, 1e-9))
        longer = math.log2(max(first.longest_side, 1e-9) / max(second.longest_side, 1e-9))
        agreed = doublings * longer > 0 and abs(longer) >= LEAST_LONGER
        value = self.options[0] if doublings > 0 else self.options[1]
        numbers = {"first_m3": first.volume, "second_m3": second.volume}
        return Answer(value, abs(doublings) if agreed else 0.0, (), numbers)


@question_kind
@dataclass(frozen=True)
class FitsOn:
    """Whether one thing could stand on another; `stacked` asks that both could carry something."""

    first: Selector
    second: Selector
    stacked: bool = False
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "fits_on"
    frame: ClassVar[str] = "the objects' own boxes"
    margin_unit: ClassVar[str] = "metres of spare or missing room on the upper side"
    min_margin: ClassVar[float] = 0.06

    @property
    def text(self) -> str:
        first, second = self.first.singular, self.second.singular
        if self.stacked:
            return (
                f"Could the {first} be stacked on the {second}: do both have a flat top, and does the "
                f"{first} not stick out over the {second}?"
            )
        return f"Could the {first} stand on top of the {second} without sticking out over its edges?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        first, second = only(state, self.first), only(state, self.second)
        flat = _flat(second) and (_flat(first) if self.stacked else True)
        spare = min(b - a for a, b in zip(_footprint(first), _footprint(second), strict=True))
        if not flat:
            return Answer(NO, 1.0, (), {"spare_m": spare, "flat": 0.0})
        return Answer(YES if spare >= 0 else NO, abs(spare), (), {"spare_m": spare, "flat": 1.0})


def _flat(view: ObjectView) -> bool:
    if FLAT_TOP not in view.attributes:
        raise Unanswerable(f"whether a {view.category} has a flat top is not known")
    return view.attributes[FLAT_TOP] == YES


def _footprint(view: ObjectView) -> tuple[float, float]:
    """The shorter and the longer side on the ground: things may be turned to fit."""
    short, long = sorted(view.box.size[:2])
    return short, long
