"""Where in a place the wearer stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from situ.geometry.box import Box
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import OfThings
from situ.questions.rules.ways import walked
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

CORNER, SIDE, CENTER = "corner", "side", "center"
THIRD = 1 / 3


@question_kind
@dataclass(frozen=True)
class PositionInPlace(OfThings):
    """Corner, side or centre of a place, by thirds of its width and depth. The place is what is stood on."""

    place: Selector

    kind: ClassVar[str] = "position_in_place"
    frame: ClassVar[str] = "the place's own axes"
    margin_unit: ClassVar[str] = "distance to the nearest third, as a share of the place's width or depth"
    min_margin: ClassVar[float] = 0.08

    @property
    def text(self) -> str:
        name = self.place.singular
        return (
            f"Divide the {name} into three by three equal parts. Does the person who films stand in a corner "
            f"part, in a part along one side, or in the center part of the {name}?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return (CORNER, SIDE, CENTER)

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return (self.place,)

    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        path, box = walked(state), things[0].box
        # The median of spots in a box that is not turned is that of the path, wherever the box is.
        level = type(box) is Box and box.yaw_deg == 0.0
        middle = path.middle if level else np.median(box.to_local(path.positions), axis=0)
        around = box.center if level else (0.0, 0.0)
        here = [(float(middle[k]) - around[k]) / box.size[k] + 0.5 for k in (0, 1)]
        value = (CENTER, SIDE, CORNER)[sum(not THIRD <= share <= 1 - THIRD for share in here)]
        margin = min(abs(share - edge) for share in here for edge in (THIRD, 1 - THIRD))
        return Answer(value, margin, (0,), {"across": here[0], "along": here[1]})
