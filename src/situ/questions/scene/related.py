"""What is on, under or beside an object; whether one object is; and how many are."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs.named import Named
from situ.questions.programs.schema import Json
from situ.questions.rules.relations import IN, WORDS
from situ.questions.rules.wearer import WEARER_NOW
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector

_BESIDE = {"op": "rel", "rel": "{relation}", "to": "{anchor}"}


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
        return f"{WORDS[self.relation]} the {self.anchor}"


@question_kind
@dataclass(frozen=True)
class RelatedTo(_Relative):
    """What is on (under, behind, left of ...) an object."""

    kind: ClassVar[str] = "related_to"
    asks = "What is {words}?"
    does: ClassVar[Json] = {"ask": "list", "of": {**_BESIDE, "of": {"op": "things"}}}


@question_kind
@dataclass(frozen=True)
class CountRelated(_Relative):
    """How many objects of a kind are on (under, behind ...) an object."""

    which: Selector

    kind: ClassVar[str] = "count_related"
    asks = "How many {which:plural} are {words}?"
    does: ClassVar[Json] = {"ask": "count", "of": {**_BESIDE, "of": "{which}"}}


@question_kind
@dataclass(frozen=True)
class IsRelated(_Relative):
    """Whether an object of a kind is on (under, behind ...) an object."""

    which: Selector

    kind: ClassVar[str] = "is_related"
    asks = "Is the {which} {words}?"
    offers = (YES, NO)
    does: ClassVar[Json] = {"ask": "exists", "of": {**_BESIDE, "of": "{which}"}}
