"""A sentence read into a program of the algebra of questions: a frame, and what fills its holes.

A reading takes the whole sentence. What stands for nothing (politeness, fillers) is a closed list and goes
first; no negator, quantifier, `or`, number or time is among it, so that none of them can be left out. What no
frame takes is heard by a taught network, which says it again in words that frames take.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from situ.errors import Unanswerable
from situ.language import lexicon as lx
from situ.language.ears import KINDS, Ears, Listened, listen
from situ.language.ears_network import packaged
from situ.language.filling import Reading as Reading
from situ.language.filling import filled as filled
from situ.language.filling import filled_match, finished
from situ.language.frames import Frame, index, matches, with_plugins
from situ.language.holes import Holes
from situ.language.lexicon import Lexicon, lexicon
from situ.language.noun_phrases import Grammar
from situ.language.sets import HOLE
from situ.language.times import Clock, Window, windows
from situ.language.tokens import (
    MOST_TOKENS,
    exception_behind,
    plain,
    spelt,
    tokens_of,
    without_repairs,
)
from situ.language.vocabulary import Vocabulary
from situ.registry import load_files

Json = Any  # a program, a part of one, or a list of programs
MOST_LETTERS = 600
_CLOSE = 0.02  # costs that are not told apart
_AMBIGUOUS = 0.8
_LONGEST_NAME = 4  # words
_OUTSIDE = 0.5  # odds from which a sentence is taken for none that a memory answers
LEAST_READING = 0.7  # what is read less surely is no reading


def read(sentence: str, vocabulary: Vocabulary, clock: Clock | None = None) -> Reading | None:
    """The program that a sentence asks; None if no frame takes all of it."""
    load_files()
    found = _read_sentence(sentence, vocabulary, clock)
    if (found is None or found.unknown) and with_plugins():
        return _read_sentence(sentence, vocabulary, clock)
    return found


def _read_sentence(sentence: str, vocabulary: Vocabulary, clock: Clock | None) -> Reading | None:
    if not 0 < len(sentence) <= MOST_LETTERS:
        return None
    clock, words = clock or Clock(), lexicon(vocabulary)
    said = plain(sentence)
    if (unit := _UNIT.search(said)) is not None:
        measured = _read_sentence(said[: unit.start()], vocabulary, clock)
        return measured and replace(measured, unit=_UNITS[unit[1]])
    try:
        text, times = windows(said, clock)
    except Unanswerable:
        if not clock.anyway and _read_sentence(sentence, vocabulary, replace(clock, anyway=True)) is not None:
            raise  # a question, but of a time that the memory does not know
        return None
    reader = _Reader(times, words)
    unknown: Reading | None = None
    for group in without_repairs(tokens_of(text)):
        ways = [one for tokens in group for one in (tokens, spelt(tokens, words)) if one]
        found = [one for tokens in ways if (one := reader.read(tokens)) is not None]
        if found:
            best = max(found, key=lambda reading: (not reading.unknown, reading.certainty))
            if not best.unknown:
                return best
            unknown = unknown or best
    return unknown


def heard(
    sentence: str, vocabulary: Vocabulary, clock: Clock | None = None, goes_on: bool = False,
    ears: Ears | None = None,
) -> Listened:  # fmt: skip
    """What a sentence may ask that no frame takes. Raises Unanswerable for a question of a time that the
    memory does not know."""
    clock, words = clock or Clock(), lexicon(vocabulary)
    try:
        text, times = windows(plain(sentence[:MOST_LETTERS]), clock)
    except Unanswerable:
        if heard(sentence, vocabulary, replace(clock, anyway=True), goes_on, ears).outside > _OUTSIDE:
            return Listened(outside=1.0)
        raise
    tokens = tokens_of(text)[:MOST_TOKENS]
    if not tokens:
        return Listened(outside=1.0)
    tokens = exception_behind(spelt(tokens, words) or tokens)
    reader = _Reader(times, words)
    return listen(tokens, times, _kinds(tokens, words), reader.read, ears or packaged(), goes_on)


def _kinds(tokens: Sequence[str], words: Lexicon) -> list[int]:
    """What each word names in a memory, for the ears; of names within names the longest counts."""
    found = [0] * len(tokens)
    k = 0
    while k < len(tokens):
        for end in range(min(len(tokens), k + _LONGEST_NAME), k, -1):
            if kind := _kind(" ".join(tokens[k:end]), words):
                found[k:end] = [KINDS.index(kind)] * (end - k)
                k = end - 1
                break
        k += 1
    return found


def _kind(name: str, words: Lexicon) -> str:
    if name in lx.CLOSED:
        return ""
    if words.attribute(name):
        return "look"
    if words.place(name):
        return "place"
    if name in lx.KIN or name in lx.PEOPLE:
        return "person"
    known = words.name(name)
    return "thing" if known is not None and known.cost < 0.3 else ""


@dataclass(frozen=True)
class Part:
    """A part of a sentence that stands alone: a noun phrase, what is said of things, a place or a time."""

    set: Json = None
    plural: bool = False
    said: Json = None
    place: str = ""
    window: Window | None = None
    unknown: tuple[str, ...] = ()


def read_part(words: str, vocabulary: Vocabulary, clock: Clock | None = None) -> Part | None:
    """What words mean that are no sentence; None if they mean nothing."""
    try:
        text, times = windows(plain(words), clock or Clock())
    except Unanswerable:
        return None
    tokens = tokens_of(text)
    if not 0 < len(tokens) <= MOST_TOKENS:
        return None
    if len(tokens) == 1 and tokens[0] in times:
        return Part(window=times[tokens[0]])
    grammar, size = Grammar(tokens, lexicon(vocabulary), times), len(tokens)
    at = tokens[0] in ("in", "at", "to", "for", "of", "with", "on") and size > 1
    if place := grammar.place(int(at), size):
        return None if place == HOLE else Part(place=place)
    said = grammar.behind(0, size)
    phrase = grammar.phrase(int(at), size) if not at or said is None else None
    if phrase is not None and (said is None or phrase.cost <= said.cost):
        return Part(finished(phrase.set), phrase.plural, unknown=phrase.unknown)
    return None if said is None else Part(said=finished(said.set), unknown=said.unknown)


_UNIT_ALONE = re.compile(r"^\W*(?:and |what is that |how much is that )?in ([a-z]+)\W*$")
_UNIT = re.compile(
    r"[ ,]+in (feet|foot|yards?|inch(?:es)?|steps|paces|cm|(?:centi)?met(?:er|re)s|kilomet(?:er|re)s|miles)$"
)
_UNITS = {
    **dict.fromkeys(("feet", "foot"), "ft"), **dict.fromkeys(("yard", "yards"), "yd"),
    **dict.fromkeys(("inch", "inches"), "in"), **dict.fromkeys(("steps", "paces"), "steps"),
    **dict.fromkeys(("cm", "centimeters", "centimetres"), "cm"), **dict.fromkeys(("metres", "meters"), "m"),
    **dict.fromkeys(("kilometers", "kilometres"), "km"), "miles": "mi",
}  # fmt: skip


def spoken_unit(words: str) -> str:
    """The unit that is asked for alone: "and in feet?"."""
    found = _UNIT_ALONE.match(words)
    return _UNITS.get(found[1], "") if found else ""


def read_phrase(words: str, vocabulary: Vocabulary, clock: Clock | None = None) -> Json:
    """The set that a noun phrase alone means; None if it is none."""
    text, times = windows(plain(words), clock or Clock())
    tokens = tokens_of(text)
    found = Grammar(tokens, lexicon(vocabulary), times).phrase(0, len(tokens)) if tokens else None
    return None if found is None else finished(found.set)


@dataclass(frozen=True)
class _Reader:
    """Reads words in which the times are marked, by the frames."""

    times: dict[str, Window]
    words: Lexicon
    known: dict[tuple[str, ...], Reading | None] = field(default_factory=dict)

    def read(self, tokens: list[str]) -> Reading | None:
        """What a frame takes whole; None where none does."""
        if not 0 < len(tokens) <= MOST_TOKENS:
            return None
        if (key := tuple(tokens)) not in self.known:
            self.known[key] = self._framed(tokens)
        return self.known[key]

    def _framed(self, tokens: list[str]) -> Reading | None:
        found: list[tuple[float, Frame, Reading]] = []
        for match in matches(index().start, tokens, self.times, Holes(tokens, self.words, self.times)):
            reading = filled_match(match, self.times, self.words)
            if reading is not None:
                found.append((match.cost - 0.03 * match.words, match.frame, reading))
        if not found:
            return None
        found.sort(key=lambda row: (row[0], row[1].name))
        cost, frame, best = found[0]
        rivals = [
            reading
            for price, other, reading in found[1:]
            if price - cost < _CLOSE and reading.program != best.program and other.name not in frame.like
        ]
        return replace(best, certainty=best.certainty * (_AMBIGUOUS if rivals else 1.0))
