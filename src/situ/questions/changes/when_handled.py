"""What was so when the wearer put a thing down or took it up: within reach, on a piece of furniture, the way
there; and how far apart two things are, as one of two lengths."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.changes.acts import KindsOn
from situ.questions.rules.moves import moves_of
from situ.questions.rules.resting import frames_between, meant
from situ.questions.scene.egocentric import CanReach
from situ.questions.scene.measure import ClosestDistance
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector
from situ.questions.walk.journey import JITTER_S, WayAfter, way_in_words
from situ.state.protocol import SpatialState

BEFORE_S = 1.0  # a moment before a thing was put down it was still in the hands


def last_put(state: SpatialState, which: Selector) -> float:
    """When the wearer last put a thing down."""
    moves = [move for move in moves_of(state, meant(state, which)) if move.by_wearer and not move.in_hand]
    if not moves:
        raise Unanswerable(f"when the {which.singular} was last put down is not known")
    return moves[-1].arrived


@question_kind
@dataclass(frozen=True)
class CouldReach:
    """Whether a thing was within an arm's reach where the wearer last put another down."""

    which: Selector
    anchor: Selector

    kind: ClassVar[str] = "could_reach"
    frame: ClassVar[str] = "the wearer's place when the thing was put down"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.2

    @property
    def text(self) -> str:
        return (
            f"Where I stood when I last put down the {self.anchor.singular}, could I reach the "
            f"{self.which.singular} without taking a step?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        moment = last_put(state, self.anchor)
        then = CanReach(self.which).answer(state.as_of(moment))
        frames = {*then.evidence, *frames_between(state, moment, moment + JITTER_S)}
        return replace(then, evidence=tuple(sorted(frames)))


@question_kind
@dataclass(frozen=True)
class KindsBefore:
    """How many kinds of things were on a piece of furniture before the wearer put a thing down."""

    anchor: Selector
    which: Selector

    kind: ClassVar[str] = "kinds_before"
    frame: ClassVar[str] = "the furniture named, a moment before; no direction is involved"
    margin_unit: ClassVar[str] = "certainty that each thing was there, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return (
            f"Before I last put down the {self.which.singular}, how many different kinds of things were on "
            f"the {self.anchor.singular}?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        return KindsOn(self.anchor).answer(state.as_of(last_put(state, self.which) - BEFORE_S))


@question_kind
@dataclass(frozen=True)
class WayTowards:
    """What the wearer walked past on the way to where a thing was taken up for the last time.

    `choices` are pairs of landmarks: past the first, then past the second.
    """

    which: Selector
    seconds: float
    choices: tuple[tuple[Selector, Selector], ...]

    kind: ClassVar[str] = "way_towards"
    frame: ClassVar[str] = "the landmarks named, in order of time; no direction is involved"
    margin_unit: ClassVar[str] = "metres between how near the best pair was passed and the next"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return (
            f"Which way did I take towards the {self.which.singular}, in the {self.seconds:g} seconds before "
            "I last took it up?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(way_in_words(a, b) for a, b in self.choices)

    def answer(self, state: SpatialState) -> Answer:
        thing = meant(state, self.which)
        moves = [move for move in moves_of(state, thing) if move.by_wearer]
        start = moves[-1].left - self.seconds if moves else -math.inf
        if start < state.path.start:
            raise Unanswerable(
                f"when the {self.which.singular} was taken up is not known, or it was too soon"
            )
        after = WayAfter(self.which, self.seconds, self.choices)
        return after.said_from(state, start, (thing.id,))


@question_kind
@dataclass(frozen=True)
class HowFarApart:
    """Which of two lengths is nearer to the distance between two things."""

    first: Selector
    second: Selector
    metres: tuple[float, float]

    kind: ClassVar[str] = "how_far_apart"
    frame: ClassVar[str] = "the world; closest points of the objects' boxes"
    margin_unit: ClassVar[str] = "share by which the distance is nearer to the one than to the other"
    min_margin: ClassVar[float] = 0.2

    @property
    def text(self) -> str:
        return f"What is the distance between the {self.first.singular} and the {self.second.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"about {length:g} m" for length in self.metres)

    def answer(self, state: SpatialState) -> Answer:
        told = ClosestDistance(self.first, self.second).answer(state)
        gap = max(told.margin, 0.01)
        near, far = (abs(math.log(gap / length)) for length in self.metres)
        best = 0 if near < far else 1
        return Answer(self.options[best], abs(near - far), told.evidence, told.numbers)
