"""The participants `narrative` and `scene-narrative`: a perfect narrator, and a reader of its words alone.

What they reach is the ceiling of the Spatial Narrative Score, with and without words about the camera.
"""

from typing import TYPE_CHECKING

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.evaluation.participants.base import Setting, participant
from situ.evaluation.records.answer import Reply
from situ.recording import Recording

if TYPE_CHECKING:
    from situ.narrate.reasoner import Reasoner


@participant("narrative", "reads a perfect narrative and nothing else: the ceiling of the narrative score")
class NarrativeParticipant:
    """The narrative tells scene and camera; the reader reckons the layout and runs the question on it."""

    camera = True
    segment = 16

    def __init__(self, setting: Setting) -> None:
        self._frames = setting.frames
        self._read: tuple[tuple[str, tuple[int, ...]], Reasoner] | None = None

    @staticmethod
    def applies(dataset: Dataset) -> bool:
        return bool(dataset.manifest["benchmark"] == "sns")

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        return Reply(self._reader(recording, row).answer(row.question, row.options))

    def _reader(self, recording: Recording, row: QuestionRow) -> "Reasoner":
        from situ.narrate.oracle import oracle_narrative  # loaded when needed: they are slow to import
        from situ.narrate.reasoner import Reasoner

        shown = self._frames.pick(recording, row)
        key = (str(recording.folder), shown)
        if self._read is None or self._read[0] != key:
            told = oracle_narrative(recording, self.segment, frames=shown)
            self._read = key, Reasoner((told if self.camera else told.scene_only).text)
        return self._read[1]


@participant("scene-narrative", "the same without words about the camera: what knowing its motion is worth")
class SceneNarrativeParticipant(NarrativeParticipant):
    camera = False


class _LongerSegments(NarrativeParticipant):
    @staticmethod
    def applies(dataset: Dataset) -> bool:
        return False  # an ablation, not a system: asked for by name


@participant("narrative-24", "a perfect narrative of every 24 frames: what longer segments cost")
class NarrativeParticipant24(_LongerSegments):
    segment = 24


@participant("narrative-32", "a perfect narrative of every 32 frames")
class NarrativeParticipant32(_LongerSegments):
    segment = 32
