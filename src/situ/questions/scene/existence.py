"""Whether there is such a thing, where all of them are, what it looks like, and what was seen lately."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named, OfOne, things
from situ.questions.programs.schema import Json
from situ.questions.rules.landmarks import chance, spot_of, there
from situ.questions.rules.listing import SEPARATOR
from situ.questions.rules.moves import sure_of
from situ.questions.rules.places import Places
from situ.questions.rules.wearer import last_frames
from situ.questions.scene.counting import certainty, ids
from situ.questions.scene.egocentric import WhereFromHere
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector, with_article
from situ.state.protocol import Candidate, SpatialState

COLOUR, MATERIAL = "color", "material"
LOOKS = (COLOUR, MATERIAL)
HEIGHT, WIDTH, LONGEST = "height", "width", "longest"
SIDES = (LONGEST, HEIGHT, WIDTH)

UNNAMED = "in a place without a name"


@question_kind
@dataclass(frozen=True)
class Exists(Named):
    """Whether a thing of a kind was seen, or is still there, if `now`."""

    which: Selector
    now: bool = False

    kind: ClassVar[str] = "exists"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that it counts, 0 to 1"

    @property
    def text(self) -> str:
        name = with_article(self.which.singular)
        return f"Is there {name}?" if self.now else f"Have I seen {name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def program(self) -> Json:
        return {"ask": "exists", "of": things(self.which, ever=not self.now)}


@question_kind
@dataclass(frozen=True)
class AllOf:
    """Where every thing of a kind is, by furniture and room."""

    which: Selector

    kind: ClassVar[str] = "all_of"
    frame: ClassVar[str] = "furniture and rooms; no direction is involved"
    margin_unit: ClassVar[str] = "certainty that each counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"Where are all the {self.which.plural}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = there(state, self.which)
        if not found:
            raise Unanswerable(f"I know of no {self.which.singular} that is still there")
        Places.of(state).expect(thing.view.box.center for thing in found)
        spots = [spot_of(state, thing.view.box, thing.id) for thing in found]
        named = Counter(spot.words or UNNAMED for spot in spots)
        words = SEPARATOR.join(f"{n} {spot}" for spot, n in named.most_common())
        sure = _mean_chance(found) * _placed(state, found) * min(spot.sure for spot in spots)
        numbers, odds = {"count": len(found)}, sure_of(words, sure)
        return Answer(words, certainty(found), last_frames(found[:8]), numbers, ids(found), odds)


@question_kind
@dataclass(frozen=True)
class LooksLike(Named):
    """The colour or the material of a thing."""

    which: Selector
    attribute: str = COLOUR
    relation: str = ""
    anchor: Selector | None = None

    kind: ClassVar[str] = "looks_like"
    frame: ClassVar[str] = "the thing itself"
    margin_unit: ClassVar[str] = "1 if all things of the name agree"

    def __post_init__(self) -> None:
        if self.attribute not in LOOKS:
            raise BadInput(f"the attribute is one of {', '.join(LOOKS)}, got {self.attribute!r}")

    @property
    def text(self) -> str:
        word = "colour" if self.attribute == COLOUR else self.attribute
        return f"What {word} is {self._one.name}?"

    @property
    def _one(self) -> OfOne:
        return WhereFromHere(self.which, self.relation, self.anchor)

    @property
    def program(self) -> Json:
        return {"ask": "get", "what": self.attribute, "of": self._one.one(ever=True)}


@question_kind
@dataclass(frozen=True)
class SizeOf(Named):
    """A side of a thing in whole centimetres: the longest, its height, or its width on the ground."""

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

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise BadInput(f"the side is one of {', '.join(SIDES)}, got {self.side!r}")

    @property
    def text(self) -> str:
        word = {LONGEST: "big", HEIGHT: "tall", WIDTH: "wide"}[self.side]
        return f"How {word} is {self._one.name}?"

    @property
    def _one(self) -> OfOne:
        return WhereFromHere(self.which, self.relation, self.anchor)

    @property
    def program(self) -> Json:
        what = "size" if self.side == LONGEST else self.side
        return {"ask": "get", "what": what, "of": self._one.one(ever=True)}


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


def _placed(state: SpatialState, found: Sequence[Candidate]) -> float:
    """How likely the least sure of some things is in the room that it is said to be in."""
    located = Places.of(state).locate([thing.view.box.center for thing in found])
    return float(located.surely.min(initial=1.0))


def _mean_chance(found: Sequence[Candidate]) -> float:
    """How likely one of some things is what and where it is said to be."""
    return sum(chance([thing]) for thing in found) / len(found) if found else 1.0
