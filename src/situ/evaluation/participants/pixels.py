"""Participants that see: a memory fed by the network for homes runs the question.

`memory-pixels` is given pictures and poses, `memory-rgb` pictures alone: depth is the network's, and each
picture is placed by what is seen in it.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import Unanswerable
from situ.evaluation.participants.base import Participant, Setting, participant
from situ.evaluation.participants.last_known import must_answer
from situ.evaluation.records.answer import Reply
from situ.memory import SpatialMemory
from situ.questions.base import Question
from situ.recording import Recording

if TYPE_CHECKING:
    from situ.perception.homes.network import Network
    from situ.perception.stages import Sink

_SAME_S = 1e-3  # frames nearer in time are the same


class PixelMemory:
    """One memory of one recording at a time, since questions come recording by recording."""

    def __init__(self, estimate_poses: bool) -> None:
        from situ.perception.homes.network import Network  # loaded when needed: it is slow to import

        self._estimate_poses = estimate_poses
        self._network = Network()
        self._held: tuple[str, SpatialMemory, str] | None = None

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        memory = self._watched(recording)
        question = renumbered(row, recording, memory)
        return Reply(must_answer(question, row.options, memory.state(row.time)))

    def _watched(self, recording: Recording) -> SpatialMemory:
        from situ.memory.sink import MemorySink, options_for  # loaded when needed: they are slow to import

        key = str(recording.folder)
        if self._held is None or self._held[0] != key:
            if self._held is not None:
                self._held[1].close()
            scale_from = "depth" if self._estimate_poses else "poses"
            memory = SpatialMemory.create(":memory:", options_for(scale_from))
            fault = watch_pixels(recording, self._network, self._estimate_poses, MemorySink(memory))
            self._held = key, memory, fault
        if self._held[2]:
            raise Unanswerable(f"the recording could not be watched: {self._held[2]}")
        if not self._held[1].frames:
            raise Unanswerable("no frame could be placed")
        return self._held[1]


def watch_pixels(recording: Recording, network: "Network", estimate_poses: bool, into: "Sink") -> str:
    """Show all frames to the network; what went wrong, or nothing."""
    from situ.perception.homes.stages import homes_watch  # loaded when needed: they are slow to import
    from situ.perception.pipeline import Watch
    from situ.perception.sources import recorded

    source, stages = homes_watch(recorded(recording), network, estimate_poses)
    return Watch(source, stages, into).run().fault


def renumbered(row: QuestionRow, recording: Recording, memory: SpatialMemory) -> Question:
    """The question about the memory's frames: some of the recording's may not have found a place."""
    named: tuple[int, ...] = getattr(row.question, "frames", ())
    if not named or memory.frames == len(recording.path):
        return row.question
    placed = memory.state(row.time).path.times
    gaps = np.abs(recording.path.times[list(named)][:, None] - placed)
    there = gaps.argmin(axis=1)[gaps.min(axis=1) < _SAME_S]
    if not len(there):
        raise Unanswerable("none of the frames could be placed")
    asked: Any = row.question
    return cast(Question, replace(asked, frames=tuple(int(frame) for frame in there)))


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
participant("memory-rgb", "homes: the same from pictures alone; depth and poses by what is seen")(
    _Maker(True)
)
