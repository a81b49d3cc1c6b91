"""A sentence turned into a question program, by a grammar. No model.

The sentence is tidied, slips of the keyboard are put right, words for time are taken out. Then the phrases
of every question kind are tried in order; the first whose names are all known is taken. What fits none is
refused with examples rather than guessed at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from situ.ask import kinds as _declared  # noqa: F401 (declares all kinds)
from situ.ask.kind import KINDS, Kind, Phrase
from situ.ask.outside import outside
from situ.ask.reader import NoFit, Reader
from situ.ask.spelling import corrections
from situ.ask.tidy import Tidied, tidied
from situ.ask.times import Clock, When, take_time
from situ.ask.vocabulary import Ambiguous, NotSeen, Vocabulary
from situ.errors import Unanswerable
from situ.questions.base import Question

EXAMPLES = (
    "where is the red cup", "how far is the door", "can I reach the lamp", "how many chairs are there",
    "which is closer, the sofa or the desk", "when did I last see my keys", "what is behind me",
    "what changed in the kitchen", "take me back to the living room",
)  # fmt: skip


class NotUnderstood(Unanswerable):
    """No phrase fits the sentence."""


class OutsideMemory(Unanswerable):
    """The sentence asks for something that no spatial memory holds."""


@dataclass(frozen=True)
class Asked:
    """What a sentence asks: the program, the time as of which it is run (None: now), the unit asked for."""

    question: Question
    at: float | None = None
    unit: str = ""


def parse(
    sentence: str, vocabulary: Vocabulary, clock: Clock | None = None, options: Sequence[str] = ()
) -> Asked:
    """The question that a sentence asks. Raises NotUnderstood, NotSeen for an unknown name, Ambiguous for
    one that may mean several things, and OutsideMemory for what no memory of places can tell.

    `options` are answers to choose from, where the question has them.
    """
    tidy = tidied(sentence)
    if not any(letter.isalpha() for letter in tidy.text):
        raise NotUnderstood("there is no question; ask for instance: " + "; ".join(EXAMPLES[:3]))
    failure: Unanswerable | None = None
    rest = ""
    for text in corrections(tidy.text, grammar_words(), vocabulary.words):
        rest, when = take_time(text, clock or Clock())
        reader = Reader(vocabulary, when, clock or Clock(), tuple(options))
        for words in _readings(rest, vocabulary):
            try:
                return _read(words, reader, tidy)
            except (NotSeen, Ambiguous) as error:
                if failure is None or isinstance(error, Ambiguous):
                    failure = error
            except NoFit:
                continue
    reason = outside(rest)
    if reason:
        raise OutsideMemory(reason)
    if failure is not None:
        raise failure
    raise NotUnderstood(
        f"I do not understand {sentence.strip()!r}. I can be asked, for instance: {'; '.join(EXAMPLES)}"
    )


def _readings(text: str, vocabulary: Vocabulary) -> list[str]:
    """The sentence without commas and with them; of "my keys, where are they", what "they" are."""
    plain = text.replace(" , ", " ")
    if plain == text:
        return [text]
    first, _, last = text.partition(" , ")
    turned: list[str] = []
    if last.split(" ")[-1] in ("it", "they", "them") or " it " in f" {last} ":
        for start in range(len(first.split(" "))):  # "I put my keys somewhere": the longest run that is known
            name = " ".join(first.split(" ")[start:]).removesuffix(" somewhere")
            if vocabulary.knows(name):
                turned = [" ".join(name if w in ("it", "they", "them") else w for w in last.split(" "))]
                break
    return [*turned, plain, text, first]


def _read(words: str, reader: Reader, tidy: Tidied) -> Asked:
    sentence, held = f"{words} ", frozenset(words.split(" "))
    failure: Unanswerable | None = None
    for kind, phrase in _phrases():
        if not phrase.pattern.words <= held or not reader.may(phrase.needs):
            continue
        slots = phrase.pattern.match(sentence)
        if slots is None:
            continue
        try:
            question = reader.build(kind, phrase, slots)
        except NoFit:
            continue
        except (NotSeen, Ambiguous) as error:
            if failure is None or (isinstance(error, Ambiguous) and not isinstance(failure, Ambiguous)):
                failure = error
            continue
        return Asked(question, reader.at(question), tidy.unit)
    raise failure or NoFit(words)


@cache
def _phrases() -> tuple[tuple[Kind, Phrase], ...]:
    return tuple((kind, phrase) for kind in KINDS.values() for phrase in kind.phrases)


@cache
def grammar_words() -> frozenset[str]:
    """All words that phrases are made of."""
    return frozenset(word for _, phrase in _phrases() for word in phrase.pattern.literals()) | _TIME_WORDS


_TIME_WORDS = frozenset(
    [
        "ago",
        "min",
        "mins",
        "sec",
        "secs",
        "hr",
        "hrs",
        "minute",
        "minutes",
        "hour",
        "hours",
        "second",
        "seconds",
        "since",
        "last",
        "past",
        "before",
        "after",
        "while",
        "away",
        "out",
        "today",
        "now",
        "earlier",
        "recently",
        "lately",
        "start",
        "beginning",
        "when",
        "left",
        "was",
        "the",
        "at",
        "in",
        "for",
        "half",
        "few",
        "couple",
        "three",
        "five",
        "ten",
    ]
)
__all__ = ["EXAMPLES", "Asked", "Clock", "NotUnderstood", "OutsideMemory", "When", "parse"]
