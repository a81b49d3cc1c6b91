"""Where something is for someone who stands by one object and faces another."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs.distances import BACK_FROM_DEG, DIRECTIONS
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector

_TEXTS = {
    "easy": "To look at the {target}, do you turn left or right?",
    "medium": (
        "To look at the {target}, do you turn left, right or back? "
        f"Back means a turn of {BACK_FROM_DEG:g} degrees or more."
    ),
    "hard": (
        "In which quarter around you is the {target}: front-left, front-right, back-left or back-right?"
    ),
}


@question_kind
@dataclass(frozen=True)
class RelativeDirection(Raw):
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
    does: ClassVar[Json] = {
        "ask": "direction", "of": "{target:ever}", "at": "{standing:ever}", "facing": "{facing:ever}",
        "level": "{level}",
    }  # fmt: skip

    def __post_init__(self) -> None:
        if self.level not in _TEXTS:
            raise BadInput(f"unknown level '{self.level}'; choose one of {', '.join(_TEXTS)}")

    @property
    def text(self) -> str:
        return f"You stand at the {self.standing} and look at the {self.facing}. " + self._worded(
            _TEXTS[self.level]
        )

    @property
    def options(self) -> tuple[str, ...]:
        return DIRECTIONS[self.level]
