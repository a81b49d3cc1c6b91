"""How many, and which are more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import Answer, question_kind
from situ.questions.rules.tally import Tally, surest
from situ.questions.select import Selector
from situ.state.protocol import LIKELY, Candidate, SpatialState
from situ.state.sightings import Recalled

EQUAL = "equal"


@question_kind
@dataclass(frozen=True)
class Count:
    """How many of the objects seen so far match."""

    which: Selector

    kind: ClassVar[str] = "count"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"How many different {self.which.plural} did we see in total?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = state.candidates(self.which)
        chances = [thing.chance for thing in found]
        tally = Tally(chances)
        counted = surest(found, chances, tally.value)
        frames, numbers = clearest_frames(counted), {"count": tally.value}
        return Answer(tally.value, certainty(found), frames, numbers, ids(counted), tally.odds)


@question_kind
@dataclass(frozen=True)
class Compare:
    """Which of two kinds of object has more members among those seen so far."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "compare"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        first, second = self.first.plural, self.second.plural
        return f"Did we see more {first} or more {second}, or equally many of both?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.plural, self.second.plural, EQUAL)

    def answer(self, state: SpatialState) -> Answer:
        found = [state.candidates(which) for which in (self.first, self.second)]
        chances = [[thing.chance for thing in things] for things in found]
        one, two = (Tally(each) for each in chances)
        more, equal = one.more_than(two)
        shares = {
            self.first.plural: more,
            self.second.plural: 1.0 - more - equal,
            EQUAL: equal,
        }
        # Equal numbers are what a glimpse leaves open, so they give way to nothing as likely.
        value = max((EQUAL, self.first.plural, self.second.plural), key=lambda name: shares[name])
        counted = [
            *surest(found[0], chances[0], one.value),
            *surest(found[1], chances[1], two.value),
        ]
        return Answer(
            value,
            certainty([*found[0], *found[1]]),
            clearest_frames(counted),
            {"first": one.value, "second": two.value},
            ids(counted),
            shares,
        )


def certainty(found: Sequence[Candidate] | Sequence[Recalled]) -> float:
    """How clear it is of each thing whether it counts, of the least clear one: 0 to 1."""
    return min((abs(thing.chance - LIKELY) * 2 for thing in found), default=1.0)


def ids(found: Iterable[Candidate]) -> tuple[int, ...]:
    return tuple(thing.id for thing in found)


def clearest_frames(found: Iterable[Candidate]) -> tuple[int, ...]:
    """For each thing the first frame that shows it clearly."""
    frames = set()
    for thing in found:
        first = next((s.frame for s in thing.seen if s.clarity == 1.0), None)
        if first is not None:
            frames.add(first)
    return tuple(sorted(frames))
