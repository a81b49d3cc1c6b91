"""How things lay when the wearer first came upon something, or into a room."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.heading import SAME_LOCATION, SECTORS, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.rules.resting import meant
from situ.questions.rules.wearer import last_frame
from situ.questions.scene.order import first_seen
from situ.questions.select import Selector
from situ.state.diary import WithVisits
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
        met = first_seen(state, self.anchor)
        # A glimpse before the first clear view makes the moment uncertain: both readings must agree.
        found = _direction(state, self.which, met.clear, (met.possible,))
        return replace(found, things=(*found.things, met.things[met.clear]))


@question_kind
@dataclass(frozen=True)
class WhereWhenEntered:
    """The direction of a thing from the wearer at the moment when they first came into a place."""

    which: Selector
    place: str

    kind: ClassVar[str] = "where_when_entered"
    frame: ClassVar[str] = "the wearer's heading and place when they first entered the room; only yaw counts"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        which = self.which.singular
        return f"When I first entered the {self.place}, in which direction from me was the {which}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def answer(self, state: SpatialState) -> Answer:
        found = state.visits().of(self.place) if isinstance(state, WithVisits) else []
        if not found:
            raise Unanswerable(f"I do not know when you entered the {self.place}")
        entered = state.path.index_at(found[0].start)
        # People agree on the moment to within a step: the next frame must say the same.
        return _direction(state, self.which, entered, (min(entered + 1, len(state.path) - 1),))


def _direction(state: SpatialState, which: Selector, frame: int, others: Sequence[int]) -> Answer:
    """Where a thing was from the wearer in a frame; no margin is left where it is another in the others."""
    thing, moment = meant(state, which), state.path.time_of(frame)
    box = state.where(thing.id, moment)
    seen = last_frame(state.as_of(moment), thing.id)
    if box is None or not seen:
        raise Unanswerable(f"where the {which.singular} was at that time is not known")
    bearing, distance, up = state.path.heading_at(moment).polar(box.center)
    value, margin = named_way(bearing, distance)
    for other in others:
        also, least = named_way(*state.path.heading_at(state.path.time_of(other)).polar(box.center)[:2])
        margin = min(margin, least) if also == value else 0.0
    numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
    return Answer(value, margin, tuple(sorted({frame, *seen})), numbers, (thing.id,))
