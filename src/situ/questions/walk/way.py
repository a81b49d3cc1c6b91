"""The way to a place or to the start, along what was walked."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json


@question_kind
@dataclass(frozen=True)
class WayBack(Raw):
    """How to walk to a named place, or to where the walk began, along what was walked."""

    place: str = ""

    kind: ClassVar[str] = "way_back"
    frame: ClassVar[str] = "the wearer's heading at the time of asking, then landmarks along the way walked"
    margin_unit: ClassVar[str] = "metres of the way"
    min_margin: ClassVar[float] = 0.0
    does: ClassVar[Json] = {"ask": "way", "place": "{place}"}

    @property
    def text(self) -> str:
        return f"How do I get back to the {self.place}?" if self.place else "Which way did I come?"
