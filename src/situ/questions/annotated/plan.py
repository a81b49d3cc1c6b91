"""Filling in the turns of a route from thing to thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from situ.errors import BadInput, Unanswerable
from situ.geometry.heading import Heading
from situ.geometry.pose import Vector, wrap_deg
from situ.questions.annotated.room import Surveyed
from situ.questions.base import Answer, question_kind
from situ.questions.scene.measure import first_member
from situ.questions.select import Selector
from situ.state.protocol import SpatialState

Point = tuple[float, float, float]
TURNS = {"turn left": -90.0, "turn right": 90.0, "turn back": 180.0}
TURN = ""  # a step that is to be filled in


@question_kind
@dataclass(frozen=True)
class RoutePlan:
    """Which turns lead from `start` to the last stop.

    `steps` holds, in order, the category that is walked to, or "" for a turn to fill in. `plans` are the
    answers offered ("Turn Left, Turn Right"); the one nearest to the true turns is chosen. Someone who
    stands at a thing and faces that same thing stands before it on the room's side.
    """

    start: Selector
    facing: Selector
    steps: tuple[str, ...]
    plans: tuple[str, ...] = ()

    kind: ClassVar[str] = "route_plan"
    frame: ClassVar[str] = "the walker's own, who starts at one object and faces another"
    margin_unit: ClassVar[str] = "degrees by which the chosen plan fits better than the next"
    min_margin: ClassVar[float] = 20.0

    def __post_init__(self) -> None:
        if TURN not in self.steps or all(step == TURN for step in self.steps):
            raise BadInput(f"a route needs a turn to fill in and a place to walk to, got {self.steps}")

    @property
    def text(self) -> str:
        steps = ", ".join("turn ___" if step == TURN else f"walk to the {step}" for step in self.steps)
        return (
            f"You stand at the {self.start.singular} and look at the {self.facing.singular}. "
            f"Your way is: {steps}. Which turns belong in the gaps: left, right or back?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return self.plans

    def answer(self, state: SpatialState) -> Answer:
        here = first_member(state, self.start).box.center
        toward = first_member(state, self.facing).box.center
        start = (
            Heading.facing(_middle(state), here)
            if self.start == self.facing
            else Heading.facing(here, toward)
        )
        return self._of(start, [first_member(state, which).box.center for which in self.stops])

    def _of(self, start: Heading, stops: Sequence[Point]) -> Answer:
        true_turns = self._turns(start, stops)
        plans = self.plans or (", ".join(_nearest_turn(turn).title() for turn in true_turns),)
        misfit = {plan: _misfit(plan, true_turns) for plan in plans}
        best, *others = sorted(misfit, key=lambda plan: misfit[plan])
        margin = misfit[others[0]] - misfit[best] if others else 0.0
        numbers = {f"turn_{i}_deg": turn for i, turn in enumerate(true_turns, 1)}
        return Answer(best, margin, (), numbers)

    @property
    def stops(self) -> tuple[Selector, ...]:
        """The things that the way leads to."""
        return tuple(Selector(step) for step in self.steps if step != TURN)

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


def _middle(state: SpatialState) -> Vector:
    if isinstance(state, Surveyed) and state.room_center is not None:
        return np.asarray(state.room_center)
    middle: Vector = np.mean([view.box.center for view in state.objects()], axis=0)
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
