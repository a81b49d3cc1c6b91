"""What is around the wearer: in a direction, near by, and which thing is the nearest."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.questions.base import question_kind
from situ.questions.programs.evaluator import evaluate
from situ.questions.programs.measures import FAIR_M
from situ.questions.programs.named import Named, OfOne, things
from situ.questions.programs.relations import FAIR_DEG, FAIR_NEAR_M
from situ.questions.programs.run import NoneSeen, Result
from situ.questions.programs.schema import Json
from situ.questions.programs.sets import HERE_OR_UNNAMED
from situ.questions.rules.wearer import heading_now
from situ.questions.scene.view import LEFT, NO, RIGHT, YES
from situ.questions.select import Selector
from situ.state.protocol import SpatialState
from situ.state.viewed import viewed

QUARTERS = ("front", "right", "back", "left")
_WORDS = {"front": "in front of me", "back": "behind me", "left": "on my left", "right": "on my right"}
ANYWHERE = ""
AROUND_M, NEAR_ME_M = 5.0, 2.0
_EDGE_M, _EDGE_DEG = 0.15, 4.0  # nearer to a limit than this a thing may be beyond it
FARTHEST_M = 8.0  # beyond this nobody calls a thing the nearest
SIGHT_M = 30.0  # where nothing is near by, the nearest within this is told: about as far as detectors see
_PROBE_M = 1.5  # from the wearer: where a side was looked at, this was in plain view, in small rooms too
_LOWER_M = 0.3  # than the lens: in the picture also of a head that is held a little up or down


def _checked(direction: str) -> None:
    if direction not in (ANYWHERE, *QUARTERS):
        raise BadInput(f"a direction is one of {', '.join(QUARTERS)}, got {direction!r}")


def _in_sight() -> Json:
    """What is not in hand, and not behind a wall."""
    loose = {"op": "except", "of": things(), "but": {"op": "did", "act": "held"}}
    return {"op": "in", "of": loose, "place": HERE_OR_UNNAMED}


@question_kind
@dataclass(frozen=True)
class Around(Named):
    """What is in a direction from the wearer, or on all sides, within some metres."""

    direction: str = ANYWHERE
    within_m: float = AROUND_M

    kind: ClassVar[str] = "around"
    margin_unit: ClassVar[str] = "how clearly each thing is there or not, 1 where it is fair to ask"
    min_margin: ClassVar[float] = 0.0
    unit: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        _checked(self.direction)

    @property
    def text(self) -> str:
        return f"What is {_WORDS.get(self.direction, 'around me')}?"

    @property
    def program(self) -> Json:
        near = {
            "op": "rel",
            "of": _in_sight(),
            "rel": self.direction or "near",
            "to": "me",
            "m": self.within_m,
        }
        return {"ask": "list", "of": near, "by": "distance"}


def looked_at(state: SpatialState, direction: str) -> float:
    """The share of a side, or of all sides, that was in plain view from close by."""
    here = heading_now(state)
    middles = {"front": 0.0, "right": 90.0, "back": 180.0, "left": -90.0}
    bearings = [middles[direction] + off for off in (-25.0, 25.0)] if direction else list(middles.values())
    seen = 0
    for bearing in bearings:
        x, y, z = here.turned(bearing).moved(_PROBE_M).position
        seen += viewed(state, Box((x, y, z - _LOWER_M), (0.1, 0.1, 0.1)), state.now)
    return seen / len(bearings)


@question_kind
@dataclass(frozen=True)
class NearestThing(Named):
    """The thing nearest to the wearer, on all sides or in one direction."""

    direction: str = ANYWHERE

    kind: ClassVar[str] = "nearest_thing"
    asks = "Which thing is nearest to me?"
    margin_unit: ClassVar[str] = "metres between the nearest and the next"
    min_margin: ClassVar[float] = 0.15
    unit: ClassVar[float] = FAIR_M

    def __post_init__(self) -> None:
        _checked(self.direction)

    @property
    def program(self) -> Json:
        loose = _in_sight()
        if self.direction:
            loose = {"op": "rel", "of": loose, "rel": self.direction, "to": "me"}
        return {"ask": "get", "what": "name", "of": {"op": "top", "of": loose, "by": "distance"}}


@question_kind
@dataclass(frozen=True)
class IsNear(OfOne):
    """Whether an object is near the wearer: at most `near_m` away."""

    near_m: float = 3.0
    far: bool = False  # asked the other way round

    kind: ClassVar[str] = "is_near"
    margin_unit: ClassVar[str] = "metres between the gap and the limit"
    min_margin: ClassVar[float] = 0.3
    unit: ClassVar[float] = FAIR_NEAR_M
    offers = (YES, NO)

    @property
    def text(self) -> str:
        return f"Is {self.one} far away?" if self.far else f"Am I near {self.one}?"

    @property
    def program(self) -> Json:
        near: Json = {"op": "rel", "rel": "near", "to": "me", "m": self.near_m}
        return {"ask": "is", "of": self.one.as_set(), "in": {"op": "not", "of": near} if self.far else near}


@question_kind
@dataclass(frozen=True)
class IsToward(OfOne):
    """Whether an object lies in front, behind, left or right of the wearer: within 60 degrees of it."""

    direction: str = "front"

    kind: ClassVar[str] = "is_toward"
    margin_unit: ClassVar[str] = "degrees to the nearest other quarter"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG
    asks = "Is {one} {words}?"
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "is", "of": "{one}", "in": {"op": "rel", "rel": "{direction}", "to": "me"}}

    def __post_init__(self) -> None:
        super().__post_init__()
        _checked(self.direction)

    @property
    def words(self) -> str:
        return _WORDS[self.direction]


@question_kind
@dataclass(frozen=True)
class SideOfMe(OfOne):
    """On which hand of the wearer an object is, left or right."""

    kind: ClassVar[str] = "side_of_me"
    margin_unit: ClassVar[str] = "degrees to straight ahead or straight behind"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG
    asks = "Is {one} on my left or on my right?"
    offers = (LEFT, RIGHT)
    does: ClassVar[Json] = {"ask": "get", "what": "hand", "of": "{one}"}


@question_kind
@dataclass(frozen=True)
class NearestOne(Named):
    """The direction of the nearest object of a kind that is not in hand, in eight sectors."""

    which: Selector

    kind: ClassVar[str] = "nearest_one"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG
    largest: ClassVar[float] = math.inf
    asks = "Where is the nearest {which}?"
    offers = (*SECTORS, SAME_LOCATION)

    @property
    def program(self) -> Json:
        return self._nearest({"op": "except", "of": things(self.which), "but": {"op": "did", "act": "held"}})

    def result(self, state: SpatialState) -> Result:
        try:
            return super().result(state)
        except NoneSeen:  # the only one is in hand
            return evaluate(self._nearest(things(self.which)), state)[0]

    @staticmethod
    def _nearest(of: Json) -> Json:
        return {"ask": "get", "what": "way", "of": {"op": "top", "of": of, "by": "distance"}}
