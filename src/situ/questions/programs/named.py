"""Kinds of question that are named programs: data that says the words, the program and from when it is fair.

A kind is a frozen dataclass whose fields are its arguments. In its `asks`, `offers` and `does` "{field}" is
the value of a field: in words the name of an object, in a program the set of what the words pick out,
"{field:ever}" with what has gone. What is None or no text is left out of the program.
"""

import math
import re
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Any, ClassVar

from situ.errors import BadInput
from situ.questions.base import Answer
from situ.questions.programs.evaluator import evaluate
from situ.questions.programs.parser import parse_set
from situ.questions.programs.run import Result, Run
from situ.questions.programs.schema import Json
from situ.questions.programs.true_worlds import worlds_of
from situ.questions.programs.world import World
from situ.questions.rules.moves import view_of
from situ.questions.rules.relations import IN, WORDS
from situ.questions.rules.wearer import WEARER_NOW
from situ.questions.select import Phrase, Selector
from situ.state.protocol import ObjectView, SpatialState

_WORDED = {"text": "", "plural": "plural"}  # holes of a program that are words
_HOLE = re.compile(r"\{(\w+)(?::(\w+))?\}")


class Named(ABC):
    """A question whose answer is that of its program. `unit` is one fair unit of its margin in the
    `margin_unit` of the kind, `largest` the margin of what nobody doubts, `calls` what numbers of the program
    are called by the kind."""

    kind: ClassVar[str]
    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5
    unit: ClassVar[float] = 0.5
    largest: ClassVar[float] = 1.0
    calls: ClassVar[Mapping[str, str]] = {}
    asks: ClassVar[str] = ""
    offers: ClassVar[tuple[str, ...]] = ()
    does: ClassVar[Json] = None

    @property
    def text(self) -> str:
        """The question in words."""
        return self._worded(self.asks)

    @property
    def options(self) -> tuple[str, ...]:
        """The closed set of answers; empty when the answer is open."""
        return tuple(self._worded(one) for one in self.offers)

    @property
    def program(self) -> Json:
        """What is asked."""
        return self._filled(self.does)

    def _worded(self, words: str) -> str:
        fields = _fields(words)
        return words.format(**{name: getattr(self, name) for name in fields}) if fields else words

    def _filled(self, part: Json) -> Json:
        if isinstance(part, dict):
            parts = {key: self._filled(one) for key, one in part.items()}
            return {key: one for key, one in parts.items() if one not in (None, "")}
        if isinstance(part, list):
            return [self._filled(one) for one in part]
        hole = _HOLE.fullmatch(part) if isinstance(part, str) else None
        if hole is None:
            return self._worded(part) if isinstance(part, str) else part
        return _as_program(getattr(self, hole[1]), hole[2] or "")

    def answer(self, state: SpatialState) -> Answer:
        return self.told(self.result(state))

    def result(self, state: SpatialState) -> Result:
        """What the program answers."""
        return evaluate(self.program, state)[0]

    def told(self, result: Result) -> Answer:
        """The result as an answer of the kind."""
        numbers = {self.calls.get(name, name): number for name, number in result.numbers.items()}
        margin = min(self.unit * result.margin, self.largest)
        return Answer(result.value, margin, result.evidence, numbers, result.things, dict(result.odds))


@cache
def _fields(words: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in Formatter().parse(words) if name)


def _as_program(value: Any, how: str) -> Json:
    """A field as a part of a program."""
    if isinstance(value, Selector) and how in _WORDED:
        return f"{value:{_WORDED[how]}}"
    if isinstance(value, One):
        return value.as_set(ever=how == "ever")
    if isinstance(value, Phrase):
        return with_gone(value.of) if how == "ever" else value.of
    if isinstance(value, Selector):
        return things(value, ever=how == "ever")
    if isinstance(value, tuple):
        return [_as_program(one, how) for one in value]
    return value


class Raw(Named):
    """A kind whose program states its margin in the kind's own unit."""

    unit: ClassVar[float] = 1.0
    largest: ClassVar[float] = math.inf


@dataclass(frozen=True)
class One:
    """The one object that some words mean: "the cup on the desk", "the cup in the kitchen"."""

    which: Selector
    relation: str = ""
    anchor: Selector | None = None

    def __str__(self) -> str:
        if self.anchor is None:
            return f"the {self.which.singular}"
        return f"the {self.which.singular} {WORDS[self.relation]} the {self.anchor.singular}"

    def __format__(self, spec: str) -> str:
        return str(self)

    def as_set(self, ever: bool = False) -> Json:
        """The set of what the words pick out; with `ever`, of what has gone, too."""
        found = things(self.which, ever)
        if self.anchor is None:
            return found
        if self.relation == IN:
            return {"op": "in", "of": found, "place": self.anchor.category}
        return {"op": "rel", "of": found, "rel": self.relation, "to": things(self.anchor)}


@dataclass(frozen=True)
class OfOne(Named, ABC):
    """A question about the one object that some words mean; `relation` and `anchor` say which: "the cup on
    the desk". What it is "in" is a place, whose name is the category of the anchor."""

    which: Selector
    relation: str = ""
    anchor: Selector | None = None

    largest: ClassVar[float] = math.inf

    def __post_init__(self) -> None:
        if self.relation not in ("", *WORDS) or bool(self.relation) != (self.anchor is not None):
            words = tuple(WORDS)
            raise BadInput(f"a relation is one of {words} and needs an anchor; got {self.relation!r}")

    @property
    def one(self) -> One:
        return One(self.which, self.relation, self.anchor)

    @property
    def name(self) -> str:
        return str(self.one)


def with_gone(of: Json) -> Json:
    """The same objects, those that are gone by now too."""
    if of["op"] == "things":
        return {**of, "ever": True}
    if of["op"] in ("or", "and"):
        return {**of, "of": [with_gone(one) for one in of["of"]]}
    return {**of, "of": with_gone(of["of"])} if isinstance(of.get("of"), dict) and of["op"] != "not" else of


def things(which: Selector | None = None, ever: bool = False) -> Json:
    """The set of what words pick out."""
    found: dict[str, Json] = {"op": "things"}
    if which is not None and which.category is not None:
        found["kind"] = which.category
    if which is not None and which.attributes:
        found["with"] = dict(which.attributes)
    return {**found, "ever": True} if ever else found


def one_object(state: SpatialState, which: Selector) -> ObjectView:
    """The one object that words pick out; of several that a belief holds, the one that is meant."""
    found = World(Run(worlds_of(state)), 0).only(parse_set(things(which)))
    return view_of(state, found.id) or found
