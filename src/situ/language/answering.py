"""`ask`: a sentence put to a state; the answer comes with everything that one needs to trust it, or not."""

from dataclasses import replace
from itertools import islice

from situ.errors import Unanswerable
from situ.geometry.heading import SAME_LOCATION
from situ.language.answer_text import tell
from situ.language.certificate import Certificate
from situ.language.conjunctions import taken_apart
from situ.language.focus import Decision, decide
from situ.language.forgotten import check_names, check_remembered
from situ.language.interpreter import Interpreter, Model
from situ.language.kind import KINDS, asked_as
from situ.language.other_candidates import in_words, other_candidates
from situ.language.parse import WITHOUT_STORY, Asked, Clock, NotUnderstood, alone, parse
from situ.language.phrasing import metres
from situ.language.reading import LEAST_READING, read
from situ.language.running import run
from situ.language.schema import described
from situ.language.told import LEAST_CONFIDENCE as LEAST_CONFIDENCE
from situ.language.told import SURE
from situ.language.told import Told as Told
from situ.language.unplaced import check_nameable, check_placed, not_named
from situ.language.vocabulary import Ambiguous, Encoder, NotSeen, Vocabulary
from situ.questions.base import Answer
from situ.questions.programs.wearer_asks import visits
from situ.state.protocol import SpatialState

MOST_READINGS = 3
# How far the ends of its interval may be from a distance that is told without them: in metres, or as a share.
_ROUGH_M, _ROUGH_SHARE = 0.5, 0.25
_SCALE_UNKNOWN = " (The scale is not known: distances take the eyes to be 1.6 m above the floor.)"


