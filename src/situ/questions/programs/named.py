"""Kinds of question that are named programs: the words of a benchmark, and the program that answers."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from situ.questions.base import Answer
from situ.questions.programs.evaluator import evaluate
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.rules.about import About
from situ.questions.rules.wearer import WEARER_NOW
from situ.state.protocol import SpatialState

if TYPE_CHECKING:
    from situ.questions.select import Selector


class Named(ABC):
    """A question whose answer is that of its program. `unit` is one fair unit of its margin in the
    `margin_unit` of the kind, `largest` that of what nobody doubts, `calls` what numbers of the program
    are called by the kind."""

    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5
    unit: ClassVar[float] = 0.5
    largest: ClassVar[float] = 1.0
    calls: ClassVar[Mapping[str, str]] = {}

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    @property
    @abstractmethod
    def program(self) -> Json:
        """What is asked."""

    def answer(self, state: SpatialState) -> Answer:
        return self.told(self.result(state))

    def result(self, state: SpatialState) -> Result:
        return evaluate(self.program, state)[0]

    def told(self, result: Result) -> Answer:
        """The result as an answer of the kind."""
        numbers = {self.calls.get(name, name): number for name, number in result.numbers.items()}
        margin = min(self.unit * result.margin, self.largest)
        return Answer(result.value, margin, result.evidence, numbers, result.things, dict(result.odds))


@dataclass(frozen=True)
class OfOne(About, Named, ABC):
    """A question about the one thing that some words mean."""

    largest: ClassVar[float] = math.inf

    def one(self, ever: bool = False) -> Json:
        """The set of what the words pick out; with `ever`, of what has gone, too."""
        found = things(self.which, ever)
        if self.anchor is None:
            return found
        if self.relation == "in":
            return {"op": "in", "of": found, "place": self.anchor.category}
        return {"op": "rel", "of": found, "rel": self.relation, "to": things(self.anchor)}


def things(which: "Selector | None" = None, ever: bool = False) -> Json:
    """The set of what words pick out."""
    found: dict[str, Json] = {"op": "things"}
    if which is not None and which.category is not None:
        found["kind"] = which.category
    if which is not None and which.attributes:
        found["with"] = dict(which.attributes)
    return {**found, "ever": True} if ever else found
