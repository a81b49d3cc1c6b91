"""How a question kind is asked and answered in words: one declaration for each, and nothing anywhere else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from situ.errors import BadInput
from situ.language.grammar import SLOTS, Pattern
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
    return Phrase(Pattern(text), fixed, needs)


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
    things = {part.name for part in fields(question) if part.type in (Selector, "Selector")}
    for one in made:
        if strange := one.pattern.slots - SLOTS - things:
            raise BadInput(
                f"the phrase '{one.pattern.text}' of the question kind '{question.kind}' has the slot "
                f"{{{min(strange)}}}; a slot is a field for a thing, of type Selector "
                f"({', '.join(sorted(things)) or 'this kind has none'}), or one of {', '.join(sorted(SLOTS))}"
            )
    kind = KINDS[question.kind] = Kind(question, answers, made, say, asked, _cues(cues))
    return kind


def _cues(cues: Sequence[str | Cue]) -> tuple[Cue, ...]:
    return tuple(cue(one) if isinstance(one, str) else one for one in cues)


def asked_as(question: Question) -> str:
    """The question in the words of a wearer."""
    kind = KINDS.get(question.kind)
    return question.text if kind is None or kind.asked is None else kind.asked(question)
