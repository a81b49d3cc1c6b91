"""What has changed since a time: anywhere, in a room or at a piece of furniture; and what was taken away."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.rules.moves import OfMoves
from situ.questions.select import Selector


@dataclass(frozen=True)
class _Somewhere(Raw, ABC):
    """In a place, at an object, or anywhere; since a time."""

    since: float | None = None
    place: str = ""
    anchor: Selector | None = None

    frame: ClassVar[str] = OfMoves.frame
    margin_unit: ClassVar[str] = OfMoves.margin_unit
    min_margin: ClassVar[float] = OfMoves.min_margin
    largest: ClassVar[float] = 1.0


@question_kind
@dataclass(frozen=True)
class TakenAway(_Somewhere):
    """What was taken from a place or a piece of furniture and is elsewhere now, the latest first; if
    `brought`, what was brought there from elsewhere and is there now."""

    brought: bool = False

    kind: ClassVar[str] = "taken_away"
    does: ClassVar[Json] = {
        "ask": "taken", "since": "{since}", "place": "{place}", "at": "{anchor:ever}", "brought": "{brought}"
    }  # fmt: skip

    @property
    def text(self) -> str:
        act = "brought to" if self.brought else "taken from"
        return f"What was {act} the {self.place or (self.anchor or Selector()).singular}?"


@question_kind
@dataclass(frozen=True)
class Changes(_Somewhere):
    """What has changed since a time, anywhere, in a place or at an object: moved, gone, brought."""

    kind: ClassVar[str] = "changes"
    does: ClassVar[Json] = {"ask": "changes", "since": "{since}", "place": "{place}", "at": "{anchor:ever}"}

    @property
    def text(self) -> str:
        where = f" in the {self.place}" if self.place else ""
        where = f" at the {self.anchor}" if self.anchor is not None else where
        return f"What has changed{where}?"
