"""How near the members of sets come to each other, and directions for somebody who stands at one object."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import ClassVar, Literal

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.heading import Heading
from situ.geometry.lattice import lattice_gap
from situ.geometry.oriented import box_gap
from situ.questions.base import Answer
from situ.questions.programs.comparisons import least_gaps
from situ.questions.programs.run import NoneSeen
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.world import InWorlds, World
from situ.state.protocol import ObjectView

LEFT, RIGHT, BACK = "left", "right", "back"
QUADRANTS = ("front-left", "front-right", "back-left", "back-right")
BACK_FROM_DEG = 135.0
DIRECTIONS = {"easy": (LEFT, RIGHT), "medium": (LEFT, RIGHT, BACK), "hard": QUADRANTS}
# Bearings at which the answer of a level changes.
_BORDERS = {"easy": (0.0, 180.0), "medium": (0.0, BACK_FROM_DEG), "hard": (0.0, 90.0, 180.0)}
_TOUCHING_M = 0.01  # nearer things are as good as touching, where a ratio is asked for


def gap_in(world: World, of: Set, to: Set, step: float | None) -> float:
    """Metres between the two members that come closest to each other; with a `step` between points of a
    lattice of that step."""
    if not world.certain and step is None:
        gaps = world.run.kept(("gaps", of, to), lambda: least_gaps(world.run, of, to)[0])
        gap = float(gaps[world.number])
        if math.isnan(gap):
            raise Unanswerable("how near they come is not known")
        return gap
    first, second = _known(world, of), _known(world, to)
    if step is not None:
        return min(lattice_gap(world.box(a), world.box(b), step) for a in first for b in second)
    return min(box_gap(world.box(a), world.box(b)) for a in first for b in second)


def _known(world: World, which: Set) -> list[int]:
    found = world.members(which)
    if not found:
        raise NoneSeen(which)
    return found


@operator
@dataclass(frozen=True)
class Closest(InWorlds):
    """Metres between the closest points of two sets; with `choices`, which of some lengths that is nearest
    to by its ratio; with a `step`, between points of a lattice of that step."""

    tag: ClassVar[str] = "closest"
    fair: ClassVar[float] = 0.1

    of: Set
    to: Set
    step: float | None = None
    choices: tuple[float, ...] = ()

    @property
    def measure(self) -> bool:  # type: ignore[override]
        return not self.choices

    def in_world(self, world: World) -> Answer:
        gap = gap_in(world, self.of, self.to, self.step)
        if not self.choices:
            return Answer(round(gap, 1), gap, (), {"distance_m": gap})
        away = [abs(math.log(max(gap, _TOUCHING_M) / length)) for length in self.choices]
        best = int(np.argmin(away))
        margin = min((other for k, other in enumerate(away) if k != best), default=away[best]) - away[best]
        return Answer(f"about {self.choices[best]:g} m", margin, (), {"distance_m": gap})


@operator
@dataclass(frozen=True)
class Nearest(InWorlds):
    """Which of several sets comes closest to another."""

    tag: ClassVar[str] = "nearest"
    fair: ClassVar[float] = 0.15

    of: tuple[Set, ...]
    names: tuple[str, ...]
    to: Set
    step: float | None = None

    def checked(self, place: str) -> None:
        if not self.of or len(self.names) != len(self.of):
            raise fault(f"{place}.names", f"{len(self.of)} sets need as many names, got {len(self.names)}")

    def in_world(self, world: World) -> Answer:
        gaps = {
            name: gap_in(world, one, self.to, self.step)
            for name, one in zip(self.names, self.of, strict=True)
        }
        nearest, *others = sorted(gaps, key=lambda name: gaps[name])
        margin = gaps[others[0]] - gaps[nearest] if others else 0.0
        return Answer(nearest, margin, (), gaps)


@operator
@dataclass(frozen=True)
class Direction(InWorlds):
    """The direction of an object for somebody who stands at another and faces a third: left or right
    ("easy"), or back ("medium"), or one of four quadrants ("hard")."""

    tag: ClassVar[str] = "direction"
    fair: ClassVar[float] = 5.0

    of: Set
    at: Set
    facing: Set
    level: Literal["easy", "medium", "hard"] = "medium"

    def in_world(self, world: World) -> Answer:
        """Where a name picks several objects, all readings must agree on truth; else the margin is 0. A
        belief takes the objects that are meant."""
        trios = product(*(_known(world, which) for which in (self.at, self.facing, self.of)))
        different = (trio for trio in trios if len({*trio}) == 3)
        readings = list(different if world.certain else islice(different, 1))
        if not readings:
            raise Unanswerable("three different things are needed: to stand at, to face and to turn to")
        return self._of([[world.view(k) for k in trio] for trio in readings])

    def _of(self, readings: Sequence[Sequence[ObjectView]]) -> Answer:
        bearings = [
            Heading.facing(a.box.center, b.box.center).bearing_deg(c.box.center) for a, b, c in readings
        ]
        directions = {_direction(bearing, self.level) for bearing in bearings}
        margin = min(abs(abs(b) - border) for b in bearings for border in _BORDERS[self.level])
        if len(directions) > 1:
            margin = 0.0
        return Answer(_direction(bearings[0], self.level), margin, (), {"bearing_deg": bearings[0]})


def _direction(bearing_deg: float, level: str) -> str:
    side = RIGHT if bearing_deg > 0 else LEFT
    if level == "hard":
        return f"{'front' if abs(bearing_deg) < 90.0 else 'back'}-{side}"
    if level == "medium" and abs(bearing_deg) >= BACK_FROM_DEG:
        return BACK
    return side
