"""The whole room: how many objects of a kind it holds, and how large it is."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Named, Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class CountInRoom(Named):
    """How many objects of a category the room holds. A survey's own count comes before the boxes."""

    which: Selector

    kind: ClassVar[str] = "count_in_room"
    frame: ClassVar[str] = "the whole room"
    asks = "How many {which:plural} does this room hold?"
    does: ClassVar[Json] = {"ask": "survey", "what": "count", "of": "{which:ever}"}


@question_kind
@dataclass(frozen=True)
class RoomSize(Raw):
    """The floor's area in square metres, to one decimal."""

    kind: ClassVar[str] = "room_size"
    frame: ClassVar[str] = "the whole room"
    margin_unit: ClassVar[str] = "square metres"
    min_margin: ClassVar[float] = 1.0
    asks = "How many square metres of floor are there, all that is shown taken together?"
    does: ClassVar[Json] = {"ask": "survey", "what": "area"}
