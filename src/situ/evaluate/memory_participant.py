"""The participant `memory`: pixels and actions go into a spatial memory, and the questions are run on it."""

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.rem.scenes import COLORS
from situ.errors import Unanswerable
from situ.evaluate.answer import Reply
from situ.evaluate.participants import Setting, participant
from situ.memory import Memory, MemoryOptions
from situ.perception.solids import SolidEye, SolidWorld
from situ.recording import Recording
from situ.state import Visibility

# Nothing in these worlds moves, the actions give exact poses, and no thing fits into a hand.
STILL_WORLD = MemoryOptions(reach_m=0.0, pose_drift_share=0.0, pose_drift_yaw_deg=0.0, model_size_share=0.05)


def remember_solids(recording: Recording, memory: Memory) -> None:
    """Watch a recording of coloured solids: pictures and actions only, no poses and no truth."""
    rule = recording.meta.get("visibility")
    eye = SolidEye(SolidWorld(COLORS), recording.camera, Visibility(**rule) if rule else None)
    for frame, image in zip(recording.frames, recording.images(), strict=True):
        known = memory.state().objects() if memory.frames else ()
        memory.observe(eye.look(image, frame.action, frame.time, known))


@participant("memory", "REM only: sees coloured solids, remembers where they are, runs the question on that")
class MemoryParticipant:
    """The same question programs as the truth, on a memory built from the pictures shown."""

    def __init__(self, setting: Setting) -> None:
        self._memory: tuple[str, Memory] | None = None

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        if recording.meta.get("benchmark") != "rem":
            raise Unanswerable("this memory sees coloured solids only; it needs a REM recording")
        return Reply(row.question.answer(self._watched(recording).state(row.time)).text)

    def _watched(self, recording: Recording) -> Memory:
        key = str(recording.folder)
        if self._memory is None or self._memory[0] != key:
            memory = Memory.create(":memory:", STILL_WORLD)
            remember_solids(recording, memory)
            self._memory = key, memory
        return self._memory[1]
