"""`ask`: a sentence put to a state; the answer comes with everything that one needs to trust it, or not."""

from dataclasses import replace
from itertools import islice
from typing import Any

from situ.errors import Unanswerable
from situ.language.forgotten import check_names, check_remembered
from situ.language.interpreter import Model, written
from situ.language.lexicon import lexicon
from situ.language.reading import LEAST_READING, Reading, guessed, read
from situ.language.refusals import not_understood
from situ.language.running import program_in_words, run
from situ.language.times import Clock
from situ.language.told import LEAST_CONFIDENCE as LEAST_CONFIDENCE
from situ.language.told import Told as Told
from situ.language.unplaced import check_nameable, check_placed, not_named
from situ.language.vocabulary import Encoder, NotSeen, Vocabulary
from situ.questions.programs.wearer_asks import visits
from situ.state.protocol import SpatialState

LEAST_HEARD = 0.7  # what is heard less surely is asked back
MOST_HEARD = 0.89  # what is heard is always announced, and never called sure


def ask(
    state: SpatialState,
    sentence: str,
    least_confidence: float = LEAST_CONFIDENCE,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Told:
    """Answer a sentence as of a state's time. What is not known, or not sure enough, is not answered.

    A `model` writes the program of what no frame takes, and that is told; an `encoder` finds likely names to
    suggest.
    """
    try:
        return answer(state, sentence, least_confidence, encoder, model)
    except NotSeen as error:
        return refusal(sentence, not_named(state, error) or error)
    except Unanswerable as error:
        return refusal(sentence, error)


def answer(
    state: SpatialState,
    sentence: str,
    least_confidence: float = LEAST_CONFIDENCE,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Told:
    """As `ask`, but Unanswerable, and NotSeen for a name that the state does not know, are raised."""
    vocabulary = Vocabulary.of(state, encoder)
    check_remembered(state)
    check_names(state, sentence)
    check_placed(state, sentence, vocabulary)
    reading = read(sentence, vocabulary, clock_of(state))
    told = told_of(state, sentence, reading, vocabulary, least_confidence, model)
    check_nameable(state, told)
    return told


def told_of(
    state: SpatialState,
    sentence: str,
    reading: Reading | None,
    vocabulary: Vocabulary,
    least_confidence: float = LEAST_CONFIDENCE,
    model: Model | None = None,
) -> Told:
    """What a reading comes to; a model's, a question back or a refusal where it is none."""
    if sure(reading):
        assert reading is not None
        return run(state, sentence, reading, least_confidence)
    if model is not None and (by_model := written(model, sentence, vocabulary, state.now)) is not None:
        return run(state, sentence, by_model, least_confidence)
    if reading is not None and reading.unknown:
        raise _not_seen(reading.unknown[0], vocabulary)
    guesses = guessed(sentence, vocabulary, clock_of(state))
    if guesses and guesses[0].share >= LEAST_HEARD:
        best = guesses[0].reading
        if best.unknown:
            raise _not_seen(best.unknown[0], vocabulary)
        certainty = min(guesses[0].share, best.certainty, MOST_HEARD)
        return run(state, sentence, replace(best, certainty=certainty, frame="ears"), least_confidence)
    guesses = [one for one in guesses if not one.reading.unknown]
    if guesses:
        return _asked_back(sentence, [one.program for one in guesses])
    raise not_understood(sentence, vocabulary)


def sure(reading: Reading | None) -> bool:
    """Whether a reading is taken for what was meant."""
    return (
        reading is not None
        and not reading.holes
        and not reading.unknown
        and reading.certainty >= LEAST_READING
    )


def _not_seen(name: str, vocabulary: Vocabulary) -> Unanswerable:
    """Why a name means nothing here: a place that is not known, one of several, or a thing not seen."""
    if lexicon(vocabulary).names_a_place(name):
        try:
            vocabulary.place(name)
        except Unanswerable as error:
            return error
    return NotSeen(vocabulary.not_seen(name), name)


def _asked_back(sentence: str, choices: list[Any]) -> Told:
    """A question back, where a sentence may be one of two."""
    said = {program_in_words(one): one for one in choices}
    text = f"Did you mean: {', or: '.join(said)}?"
    return Told(sentence, text, abstained="I am not sure what you mean", choices=tuple(said.values()))


def refusal(sentence: str, error: Unanswerable) -> Told:
    """An answer that says why there is none."""
    error.__traceback__ = error.__context__ = None  # those calls hold the state, and so its file
    reason = str(error)
    return Told(sentence, f"{reason[:1].upper()}{reason[1:]}.".replace("..", "."), abstained=reason)


def clock_of(state: SpatialState) -> Clock:
    """What times in words are counted from: the state's own time, and when the wearer left which place."""

    def left(name: str) -> float | None:
        try:
            found = visits(state)
        except Unanswerable:
            return None
        if not name:  # the place that the wearer is in: when they left it the last time
            here = found[-1].tag if found else ""
            return next((v.end for v in islice(reversed(found), 1, None) if v.tag == here), None)
        try:
            tag = Vocabulary.of(state).place(name)
        except Unanswerable:
            return None
        return next((visit.end for visit in reversed(found) if visit.tag == tag), None)

    return Clock(state.path.start, state.now, left, getattr(state, "wall_clock", None))
