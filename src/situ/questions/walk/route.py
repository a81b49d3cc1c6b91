"""The walk itself: its shape, the direction between its ends, and the way back."""

from dataclasses import dataclass
from typing import ClassVar

from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.geometry.route import SAME_LOCATION_RADIUS_M, SHAPES, End
from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json


@question_kind
@dataclass(frozen=True)
class RouteShape(Raw):
    """Which shape the body's track has. `place` is where the walk took place, for the words only."""

    place: str = ""

    kind: ClassVar[str] = "route_shape"
    frame: ClassVar[str] = "the ground, seen from above"
    margin_unit: ClassVar[str] = "distance to the nearest border between two shapes, as a share of the border"
    min_margin: ClassVar[float] = 0.3
    offers = SHAPES
    does: ClassVar[Json] = {"ask": "route", "what": "shape"}

    @property
    def text(self) -> str:
        return (
            f"{at(self.place)}Which shape does the path of the person who films have, seen from above? "
            "Only where the person walks counts, not where they look. A U-shape goes out and comes back on "
            "two parallel legs that are longer than they are far apart; a Manhattan-style path has straight "
            "legs at right angles to each other."
        )


@question_kind
@dataclass(frozen=True)
class RouteDirection(Raw):
    """Where the other end of the walk lies for someone who stands and faces as at the `origin` end."""

    origin: End
    place: str = ""

    kind: ClassVar[str] = "route_direction"
    frame: ClassVar[str] = "the wearer's heading at one end of the recording"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector; the same-location radius counts alike"
    min_margin: ClassVar[float] = 8.0
    offers = (*SECTORS, SAME_LOCATION)
    does: ClassVar[Json] = {"ask": "route", "what": "{goal}"}

    @property
    def goal(self) -> str:
        return "to_end" if self.origin == "start" else "to_start"

    @property
    def text(self) -> str:
        at_start = self.origin == "start"
        here, frame, there = ("begins", "first", "ends") if at_start else ("ends", "last", "began")
        return (
            f"{at(self.place)}Stand where the video {here} and face as in its {frame} frame. "
            f"In which direction is the place where the video {there}? "
            f'Answer "{SAME_LOCATION}" if it is within {SAME_LOCATION_RADIUS_M:g} metres.'
        )


@question_kind
@dataclass(frozen=True)
class ReversePlan(Raw):
    """How to walk back to the start from the end, facing as at the end. `choices` are what is offered."""

    place: str = ""
    choices: tuple[str, ...] = ()

    kind: ClassVar[str] = "reverse_plan"
    frame: ClassVar[str] = "the wearer's heading at the end of the recording"
    margin_unit: ClassVar[str] = "distance of every turn from the angle where its word changes, of 45 degrees"
    min_margin: ClassVar[float] = 0.3
    does: ClassVar[Json] = {"ask": "route", "what": "back"}

    @property
    def text(self) -> str:
        return (
            f"{at(self.place)}You stand where the video ends and face as in its last frame. "
            "Which instructions lead you back the way you came, to where the video began?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return self.choices


def at(place: str) -> str:
    """How a question names where it plays."""
    return f"Place: {place}. " if place else ""
