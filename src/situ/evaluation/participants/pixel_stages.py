"""The participants that see, in stages, each of which can be replaced by the truth about the same frames.

ego-pose    where each picture was taken: by what is seen, or the true poses
naming      what things are called, with colour and material
inventing   what shows nothing, or shows a thing a second time
placing     where things are and how large
finding     which of the things in view are found at all, and how clearly
tracking    which thing is which over time, and all that a memory concludes: the true tracks
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.participants.last_known import must_answer
from situ.evaluation.participants.pixels import renumbered, watch_pixels
from situ.evaluation.participants.stages import POSE, TRACKS, annotated_frames, visibility_rule
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix, inverse, transform
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink, options_for
from situ.perception.homes.network import Network
from situ.perception.observation import Observation, ObservedFrame
from situ.perception.odometry.visual_map import VisualMap
from situ.perception.oracle import Oracle, Seen
from situ.recording import Recording
from situ.state import TruthState

NAMING, INVENTING, PLACING, FINDING = "naming", "inventing", "placing", "finding"
# A detection shows a thing in whose direction it lies, about as far away.
_ASIDE_RAD, _FARTHER = math.radians(2.0), math.log(1.4)
_OTHER_NAME = 0.5  # what a wrong name counts against a detection, in radii of the thing


class PixelStages:
    """Answers as `memory-pixels` or `memory-rgb`; `true` names the stages that are replaced by the truth."""

    def __init__(self, estimate_poses: bool) -> None:
        own = (POSE,) if estimate_poses else ()
        self.stages = (*own, NAMING, INVENTING, PLACING, FINDING, TRACKS)
        self.alone = self.stages[:-1]  # true tracks are the truth of all before them
        self._estimate_poses, self._network = estimate_poses, Network()
        self._folder = ""
        self._watched: dict[bool, Collected] = {}
        self._memories: dict[tuple[str, ...], SpatialMemory] = {}
        self._truth: list[Oracle] = []

    def answer(self, recording: Recording, row: QuestionRow, true: Sequence[str] = ()) -> str:
        self._turn_to(recording)
        if TRACKS in true:
            truth = TruthState.of(recording, visibility_rule(recording))
            state = truth if row.time is None else truth.as_of(row.time)
            return must_answer(row.question, row.options, state)
        memory = self._memory(recording, tuple(stage for stage in self.stages if stage in true))
        question = renumbered(row, recording, memory)
        return must_answer(question, row.options, memory.state(row.time))

    def _turn_to(self, recording: Recording) -> None:
        if self._folder == str(recording.folder):
            return
        for memory in self._memories.values():
            memory.close()
        self._folder, self._watched, self._memories = str(recording.folder), {}, {}
        self._truth = list(annotated_frames(recording))

    def _memory(self, recording: Recording, true: tuple[str, ...]) -> SpatialMemory:
        if true not in self._memories:
            guessed = self._estimate_poses and POSE not in true
            if guessed not in self._watched:
                self._watched[guessed] = Collected()
                watch_pixels(recording, self._network, guessed, self._watched[guessed])
            seen = self._watched[guessed]
            memory = SpatialMemory.create(":memory:", options_for("depth" if guessed else "poses"))
            sink = MemorySink(memory)
            for frame in corrected(seen.observed, self._truth, true):
                sink.observe(frame)
            sink.keep(seen.facts, seen.doubt)
            self._memories[true] = memory
        return self._memories[true]


class Collected:
    """Stands in for a memory: keeps what the eyes said, frame by frame."""

    def __init__(self) -> None:
        self.observed: list[ObservedFrame] = []
        self.facts: Mapping[str, str] = {}
        self.doubt: PathUncertainty | None = None

    @property
    def frames(self) -> int:
        return len(self.observed)

    @property
    def now(self) -> float:
        return self.observed[-1].time if self.observed else float("-inf")

    def observe(self, frame: ObservedFrame) -> None:
        self.observed.append(frame)

    def correct(self, poses: Mapping[int, Matrix]) -> None:
        for number, pose in poses.items():
            self.observed[number] = replace(self.observed[number], T_world_camera=pose)

    def keep(self, facts: Mapping[str, str], doubt: PathUncertainty | None) -> None:
        self.facts, self.doubt = facts, doubt

    def remember(self, seen: VisualMap) -> None:
        pass


def corrected(
    frames: Sequence[ObservedFrame], truth: Sequence[Oracle], true: Sequence[str]
) -> Iterator[ObservedFrame]:
    """What the eyes said, with some of it as it truly was, in the world as the poses of the frames put it."""
    times = np.array([oracle.time for oracle in truth])
    for frame in frames:
        oracle = truth[int(np.abs(times - frame.time).argmin())]
        error = frame.T_world_camera @ inverse(oracle.T_world_camera)
        exact = [_exact(seen, error) for seen in oracle.seen]
        shown = matched(frame.observations, exact, frame.T_world_camera)
        told = [
            _told(said, exact[shown[i]] if i in shown else None, true)
            for i, said in enumerate(frame.observations)
            if INVENTING not in true or i in shown
        ]
        if FINDING in true:
            told += [thing for number, thing in enumerate(exact) if number not in shown.values()]
        place = oracle.place if NAMING in true else frame.place
        yield replace(frame, observations=tuple(told), place=place)


def _told(said: Observation, truth: Observation | None, true: Sequence[str]) -> Observation:
    if truth is None:
        return said
    if NAMING in true:
        said = replace(said, label=truth.label, attributes=truth.attributes, score=1.0)
    if PLACING in true:
        said = replace(said, position=truth.position, sigma_m=truth.sigma_m, covariance=None, size=truth.size)
    return replace(said, clarity=truth.clarity) if FINDING in true else said


def _exact(seen: Seen, error: Matrix) -> Observation:
    x, y, z = transform(error, seen.center).tolist()
    return Observation(
        seen.category, (x, y, z), 1.0, 0.02, None, seen.size, seen.attributes, clarity=seen.clarity
    )


def matched(said: Sequence[Observation], truth: Sequence[Observation], pose: Matrix) -> dict[int, int]:
    """Which thing each detection shows: the nearest in view, each by one; those of its name come first."""
    pairs = []
    eye = pose[:3, 3]
    for i, one in enumerate(said):
        here = np.subtract(one.position, eye)
        for k, thing in enumerate(truth):
            there = np.subtract(thing.position, eye)
            near, far = float(np.linalg.norm(here)), float(np.linalg.norm(there))
            if min(near, far) < 1e-6:
                continue
            radius = 0.5 * float(np.linalg.norm(thing.size or (0.1,) * 3))
            aside = math.acos(min(1.0, max(-1.0, float(here @ there) / (near * far))))
            reach = _ASIDE_RAD + math.atan2(radius, far)
            if aside <= reach and abs(near - far) <= radius + (math.exp(_FARTHER) - 1) * far:
                pairs.append((aside / reach + _OTHER_NAME * (one.label != thing.label), i, k))
    found: dict[int, int] = {}
    for _, i, k in sorted(pairs):
        if i not in found and k not in found.values():
            found[i] = k
    return found
