"""How answers of questions that are functions of their own are said, and what plugins declare of theirs.

Most questions are programs of the algebra and are told by `telling`; what stands here has no program yet. A
question class that is not named here is told by its value alone.
"""

import re
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from situ.english import is_plural
from situ.errors import BadInput
from situ.language.ages import age_in_words
from situ.language.phrasing import DIRECTION_WORDS, listed, metres, upper
from situ.questions.base import Answer, Question
from situ.questions.select import Selector
from situ.state.protocol import SpatialState

YES = "yes"
Json = Any


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

    @property
    def sure(self) -> str:
        return "Yes" if self.value == YES else "No"

    @property
    def ago(self) -> str:
        return age_in_words(self.numbers["age_s"]) if "age_s" in self.numbers else ""


@dataclass(frozen=True)
class Phrase:
    """One way to ask, in the form of a frame's pattern, with the arguments that its words fix."""

    text: str
    fixed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A question class, how its answer is said, and the phrases that a plugin declares for it."""

    question: type[Any]
    say: Callable[[Saying], str]
    phrases: tuple[Phrase, ...] = ()
    asked: Callable[[Any], str] | None = None


KINDS: dict[str, Kind] = {}


def phrase(text: str, **fixed: Any) -> Phrase:
    """A phrase that fixes some arguments of its question."""
    return Phrase(text, fixed)


def declare(
    question: type[Any],
    answers: str,
    say: Callable[[Saying], str],
    *phrases: str | Phrase,
    asked: Callable[[Any], str] | None = None,
) -> Kind:
    """Declare how a question kind is asked and said. In a phrase, (a|b) are alternatives, (a)? or [a] may be
    left out, and {name} is a field for a thing or {place}. `answers` says of what sort they are: a choice, a
    count, a measure, a name, a list, yes/no, a time or a route."""
    made = tuple(phrase(one) if isinstance(one, str) else one for one in phrases)
    for one in made:
        _check(question, one)
    kind = KINDS[question.kind] = Kind(question, say, made, asked)
    return kind


def frames_of_plugins() -> Iterator[dict[str, Json]]:
    """The phrases of declared kinds as rows of the table of frames."""
    for name, kind in KINDS.items():
        for number, one in enumerate(kind.phrases):
            holes = [_FIELD.get(hole, hole) for hole in _SLOT.findall(one.text)]
            yield {
                "name": f"{name} {number}",
                "says": [_pattern(one.text, kind.question)],
                "program": {
                    "ask": "question", "kind": name, **one.fixed, **{hole: f"${hole}" for hole in holes}
                },
            }  # fmt: skip


_SLOT = re.compile(r"\{(\w+)\}")
_FIELD = {"many": "which"}  # slots that are called otherwise than what they fill


def _pattern(text: str, question: type[Any]) -> str:
    """A declared phrase as a pattern of the table: things are noun phrases, "@be" and "@i" its words."""
    text = re.sub(r"(?<![)?\s])\s*\?\s*$", "", text.strip())
    text = text.replace("@be", "<is>").replace("@i", "<i>").replace("(,)?", "[,]")
    parts: list[str] = []
    opened: list[int] = []
    for part in re.findall(r"[()]\??|[^()]+", text):
        if part == "(":
            opened.append(len(parts))
        elif part == ")?" and opened:
            parts[opened.pop()] = "["
            part = "]"
        elif part == ")" and opened:
            opened.pop()
        parts.append(part)
    numbers = _numbers(question)

    def hole(found: re.Match[str]) -> str:
        name = _FIELD.get(found[1], found[1])
        return found[0] if name == "place" else f"{{{name}:{'number' if name in numbers else 'set'}}}"

    return _SLOT.sub(hole, "".join(parts))


def _numbers(question: type[Any]) -> set[str]:
    """The fields that are numbers."""
    hints = typing.get_type_hints(question)
    return {part.name for part in fields(question) if hints[part.name] in (int, float)}


def _check(question: type[Any], one: Phrase) -> None:
    """Refuse a phrase that could never ask the question."""
    hints = typing.get_type_hints(question)
    things = {part.name for part in fields(question) if _is_thing(hints[part.name])}
    slots = {_FIELD.get(name, name) for name in _SLOT.findall(one.text)}
    told = f"the phrase '{one.text}' of the question kind '{question.kind}'"
    if strange := slots - things - _numbers(question) - {"place"}:
        raise BadInput(
            f"{told} has the slot {{{min(strange)}}}; a slot is a field for a thing, of type Selector "
            f"({', '.join(sorted(things)) or 'this kind has none'}), a field for a number, or place"
        )
    bare = {p.name for p in fields(question) if p.default is MISSING and p.default_factory is MISSING}
    if missing := sorted(bare - slots - set(one.fixed)):
        raise BadInput(
            f"{told} says nothing of '{missing[0]}', which the question needs; name it in curly brackets, "
            f"{{{missing[0]}}}, or give the field a default"
        )


def _is_thing(hint: Any) -> bool:
    return hint is Selector or Selector in typing.get_args(hint)


# ---------------------------------------------------------------------- how answers are said
def tell(question: Question, answer: Answer, age_s: float | None, state: SpatialState, unit: str = "") -> str:
    """One sentence for an answer."""
    seen = "" if age_s is None else f", seen {age_in_words(age_s)}"
    said = Saying(question, answer, state, seen, unit)
    if question.kind in KINDS:
        return KINDS[question.kind].say(said)
    own = _OWN.get(question.kind)
    text = f"{upper(said.value)}." if own is None else own(said)
    name = getattr(getattr(question, "which", None), "singular", "")
    if name and is_plural(name):  # "the keys are", "the keys were"
        return re.sub(
            rf"{re.escape(name)} (is|was|has)\b", lambda found: f"{name} {_OF_SEVERAL[found[1]]}", text
        )
    return text


_OF_SEVERAL = {"is": "are", "was": "were", "has": "have"}


_CAN_YOU = {
    "pass through": "can you walk between the {} and the {}", "fit under": "can you walk under the {}",
    "step over": "can you step over the {}", "reach": "can you reach up to the {}",
    "sit on": "can you sit on the {}", "carry through": "can you carry that between the {} and the {}",
}  # fmt: skip


def asked_as(question: Question) -> str:
    """The question in the words of a wearer."""
    kind = KINDS.get(question.kind)
    if question.kind == "affords":
        told: Any = question
        other = "" if told.other is None else told.other.singular
        return _CAN_YOU[told.action].format(told.thing.singular, other)
    words = question.text if kind is None or kind.asked is None else kind.asked(question)
    return f"{words[:1].lower()}{words[1:]}".rstrip("?")


def _has_moved(said: Saying) -> str:
    name, number = said.question.which.singular, int(said.numbers.get("count", 0))
    if said.value != YES:
        return f"No, as far as I know the {name} has not been moved."
    return f"Yes, the {name} was moved{f' {number} times' if number > 1 else ''}."


def _still(said: Saying) -> str:
    name = said.question.which.singular
    if (said.value == YES) != said.question.gone:
        return f"{said.sure}, as far as I know the {name} is still there{said.seen}."
    return f"{said.sure}, the {name} is no longer where I saw it{said.seen}."


_FATES = {
    "moved": "was moved", "gone": "is gone from where I saw it", "in hand": "is in your hands",
    "unchanged": "has not been moved, as far as I know", "back": "was moved and brought back",
}  # fmt: skip


def _happened(said: Saying) -> str:
    return f"The {said.question.which.singular} {_FATES.get(said.value, said.value)}{said.seen}."


def _who(said: Saying) -> str:
    name = said.question.which.singular
    if said.value == "you":
        return f"You moved the {name}."
    return f"Not you: somebody else must have moved the {name}."


def _changes(said: Saying) -> str:
    if said.value == "nothing":
        where = f" in the {said.question.place}" if said.question.place else ""
        return f"Nothing has changed{where}, as far as I know."
    return f"{upper(listed(said.value, ''))}."


def _taken(said: Saying) -> str:
    place = said.question.place or said.question.anchor.singular
    act = "Brought to" if said.question.brought else "Taken from"
    return f"{act} the {place}: {listed(said.value, 'nothing that I know of')}."


def _last(said: Saying) -> str:
    who = "You last moved" if said.question.mine else "Last moved was"
    return f"{who} the {said.value}{f', {said.ago}' if said.ago else ''}."


def _way_to(said: Saying) -> str:
    far = metres(said.numbers["distance_m"], said.unit)
    return f"The {said.question.place} is {DIRECTION_WORDS[said.value]}, {far} away."


def _pair(said: Saying) -> str:
    thing, anchor = said.question.thing.singular, said.question.anchor.singular
    words = {"in front": "in front of", "left": "left of", "right": "right of"}.get(said.value, said.value)
    return f"The {thing} is {words} the {anchor}."


def _in_view(said: Saying) -> str:
    thing, anchor, claim = said.question.thing.singular, said.question.anchor.singular, said.question.claim
    if claim:
        denied = "" if said.value == YES else "not "
        return f"{said.sure}, as you saw them the {thing} was {denied}on the {claim} of the {anchor}."
    return f"As you saw them, the {thing} was on the {said.value} of the {anchor}."


_FLOOR_M = 0.03  # what has less room under it stands on the floor


def _affords(said: Saying) -> str:
    question, allowed = said.question, metres(said.numbers["allowed_m"], said.unit)
    thing = question.thing.singular
    if question.other is not None:
        return (
            f"{said.sure}, the gap between the {thing} and the {question.other.singular} is {allowed} wide."
        )
    free = f"there are {allowed} under the {thing}"
    if said.numbers["allowed_m"] < _FLOOR_M:
        free = f"as far as I know the {thing} reaches down to the floor"
    what = {
        "fit under": free, "step over": f"the {thing} is {allowed} high",
        "reach": f"the {thing} is {allowed} above the floor",
        "sit on": f"the top of the {thing} is {allowed} high",
    }  # fmt: skip
    return f"{said.sure}, {what[question.action]}."


def _fits(said: Saying) -> str:
    would = "would fit" if said.value == YES else "would not fit"
    return f"{said.sure}, the {said.question.first.singular} {would} on the {said.question.second.singular}."


def _apart(said: Saying) -> str:
    pair = f"the {said.question.first.singular} and the {said.question.second.singular}"
    return f"{said.sure}, {pair} are {metres(said.numbers['distance_m'], said.unit)} apart."


def _relative(said: Saying) -> str:
    question, words = said.question, said.value.replace("-", " ")
    return (
        f"From the {question.standing.singular}, facing the {question.facing.singular}, the "
        f"{question.target.singular} is {words}."
    )


def _times_put(said: Saying) -> str:
    number = int(said.answer.value)
    times = {0: "never", 1: "once"}.get(number, f"{number} times")
    return f"You {'have ' * (not number)}put something on the {said.question.anchor.singular} {times}."


_PARTS = {"corner": "in a corner", "side": "along one side", "center": "in the middle"}
_OWN: Mapping[str, Callable[[Saying], str]] = {
    "affords": _affords, "changes": _changes, "fits_on": _fits, "happened_to": _happened,
    "has_moved": _has_moved, "last_moved": _last, "moved_by": _who, "pair_relation": _pair,
    "relative_direction": _relative, "side_in_view": _in_view, "still_there": _still, "taken_away": _taken,
    "times_put": _times_put, "way_to_place": _way_to, "within_reach": _apart,
    "been_here": lambda said: (
        f"Yes, you were here before, {said.ago}." if said.value == YES
        else "No, you are here for the first time."
    ),
    "came_from": lambda said: f"The {said.question.which.singular} was at the {said.value} before.",
    "kinds_on": lambda said: (
        f"{said.value} kinds of things on the {said.question.anchor.singular}, as far as I know."
    ),
    "moved_from_to": lambda said: f"The {said.question.which.singular} was last moved {said.value}.",
    "position_in_place": lambda said: f"You are {_PARTS[said.value]} of the {said.question.place.singular}.",
    "room_size": lambda said: f"The floor is {float(said.answer.value):.1f} square metres.",
    "turn_towards": lambda said: f"To {said.question.name}: {said.value}.",
    "way_back": lambda said: f"{upper(said.value)}; {metres(said.numbers['way_m'], said.unit)} in all.",
}  # fmt: skip
