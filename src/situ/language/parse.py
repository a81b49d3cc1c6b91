"""A sentence turned into a question program, by a grammar. No model.

The sentence is tidied, slips of the keyboard are put right, words for time are taken out. Then the phrases
of every question kind are tried in order; the first whose names are all known is taken. What fits none is
refused with examples rather than guessed at.
"""

import re
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeVar

from situ.errors import Unanswerable
from situ.language import kinds as _declared  # noqa: F401 (declares all kinds)
from situ.language.clauses import RELATED, asking_clauses
from situ.language.concepts import concept_words, concepts_of
from situ.language.cues import Reading, is_idle, loosely, not_seen, unused_by
from situ.language.english import COMMON
from situ.language.function_words import DECISIVE
from situ.language.intents import known_words, readings
from situ.language.kind import KINDS
from situ.language.mentions import NAMELESS, Mentions, mentions
from situ.language.normalise import Tidied, tidied, without_politeness
from situ.language.out_of_scope import REFUSAL, outside, unserved
from situ.language.phrase_index import Pair, PhraseIndex
from situ.language.reader import NoFit, Reader, Unused
from situ.language.refusals import EXAMPLES, LeftOut, NotUnderstood, OutsideMemory, not_understood
from situ.language.spelling import corrections, is_word, second_guesses
from situ.language.times import Clock, When, take_time
from situ.language.vocabulary import Ambiguous, NotSeen, Vocabulary
from situ.questions.base import Question
from situ.registry import load_files, load_plugins

U = TypeVar("U", bound=Unanswerable)
WITHOUT_STORY = 0.97  # a question whose story was left out
LEAST_SHARE = 0.4  # of what was learnt from examples: what is less likely is not understood
LEARNT_FIRST = 0.15  # what was learnt goes before cues that are surer by less than this
MOST_CERTAIN = 0.98  # of what fits no phrase
SURE_READING = 0.9  # what is read by its cues so surely goes before guesses at the spelling


@dataclass(frozen=True)
class Asked:
    """What a sentence asks: the program, the time as of which it is run (None: now), the unit asked for.

    `certainty` is below 1 for a sentence that fits no phrase and was read by its cues.
    """

    question: Question
    at: float | None = None
    unit: str = ""
    certainty: float = 1.0


def parse(
    sentence: str, vocabulary: Vocabulary, clock: Clock | None = None, options: Sequence[str] = ()
) -> Asked:
    """The question that a sentence asks. Raises NotUnderstood, NotSeen for an unknown name, Ambiguous for
    one that may mean several things, and OutsideMemory for what no memory of places can tell.

    `options` are answers to choose from, where the question has them.
    """
    load_files()
    _kinds_read()
    try:
        found = _parsed(sentence, vocabulary, clock, options)
        if found.certainty == 1.0 or not _plugins_bring_kinds():
            return found
    except Unanswerable:  # a phrase of this package may have taken words of a plugin's for a name
        if not _plugins_bring_kinds():
            raise
    return _parsed(sentence, vocabulary, clock, options)


def _plugins_bring_kinds() -> bool:
    """Load the plugins, late since that takes time; whether some bring kinds of question of their own."""
    load_plugins()
    if len(KINDS) == _kinds_read():
        return False
    _kinds_read.cache_clear()
    _phrases.cache_clear()
    _phrases_from.cache_clear()
    grammar_words.cache_clear()
    _asking_words.cache_clear()
    _common_words.cache_clear()
    return True


@cache
def _kinds_read() -> int:
    """How many kinds there were when their phrases were gathered."""
    return len(KINDS)


