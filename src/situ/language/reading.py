"""A sentence read into a program of the algebra of questions: a frame, and what fills its holes.

A reading takes the whole sentence. What stands for nothing (politeness, fillers) is a closed list and goes
first; no negator, quantifier, `or`, number or time is among it, so that none of them can be left out.
"""

import re
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from situ.errors import Unanswerable
from situ.language import lexicon as lx
from situ.language.composing import composed
from situ.language.ears import Ears, Heard, heard
from situ.language.ears_networks import installed
from situ.language.filling import Holes, filled_match, finished, holes_of, listed_programs
from situ.language.filling import Reading as Reading
from situ.language.filling import filled as filled
from situ.language.frames import Index, index, matches, with_plugins
from situ.language.lexicon import Lexicon, lexicon
from situ.language.mentioned import mentioned
from situ.language.noun_phrases import Grammar
from situ.language.sets import HOLE
from situ.language.times import Clock, Window, windows
from situ.language.tokens import (
    MOST_TOKENS,
    plain,
    sound_of,
    sounding,
    spelt,
    tokens_of,
    trimmed,
    without_repairs,
)
from situ.language.vocabulary import Vocabulary
from situ.language.words import singular
from situ.registry import load_files

Json = Any  # a program, a part of one, or a list of programs
MOST_LETTERS = 600
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\S)")
_CLOSE = 0.02  # costs that are not told apart
_AMBIGUOUS = 0.8
_BEHIND_STORY = 0.9
_SURELY = 0.95  # of what is read with other words in it
_HEARD = 0.85  # of a word that is taken for another that sounds alike
_MOST_ALIKE, _MOST_WAYS = 3, 9
LEAST_READING = 0.7  # what is read less surely is no reading
_SEVERAL: Json = {"op": "several"}  # things that a story names
_SEEN_FROM = lx.words("from seen standing sitting")  # what an observer is told by
_ASKS = lx.ASKING | lx.DO | lx.HAVE
_YES_OR_NO = lx.NOT | lx.BE | lx.DO | lx.HAVE | lx.MAY | lx.words("yes no so i you we it they there any one")
_SAYS_WHEN = lx.words(
    "before after until since while when if unless"
)  # of a story these are left out by none
_OPENING = (
    lx.ASKING
    | lx.BE
    | lx.HAVE
    | lx.DO
    | lx.MAY
    | lx.words("in list count show find name take tell describe guide lead direct point bring any from")
)


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
    groups = [
        [one for tokens in group for one in (tokens, spelt(tokens, words)) if one]
        for group in without_repairs(tokens_of(text))
    ]
    tokens = tokens_of(text)
    framed = _Reader(times, words)
    composing = replace(framed, composes=True)
    return (
        _of_groups(groups, framed)
        or _of_groups(groups, composing)
        or _behind_a_story(tokens, composing)
        or _behind_sentences(sentence, vocabulary, clock)
        or _as_it_sounds(tokens, framed)
    )


def _behind_sentences(sentence: str, vocabulary: Vocabulary, clock: Clock) -> Reading | None:
    """The question in the last of several sentences, of which the others only tell: "I had the clipboard and
    now I have not. Where did I put it down?" What they tell may name what "it" is."""
    *before, last = _SENTENCES.split(sentence.strip())
    told = tokens_of(plain(" ".join(before)))[:MOST_TOKENS]
    if not told or "?" in " ".join(before) or told[0] in _OPENING:
        return None
    found = _read_sentence(last, vocabulary, clock)
    return found and _about_the_told(found, told, _Reader({}, lexicon(vocabulary)))


