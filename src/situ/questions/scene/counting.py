"""How many, and which are more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Named, things
from situ.questions.programs.schema import Json
from situ.questions.select import Selector
from situ.state.protocol import LIKELY, Candidate

EQUAL = "equal"


@question_kind
@dataclass(frozen=True)
class Count(Named):
    """How many of the objects seen so far match."""

    which: Selector

    kind: ClassVar[str] = "count"
    frame: ClassVar[str] = "everything seen so far"

    @property
    def text(self) -> str:
        return f"How many different {self.which.plural} did we see in total?"

    @property
    def program(self) -> Json:
        return {"ask": "count", "of": things(self.which, ever=True)}


@question_kind
@dataclass(frozen=True)
class Compare(Named):
    """Which of two kinds of object has more members among those seen so far."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "compare"
    frame: ClassVar[str] = "everything seen so far"

    @property
    def text(self) -> str:
        first, second = self.first.plural, self.second.plural
        return f"Did we see more {first} or more {second}, or equally many of both?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.plural, self.second.plural, EQUAL)

    @property
    def program(self) -> Json:
        sets = [things(which, ever=True) for which in (self.first, self.second)]
        return {"ask": "compare", "of": sets, "names": [self.first.plural, self.second.plural]}


def certainty(found: Sequence[Candidate]) -> float:
    """How clear it is of each thing whether it counts, of the least clear one: 0 to 1."""
    return min((abs(thing.chance - LIKELY) * 2 for thing in found), default=1.0)


def ids(found: Iterable[Candidate]) -> tuple[int, ...]:
    return tuple(thing.id for thing in found)
