"""How things lay when the wearer first came upon something."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.heading import SAME_LOCATION, SECTORS, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.rules.resting import meant
from situ.questions.rules.wearer import last_frame
from situ.questions.scene.order import first_seen
from situ.questions.select import Selector
from situ.state.protocol import SpatialState


@question_kind
@dataclass(frozen=True)
class WhereWhenFirstSeen:
    """The direction of a thing from the wearer at the moment when another first came into view."""

    which: Selector
    anchor: Selector

    kind: ClassVar[str] = "where_when_first_seen"
    frame: ClassVar[str] = (
        "the wearer's heading and place when the other thing was first seen; only yaw counts"
    )
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return (
            f"When I first came upon the {self.anchor.singular}, "
            f"in which direction from me was the {self.which.singular}?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def answer(self, state: SpatialState) -> Answer:
        thing, met = meant(state, self.which), first_seen(state, self.anchor)
        moment = float(state.path.times[met.clear])
        box = state.where(thing.id, moment)
        seen = last_frame(state.as_of(moment), thing.id)
        if box is None or not seen:
            raise Unanswerable(f"where the {self.which.singular} was at that time is not known")
        bearing, distance, up = state.path.heading_at(moment).polar(box.center)
        value, margin = named_way(bearing, distance)
        # A glimpse before the first clear view makes the moment uncertain: both readings must agree.
        glimpsed = state.path.heading_at(float(state.path.times[met.possible])).polar(box.center)
        other, least = named_way(*glimpsed[:2])
        margin = min(margin, least) if other == value else 0.0
        numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
        frames = tuple(sorted({met.clear, *seen}))
        return Answer(value, margin, frames, numbers, (thing.id, met.things[met.clear]))
