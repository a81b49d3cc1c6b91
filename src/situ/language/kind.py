"""How a question kind is asked and answered in words: one declaration for each, and nothing anywhere else."""

import importlib
import re
import typing
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Literal

from situ.errors import BadInput
from situ.language.grammar import Pattern
from situ.language.slots import SLOTS, THINGS
from situ.questions.base import Answer, Question
from situ.questions.select import Selector
from situ.state.protocol import SpatialState

AnswerType = Literal["choice", "count", "measure", "name", "list", "yes/no", "time", "route"]


@dataclass(frozen=True)
class Phrase:
    """One way to ask, with the arguments that its words fix. `needs` names what else the sentence must say:
    a moment ("time"), a span ("since"), the place before ("moved"), options to choose from ("options")."""

    pattern: Pattern
    fixed: Mapping[str, Any] = field(default_factory=dict)
    needs: str = ""


def phrase(text: str, needs: str = "", **fixed: Any) -> Phrase:
    """A question mark at the end is the question's own, unless it follows a bracket."""
    return Phrase(Pattern(_ENDING.sub("", text)), fixed, needs)


_ENDING = re.compile(r"(?<![)?\s])\s*\?\s*$")


@dataclass(frozen=True)
class Cue:
    """What a sentence must hold to ask a question, in any order: concepts and names. `may` is what else it
    may hold; `bars` what it must not."""

    needs: frozenset[str]
    may: frozenset[str]
    bars: frozenset[str]
    fixed: Mapping[str, Any] = field(default_factory=dict)


def cue(text: str, **fixed: Any) -> Cue:
    """A cue from its words: `+` before what may be there, `-` before what must not."""
    words = [word.replace("_", " ") for word in text.split(" ")]
    return Cue(
        frozenset(word for word in words if word[0] not in "+-"),
        frozenset(word[1:] for word in words if word[0] == "+"),
        frozenset(word[1:] for word in words if word[0] == "-"),
        fixed,
    )


@dataclass(frozen=True)
class Saying:
    """All that an answer is put into words from. `seen` is such as ", seen 2 minutes ago"."""

    question: Any
    answer: Answer
    state: SpatialState
    seen: str = ""
    unit: str = ""

    @property
    def value(self) -> str:
        return str(self.answer.value)

    @property
    def numbers(self) -> Mapping[str, float]:
        return self.answer.numbers or {}


@dataclass(frozen=True)
class Kind:
    """A question class, the type of its answers, the phrases that ask it, and how an answer is said.

    `asked` puts the question itself into words, where its own text is that of a benchmark. `cues` read a
    sentence that none of the phrases fits.
    """

    question: type[Any]
    answers: AnswerType
    phrases: tuple[Phrase, ...]
    say: Callable[[Saying], str]
    asked: Callable[[Any], str] | None = None
    cues: tuple[Cue, ...] = ()


KINDS: dict[str, Kind] = {}


def declare(
    question: type[Any],
    answers: AnswerType,
    say: Callable[[Saying], str],
    *phrases: str | Phrase,
    asked: Callable[[Any], str] | None = None,
    cues: Sequence[str | Cue] = (),
    needs: str = "",
) -> Kind:
    """Declare how a question kind is asked and said. Phrases that stand first are tried first; `needs`
    holds for all that are given as words alone."""
    made = tuple(phrase(one, needs) if isinstance(one, str) else one for one in phrases)
    for one in made:
        _check(question, one)
    if not question.__module__.startswith("situ."):
        importlib.import_module("situ.language.kinds")  # those of this package come first, whenever this is
    kind = KINDS[question.kind] = Kind(question, answers, made, say, asked, _cues(cues))
    return kind


def _check(question: type[Any], one: Phrase) -> None:
    """Refuse a phrase that could never ask the question."""
    hints = typing.get_type_hints(question)
    things = {part.name for part in fields(question) if _is_thing(hints[part.name])}
    told = f"the phrase '{one.pattern.text}' of the question kind '{question.kind}'"
    if strange := one.pattern.slots - SLOTS - things:
        raise BadInput(
            f"{told} has the slot {{{min(strange)}}}; a slot is a field for a thing, of type Selector "
            f"({', '.join(sorted(things)) or 'this kind has none'}), or one of {', '.join(sorted(SLOTS))}"
        )
    known = {part.name for part in fields(question)}
    filled = {name for slot in one.pattern.slots for name in fields_of(slot, known)} | set(one.fixed) | _TIMES
    if "options" in one.needs:
        filled |= known
    if missing := sorted(set(needed(question)) - filled):
        raise BadInput(
            f"{told} says nothing of '{missing[0]}', which the question needs; name it in curly brackets, "
            f"{{{missing[0]}}}, or give the field a default"
        )


_TIMES = {"since", "time"}  # what a sentence says of time is taken out before phrases are tried


def _is_thing(hint: Any) -> bool:
    return hint is Selector or Selector in typing.get_args(hint)


def arguments_of(question: Any) -> frozenset[str]:
    """All arguments of a question's class, by name."""
    return _arguments(question)[0]


def needed(question: Any) -> tuple[str, ...]:
    """The arguments without which a question cannot be made."""
    return _arguments(question)[1]


@cache
def _arguments(question: Any) -> tuple[frozenset[str], tuple[str, ...]]:
    parts = fields(question)
    bare = tuple(p.name for p in parts if p.default is MISSING and p.default_factory is MISSING)
    return frozenset(p.name for p in parts), bare


def fields_of(slot: str, known: Set[str]) -> tuple[str, ...]:
    """The fields that a slot fills."""
    if slot in ("about", "bare"):
        return ("which", "relation", "anchor")
    if slot in ("goal", "room"):
        return ("place",)
    if slot in ("many", "things"):
        return ("which",)
    if slot in THINGS and slot not in known:
        return ("place" if slot == "anchor" else "which",)
    return (slot,)


def _cues(cues: Sequence[str | Cue]) -> tuple[Cue, ...]:
    return tuple(cue(one) if isinstance(one, str) else one for one in cues)


def asked_as(question: Question) -> str:
    """The question in the words of a wearer."""
    kind = KINDS.get(question.kind)
    return question.text if kind is None or kind.asked is None else kind.asked(question)
