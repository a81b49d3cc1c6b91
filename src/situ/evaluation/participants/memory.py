"""The participant `memory`: pixels and actions go into a spatial memory, and the questions are run on it."""

from collections.abc import Sequence
from dataclasses import replace

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.rem.scenes import COLORS
from situ.errors import Unanswerable
from situ.evaluation.benchmark import BENCHMARKS, SOLIDS, eyes_for
from situ.evaluation.participants.base import Setting, participant
from situ.evaluation.records.answer import Reply
from situ.language.focus import decide
from situ.memory import MemoryOptions, SpatialMemory
from situ.perception.observing import thumbnail
from situ.perception.solids import SolidEye, SolidWorld
from situ.recording import Recording
from situ.state import ObjectView, Visibility

# Nothing in these worlds moves, the actions give exact poses, and no thing fits into a hand.
STILL_WORLD = MemoryOptions(reach_m=0.0, pose_drift_share=0.0, pose_drift_yaw_deg=0.0, look_range_m=30.0)


def remember_solids(
    recording: Recording,
    memory: SpatialMemory,
    known: Sequence[ObjectView] | None = None,
    picture_width: int = 0,
) -> None:
    """Watch a recording of coloured solids: pictures and actions only, no poses and no truth.

    `known` are solids known beforehand, from watching it once before; without them the memory's own are what
    the eye expects, and what is in doubt waits for a better view. Frames that the memory has are passed over.
    A memory that people look at keeps pictures of `picture_width` pixels; one that only answers needs none.
    """
    rule = recording.meta.get("visibility")
    eye = SolidEye(SolidWorld(COLORS), recording.camera, Visibility(**rule) if rule else None)
    done = memory.frames
    for frame in recording.frames[:done]:
        eye.walk(frame.action)
    images = recording.images(range(done, len(recording)))
    for frame, image in zip(recording.frames[done:], images, strict=True):
        mine = memory.state().objects() if memory.frames else ()
        expected = [*(known or ()), *mine]
        last = frame is recording.frames[-1]  # no better view will come
        seen = eye.look(image, frame.action, frame.time, expected, known is not None or last)
        if picture_width:
            picture = thumbnail(image, recording.camera.width, recording.camera.height, picture_width)
            seen = replace(seen, thumbnail=picture)
        memory.observe(seen)


def remember_with_hindsight(recording: Recording) -> SpatialMemory:
    """Watch a recording twice, so that what is seen well later explains what was in doubt at first."""
    with SpatialMemory.create(":memory:", STILL_WORLD) as first:
        remember_solids(recording, first)
        known = [thing for thing in first.state().objects() if thing.presence > 0.5]
    memory = SpatialMemory.create(":memory:", STILL_WORLD)
    remember_solids(recording, memory, known)
    return memory


@participant("memory", "REM only: sees coloured solids, remembers where they are, runs the question on that")
class MemoryParticipant:
    """The same question programs as the truth, on a memory built from the pictures shown."""

    def __init__(self, setting: Setting) -> None:
        self._frames = setting.frames
        self._memory: tuple[str, SpatialMemory] | None = None

    @staticmethod
    def applies(dataset: Dataset) -> bool:
        benchmark = BENCHMARKS.get(str(dataset.manifest["benchmark"]))
        return benchmark is not None and benchmark.eyes == SOLIDS

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        if eyes_for(recording) != SOLIDS:
            raise Unanswerable("this memory sees coloured solids only; it needs a REM recording")
        if list(self._frames.pick(recording, row)) != list(range(len(recording))):
            raise Unanswerable("the actions lead from each frame to the next: all frames are needed")
        state = self._watched(recording).state(row.time)
        return Reply(decide(row.question, state).among(row.options))

    def _watched(self, recording: Recording) -> SpatialMemory:
        key = str(recording.folder)
        if self._memory is None or self._memory[0] != key:
            self._memory = key, self._remember(recording)
        return self._memory[1]

    def _remember(self, recording: Recording) -> SpatialMemory:
        return remember_with_hindsight(recording)


@participant("memory-once", "REM only: the same, watched once: nothing seen later explains what came before")
class CausalMemoryParticipant(MemoryParticipant):
    """What `situ watch` would know: a single causal pass. Asked by name only: it costs another memory of
    every walk."""

    @staticmethod
    def applies(dataset: Dataset) -> bool:
        return False

    def _remember(self, recording: Recording) -> SpatialMemory:
        memory = SpatialMemory.create(":memory:", STILL_WORLD)
        remember_solids(recording, memory)
        return memory
