"""Kinds of question that are named programs: the words of a benchmark, and the program that answers."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from situ.questions.base import Answer
from situ.questions.programs.evaluator import evaluate
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.programs.table import SURE
from situ.questions.rules.wearer import WEARER_NOW
from situ.state.protocol import SpatialState

if TYPE_CHECKING:
    from situ.questions.select import Selector


class Named(ABC):
    """A question whose answer is that of its program. `whole` is the margin of what nobody doubts, in the
    unit of the kind."""

    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5
    whole: ClassVar[float] = 1.0

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    @property
    @abstractmethod
    def program(self) -> Json:
        """What is asked."""

    def answer(self, state: SpatialState) -> Answer:
        return self.told(evaluate(self.program, state)[0])

    def told(self, result: Result) -> Answer:
        """The result as an answer of the kind."""
        margin = self.whole * min(result.margin / SURE, 1.0)
        return Answer(
            result.value, margin, result.evidence, dict(result.numbers), result.things, dict(result.odds)
        )


def things(which: "Selector", ever: bool = False) -> Json:
    """The set of what words pick out."""
    found: dict[str, Json] = {"op": "things"}
    if which.category is not None:
        found["kind"] = which.category
    if which.attributes:
        found["with"] = dict(which.attributes)
    return {**found, "ever": True} if ever else found