def _about_the_told(found: Reading, told: list[str], reader: "_Reader") -> Reading | None:
    """A question with what a story names in its holes."""
    if found.holes:
        named = _last_named(told, reader)
        told_apart = (lx.MEANINGFUL - {"n't"}) | lx.SOME_THING  # "something", "not that": no name says which
        if named is None or named is _SEVERAL or not set(found.holes) <= {"it", "those"}:
            return None
        if not told_apart.isdisjoint(told):
            return None
        phrases = {name: filled(one, it=named, those=named) for name, one in found.phrases.items()}
        program = filled(found.program, it=named, those=named)
        found = replace(found, program=program, phrases=phrases, holes=holes_of(program))
    return replace(found, certainty=_BEHIND_STORY * found.certainty)


def _of_groups(groups: list[list[list[str]]], reader: "_Reader") -> Reading | None:
    """The first way to mend a sentence that can be read; of its spellings the surest."""
    found: Reading | None = None
    for group in groups:
        read = [one for tokens in group if (one := reader.read(tokens)) is not None]
        if read:
            best = max(read, key=lambda reading: (not reading.unknown, reading.certainty))
            if not best.unknown:
                return best
            found = found or best
    return found if reader.composes else None


def guessed(
    sentence: str, vocabulary: Vocabulary, clock: Clock | None = None, ears: Ears | None = None
) -> list[Heard]:
    """Readings that a sentence may have which no frame takes, the likeliest first."""
    try:
        text, times = windows(plain(sentence[:MOST_LETTERS]), clock or Clock())
    except Unanswerable:
        return []
    words = lexicon(vocabulary)
    tokens = tokens_of(text)[:MOST_TOKENS]
    if not tokens:
        return []

    def names(word: str) -> bool:
        return bool(words.attribute(word) or words.name(word) or words.place(word))

    return heard(
        spelt(tokens, words) or tokens, times, _Reader(times, words).read, ears or installed(), names
    )


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


def _behind_a_story(tokens: list[str], reader: "_Reader") -> Reading | None:
    """The question behind what somebody tells first: "I am standing still, what is in front of me", "my
    mother wants to know where the cup is". What is told may name what "it" is, and nothing else."""
    for k in range(1, len(tokens) - 1):
        told, asked = tokens[:k], trimmed(tokens[k:])
        aside = tokens[k] == ","
        if told[0] in _SEEN_FROM:
            continue
        if asked[0] not in (_OPENING if aside else lx.ASKING) or told[0] in (_OPENING if aside else _ASKS):
            continue
        if not (lx.MEANINGFUL | _SAYS_WHEN).isdisjoint(told) or set(told) & set(reader.times):
            continue
        found = reader.read(asked)
        named = _last_named(told, reader) if found is not None else None
        if found is None or (named is not None and "it" not in found.holes and not aside):
            continue
        if named is _SEVERAL and found.holes:
            continue
        if (meant := _about_the_told(found, told, reader)) is not None:
            return meant
    return None


def _as_it_sounds(tokens: list[str], reader: "_Reader") -> Reading | None:
    """The sentence with other words that sound alike, as a microphone mishears them: "wears the kettle", "how
    fare is it two the piano". Only words that nothing else explains are exchanged, and it is announced."""
    if not 0 < len(tokens) <= MOST_TOKENS:
        return None
    choices: list[list[list[str]]] = []
    for word in tokens:
        own = word not in lx.NUMBERS and (
            word in index().words or word in lx.CLOSED or reader.words.name(word)
        )
        alike = [] if own or not word.isalpha() else sounding().get(sound_of(word), [])
        choices.append([other.split() for other in alike[:_MOST_ALIKE]] or [[word]])
    ways = islice(product(*choices), _MOST_WAYS)
    found = (reader.read([word for part in way for word in part]) for way in ways)
    whole = (one for one in found if one is not None and not one.unknown)
    heard = next((one for one in whole if one.certainty >= _SURELY), None)
    return heard and replace(heard, certainty=heard.certainty * _HEARD)


def _kinds(of: Json) -> set[str]:
    """The kinds of a set of named things, in the singular."""
    parts = of["of"] if of["op"] == "or" else [of]
    return {singular(one.get("kind", "")) for one in parts}