def ask(
    state: SpatialState,
    sentence: str,
    least_confidence: float = LEAST_CONFIDENCE,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Told:
    """Answer a sentence as of a state's time. What is not known, or not sure enough, is not answered.

    A `model` writes the program of what the grammar does not understand, and that is told; an `encoder`
    finds likely names to suggest.
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
    try:
        check_remembered(state)
        check_names(state, sentence)
        check_placed(state, sentence, vocabulary)
        told = _read(state, sentence, vocabulary, least_confidence, model)
        check_nameable(state, told)
        return told
    except Ambiguous as error:
        return _each(state, sentence, vocabulary, least_confidence, error)


def refusal(sentence: str, error: Unanswerable) -> Told:
    """An answer that says why there is none."""
    reason = str(alone(error))
    return Told(sentence, f"{reason[:1].upper()}{reason[1:]}.".replace("..", "."), abstained=reason)


def _read(
    state: SpatialState, sentence: str, vocabulary: Vocabulary, least_confidence: float, model: Model | None
) -> Told:
    clock = clock_of(state)
    reading = None if of_a_plugin(sentence, vocabulary, clock) else read(sentence, vocabulary, clock)
    if (
        reading is not None
        and not reading.holes
        and not reading.unknown
        and reading.certainty >= LEAST_READING
    ):
        return run(state, sentence, reading, least_confidence)
    try:
        asked, written = parse(sentence, vocabulary, clock), False
    except (NotUnderstood, NotSeen) as refused:
        if found := _several(state, sentence, vocabulary, least_confidence):
            return found
        if model is None:
            raise
        asked, written = Interpreter(model).written(sentence, vocabulary, clock, refused), True
    loose = not written and asked.certainty < WITHOUT_STORY
    if loose and (found := _several(state, sentence, vocabulary, least_confidence)):
        return found
    told = answered(state, sentence, asked, least_confidence)
    if not written and asked.certainty == 1.0:
        return told
    taken_as = described(asked.question)
    return replace(told, taken_as=taken_as, text=f"I took this as: {taken_as}. {told.text}")


def of_a_plugin(sentence: str, vocabulary: Vocabulary, clock: Clock) -> bool:
    """Whether a sentence is a phrase of a question that a plugin brings: its words go before ours."""
    if all(kind.question.__module__.startswith("situ.") for kind in KINDS.values()):
        return False
    try:
        asked = parse(sentence, vocabulary, clock)
    except Unanswerable:
        return False
    return asked.certainty == 1.0 and not type(asked.question).__module__.startswith("situ.")


def _several(
    state: SpatialState, sentence: str, vocabulary: Vocabulary, least_confidence: float
) -> Told | None:
    """The answers to a sentence that asks several questions, each by a phrase of its own."""
    if " and " not in sentence.lower():
        return None
    clock = clock_of(state)
    for parts in taken_apart(sentence, vocabulary):
        try:
            asked = [parse(part, vocabulary, clock) for part in parts]
            if any(one.certainty < 1.0 for one in asked):
                continue
            told = [
                answered(state, part, one, least_confidence) for part, one in zip(parts, asked, strict=True)
            ]
        except Unanswerable:
            continue
        return Told(
            sentence, " ".join(one.text for one in told),
            "; ".join(str(one.value) for one in told if one.value is not None) or None,
            question=told[0].question, confidence=min(one.confidence for one in told), readings=tuple(told),
        )  # fmt: skip
    return None


def _each(
    state: SpatialState, sentence: str, vocabulary: Vocabulary, least_confidence: float, name: Ambiguous
) -> Told:
    """A name that means things of several kinds: the answer for each."""
    found: list[tuple[str, Told]] = []
    for kind in name.kinds[:MOST_READINGS]:
        meaning = replace(vocabulary, preferred=frozenset({kind}))
        try:
            asked = parse(sentence, meaning, clock_of(state))
            found.append((kind, answered(state, sentence, asked, least_confidence)))
        except Unanswerable:
            continue
    if not found:
        return refusal(sentence, name)
    if len(found) == 1:
        return found[0][1]
    text = " ".join(told.text for _, told in found)
    value = "; ".join(f"{kind}: {told.value}" for kind, told in found if told.value is not None)
    return Told(
        sentence, f"You may mean {' or '.join(f'the {kind}' for kind, _ in found)}. {text}", value or None,
        question=found[0][1].question, confidence=min(told.confidence for _, told in found),
        readings=tuple(told for _, told in found),
    )  # fmt: skip


def answered(state: SpatialState, sentence: str, asked: Asked, least_confidence: float) -> Told:
    """The answer to what a sentence was read as."""
    question = asked.question
    if asked.at is not None:
        state = state.as_of(asked.at)
    check_remembered(state)
    check_remembered(state, getattr(question, "time", None))
    decision = decide(question, state)
    answer, confidence = decision.answer, decision.confidence * asked.certainty
    age = _age(state, answer)
    others = other_candidates(question, state, answer)
    certificate = Certificate.of(question, state, answer)
    text = tell(question, answer, age, state, asked.unit) + _roughly(decision, asked.unit) + in_words(others)
    reason = ""
    if decision.confidence < least_confidence:  # a reading that is announced is no reason to keep silent
        reason = f"I am not sure enough ({decision.confidence:.0%})"
        text = f"{reason}; my best guess: {text[0].lower()}{text[1:]}"
    elif confidence < SURE:
        text = f"I think {text[0].lower()}{text[1:]}"
    metric = bool(getattr(state, "metric", True))
    tells_distance = answer.value != SAME_LOCATION and any(n.endswith("_m") for n in answer.numbers or ())
    if not metric and tells_distance:
        text += _SCALE_UNKNOWN
    return Told(
        sentence, text, None if reason else answer.value, reason, asked_as(question), question.frame,
        round(confidence, 3), {value: round(share, 3) for value, share in decision.odds.items()},
        decision.distance_m, age, answer.evidence, certificate, metric, others,
    )  # fmt: skip


def _roughly(decision: Decision, unit: str) -> str:
    """How far it may be, where the distance that is told is no more than a middle."""
    told = (decision.answer.numbers or {}).get("distance_m")
    if told is None or decision.distance_m is None or decision.answer.value == SAME_LOCATION:
        return ""
    low, high = decision.distance_m
    if max(told - low, high - told) <= max(_ROUGH_M, _ROUGH_SHARE * told):
        return ""
    return f" The distance is known only roughly: {metres(low, unit)} to {metres(high, unit)}."


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
        except (NotSeen, Ambiguous):
            return None
        return next((visit.end for visit in reversed(found) if visit.tag == tag), None)

    return Clock(state.path.start, state.now, left, getattr(state, "wall_clock", None))


def _age(state: SpatialState, answer: Answer) -> float | None:
    """How long ago the thing that the answer is about was last seen."""
    last = next(reversed(state.sightings(answer.things[0])), None) if answer.things else None
    return None if last is None else state.now - last.time
