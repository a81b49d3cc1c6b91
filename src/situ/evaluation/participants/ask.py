"""The participant `ask`: reads the words of a question as `situ ask` does, and runs what it understood."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import Unanswerable
from situ.evaluation.participants.base import Participant, Setting, participant
from situ.evaluation.participants.memory_cache import Memories
from situ.evaluation.participants.nearest_option import nearest_option
from situ.evaluation.participants.simulated import DEFAULT_NOISE
from situ.evaluation.participants.stages import Faults, StagedMemory
from situ.evaluation.records.answer import Reply
from situ.language.focus import Decision, decide
from situ.language.reading import LEAST_READING, read
from situ.language.refusals import not_understood
from situ.language.running import question_of
from situ.language.times import Clock
from situ.language.vocabulary import Vocabulary
from situ.memory import SpatialMemory
from situ.questions.base import Answer, Question
from situ.questions.programs import evaluate
from situ.recording import Recording
from situ.state import SpatialState


class AskParticipant:
    """The same memory as `memory-oracle` or `memory-noisy`; the program is read from the words alone."""

    def __init__(self, faults: Faults, seed: int) -> None:
        self._memory = StagedMemory(faults, seed)

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        memory = self._memory._state(recording, False, False)
        assert isinstance(memory, SpatialMemory)
        return answered(row, memory.state(row.time))


def answered(row: QuestionRow, state: SpatialState) -> Reply:
    """What the words of a row ask, run, in the words of its options. Clocks in questions begin with the
    recording; of what nobody saw there is none."""
    words = Vocabulary.of(state)
    reading = read(row.text, words, Clock(0.0, state.now))
    if reading is None or reading.holes or reading.certainty < LEAST_READING:
        raise not_understood(row.text, words)
    program = reading.program
    if isinstance(program, list):
        raise Unanswerable("the words ask several things")
    if (question := question_of(program)) is not None:
        return Reply(nearest_option(decide(about_shown(question, row), state), row.options))
    (found,) = evaluate(program, state)
    answer = Answer(found.value, found.margin, found.evidence, found.numbers, found.things)
    return Reply(nearest_option(Decision(answer, found.odds, found.confidence), row.options))


def about_shown(question: Question, row: QuestionRow) -> Question:
    """Words do not say which frames "these frames" are, nor when one clip ends and the next begins, but
    whoever is asked is shown both."""
    known = {field.name for field in fields(question)}  # type: ignore[arg-type]
    shown: dict[str, Any] = {}
    if (frames := row.program.get("frames")) and "frames" in known:
        shown["frames"] = tuple(frames)
    if "split" in row.program and "split" in known:
        shown["split"] = row.program["split"]
    return replace(question, **shown) if shown else question  # type: ignore[type-var]


class MemoriesParticipant:
    """The same grammar on memories that `situ watch` made of the videos."""

    def __init__(self, folder: Path) -> None:
        self._memories = Memories(folder)

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        state = self._memories.of(recording, row.item).state(row.time)
        return answered(row, state)


@dataclass(frozen=True)
class _Maker:
    faults: Faults
    takes_memories: ClassVar[bool] = True

    def __call__(self, setting: Setting) -> Participant:
        if setting.memories is not None:
            return MemoriesParticipant(setting.memories)
        return AskParticipant(self.faults, setting.seed)

    def applies(self, dataset: Dataset) -> bool:
        return bool(dataset.manifest["benchmark"] == "ucs")


_EXACT = "reads the question's words by the grammar of `situ ask`; the memory of `memory-oracle`"
participant("ask", _EXACT)(_Maker(Faults()))
participant("ask-noisy", "the same on the memory of `memory-noisy`")(_Maker(Faults(DEFAULT_NOISE)))
