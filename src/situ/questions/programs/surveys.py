"""What somebody has measured of a whole room, and the turns of a route from object to object."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.heading import Heading
from situ.geometry.pose import Vector, wrap_deg
from situ.questions.base import Answer
from situ.questions.programs.asks import Count
from situ.questions.programs.run import NoneSeen, Result, Run
from situ.questions.programs.schema import Ask, Set, fault, operator
from situ.questions.programs.sets import Things
from situ.questions.programs.table import SURE
from situ.questions.programs.world import InWorlds, World

Point = tuple[float, float, float]
TURNS = {"turn left": -90.0, "turn right": 90.0, "turn back": 180.0}
TURN = "turn"  # a step that is to be filled in


@runtime_checkable
class Surveyed(Protocol):
    """A state of a room that somebody has measured and counted."""

    @property
    def floor_area_m2(self) -> float | None: ...

    @property
    def room_center(self) -> tuple[float, float, float] | None: ...

    @property
    def tallies(self) -> Mapping[str, int]:
        """Objects of each category, where a count is known beside the boxes."""
        ...


@operator
@dataclass(frozen=True)
class Survey(Ask):
    """The area of a room's floor in square metres; or how many of a set the room holds, by the survey's own
    count where there is one."""

    tag: ClassVar[str] = "survey"

    what: Literal["area", "count"]
    of: Set | None = None

    def answer(self, run: Run) -> Result:
        state = run.table.state
        surveyed = state if isinstance(state, Surveyed) else None
        if self.what == "area":
            area = surveyed.floor_area_m2 if surveyed is not None else None
            if area is None:
                raise Unanswerable("the room's floor was not measured, so its size is not known")
            value = round(area, 1)
            return Result("survey", value, {str(value): 1.0}, 1.0, area, numbers={"area_m2": area}, unit="m2")
        if not World(run, 0).members(self.of):
            raise NoneSeen(self.of)
        counted = Count(self.of).answer(run)
        plain = isinstance(self.of, Things) and not self.of.with_
        tally = (surveyed.tallies if surveyed is not None else {}).get(getattr(self.of, "kind", None) or "")
        if not plain or tally is None:
            return counted
        agreed = counted.margin if tally == counted.value else 0.0
        odds, numbers = {str(tally): 1.0}, {"count": float(tally)}
        return Result("survey", tally, odds, 1.0, min(agreed, SURE), counted.evidence, (), numbers)


@operator
@dataclass(frozen=True)
class Turns(InWorlds):
    """Which turns lead from object to object: `steps` are the kinds that are walked to, and "turn" for a
    turn to fill in. `plans` are what is offered ("Turn Left, Turn Right"); the one nearest to the true
    turns is chosen. Somebody who stands at an object and faces that same object stands before it on the
    room's side."""

    tag: ClassVar[str] = "turns"
    fair: ClassVar[float] = 20.0

    at: Set
    facing: Set
    steps: tuple[str, ...]
    plans: tuple[str, ...] = ()

    def checked(self, place: str) -> None:
        if TURN not in self.steps or all(step == TURN for step in self.steps):
            raise fault(f"{place}.steps", "a route needs a turn to fill in and a place to walk to")

    def in_world(self, world: World) -> Answer:
        here = world.first(self.at).box.center
        if self.at == self.facing:
            start = Heading.facing(_middle(world), here)
        else:
            start = Heading.facing(here, world.first(self.facing).box.center)
        stops = [world.first(Things(step, ever=True)).box.center for step in self.steps if step != TURN]
        true_turns = self._turns(start, stops)
        plans = self.plans or (", ".join(_nearest_turn(turn).title() for turn in true_turns),)
        misfit = {plan: _misfit(plan, true_turns) for plan in plans}
        best, *others = sorted(misfit, key=lambda plan: misfit[plan])
        margin = misfit[others[0]] - misfit[best] if others else 0.0
        return Answer(best, margin, (), {f"turn_{i}_deg": turn for i, turn in enumerate(true_turns, 1)})

    def _turns(self, heading: Heading, stops: Sequence[Point]) -> list[float]:
        """The turns that the route needs, in degrees to the right."""
        turns, left = [], list(stops)
        for step, following in zip(self.steps, (*self.steps[1:], TURN), strict=True):
            if step != TURN:
                stop = left.pop(0)
                heading = Heading(*stop, Heading.facing(heading.position, stop).yaw_deg)
            elif following == TURN:
                raise Unanswerable("a turn that leads nowhere cannot be told from the objects alone")
            else:
                bearing = heading.bearing_deg(left[0])
                turns.append(bearing)
                heading = heading.turned(bearing)
        return turns


def _middle(world: World) -> Vector:
    state = world.state
    if isinstance(state, Surveyed) and state.room_center is not None:
        return np.asarray(state.room_center)
    table = world.run.table
    real = [k for k in range(table.number) if world.certain or table.real[world.number, k] > 0]
    middle: Vector = np.mean([world.box(k).center for k in real], axis=0)
    return middle


def _nearest_turn(turn_deg: float) -> str:
    return min(TURNS, key=lambda name: abs(wrap_deg(turn_deg - TURNS[name])))


def _misfit(plan: str, true_turns: list[float]) -> float:
    """Mean degrees between the turns of a plan and the true ones; a plan of another length never fits."""
    names = [name.strip().lower() for name in plan.split(",")]
    if len(names) != len(true_turns) or not set(names) <= set(TURNS):
        return 360.0
    off = [abs(wrap_deg(t - TURNS[name])) for t, name in zip(true_turns, names, strict=True)]
    return sum(off) / len(off)