def _last_named(told: list[str], reader: "_Reader") -> Json:
    """The thing that a story names, where it is one alone."""
    people = lx.PEOPLE | {kind.lower() for kind in reader.words.people}
    named = [one for one in mentioned(told, reader.times, reader.words) if not _kinds(one) <= people]
    return named[0] if len(named) == 1 else _SEVERAL if named else None


def _read(tokens: list[str], times: dict[str, Window], words: Lexicon, frames: Index) -> Reading | None:
    """What words ask by a frame or, where none takes them, by what they are made of."""
    framed = _Reader(times, words)
    return framed.read(tokens) or replace(framed, composes=True).read(tokens)


@dataclass(frozen=True)
class _Reader:
    """Reads words in which the times are marked: by the frames alone, or by what they are made of too."""

    times: dict[str, Window]
    words: Lexicon
    composes: bool = False
    known: dict[tuple[str, ...], tuple[Holes, Reading | None]] = field(default_factory=dict)

    def read(self, tokens: list[str]) -> Reading | None:
        return (self._whole(tokens) or self._several(tokens)) if 0 < len(tokens) <= MOST_TOKENS else None

    def _whole(self, tokens: list[str]) -> Reading | None:
        if (key := tuple(tokens)) not in self.known:
            holes = Holes(tokens, self.words, self.times)
            self.known[key] = holes, self._framed(tokens, holes)
        holes, found = self.known[key]
        if self.composes and (found is None or found.unknown):
            return composed(tokens, holes.grammar, self.times) or found
        return found

    def _framed(self, tokens: list[str], holes: Holes) -> Reading | None:
        """What a frame takes whole."""
        found: list[tuple[float, str, Reading]] = []
        for match in matches(index().start, tokens, self.times, holes):
            reading = filled_match(match, self.times)
            if reading is not None:
                found.append((match.cost - 0.03 * match.words, match.frame.name, reading))
        if not found:
            return None
        found.sort(key=lambda row: row[:2])
        cost, _, best = found[0]
        rivals = [
            other for price, _, other in found[1:] if price - cost < _CLOSE and other.program != best.program
        ]
        return replace(best, certainty=best.certainty * (_AMBIGUOUS if rivals else 1.0))

    def _several(self, tokens: list[str]) -> Reading | None:
        """Several questions in a row, each whole."""
        for k in range(1, len(tokens) - 1):
            if tokens[k] not in ("and", ","):
                continue
            after = _behind_condition(tokens, k + 1 + (tokens[k + 1] in ("and", "but", "or")))
            if after >= len(tokens) or tokens[after] not in _OPENING:
                continue
            first = self._whole(tokens[:k])
            second = self.read(tokens[after:]) if first is not None else None
            if first is None or second is None:
                continue
            programs = [
                one
                for part in (first, second)
                for one in listed_programs(_pointing_back(part, first).program)
            ]
            return Reading(
                programs, min(first.certainty, second.certainty), f"{first.frame}+{second.frame}",
                first.holes, first.unknown + second.unknown, {**first.phrases, **second.phrases},
            )  # fmt: skip
        return None


def _behind_condition(tokens: list[str], at: int) -> int:
    """Where a second question begins that is asked "if not", "if I can't": both are answered."""
    if tokens[at : at + 1] != ["if"]:
        return at
    end = next((k for k in range(at + 1, min(at + 6, len(tokens))) if tokens[k] == ","), at)
    return end + 1 if set(tokens[at + 1 : end]) <= _YES_OR_NO else at


def _pointing_back(part: Reading, first: Reading) -> Reading:
    """ "where is the fan and how far is it": what "it" is was said before."""
    said = next(iter(first.phrases.values()), None)
    if part is first or said is None or ("it" not in part.holes and "those" not in part.holes):
        return part
    return replace(part, program=filled(part.program, it=said, those=said), holes=())
