"""What is there, and what it is for."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.programs.views import USE as USE
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class UniqueObjects(Raw):
    """The kinds of objects that some frames show, each named once, in alphabetical order."""

    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "unique_objects"
    frame: ClassVar[str] = "the frames given"
    margin_unit: ClassVar[str] = "1 if every kind is seen clearly, 0 if one is only glimpsed"
    min_margin: ClassVar[float] = 1.0
    asks = "Which kinds of objects can be seen in these frames? Name each kind once."
    does: ClassVar[Json] = {"ask": "shown", "frames": "{frames}"}


@question_kind
@dataclass(frozen=True)
class UseShown(Raw):
    """Which of several uses fits an object that the frames show. Only looking tells."""

    uses: tuple[str, ...]
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "use_shown"
    frame: ClassVar[str] = "the frames given"
    margin_unit: ClassVar[str] = "1 if one use fits what is clearly shown and no other fits even a glimpse"
    min_margin: ClassVar[float] = 1.0
    asks = "For which of these purposes is an object made that can be seen in these frames?"
    does: ClassVar[Json] = {"ask": "shown", "frames": "{frames}", "uses": "{uses}"}

    @property
    def options(self) -> tuple[str, ...]:
        return self.uses


@question_kind
@dataclass(frozen=True)
class FunctionOf(Raw):
    """What an object is for, asked openly. Most can be told from its name."""

    thing: Selector
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "function_of"
    frame: ClassVar[str] = "none; what a thing is for does not depend on where it is"
    margin_unit: ClassVar[str] = "1 if the object is seen clearly"
    min_margin: ClassVar[float] = 1.0
    asks = "What is the function of the {thing} in this scene?"
    does: ClassVar[Json] = {"ask": "shown", "frames": "{frames}", "of": "{thing:ever}"}
