"""Where one object is relative to another that is never in view together with it."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.programs.views import DEPTH as DEPTH
from situ.questions.programs.views import ENDS
from situ.questions.programs.views import HEIGHT as HEIGHT
from situ.questions.programs.views import SIDE as SIDE
from situ.questions.programs.views import sightings_in as sightings_in
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class PairRelation(Raw):
    """On which side of `anchor` an object lies, for the camera in the frames that show the anchor.

    `axis` "side" asks left or right, "depth" in front (nearer to the camera) or behind, "height" above or
    below. `frames` are those that the question is about; all where none are given.
    """

    thing: Selector
    anchor: Selector
    axis: str = SIDE
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "pair_relation"
    frame: ClassVar[str] = (
        "the camera's axes in the frames that show the anchor, moved to the anchor's centre"
    )
    margin_unit: ClassVar[str] = "metres along the axis; 0 where people would not agree"
    min_margin: ClassVar[float] = 0.4
    does: ClassVar[Json] = {
        "ask": "pair_side", "of": "{thing:ever}", "to": "{anchor:ever}", "axis": "{axis}",
        "frames": "{frames}",
    }  # fmt: skip

    def __post_init__(self) -> None:
        if self.axis not in ENDS:
            raise BadInput(f"the axis must be one of {', '.join(ENDS)}, got {self.axis!r}")

    @property
    def text(self) -> str:
        if self.axis == HEIGHT:
            return f"Is the {self.thing} above or below the {self.anchor}?"
        view = f"From the camera's point of view when it sees the {self.anchor}, is the {self.thing}"
        if self.axis == SIDE:
            return f"{view} to the left or to the right of it?"
        return f"{view} in front of it (nearer to the camera) or behind it (farther away)?"

    @property
    def options(self) -> tuple[str, ...]:
        return ENDS[self.axis]
