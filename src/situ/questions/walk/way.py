"""The way to a place or to the start, along what was walked."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import Answer, question_kind
from situ.questions.rules.ways import last_in, way_to_frame
from situ.state.protocol import SpatialState

START = ""


@question_kind
@dataclass(frozen=True)
class WayBack:
    """How to walk to a named place, or to where the walk began, along what was walked."""

    place: str = START

    kind: ClassVar[str] = "way_back"
    frame: ClassVar[str] = "the wearer's heading at the time of asking, then landmarks along the way walked"
    margin_unit: ClassVar[str] = "metres of the way"
    min_margin: ClassVar[float] = 0.0

    @property
    def text(self) -> str:
        return f"How do I get back to the {self.place}?" if self.place else "Which way did I come?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        return way_to_frame(state, last_in(state, self.place), self.place)
