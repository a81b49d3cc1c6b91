"""Whether there is such an object, where all of them are, what it looks like, and what was seen lately."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs.named import Named, One, things
from situ.questions.programs.schema import Json
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector

COLOUR, MATERIAL = "color", "material"
LOOKS = (COLOUR, MATERIAL)
HEIGHT, WIDTH, LONGEST = "height", "width", "longest"
SIDES = (LONGEST, HEIGHT, WIDTH)


@question_kind
@dataclass(frozen=True)
class Exists(Named):
    """Whether an object of a kind was seen, or is still there, if `now`."""

    which: Selector
    now: bool = False

    kind: ClassVar[str] = "exists"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that it counts, 0 to 1"
    offers = (YES, NO)

    @property
    def does(self) -> dict[str, str]:
        return {"ask": "exists", "of": "{which}" if self.now else "{which:ever}"}

    @property
    def text(self) -> str:
        return f"Is there {self.which:a}?" if self.now else f"Have I seen {self.which:a}?"


@question_kind
@dataclass(frozen=True)
class AllOf(Named):
    """Where every object of a kind is, by furniture and room."""

    which: Selector

    kind: ClassVar[str] = "all_of"
    frame: ClassVar[str] = "furniture and rooms; no direction is involved"
    margin_unit: ClassVar[str] = "certainty that each counts, 0 to 1"
    asks = "Where are all the {which:plural}?"
    does: ClassVar[Json] = {"ask": "spots", "of": "{which}"}


@question_kind
@dataclass(frozen=True)
class LooksLike(Named):
    """The colour or the material of an object."""

    which: Selector
    attribute: str = COLOUR
    relation: str = ""
    anchor: Selector | None = None

    kind: ClassVar[str] = "looks_like"
    frame: ClassVar[str] = "the thing itself"
    margin_unit: ClassVar[str] = "1 if all things of the name agree"
    asks = "What {word} is {one}?"
    does: ClassVar[Json] = {"ask": "get", "what": "{attribute}", "of": "{one:ever}"}

    def __post_init__(self) -> None:
        if self.attribute not in LOOKS:
            raise BadInput(f"the attribute is one of {', '.join(LOOKS)}, got {self.attribute!r}")

    @property
    def word(self) -> str:
        return "colour" if self.attribute == COLOUR else self.attribute

    @property
    def one(self) -> One:
        return One(self.which, self.relation, self.anchor)


@question_kind
@dataclass(frozen=True)
class SizeOf(Named):
    """A side of an object in whole centimetres: the longest, its height, or its width on the ground."""

    which: Selector
    side: str = LONGEST
    relation: str = ""
    anchor: Selector | None = None

    kind: ClassVar[str] = "size_of"
    frame: ClassVar[str] = "the thing's own box"
    margin_unit: ClassVar[str] = "centimetres"
    min_margin: ClassVar[float] = 1.0
    unit: ClassVar[float] = 1.0
    largest: ClassVar[float] = math.inf
    asks = "How {word} is {one}?"
    does: ClassVar[Json] = {"ask": "get", "what": "{what}", "of": "{one:ever}"}

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise BadInput(f"the side is one of {', '.join(SIDES)}, got {self.side!r}")

    @property
    def word(self) -> str:
        return {LONGEST: "big", HEIGHT: "tall", WIDTH: "wide"}[self.side]

    @property
    def what(self) -> str:
        return "size" if self.side == LONGEST else self.side

    @property
    def one(self) -> One:
        return One(self.which, self.relation, self.anchor)


@question_kind
@dataclass(frozen=True)
class SeenSince(Named):
    """What was in view since a time, in the order of the last sighting; or how many of a kind were."""

    since: float
    which: Selector | None = None

    kind: ClassVar[str] = "seen_since"

    @property
    def text(self) -> str:
        if self.which is None:
            return f"What did I see since {self.since:g} s?"
        return f"How many {self.which.plural} did I see since {self.since:g} s?"

    @property
    def program(self) -> Json:
        seen = {"op": "did", "act": "seen", "since": self.since, "of": things(self.which, ever=True)}
        if self.which is not None:
            return {"ask": "count", "of": seen}
        return {"ask": "list", "of": seen, "by": "last_seen", "least": False}
