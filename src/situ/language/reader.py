"""The slots of a phrase turned into the arguments of a question."""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from situ.language.english import COMMON
from situ.language.function_words import decisive_in, meant_by
from situ.language.kind import Kind, Phrase, arguments_of, fields_of, needed
from situ.language.slots import CLOSED, LISTS, NUMBER_WORDS, NUMBERS, RELATIONS, THINGS, closed_words
from situ.language.times import GLANCE_S, RECENT_S, Clock, When
from situ.language.vocabulary import HERE, Ambiguous, NotSeen, Vocabulary
from situ.language.words import SUPERLATIVES, singular, without_articles
from situ.questions import WhereFromHere
from situ.questions.base import Question
from situ.questions.changes.between_visits import Claim
from situ.questions.changes.fates import Change
from situ.questions.rules.relations import IN, INSIDE
from situ.questions.select import Selector

_IGNORED = frozenset({"words"})
_PRONOUNS = frozenset(
    {
        "it",
        "they",
        "them",
        "that",
        "this",
        "one",
        "those",
        "these",
        "something",
        "anything",
        "there",
        "i",
        "we",
        "me",
        "you",
    }
)
_NEVER_WORDS = """
there any is are was were what where which how when who do does did have has had i me we you it since exist
exists moved been not many
"""
_NEVER_IN_NAMES = frozenset(_NEVER_WORDS.split())
_LINKS = re.compile(
    r" (?:that|which) (?:is|are|was|were|i (?:put|left)|lies|stands) | (?:lying|standing|sitting|placed|"
    r"left) "
)


_SEVERAL = re.compile(r"(?:all|every|each)(?: of)? ")


_CLAIMS: dict[Change, re.Pattern[str]] = {
    "moved": re.compile(r"(?:the|a|an) (.+) was moved"),
    "added": re.compile(r"(?:the|a|an) (.+) was added"),
    "removed": re.compile(r"(?:the|a|an) (.+) was taken away"),
    "swapped": re.compile(r"the (.+) and the (.+) changed places"),
}


class NoFit(Exception):
    """The words fit the phrase but do not mean what it asks."""