def _parsed(sentence: str, vocabulary: Vocabulary, clock: Clock | None, options: Sequence[str]) -> Asked:
    tidy = tidied(sentence)
    if not any(letter.isalpha() for letter in tidy.text):
        raise NotUnderstood("there is no question; ask for instance: " + "; ".join(EXAMPLES[:3]))
    grammar, names = grammar_words(), vocabulary.words
    failure: Unanswerable | None = None
    unused = ""
    try:
        return _first_reading(corrections(tidy.text, grammar, names), vocabulary, clock, options, tidy)
    except (NotSeen, Ambiguous) as error:
        failure = alone(error)
    except Unused as error:
        unused = error.word
    except NoFit:
        pass
    if not options:
        told = _without_story(corrections(tidy.text, grammar, names)[0])
        for clause in asking_clauses(told, vocabulary):
            try:
                asked = _first_reading([tidied(clause).text], vocabulary, clock, options, tidy)
            except Unused as error:
                unused = unused or error.word
                continue
            except (NoFit, NotSeen, Ambiguous):
                continue
            return replace(asked, certainty=WITHOUT_STORY)
    if reason := outside(tidy.text, surely=True):
        raise OutsideMemory(reason)
    if unserved(tidy.text):
        raise not_understood(sentence, tidy.text, vocabulary)
    loose = (
        None if options or isinstance(failure, Ambiguous) else _loosely(tidy, vocabulary, clock or Clock())
    )
    if isinstance(loose, Asked) and loose.certainty >= SURE_READING:
        return loose
    if not isinstance(failure, Ambiguous) and " " in tidy.text:
        strangers = unheard(tidy.text.split(" "), names)
        for text in second_guesses(tidy.text, grammar, names, nouns=failure is None):
            if any(word in strangers for word in text.split(" ")):  # it may be about what nobody has seen
                continue
            try:
                return _first_reading(corrections(text, grammar, names)[:2], vocabulary, clock, options, tidy)
            except (NoFit, NotSeen, Ambiguous):
                continue
    if isinstance(loose, Asked):
        return loose
    try:
        if failure is not None:
            raise failure
        if unused:
            raise LeftOut(unused)
        if loose is not None:
            raise loose
    finally:  # what is raised knows this call, which must not know it, too
        del failure, loose
    if reason := outside(tidy.text):
        raise OutsideMemory(reason)
    raise not_understood(sentence, tidy.text, vocabulary)


def alone(error: U) -> U:
    """An error to keep, without the calls that it came through: they hold the state, and so the snapshot of
    its file."""
    error.__traceback__ = error.__context__ = None
    return error


def _loosely(tidy: Tidied, vocabulary: Vocabulary, clock: Clock) -> Asked | Unanswerable | None:
    """The sentence read by its cues, in any order; what is wrong with its names; None if they say nothing."""
    try:
        return _by_cues(tidy, vocabulary, clock)
    except (NotSeen, Ambiguous, OutsideMemory) as error:
        return alone(error)
    except Unused as error:
        return LeftOut(error.word)
    except NoFit:
        return None


def heard(sentence: str, vocabulary: Vocabulary, clock: Clock) -> tuple[Mentions, Reader]:
    """The names of a sentence and its time, wherever they stand."""
    rest, reader = _timed(tidied(sentence), vocabulary, clock)
    return mentions(rest, vocabulary), reader


def _timed(tidy: Tidied, vocabulary: Vocabulary, clock: Clock) -> tuple[str, Reader]:
    text = corrections(tidy.text, _asking_words(), vocabulary.words)[0]
    rest, when = take_time(_without_story(text), clock)
    return rest, Reader(vocabulary, when, clock)


