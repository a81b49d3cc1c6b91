"""What became of one object: whether it was moved, by whom, when, from where to where."""

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.histories import FATES, OTHERS, YOU
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.rules.moves import OfMoves
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector


@dataclass(frozen=True)
class _OfThing(Raw, ABC):
    """About the moves of one object since a time."""

    which: Selector
    since: float | None = None

    frame: ClassVar[str] = OfMoves.frame
    margin_unit: ClassVar[str] = OfMoves.margin_unit
    min_margin: ClassVar[float] = OfMoves.min_margin
    what: ClassVar[str] = ""
    does: ClassVar[Json] = {"ask": "history", "what": "{what}", "of": "{which:ever}", "since": "{since}"}


@question_kind
@dataclass(frozen=True)
class HasMoved(_OfThing):
    """Whether an object has been moved since a time."""

    kind: ClassVar[str] = "has_moved"
    what: ClassVar[str] = "moved"
    asks = "Has the {which} been moved?"
    offers = (YES, NO)


@question_kind
@dataclass(frozen=True)
class HappenedTo(_OfThing):
    """What became of an object since a time: moved, gone, in hand, brought back, or nothing."""

    kind: ClassVar[str] = "happened_to"
    what: ClassVar[str] = "fate"
    asks = "What happened to the {which}?"
    offers = FATES


@question_kind
@dataclass(frozen=True)
class StillThere(_OfThing):
    """Whether an object is still where it was last seen, or at a time; if `gone`, whether it is not."""

    gone: bool = False

    kind: ClassVar[str] = "still_there"
    what: ClassVar[str] = "there"
    offers = (YES, NO)
    does: ClassVar[Json] = {**_OfThing.does, "gone": "{gone}"}

    @property
    def text(self) -> str:
        return f"Is the {self.which} {'gone' if self.gone else 'still there'}?"


@question_kind
@dataclass(frozen=True)
class MovedWhen(_OfThing):
    """When an object came to its present place, in seconds on the recording's clock."""

    kind: ClassVar[str] = "moved_when"
    what: ClassVar[str] = "moved_at"
    asks = "When was the {which} last moved?"


@question_kind
@dataclass(frozen=True)
class MovedBy(_OfThing):
    """Who moved an object last, as far as its being in the wearer's hands tells."""

    kind: ClassVar[str] = "moved_by"
    what: ClassVar[str] = "moved_by"
    asks = "Who moved the {which}?"
    offers = (YOU, OTHERS)


@question_kind
@dataclass(frozen=True)
class CameFrom(_OfThing):
    """On which piece of furniture, or in which room, an object was before its present place."""

    kind: ClassVar[str] = "came_from"
    what: ClassVar[str] = "came_from"
    asks = "Where was the {which} before it was last moved?"


@question_kind
@dataclass(frozen=True)
class MovedFromTo(_OfThing):
    """From where to where an object was last moved, by furniture or room."""

    kind: ClassVar[str] = "moved_from_to"
    what: ClassVar[str] = "from_to"
    asks = "From where to where was the {which} last moved?"
