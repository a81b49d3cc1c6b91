"""The participant `ask`: reads the words of a question as `situ ask` does, and runs what it understood."""

from dataclasses import dataclass, replace

from situ.ask.parse import parse
from situ.ask.times import Clock
from situ.ask.vocabulary import Ambiguous, NotSeen, Vocabulary
from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import Unanswerable
from situ.evaluate.answer import Reply
from situ.evaluate.attribute_participants import DEFAULT_NOISE
from situ.evaluate.attribute_stages import Faults, StagedMemory
from situ.evaluate.participants import Participant, Setting, participant
from situ.memory import Memory
from situ.questions.base import Question, to_program
from situ.recording import Recording


class AskParticipant:
    """The same memory as `memory-oracle` or `memory-noisy`; the program is read from the words alone."""

    def __init__(self, faults: Faults, seed: int) -> None:
        self._memory = StagedMemory(faults, seed)

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        state = self._memory._state(recording, False, False)
        assert isinstance(state, Memory)
        now = state.state(row.time)
        vocabulary = Vocabulary.of(now)
        question = read(row, vocabulary, Clock(0.0, now.now))  # clocks in questions begin with the recording
        return Reply(self._memory.answer(recording, replace(row, program=to_program(question))))


def read(row: QuestionRow, vocabulary: Vocabulary, clock: Clock) -> Question:
    """What the words of a row ask, with its options as the choices."""
    try:
        return parse(row.text, vocabulary, clock, row.options).question
    except (NotSeen, Ambiguous) as error:
        raise Unanswerable(str(error)) from error


@dataclass(frozen=True)
class _Maker:
    faults: Faults

    def __call__(self, setting: Setting) -> Participant:
        return AskParticipant(self.faults, setting.seed)

    def applies(self, dataset: Dataset) -> bool:
        return bool(dataset.manifest["benchmark"] == "ucs")


_EXACT = "reads the question's words by the grammar of `situ ask`; the memory of `memory-oracle`"
participant("ask", _EXACT)(_Maker(Faults()))
participant("ask-noisy", "the same on the memory of `memory-noisy`")(_Maker(Faults(DEFAULT_NOISE)))