def _by_cues(tidy: Tidied, vocabulary: Vocabulary, clock: Clock) -> Asked:
    """Read by cues and by what was learnt from examples; where they differ, the surer of the two."""
    rest, reader = _timed(tidy, vocabulary, clock)
    if strangers := unheard(mentions(rest, vocabulary).words, vocabulary.words):
        nouns = [word for word in strangers if is_word(word)]
        raise not_seen(nouns[0], reader) if nouns else NoFit(rest)
    cued: Reading | None = None
    unseen: NotSeen | None = None
    unused = ""
    try:
        cued = loosely(rest, reader)
    except NotSeen as error:
        unseen = alone(error)
    except Unused as error:
        unused = error.word
    except NoFit:
        if reader.when.vague:  # "what was I carrying a moment ago" is "just now"
            rest, reader = f"{rest} just", Reader(vocabulary, When(), clock)
            with suppress(NoFit):
                cued = loosely(rest, reader)
    learnt = None
    try:
        learnt = _by_example(rest, reader)
    except Unused as error:
        unused = unused or error.word
    try:
        if unseen is not None:
            raise unseen
    finally:
        del unseen
    if cued is None and learnt is None:
        raise Unused(unused) if unused else NoFit(rest)
    if learnt is None or (cued is not None and learnt.certainty < cued.certainty - LEARNT_FIRST):
        assert cued is not None
        reading = cued
    elif cued is not None and cued.question == learnt.question:
        reading = Reading(cued.question, MOST_CERTAIN * (1 - (1 - cued.certainty) * (1 - learnt.certainty)))
    else:
        reading = learnt
    if reading.question is None:
        raise OutsideMemory(REFUSAL)
    return Asked(reading.question, reader.at(reading.question), tidy.unit, reading.certainty)


def unheard(words: Sequence[str], names: Set[str]) -> list[str]:
    """Words that neither ask nor idle: a sentence that holds one may be about what nobody has seen."""
    known = _common_words() | names
    return [w for w in words if len(w) > 3 and w.isalpha() and w not in known and not _is_no_noun(w)]


@cache
def _asking_words() -> frozenset[str]:
    return grammar_words() | concept_words() | known_words()


@cache
def _common_words() -> frozenset[str]:
    return _asking_words() | COMMON | NAMELESS


def _is_no_noun(word: str) -> bool:
    return is_idle(word) or word.endswith(("ly", "ing", "ed", "est", "ish", "ful"))


def _by_example(rest: str, reader: Reader) -> Reading | None:
    named = mentions(rest, reader.vocabulary)
    found = readings(named, reader)
    if not found or found[0][0] < LEAST_SHARE:
        return None
    share, intent, question = found[0]
    if question is not None and named.unknown:
        raise not_seen(named.unknown[0], reader)
    if question is not None:
        kind = KINDS[intent.kind]
        meant = frozenset[str]().union(*(cue.needs | cue.may for cue in kind.cues))
        if unused := unused_by(kind, meant, named, reader):
            raise Unused(unused)
    return Reading(question, share)


def _first_reading(
    texts: Sequence[str], vocabulary: Vocabulary, clock: Clock | None, options: Sequence[str], tidy: Tidied
) -> Asked:
    """The first of several spellings that a phrase fits; a name that is not known counts if none does."""
    failure: Unanswerable | None = None
    unused = ""
    for text in texts:
        rest, when = take_time(_without_story(without_politeness(text)), clock or Clock())
        reader = Reader(vocabulary, when, clock or Clock(), tuple(options))
        for words in _readings(rest, vocabulary):
            try:
                return _read(words, reader, tidy)
            except (NotSeen, Ambiguous) as error:
                if failure is None or isinstance(error, Ambiguous):
                    failure = alone(error)
            except Unused as error:
                unused = unused or error.word
            except NoFit:
                continue
    try:
        if failure is not None and not outside(texts[0]):
            raise failure
    finally:
        del failure
    raise Unused(unused) if unused else NoFit(texts[0])


def _without_story(text: str) -> str:
    """Without the time of a statement before a question: "I had it an hour ago, where is it"."""
    first, comma, last = text.rpartition(" , ")
    if not comma or first.split(" ")[0] not in _TELLERS or last.split(" ")[0] not in _QUESTION_WORDS:
        return text
    return f"{take_time(first, Clock())[0]} , {last}"


_FRAMES = frozenset({"from", "when", "looking", "relative", "standing"})  # of reference: no story
_TELLERS = frozenset({"i", "we", "my", "the", "it", "he", "she", "they", "someone"})
_QUESTION_WORDS = frozenset({"where", "what", "which", "how", "who", "when", "is", "are"})


