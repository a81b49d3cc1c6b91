"""Distances between things and the sizes of things."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.lattice import lattice_gap
from situ.geometry.oriented import box_gap
from situ.questions.base import Answer, question_kind
from situ.questions.select import Selector
from situ.state.candidates import each_meant
from situ.state.protocol import ObjectView, SpatialState

CM_PER_M = 100


@question_kind
@dataclass(frozen=True)
class ClosestDistance:
    """Metres between the closest points of two kinds of object, to one decimal.

    With a `step_m` the distance is taken between points of a lattice of that step, as VSI-Bench did.
    """

    first: Selector
    second: Selector
    step_m: float = 0.0

    kind: ClassVar[str] = "closest_distance"
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    margin_unit: ClassVar[str] = "metres between the two"
    min_margin: ClassVar[float] = 0.1

    @property
    def text(self) -> str:
        pair = f"the {self.first.singular} and the {self.second.singular}"
        return f"How many metres are there between {pair}, where they come closest?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        first, second = members(state, self.first), members(state, self.second)
        gap = least_gap(first, second, self.step_m)
        return Answer(round(gap, 1), gap, (), {"distance_m": gap})


@question_kind
@dataclass(frozen=True)
class NearestTo:
    """Which of several kinds of object has the closest point to another."""

    candidates: tuple[Selector, ...]
    target: Selector
    step_m: float = 0.0

    kind: ClassVar[str] = "nearest_to"
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    margin_unit: ClassVar[str] = "metres between the nearest and the next"
    min_margin: ClassVar[float] = 0.15

    @property
    def text(self) -> str:
        names = ", ".join(self.options)
        return f"Which of these comes closest to the {self.target.singular}, from edge to edge: {names}?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(which.singular for which in self.candidates)

    def answer(self, state: SpatialState) -> Answer:
        target = members(state, self.target)
        each = [least_gap(members(state, which), target, self.step_m) for which in self.candidates]
        gaps = dict(zip(self.options, each, strict=True))
        nearest, *others = sorted(gaps, key=lambda name: gaps[name])
        margin = gaps[others[0]] - gaps[nearest] if others else 0.0
        return Answer(nearest, margin, (), gaps)


@question_kind
@dataclass(frozen=True)
class LongestSide:
    """The longest of an object's three sides, in whole centimetres."""

    which: Selector

    kind: ClassVar[str] = "longest_side"
    frame: ClassVar[str] = "the object's own box"
    margin_unit: ClassVar[str] = "centimetres"
    min_margin: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return f"How many centimetres long is the longest side of the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        side = first_member(state, self.which).box.longest_side * CM_PER_M
        return Answer(round(side), side, (), {"longest_side_cm": side})


def members(state: SpatialState, which: Selector) -> tuple[ObjectView, ...]:
    """The objects that a phrase picks out: at least one, or the question cannot be answered."""
    found = tuple(thing.view for thing in each_meant(state, which) if thing.possible)
    if not found:
        raise _unknown(which)
    return found


def first_member(state: SpatialState, which: Selector) -> ObjectView:
    """The first of the members, without a look at the others."""
    for thing in each_meant(state, which):
        if thing.possible:
            return thing.view
    raise _unknown(which)


def _unknown(which: Selector) -> Unanswerable:
    return Unanswerable(f"no {which.singular} is known, so nothing about it can be measured")


def least_gap(first: tuple[ObjectView, ...], second: tuple[ObjectView, ...], step_m: float = 0.0) -> float:
    """Metres between the two members that come closest to each other."""
    if step_m:
        return min(lattice_gap(a.box, b.box, step_m) for a in first for b in second)
    return min(box_gap(a.box, b.box) for a in first for b in second)
