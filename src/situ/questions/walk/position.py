"""Where in a place the wearer stands."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.routes import CENTER, CORNER, MIDSIDE
from situ.questions.programs.schema import Json
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class PositionInPlace(Raw):
    """Corner, side or centre of a place, by thirds of its width and depth. The place is what is stood on."""

    place: Selector

    kind: ClassVar[str] = "position_in_place"
    frame: ClassVar[str] = "the place's own axes"
    margin_unit: ClassVar[str] = "distance to the nearest third, as a share of the place's width or depth"
    min_margin: ClassVar[float] = 0.08
    asks = (
        "Divide the {place} into three by three equal parts. Does the person who films stand in a corner "
        "part, in a part along one side, or in the center part of the {place}?"
    )
    offers = (CORNER, MIDSIDE, CENTER)
    does: ClassVar[Json] = {"ask": "stands_in", "of": "{place:ever}"}