class Unused(NoFit):
    """A reading would leave out a word that turns the meaning round."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True)
class Reader:
    """Names by a vocabulary, times by a clock, choices by the options given."""

    vocabulary: Vocabulary
    when: When
    clock: Clock
    options: tuple[str, ...] = ()

    def may(self, needs: str) -> bool:
        """Whether the sentence says what a phrase needs."""
        if self.when.moved and "moved" not in needs:  # "before it was moved" is left to those who know it
            return False
        return not needs or all(self._has.get(need, False) for need in needs.split())

    @cached_property
    def _has(self) -> dict[str, bool]:
        return {
            "time": self.when.time is not None or self.when.since is not None,
            "since": self.when.since is not None,
            "moment": self.when.time is not None,
            "moved": self.when.moved,
            "options": bool(self.options),
            "now": not self.when.given,
        }

    def build(self, kind: Kind, phrase: Phrase, slots: Mapping[str, str]) -> Question:
        """The question, or NoFit; NotSeen and Ambiguous where a name is not known or means several things."""
        try:
            return self._built(kind, phrase, slots)
        finally:  # whether the rest of the words in a slot is a name or not
            for slot, words in slots.items():
                meant = meant_by(kind, 2 if slot in LISTS else 0)
                if (
                    slot not in CLOSED
                    and slot not in _IGNORED
                    and (word := self.unused(words.split(" "), meant))
                ):
                    raise Unused(word)

    def unused(self, words: Iterable[str], meant: Set[str]) -> str:
        """The first of some words that turns a meaning round and is not meant, or nothing."""
        return next((word for word in decisive_in(words, self.vocabulary.names) if word not in meant), "")

    def _built(self, kind: Kind, phrase: Phrase, slots: Mapping[str, str]) -> Question:
        known = arguments_of(kind.question)
        arguments: dict[str, Any] = dict(phrase.fixed)
        for slot, words in slots.items():
            if slot in _IGNORED:
                continue
            if kind.question is WhereFromHere and without_articles(words).split(" ")[0] in SUPERLATIVES:
                raise NoFit("the closest of several is a question of its own")
            arguments.update(self._argument(slot, words, known))
        if "options" in phrase.needs:
            arguments.update(self._choices(kind))
        return self.completed(kind, arguments)

    def completed(self, kind: Kind, arguments: dict[str, Any]) -> Question:
        """The question with the sentence's time put in, or NoFit."""
        known = arguments_of(kind.question)
        arguments = {key: self._fixed(key, value) for key, value in arguments.items()}
        if "since" in known and "since" not in arguments:
            since = self.when.since if self.when.since is not None else self.when.time
            if since is not None:
                arguments["since"] = since
        if "time" in known:
            arguments["time"] = self.when.time if self.when.time is not None else self.when.since
        if arguments.get("which") == Selector() and kind.answers not in ("count", "list"):
            raise NoFit("things in general, of a question about one")
        if any(arguments.get(name) is None for name in needed(kind.question)):
            raise NoFit("the sentence does not say all that the question needs")
        if self.when.since is not None and not known & {"since", "time"}:
            raise NoFit("a span of time that the question does not have")
        question: Question = kind.question(**arguments)
        return question

    def at(self, question: Question) -> float | None:
        """The time as of which a question is run: a moment that is none of its arguments."""
        known = arguments_of(type(question))
        return None if known & {"since", "time"} else self.when.time

    def _fixed(self, key: str, value: Any) -> Any:
        if key == "place" and value == "here":
            return self.vocabulary.place("here")
        if key == "since" and value == "recent":
            return max(self.clock.start, self.clock.now - RECENT_S)
        if key == "since" and value == "now":
            return max(self.clock.start, self.clock.now - GLANCE_S)
        if key == "since" and value == "start":
            return self.clock.start if self.when.since is None else self.when.since
        return value

    def _argument(self, slot: str, words: str, known: Set[str]) -> dict[str, Any]:
        if slot in CLOSED:
            return {slot: closed_words(slot)[words]}
        if slot in NUMBERS:
            return {slot: float(NUMBER_WORDS.get(words, words))}
        if slot == "about":
            return self._about(words)
        if slot == "bare":  # a name alone: short, or it is a sentence that was not understood
            name = without_articles(words)
            if (name in COMMON or len(words.split(" ")) > 3) and not self._named(words):
                raise NoFit(words)
            found = self._about(words)
            if found["which"].category is None:  # "things in the kitchen" are not one thing
                raise NoFit(words)
            return found
        if slot == "place":
            return {"place": self.vocabulary.place(words)}
        if slot in ("goal", "room"):  # a place, or the phrase does not fit; a room is not "here"
            here = slot == "room" and without_articles(words) in HERE
            if here or not self.vocabulary.is_place(words):
                raise NoFit(words)
            return {"place": self.vocabulary.place(words)}
        if slot == "within":  # a place that the wearer asks about being in: the answer names the true one
            if not self.vocabulary.is_place(words):
                raise NoFit(words)
            return {}
        if slot == "many":
            name = without_articles(words)
            if singular(name) == name:
                raise NoFit(words)
            which = self._which(words)
            if which.category == name:  # a thing that is called so: "keys" are where one thing is
                raise NoFit(words)
            return {"which": which}
        if slot in ("things", "candidates"):
            return {("which" if slot == "things" else slot): self._list(words)}
        if slot == "steps":
            return {"steps": self._steps(words)}
        if slot in THINGS and slot not in known:
            slot = fields_of(slot, known)[0]
        return {slot: self._which(words)}  # `declare` has seen to it that it is one for things

    def _named(self, words: str) -> bool:
        try:
            return bool(self._about(words))
        except (NotSeen, Ambiguous):
            return False

    def _list(self, words: str) -> tuple[Selector, ...]:
        names = [name for name in re.split(r" , (?:and |or )?| and | or ", words) if name.strip()]
        if len(names) < 2 and self.options:
            names = list(self.options)
        if len(names) < 2:
            raise NoFit(words)
        return tuple(self._which(name) for name in names)

    def _steps(self, words: str) -> tuple[str, ...]:
        """A way with gaps: "turn ___ , walk to the sofa", each gap an empty step."""
        found = []
        for step in (part.strip() for part in words.split(",")):
            if re.fullmatch(r"turn _+", step):
                found.append("")
            elif step.startswith("walk to "):
                found.append(str(self._which(step.removeprefix("walk to ")).category))
            elif step:
                raise NoFit(step)
        return tuple(found)

    def _which(self, words: str) -> Selector:
        name = without_articles(words)
        if name in _PRONOUNS or not name:
            raise NoFit(words)
        try:
            return self.vocabulary.select(words)
        except NotSeen:
            if " " in name and not _NEVER_IN_NAMES.isdisjoint(name.split(" ")):
                raise NoFit(words) from None  # "bottles exist", "there any box": words that ask, not a name
            raise

    def _about(self, words: str) -> dict[str, Any]:
        """Arguments of a question about one thing: "the red cup on the desk", "the kitchen lamp"."""
        words = _LINKS.sub(" ", f" {words} ").strip()
        if _SEVERAL.match(words):
            raise NoFit("several things")
        first, *rest = without_articles(words).split(" ")
        if first in SUPERLATIVES and rest:
            words = " ".join(rest)
        try:
            return {"which": self._which(words)}
        except (NotSeen, Ambiguous) as error:
            found = self._related(words)
            if found is None:
                raise error
            return found

    def _related(self, words: str) -> dict[str, Any] | None:
        for relation, many in RELATIONS.items():
            for link in sorted(many.split("|"), key=len, reverse=True):
                head, found, tail = words.partition(f" {link} ")
                if not found or not self.vocabulary.knows(head):
                    continue
                if relation == INSIDE and self.vocabulary.is_place(tail):
                    place = Selector.make(self.vocabulary.place(tail))
                    return {"which": self._which(head), "relation": IN, "anchor": place}
                if relation == INSIDE and not self.vocabulary.knows(tail):
                    self.vocabulary.place(tail)  # says that the place is not known
                return {"which": self._which(head), "relation": relation, "anchor": self._which(tail)}
        name = without_articles(words).split(" ")
        for cut in range(len(name) - 1, 0, -1):  # "the kitchen lamp", "the living room table"
            room, thing = " ".join(name[:cut]), " ".join(name[cut:])
            if self.vocabulary.is_place(room) and self.vocabulary.knows(thing):
                anchor = Selector.make(self.vocabulary.place(room))
                return {"which": self._which(thing), "relation": IN, "anchor": anchor}
        return None

    def _choices(self, kind: Kind) -> dict[str, Any]:
        """What a question chooses from, read from the options."""
        known = arguments_of(kind.question)
        if "uses" in known:
            return {"uses": self.options}
        if "plans" in known:
            return {"plans": self.options}
        if "claims" in known:
            return {"claims": tuple(self._claim(option) for option in self.options)}
        if "choices" not in known:
            return {}
        pairs = [
            re.fullmatch(r"(?:from|past) (.+?),? (?:to|then past) (.+)", option) for option in self.options
        ]
        if all(pairs):
            found = [(self._option(pair[1]), self._option(pair[2])) for pair in pairs if pair is not None]
            return {"choices": tuple(found)}
        if kind.question.kind == "reverse_plan":
            return {"choices": self.options}
        names = [option.removeprefix("at ") for option in self.options]
        return {"choices": tuple(self._option(name) for name in names)}

    def _claim(self, option: str) -> Claim:
        """What an option says to have changed."""
        for change, pattern in _CLAIMS.items():
            if found := pattern.fullmatch(option.lower().rstrip(".")):
                things = [self._option(name) for name in found.groups()]
                return Claim(change, things[0], things[1] if len(things) > 1 else None)
        raise NoFit(option)

    def _option(self, words: str) -> Selector:
        """A name in an option, which may be of something that nobody has seen."""
        return replace(self, vocabulary=replace(self.vocabulary, any_name=True))._which(words)
