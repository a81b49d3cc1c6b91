"""Participants that see: a memory fed by the network for homes runs the question.

`memory-pixels` is given pictures and poses, `memory-rgb` pictures alone: depth is the network's, and poses
are found by odometry over both.
"""

from dataclasses import dataclass

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import Unanswerable
from situ.evaluation.participants.base import Participant, Setting, participant
from situ.evaluation.participants.stages import must_answer
from situ.evaluation.records.answer import Reply
from situ.memory import SpatialMemory
from situ.recording import Recording


class PixelMemory:
    """One memory of one recording at a time, since questions come recording by recording."""

    def __init__(self, estimate_poses: bool) -> None:
        from situ.perception.homes.network import Network  # loaded when needed: it is slow to import

        self._estimate_poses = estimate_poses
        self._network = Network()
        self._held: tuple[str, SpatialMemory, str] | None = None

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        return Reply(must_answer(row, self._watched(recording).state(row.time)))

    def _watched(self, recording: Recording) -> SpatialMemory:
        from situ.memory.sink import MemorySink  # loaded when needed: they are slow to import
        from situ.perception.homes.stages import homes_watch
        from situ.perception.pipeline import Watch
        from situ.perception.sources import recorded

        key = str(recording.folder)
        if self._held is None or self._held[0] != key:
            if self._held is not None:
                self._held[1].close()
            memory = SpatialMemory.create(":memory:")
            source, stages = homes_watch(recorded(recording), self._network, self._estimate_poses)
            report = Watch(source, stages, MemorySink(memory)).run()
            self._held = key, memory, report.fault
        if self._held[2]:
            raise Unanswerable(f"the recording could not be watched: {self._held[2]}")
        if not self._held[1].frames:
            raise Unanswerable("no frame could be placed")
        return self._held[1]


@dataclass(frozen=True)
class _Maker:
    """Asked by name only: a network looks at every frame of every recording."""

    estimate_poses: bool

    def __call__(self, setting: Setting) -> Participant:
        return PixelMemory(self.estimate_poses)

    def applies(self, dataset: Dataset) -> bool:
        return False


participant(
    "memory-pixels", "homes: a network sees the pictures, poses are given, a memory runs the question"
)(_Maker(False))
participant("memory-rgb", "homes: the same from pictures alone; depth by the network, poses by odometry")(
    _Maker(True)
)
