"""Whether objects fit: on each other, within reach of each other, and a body of stated size beside them."""

import math
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

from situ.errors import Unanswerable
from situ.geometry.oriented import box_gap, gap_between
from situ.questions.base import Answer
from situ.questions.programs.asks import NO, YES
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.uses import FLAT_TOP, FLOOR_M
from situ.questions.programs.world import InWorlds, World
from situ.state.protocol import ObjectView

LEAST_LONGER = 0.07  # doublings of the longest side, about 5 per cent: less cannot be seen


@operator
@dataclass(frozen=True)
class Within(InWorlds):
    """Whether the closest points of two objects are at most so many metres apart."""

    tag: ClassVar[str] = "within"
    fair: ClassVar[float] = 0.25

    of: Set
    to: Set
    m: float

    def in_world(self, world: World) -> Answer:
        gap = box_gap(world.only(self.of).box, world.only(self.to).box)
        return Answer(YES if gap <= self.m else NO, abs(gap - self.m), (), {"distance_m": gap})


@operator
@dataclass(frozen=True)
class Larger(InWorlds):
    """Which of two objects is larger, by volume and by the longest side."""

    tag: ClassVar[str] = "larger"
    fair: ClassVar[float] = 0.6

    of: tuple[Set, ...]
    names: tuple[str, ...]

    def checked(self, place: str) -> None:
        if len(self.of) != 2 or len(self.names) != 2:
            raise fault(f"{place}.of", "'larger' is between two sets with two names")

    def in_world(self, world: World) -> Answer:
        first, second = (world.only(one).box for one in self.of)
        doublings = math.log2(max(first.volume, 1e-9) / max(second.volume, 1e-9))
        longer = math.log2(max(first.longest_side, 1e-9) / max(second.longest_side, 1e-9))
        agreed = doublings * longer > 0 and abs(longer) >= LEAST_LONGER
        value = self.names[0] if doublings > 0 else self.names[1]
        numbers = {"first_m3": first.volume, "second_m3": second.volume}
        return Answer(value, abs(doublings) if agreed else 0.0, (), numbers)


@operator
@dataclass(frozen=True)
class FitsOn(InWorlds):
    """Whether one object could stand on another; with `stacked` both must be able to carry something."""

    tag: ClassVar[str] = "fits_on"
    fair: ClassVar[float] = 0.06

    of: Set
    to: Set
    stacked: bool = False

    def in_world(self, world: World) -> Answer:
        first, second = world.only(self.of), world.only(self.to)
        flat = _flat(second) and (_flat(first) if self.stacked else True)
        sides = zip(sorted(first.box.size[:2]), sorted(second.box.size[:2]), strict=True)  # it may be turned
        spare = min(b - a for a, b in sides)
        if not flat:
            return Answer(NO, 1.0, (), {"spare_m": spare, "flat": 0.0})
        return Answer(YES if spare >= 0 else NO, abs(spare), (), {"spare_m": spare, "flat": 1.0})


def _flat(view: ObjectView) -> bool:
    if FLAT_TOP not in view.attributes:
        raise Unanswerable(f"whether a {view.category} has a flat top is not known")
    return view.attributes[FLAT_TOP] == YES


@operator
@dataclass(frozen=True)
class Affords(InWorlds):
    """Whether a body of a stated size in metres can do something with the one that is meant, or between it
    and another (`to`)."""

    tag: ClassVar[str] = "affords"
    fair: ClassVar[float] = 0.1

    act: Literal["pass through", "carry through", "fit under", "step over", "reach", "sit on"]
    size: float
    of: Set
    to: Set | None = None

    def checked(self, place: str) -> None:
        if ("through" in self.act) != (self.to is not None):
            raise fault(place, f"'{self.act}' {'needs' if self.to is None else 'takes no'} 'to'")

    def in_world(self, world: World) -> Answer:
        one = world.only(self.of)
        if self.to is not None:
            allowed = gap_between(one.box, world.only(self.to).box)
        else:  # to reach a thing is to touch its lowest edge; a step and a seat are as high as the top
            allowed = (one.box.bottom if self.act in ("fit under", "reach") else one.box.top) - FLOOR_M
        spare = allowed - self.size
        if self.act in ("step over", "reach", "sit on"):
            spare = self.size - allowed
        frames = world.kept(
            ("first", one.id), lambda: tuple(s.frame for s in islice(world.sightings(one.id), 1))
        )
        return Answer(YES if spare > 0 else NO, abs(spare), frames, {"allowed_m": allowed}, (one.id,))
