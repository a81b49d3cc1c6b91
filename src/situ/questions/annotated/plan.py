"""Filling in the turns of a route from object to object."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs import surveys
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector

TURN = ""  # a step that is to be filled in


@question_kind
@dataclass(frozen=True)
class RoutePlan(Raw):
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
    does: ClassVar[Json] = {
        "ask": "turns", "at": "{start:ever}", "facing": "{facing:ever}", "steps": "{stops}",
        "plans": "{plans}",
    }  # fmt: skip

    def __post_init__(self) -> None:
        if TURN not in self.steps or all(step == TURN for step in self.steps):
            raise BadInput(f"a route needs a turn to fill in and a place to walk to, got {self.steps}")

    @property
    def stops(self) -> tuple[str, ...]:
        return tuple(step or surveys.TURN for step in self.steps)

    @property
    def text(self) -> str:
        steps = ", ".join("turn ___" if step == TURN else f"walk to the {step}" for step in self.steps)
        return (
            f"You stand at the {self.start} and look at the {self.facing}. "
            f"Your way is: {steps}. Which turns belong in the gaps: left, right or back?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return self.plans
