"""Where objects are in the wearer's view."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector

LEFT, RIGHT, YES, NO = "left", "right", "yes", "no"


@question_kind
@dataclass(frozen=True)
class SideInView(Raw):
    """On which side of another object an object appears, in every frame that shows both.

    With a `claim` ("left" or "right") the question is whether the claim holds: yes or no.
    """

    thing: Selector
    anchor: Selector
    claim: str = ""

    kind: ClassVar[str] = "side_in_view"
    frame: ClassVar[str] = "the wearer's view, in the frames that show both"
    margin_unit: ClassVar[str] = "degrees between the two directions"
    min_margin: ClassVar[float] = 2.0
    does: ClassVar[Json] = {
        "ask": "side_in_view",
        "of": "{thing:ever}",
        "to": "{anchor:ever}",
        "claim": "{claim}",
    }

    @property
    def text(self) -> str:
        words = f"When both are in view, is the {self.thing}"
        if self.claim:
            return f"{words} on the {self.claim} of the {self.anchor}?"
        return f"{words} to the left or to the right of the {self.anchor}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO) if self.claim else (LEFT, RIGHT)
