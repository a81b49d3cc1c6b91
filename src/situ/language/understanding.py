"""What stands between a sentence and its answer: which reading is taken, announced, asked back or refused."""

from dataclasses import replace
from typing import Any

from situ.errors import Unanswerable
from situ.language.ages import age_in_words
from situ.language.ears import Heard
from situ.language.lexicon import lexicon
from situ.language.reading import LEAST_READING, Reading
from situ.language.running import program_in_words
from situ.language.told import Told
from situ.language.vocabulary import NotSeen, Vocabulary

LEAST_HEARD = 0.5  # what is heard less surely is asked back
MOST_HEARD = 0.89  # what is heard is always announced, and never called sure
SURELY_FOREIGN = 0.6
SURELY_OUTSIDE = 0.8  # odds from which what a frame reads of an unknown name is no question either
ENGLISH_ONLY = "I understand questions in English only; a model (--model) reads other languages"


def taken(heard: Heard) -> Reading | None:
    """The reading of what was heard, no surer than it was heard."""
    if heard.reading is None:
        return None
    certainty = min(heard.share, heard.reading.certainty, MOST_HEARD)
    return replace(heard.reading, certainty=certainty, frame="ears")


def sure(reading: Reading | None) -> bool:
    """Whether a reading is taken for what was meant."""
    return (
        reading is not None
        and not reading.holes
        and not reading.unknown
        and reading.certainty >= LEAST_READING
    )


def not_seen(name: str, vocabulary: Vocabulary) -> Unanswerable:
    """Why a name means nothing here: a place that is not known, one of several, or a thing not seen."""
    if lexicon(vocabulary).names_a_place(name):
        try:
            vocabulary.place(name)
        except Unanswerable as error:
            return error
    return NotSeen(vocabulary.not_seen(name), name)


def asked_back(sentence: str, choices: list[Any]) -> Told:
    """A question back, where a sentence may be one of two."""
    said = {program_in_words(one): one for one in choices}
    text = f"Did you mean: {', or: '.join(said)}?"
    return Told(sentence, text, abstained="I am not sure what you mean", choices=tuple(said.values()))


def announced(sentence: str, one: Told) -> Told:
    """The answer to the one question in what was said, with what it was taken for."""
    if one.taken_as:
        return replace(one, asked=sentence)
    text = f"I took this as: {one.question}. {one.text}"
    return replace(one, asked=sentence, text=text, taken_as=one.question,
                   confidence=min(one.confidence, MOST_HEARD))  # fmt: skip


def how_sure(sentence: str, last: Told) -> Told:
    """How sure the last answer was, and how old what it rests on is."""
    if last.abstained:
        return replace(last, asked=sentence)
    seen = "" if last.age_s is None else f"; I last saw it {age_in_words(last.age_s)}"
    return replace(last, asked=sentence, text=f"I am {last.confidence:.0%} sure{seen}. {last.text}")


def said_again(sentence: str, last: Told) -> Told:
    return replace(last, asked=sentence)
