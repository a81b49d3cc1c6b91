"""How things lay when the wearer first came upon something, or into a room."""

from dataclasses import dataclass
from typing import ClassVar

from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector


class DirectionAtMoment(Raw):
    """A question about the direction of an object at a moment of the past."""

    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    offers = (*SECTORS, SAME_LOCATION)


@question_kind
@dataclass(frozen=True)
class WhereWhenFirstSeen(DirectionAtMoment):
    """The direction of an object from the wearer at the moment when another first came into view."""

    which: Selector
    anchor: Selector

    kind: ClassVar[str] = "where_when_first_seen"
    frame: ClassVar[str] = (
        "the wearer's heading and place when the other thing was first seen; only yaw counts"
    )
    asks = "When I first came upon the {anchor}, in which direction from me was the {which}?"
    does: ClassVar[Json] = {
        "ask": "direction_then",
        "of": "{which:ever}",
        "when": "first_seen",
        "anchor": "{anchor:ever}",
    }


@question_kind
@dataclass(frozen=True)
class WhereWhenEntered(DirectionAtMoment):
    """The direction of an object from the wearer at the moment when they first came into a place."""

    which: Selector
    place: str

    kind: ClassVar[str] = "where_when_entered"
    frame: ClassVar[str] = "the wearer's heading and place when they first entered the room; only yaw counts"
    asks = "When I first entered the {place}, in which direction from me was the {which}?"
    does: ClassVar[Json] = {
        "ask": "direction_then",
        "of": "{which:ever}",
        "when": "entered",
        "place": "{place}",
    }
