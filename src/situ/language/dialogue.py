"""A conversation: each sentence is answered in the light of those before."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from situ.errors import Unanswerable
from situ.language.clocks import clock_of
from situ.language.context import InContext, asks, from_elsewhere, in_context, questions
from situ.language.ears import EDIT, HELP, Heard
from situ.language.ears_network import packaged
from situ.language.forgotten import check_names, check_remembered
from situ.language.going_on import GoingOn
from situ.language.interpreter import Model, written
from situ.language.reading import LEAST_READING, Reading, heard, read
from situ.language.refusals import help_text, not_understood
from situ.language.running import refusal, run, together
from situ.language.told import LEAST_CONFIDENCE, Told
from situ.language.topic import Topic as Topic
from situ.language.topic import topic_after, topic_of
from situ.language.understanding import (
    ENGLISH_ONLY,
    LEAST_HEARD,
    SURELY_FOREIGN,
    SURELY_OUTSIDE,
    announced,
    asked_back,
    how_sure,
    not_seen,
    said_again,
    sure,
    taken,
)
from situ.language.unplaced import check_nameable, check_placed, not_named
from situ.language.vocabulary import Encoder, NotSeen, Vocabulary
from situ.state.protocol import SpatialState

_THANKS = re.compile(
    r"^(?:many |ok |okay |great |good )?(?:thanks?|thank you|cheers|ta)(?: (?:you|so much|a lot))?$"
)
# The answer to a question back.
_CHOSEN = re.compile(
    r"^(?:(?:yes|yep|yeah|right|exactly|the (?:first|former)(?: one)?|first)|"
    r"(?P<second>no|the (?:second|latter|other)(?: one)?|second))$"
)
_ABOUT_LAST = {"d_sure": how_sure, "d_again": said_again}  # intents about the answer that was given last


@dataclass
class Conversation:
    """Sentences put to one state after the other; `state` is asked for anew for each of them."""

    state: Callable[[], SpatialState]
    least_confidence: float = LEAST_CONFIDENCE
    encoder: Encoder | None = None
    model: Model | None = None
    topic: Topic = field(default_factory=Topic)
    choices: tuple[Any, ...] = ()  # of the question back that was asked last
    last: Told | None = None

    def ask(self, sentence: str) -> Told:
        """Answer a sentence in the light of those before. What is not known, or not sure enough, is not
        answered."""
        try:
            return self.answer(sentence)
        except NotSeen as error:
            self.last = refusal(sentence, not_named(self.state(), error) or error)
        except Unanswerable as error:
            self.last = refusal(sentence, error)
        self.choices = ()
        return self.last

    def answer(self, sentence: str) -> Told:
        """As `ask`, but Unanswerable, and NotSeen for a name that the state does not know, are raised."""
        if _THANKS.match(re.sub(r"[^a-z ]", "", sentence.lower()).strip()):
            return Told(sentence, "You are welcome.")
        state = self.state()
        words = Vocabulary.of(state, self.encoder)
        check_remembered(state)
        check_names(state, sentence)
        check_placed(state, sentence, words)
        told = self._told(sentence, state, words)
        check_nameable(state, told)
        self.choices, self.last = told.choices, told
        return told

    def _told(self, sentence: str, state: SpatialState, words: Vocabulary) -> Told:
        on = GoingOn(self.topic, words, clock_of(state))
        reading = self._chosen(sentence) or on.read(sentence)
        if not sure(reading):
            reading = from_elsewhere(sentence, words, on.clock) or reading
        if sure(reading):
            return self._run(sentence, reading, state)
        parts = questions(sentence, words, on.clock)
        if parts:
            return together(sentence, [self.ask(part) for part in parts])
        by_model = None if self.model is None else written(self.model, sentence, words, state.now)
        if by_model is not None:
            return self._run(sentence, by_model, state)
        asides = list(in_context(sentence, words, on.clock, self.topic))
        if (told := self._in_context(sentence, asides, on, state, False)) is not None:
            return told
        sounds = heard(sentence, words, on.clock, self.topic.program is not None)
        if sounds.heard and self.last is not None and (about := _ABOUT_LAST.get(sounds.heard[0].intent)):
            return about(sentence, self.last)
        if sounds.heard and sounds.heard[0].intent == HELP and sounds.heard[0].share >= LEAST_HEARD:
            return Told(sentence, help_text(words))
        if sounds.foreign >= SURELY_FOREIGN:
            raise Unanswerable(ENGLISH_ONLY)
        if len(sounds.parts) > 1 and (told := self._of_parts(sentence, sounds.parts)) is not None:
            return told
        choices = [(one.share, found) for one in sounds.heard if (found := self._taken(one, on)) is not None]
        doubted = not choices or choices[0][0] < LEAST_READING
        if doubted and (told := self._in_context(sentence, asides, on, state, True)) is not None:
            return told
        if choices and choices[0][0] >= max(LEAST_HEARD, 2 * sounds.outside):
            best = choices[0][1]
            if best.unknown:
                raise not_seen(best.unknown[0], words)
            return self._run(sentence, best, state)
        if reading is not None and reading.unknown and sounds.outside < SURELY_OUTSIDE:
            raise not_seen(reading.unknown[0], words)
        programs = [found.program for _, found in choices if not found.unknown]
        if programs:
            return asked_back(sentence, programs)
        raise not_understood(sentence, words)

    def _run(self, sentence: str, reading: Reading | None, state: SpatialState) -> Told:
        assert reading is not None
        try:
            told = run(state, sentence, reading, self.least_confidence)
        except Unanswerable:
            self._name(reading)
            raise
        self._remember(told, reading)
        return told

    def _name(self, reading: Reading) -> None:
        """Remember what was asked about, though there was no answer."""
        program = reading.program
        if isinstance(program, dict) and "ask" in program and program["ask"] != "question":
            told = Told("", "", phrases=reading.phrases)
            self.topic = topic_after(program, dict(reading.phrases), told, self.topic)

    def _chosen(self, sentence: str) -> Reading | None:
        """What was chosen of a question back."""
        found = _CHOSEN.match(sentence.lower().strip(" ?!.,")) if self.choices else None
        number = int(found["second"] is not None) if found else len(self.choices)
        if number >= len(self.choices):
            return None
        program = self.choices[number]
        of = program.get("of") if isinstance(program, dict) else None
        return Reading(program, 1.0, "chosen", phrases={"set": of} if isinstance(of, dict) else {})

    # ------------------------------------------------------------------ what was heard
    def _taken(self, one: Heard, on: GoingOn) -> Reading | None:
        """The reading of what was heard, with what was spoken of in its holes."""
        try:
            if one.intent.startswith(EDIT):
                said = " ".join(
                    " ".join(one.holes.get(part[1:-1], ())) if part.startswith("{") else part
                    for part in packaged().said[one.intent].split()
                )
                return on.read(said)
            reading = taken(one)
            return reading if reading is None or not reading.holes else on.filled(reading, "")
        except Unanswerable:
            return None

    def _in_context(
        self, sentence: str, asides: Sequence[InContext], on: GoingOn, state: SpatialState, by_ear: bool
    ) -> Told | None:
        """The answer to the question in what was said, in the light of the rest of it: of what a frame reads,
        or of what is heard."""
        for one in asides:
            reading = self._beside(one, on, by_ear)
            if reading is None:
                continue
            if one.unknown and not one.others_known:
                raise not_seen(one.unknown, on.words)
            told = self._run(
                sentence, replace(reading, certainty=min(reading.certainty, one.certainty)), state
            )
            if one.unknown:
                told = together(sentence, [refusal(sentence, not_seen(one.unknown, on.words)), told])
            return told
        return None

    def _beside(self, one: InContext, on: GoingOn, by_ear: bool) -> Reading | None:
        """What a question asks that has something beside it, which it must speak of if that is no sentence of
        its own."""
        near = replace(on, topic=one.topic)
        try:
            if not by_ear:
                reading = read(one.question, on.words, on.clock)
            else:
                sounds = heard(one.question, on.words, on.clock, True)
                best = sounds.heard[0] if sounds.heard else None
                reading = (
                    None if best is None or best.share < max(LEAST_READING, sounds.outside) else taken(best)
                )
            if reading is None or reading.unknown or not (reading.holes or one.story):
                return None
            return near.filled(reading, "")
        except Unanswerable:
            return None

    def _of_parts(self, sentence: str, parts: Sequence[str]) -> Told | None:
        """The answers to several questions in one sentence, each in the light of those before; None where
        none of them is understood."""
        before, told = (self.topic, self.choices, self.last), list[Told]()
        for part in parts:
            one = self.ask(part)
            if one.certificate is not None or one.readings or asks(part):  # else it is a story
                told.append(one)
        if any(one.certificate is not None or one.readings for one in told):
            return announced(sentence, told[0]) if len(told) == 1 else together(sentence, told)
        self.topic, self.choices, self.last = before
        return None

    # ------------------------------------------------------------------ remembering
    def _remember(self, told: Told, reading: Reading) -> None:
        made = [one.certificate for one in (told, *told.readings) if one.certificate is not None]
        if not made:
            return
        program: Any = [one.program for one in made] if len(made) > 1 else dict(made[0].program)
        if "kind" in program:  # one of the questions that are no programs of the algebra
            self.topic = topic_of(program, self.topic)
            return
        self.topic = topic_after(program, dict(reading.phrases or told.phrases), told, self.topic)