def _readings(text: str, vocabulary: Vocabulary) -> list[str]:
    """The sentence without commas and with them; of "my keys, where are they", what "they" are."""
    plain = text.replace(" , ", " ")
    inverted = [_UNTURNED.sub(r"\1 \3 \2", text)] if _UNTURNED.match(text) else []
    if plain == text:
        return [text, *inverted]
    first, _, last = text.partition(" , ")
    turned: list[str] = []
    refers = last.split(" ")[-1] in ("it", "they", "them") or " it " in f" {last} "
    if (
        refers and not RELATED.search(first) and first.split(" ")[0] not in _FRAMES | DECISIVE
    ):  # of two things in "a cup on a table", neither is surely "it"
        for start in range(len(first.split(" "))):  # "I put my keys somewhere": the longest run that is known
            name = " ".join(first.split(" ")[start:]).removesuffix(" somewhere")
            if vocabulary.knows(name):
                turned = [" ".join(name if w in ("it", "they", "them") else w for w in last.split(" "))]
                break
    end = last.split(" ")
    idle = len(end) <= 2 and not concepts_of(end)[0] and DECISIVE.isdisjoint(end)
    return [*turned, plain, text, *([first] if idle else []), *inverted]


# "When I was last in the kitchen", behind "do you know" or said by who learnt English late.
_UNTURNED = re.compile(
    r"^((?:where|when|why|how(?: long| far| often| many times)?|what|"
    r"(?:in )?which (?:room|rooms|place|way)|from where)) "
    r"(i|we|you) (was|were|am|have|had|can|could|should|did)(?= )"
)


def _read(words: str, reader: Reader, tidy: Tidied) -> Asked:
    sentence = words.split(" ")
    held = frozenset(sentence)
    failure: Unanswerable | None = None
    unused = ""
    for kind, phrase in _phrases_from(sentence[0], bool(reader.options)).fitting(held):
        if not reader.may(phrase.needs):
            continue
        slots = phrase.pattern.match(sentence)
        if slots is None:
            continue
        try:
            question = reader.build(kind, phrase, slots)
        except Unused as error:
            unused = unused or error.word
            continue
        except NoFit:
            continue
        except (NotSeen, Ambiguous) as error:
            if failure is None or (isinstance(error, Ambiguous) and not isinstance(failure, Ambiguous)):
                failure = alone(error)
            continue
        return Asked(question, reader.at(question), tidy.unit)
    try:
        raise failure or (Unused(unused) if unused else NoFit(words))
    finally:
        del failure


@cache
def _phrases(with_options: bool = False) -> tuple[Pair, ...]:
    """All phrases in the order in which they are tried: where there are options, those that choose first."""
    found = [(kind, phrase) for kind in KINDS.values() for phrase in kind.phrases]
    return tuple(sorted(found, key=lambda pair: with_options and "options" not in pair[1].needs))


@lru_cache(maxsize=256)
def _phrases_from(opening: str, with_options: bool) -> PhraseIndex:
    return PhraseIndex(opening, _phrases(with_options))


@cache
def grammar_words() -> frozenset[str]:
    """All words that phrases are made of."""
    return frozenset(word for _, phrase in _phrases() for word in phrase.pattern.literals()) | _TIME_WORDS


# Words for times and of politeness, which are taken out before phrases are tried.
_TIME_WORDS = frozenset(
    word
    for words in (
        "ago min mins sec secs hr hrs minute minutes hour hours second seconds since last past before after",
        "while away out today now earlier recently lately start beginning when left was the at in for half",
        "few couple one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty "
        "forty fifty oh o'clock tell me remind know remember find help please can could you any idea",
    )
    for word in words.split(" ")
)
__all__ = ["EXAMPLES", "Asked", "Clock", "LeftOut", "NotUnderstood", "OutsideMemory", "When", "parse"]
