"""Whether there is such a thing, where all of them are, what it looks like, and what was seen lately."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.questions.base import Answer, Value, question_kind
from situ.questions.rules.about import About
from situ.questions.rules.landmarks import chance, spot_of, there
from situ.questions.rules.listing import NOTHING, SEPARATOR, in_words
from situ.questions.rules.moves import begin, sure_of
from situ.questions.rules.places import Places
from situ.questions.rules.resting import meant
from situ.questions.rules.wearer import WEARER_NOW, last_frame, last_frames
from situ.questions.scene.counting import certainty, clearest_frames, ids
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector, with_article
from situ.state.protocol import Candidate, ObjectView, SpatialState
from situ.state.sightings import recalled

COLOUR, MATERIAL = "color", "material"
_SPELLINGS = {COLOUR: (COLOUR, "colour"), MATERIAL: (MATERIAL,)}
_SQUARE = 0.6
HEIGHT, WIDTH, LONGEST = "height", "width", "longest"
SIDES = (LONGEST, HEIGHT, WIDTH)

UNNAMED = "in a place without a name"


@question_kind
@dataclass(frozen=True)
class Exists:
    """Whether a thing of a kind was seen, or is still there, if `now`."""

    which: Selector
    now: bool = False

    kind: ClassVar[str] = "exists"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that it counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        name = with_article(self.which.singular)
        return f"Is there {name}?" if self.now else f"Have I seen {name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        things = state.candidates(self.which)
        found = [thing for thing in things if (thing.left if self.now else thing.likely)]
        best = max((c.chance * (c.remains if self.now else 1.0) for c in things), default=0.0)
        frames, numbers = clearest_frames(found[:4]), {"count": len(found)}
        value = YES if found else NO
        return Answer(value, certainty(things), frames, numbers, ids(found), {YES: best, NO: 1.0 - best})


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
class PlacesWith:
    """The named places that hold a thing of a kind; if `most`, the one that holds most of them."""

    which: Selector
    most: bool = False

    kind: ClassVar[str] = "places_with"
    frame: ClassVar[str] = "the places that the wearer was told the names of"
    margin_unit: ClassVar[str] = "certainty that each counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        if self.most:
            return f"Which room has the most {self.which.plural}?"
        return f"Which rooms have {with_article(self.which.singular)}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = there(state, self.which)
        rooms = Counter(Places.of(state).tags_of([c.view.box.center for c in found]) if found else ())
        rooms.pop("", None)
        if self.most:
            rooms = Counter({room: n for room, n in rooms.items() if n == max(rooms.values())})
        words = SEPARATOR.join(f"the {room}" for room, _ in rooms.most_common()) or NOTHING
        sure = _mean_chance(found) * _placed(state, found)
        numbers = {"count": len(rooms), "each": max(rooms.values(), default=0)}
        odds = sure_of(words, sure)
        return Answer(words, 1.0, last_frames(found[:8]), numbers, ids(found), odds)


def _about(question: "LooksLike | SizeOf") -> About:
    return About(question.which, question.relation, question.anchor)


@question_kind
@dataclass(frozen=True)
class LooksLike:
    """The colour or the material of a thing."""

    which: Selector
    attribute: str = COLOUR
    relation: str = ""
    anchor: Selector | None = None

    kind: ClassVar[str] = "looks_like"
    frame: ClassVar[str] = "the thing itself"
    margin_unit: ClassVar[str] = "1 if all things of the name agree"
    min_margin: ClassVar[float] = 0.5

    def __post_init__(self) -> None:
        if self.attribute not in _SPELLINGS:
            raise BadInput(f"the attribute is one of {', '.join(_SPELLINGS)}, got {self.attribute!r}")

    @property
    def text(self) -> str:
        word = "colour" if self.attribute == COLOUR else self.attribute
        return f"What {word} is {_about(self).name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = _about(self).named(state)
        values = Counter(value for thing in found if (value := self._value(thing.view)))
        if not values:
            raise Unanswerable(f"I do not know what {self.attribute} the {self.which.singular} is")
        agreed = len(values) == 1
        words = values.most_common(1)[0][0] if agreed else " and ".join(sorted(values))
        odds = sure_of(words, max(thing.chance for thing in found))
        return Answer(words, float(agreed), clearest_frames(found[:4]), {}, ids(found), odds)

    def _value(self, view: ObjectView) -> str:
        return next((view.attributes[k] for k in _SPELLINGS[self.attribute] if k in view.attributes), "")


@question_kind
@dataclass(frozen=True)
class SizeOf:
    """A side of a thing in whole centimetres: the longest, its height, or its width on the ground."""

    which: Selector
    side: str = LONGEST
    relation: str = ""
    anchor: Selector | None = None

    kind: ClassVar[str] = "size_of"
    frame: ClassVar[str] = "the thing's own box"
    margin_unit: ClassVar[str] = "centimetres"
    min_margin: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise BadInput(f"the side is one of {', '.join(SIDES)}, got {self.side!r}")

    @property
    def text(self) -> str:
        word = {LONGEST: "big", HEIGHT: "tall", WIDTH: "wide"}[self.side]
        return f"How {word} is {_about(self).name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def _turned(self, width: float, depth: float, metres: float) -> float:
        """How likely a side is as long as the box around it. A box along the axes around a thing that stands
        askew is too wide, and then it is nearly square."""
        square = min(width, depth) > _SQUARE * max(width, depth)
        return 0.7 if square and metres == max(width, depth) else 1.0

    def answer(self, state: SpatialState) -> Answer:
        view = meant(state, self.which) if self.anchor is None else _about(self).named(state)[0].view
        width, depth, height = view.box.size
        metres = {LONGEST: max(view.box.size), HEIGHT: height, WIDTH: max(width, depth)}[self.side]
        numbers = {"side_m": metres, "width_m": width, "depth_m": depth, "height_m": height}
        value = round(100 * metres)
        odds = sure_of(value, view.presence * self._turned(width, depth, metres))
        return Answer(value, 100 * metres, last_frame(state, view.id), numbers, (view.id,), odds)


@question_kind
@dataclass(frozen=True)
class SeenSince:
    """What was in view since a time, in the order of the last sighting; or how many of a kind were."""

    since: float
    which: Selector | None = None

    kind: ClassVar[str] = "seen_since"
    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "certainty that each counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        if self.which is None:
            return f"What did I see since {self.since:g} s?"
        return f"How many {self.which.plural} did I see since {self.since:g} s?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = recalled(state, self.which or Selector(), begin(self.since))
        value: Value = in_words(found) if self.which is None else len(found)
        odds = sure_of(value, sum(thing.chance for thing in found) / len(found) if found else 1.0)
        frames = tuple(sorted({thing.frame for thing in found[:8]}))
        things = tuple(thing.id for thing in found)
        return Answer(value, certainty(found), frames, {"count": len(found)}, things, odds)


def _placed(state: SpatialState, found: Sequence[Candidate]) -> float:
    """How likely the least sure of some things is in the room that it is said to be in."""
    located = Places.of(state).locate([thing.view.box.center for thing in found])
    return float(located.surely.min(initial=1.0))


def _mean_chance(found: Sequence[Candidate]) -> float:
    """How likely one of some things is what and where it is said to be."""
    return sum(chance([thing]) for thing in found) / len(found) if found else 1.0
