"""What is on, under or beside a thing; whether one thing is; and how many are."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs.named import Named, things
from situ.questions.programs.schema import Json
from situ.questions.rules.relations import IN, WORDS
from situ.questions.rules.wearer import WEARER_NOW
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector


@dataclass(frozen=True)
class _Relative(Named):
    """A question about what stands in a relation to an anchor; of several anchors all count."""

    relation: str
    anchor: Selector

    frame: ClassVar[str] = f"the two things; behind, in front, left and right are for {WEARER_NOW}"
    margin_unit: ClassVar[str] = "how clearly each thing stands so or not, 1 where it is fair to ask"
    unit: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        if self.relation not in WORDS or self.relation == IN:
            raise BadInput(f"a relation is one of {', '.join(WORDS)}, got {self.relation!r}")

    @property
    def words(self) -> str:
        return f"{WORDS[self.relation]} the {self.anchor.singular}"

    def beside(self, which: Selector | None = None) -> Json:
        """What stands in the relation to any of the anchors."""
        return {"op": "rel", "of": things(which), "rel": self.relation, "to": things(self.anchor)}


@question_kind
@dataclass(frozen=True)
class RelatedTo(_Relative):
    """What is on (under, behind, left of ...) a thing."""

    kind: ClassVar[str] = "related_to"

    @property
    def text(self) -> str:
        return f"What is {self.words}?"

    @property
    def program(self) -> Json:
        return {"ask": "list", "of": self.beside()}


@question_kind
@dataclass(frozen=True)
class CountRelated(_Relative):
    """How many things of a kind are on (under, behind ...) a thing."""

    which: Selector

    kind: ClassVar[str] = "count_related"

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are {self.words}?"

    @property
    def program(self) -> Json:
        return {"ask": "count", "of": self.beside(self.which)}


@question_kind
@dataclass(frozen=True)
class IsRelated(_Relative):
    """Whether a thing of a kind is on (under, behind ...) a thing."""

    which: Selector

    kind: ClassVar[str] = "is_related"

    @property
    def text(self) -> str:
        return f"Is the {self.which.singular} {self.words}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def program(self) -> Json:
        return {"ask": "exists", "of": self.beside(self.which)}
