"""Where something is for someone who stands by one thing and faces another."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.geometry.heading import Heading
from situ.questions.base import Answer, question_kind
from situ.questions.scene.measure import members
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

LEFT, RIGHT, BACK = "left", "right", "back"
QUADRANTS = ("front-left", "front-right", "back-left", "back-right")
BACK_FROM_DEG = 135.0
_OPTIONS = {"easy": (LEFT, RIGHT), "medium": (LEFT, RIGHT, BACK), "hard": QUADRANTS}
# Bearings at which the answer of a level changes.
_BORDERS = {"easy": (0.0, 180.0), "medium": (0.0, BACK_FROM_DEG), "hard": (0.0, 90.0, 180.0)}


@question_kind
@dataclass(frozen=True)
class RelativeDirection:
    """The direction of `target` for someone who stands by `standing` and faces `facing`.

    Levels: "easy" left or right, "medium" adds back (a turn of 135 degrees or more), "hard" quadrants.
    """

    standing: Selector
    facing: Selector
    target: Selector
    level: str = "medium"

    kind: ClassVar[str] = "relative_direction"
    frame: ClassVar[str] = "standing at the centre of one object, facing the centre of another"
    margin_unit: ClassVar[str] = "degrees to the nearest border between two directions"
    min_margin: ClassVar[float] = 5.0

    def __post_init__(self) -> None:
        if self.level not in _OPTIONS:
            raise BadInput(f"unknown level '{self.level}'; choose one of {', '.join(_OPTIONS)}")

    @property
    def text(self) -> str:
        start = f"You stand at the {self.standing.singular} and look at the {self.facing.singular}. "
        target = self.target.singular
        if self.level == "easy":
            return start + f"To look at the {target}, do you turn left or right?"
        if self.level == "medium":
            return start + (
                f"To look at the {target}, do you turn left, right or back? "
                f"Back means a turn of {BACK_FROM_DEG:g} degrees or more."
            )
        return start + (
            f"In which quarter around you is the {target}: front-left, front-right, back-left or back-right?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return _OPTIONS[self.level]

    def answer(self, state: SpatialState) -> Answer:
        """Where a name picks several objects, all readings must agree; otherwise the margin is 0."""
        trios = product(*(members(state, which) for which in (self.standing, self.facing, self.target)))
        different = (trio for trio in trios if len({view.id for view in trio}) == 3)
        # Keys must hold for every reading; a belief takes the things that are meant.
        readings = list(different if state.strict else islice(different, 1))
        if not readings:
            raise Unanswerable("three different things are needed: to stand at, to face and to turn to")
        return self._of(readings)

    def _of(self, readings: Sequence[tuple[ObjectView, ...]]) -> Answer:
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
