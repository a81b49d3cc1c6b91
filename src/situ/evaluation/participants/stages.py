"""A participant in four stages, each of which can be faulty and each of which can be replaced by the truth.

pose        where the wearer is: drifting odometry, or the true poses
tracks      which things were seen where: a memory fed by a faulty detector, or the true tracks
retrieval   which of the remembered things are looked at: some are overlooked, or none
reasoning   the question's program on what was retrieved: sometimes a wrong conclusion, or never
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from situ.benchmarks.dataset import DRAWN, QuestionRow
from situ.errors import BadInput
from situ.evaluation.participants.last_known import Around, must_answer
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, inverse, transform
from situ.memory import SpatialMemory
from situ.perception.oracle import Noise, Oracle, noisy, oracle_frames
from situ.questions.rules.wearer import full_name
from situ.recording import Event, ObjectRecord, Recording
from situ.state import ObjectView, Sighting, SpatialState, TruthState, Visibility
from situ.state.truth import MOVED, box_from_event

POSE, TRACKS, RETRIEVAL, REASONING = "ego-pose", "tracking", "retrieval", "reasoning"
STAGES = (POSE, TRACKS, RETRIEVAL, REASONING)
_POSE_FIELDS = ("drift", "drift_yaw_deg")


@dataclass(frozen=True)
class Faults:
    """What is wrong: noise of detector and odometry, and the chances to overlook a thing or to conclude
    wrongly. Nothing by default."""

    noise: Noise = field(default_factory=Noise)
    overlook: float = 0.0
    misjudge: float = 0.0

    def __post_init__(self) -> None:
        for name in ("overlook", "misjudge"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise BadInput(f"the chance '{name}' must lie in 0..1, got {getattr(self, name)}")

    @property
    def pose(self) -> Noise:
        return Noise(**{name: getattr(self.noise, name) for name in _POSE_FIELDS})

    @property
    def tracks(self) -> Noise:
        return replace(self.noise, **dict.fromkeys(_POSE_FIELDS, 0.0))


class StagedMemory:
    """Answers from a memory with given faults; `true` names the stages that are replaced by the truth."""

    stages: tuple[str, ...] = STAGES  # in the order in which information flows
    alone: tuple[str, ...] = STAGES  # those that may be replaced alone

    def __init__(self, faults: Faults, seed: int = 0) -> None:
        self._faults, self._seed = faults, seed
        self._folder = ""
        self._states: dict[tuple[bool, bool], SpatialMemory | TruthState] = {}

    def answer(self, recording: Recording, row: QuestionRow, true: Sequence[str] = ()) -> str:
        state = self._state(recording, POSE in true, TRACKS in true)
        now = state.state(row.time) if isinstance(state, SpatialMemory) else state
        seen: SpatialState = (
            now if row.time is None or isinstance(state, SpatialMemory) else now.as_of(row.time)
        )
        if RETRIEVAL not in true and self._faults.overlook:
            seen = Overlooking(seen, self._faults.overlook, f"{self._seed} {row.id}")
        found = must_answer(row.question, row.options, seen)
        if REASONING not in true and self._faults.misjudge:
            rng = self._rng(row.id, 2)
            if rng.random() < self._faults.misjudge:
                others = [option for option in row.options if option != found]
                found = others[int(rng.integers(len(others)))] if others else found
        return found

    def _state(self, recording: Recording, true_pose: bool, true_tracks: bool) -> SpatialMemory | TruthState:
        if self._folder != str(recording.folder):
            for state in self._states.values():
                if isinstance(state, SpatialMemory):
                    state.close()
            self._folder, self._states = str(recording.folder), {}
        faults = self._faults
        # Stages without a fault are true already: no second memory is built for them.
        pose = Noise() if true_pose else faults.pose
        key = (pose == Noise(), true_tracks)
        if key not in self._states:
            frames = _drifting(annotated_frames(recording), pose, self._rng(recording.folder.name, 3))
            if true_tracks:
                self._states[key] = true_tracks_of(recording, frames, pose != Noise())
            else:
                memory = SpatialMemory.create(":memory:")
                rng = self._rng(recording.folder.name, 4)
                exact = faults.tracks == Noise()
                for frame in (f.exact() for f in frames) if exact else noisy(frames, faults.tracks, rng):
                    memory.observe(frame)
                self._states[key] = memory
        return self._states[key]

    def _rng(self, key: str, purpose: int) -> np.random.Generator:
        digest = hashlib.sha256(f"{self._seed} {purpose} {key}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "little"))


class Overlooking(Around):
    """Some of its things are not retrieved: for each question a share of all names."""

    def __init__(self, state: SpatialState, chance: float, key: str) -> None:
        super().__init__(state)
        # By name, so that the same things are overlooked whatever numbers a state gives them.
        self._found = [view for view in state.objects() if _draw(f"{key} {full_name(view)}") >= chance]

    def objects(self) -> Sequence[ObjectView]:
        return self._found


def _draw(key: str) -> float:
    """A number in 0..1 that depends on a text alone."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "little") / 2**48


def true_tracks_of(recording: Recording, frames: Iterator[Oracle], drifts: bool) -> TruthState:
    """Every thing where it was seen, told apart without fail, in the world as the poses put it."""
    rule = visibility_rule(recording)
    if not drifts:
        return TruthState.of(recording, rule)
    poses, events, errors = [], [], []
    sightings: dict[int, list[Sighting]] = {}
    records: dict[int, ObjectRecord] = {}
    for record, frame in zip(recording.frames, frames, strict=True):
        poses.append(frame.T_world_camera)
        errors.append(frame.T_world_camera @ inverse(record.T_world_camera))
        for seen in frame.seen:
            thing = recording.objects[seen.object_id]
            data = {"center": list(seen.center), "size": list(seen.size), "yaw_deg": 0.0}
            events.append(Event(frame.time, MOVED, seen.object_id, data))
            records.setdefault(seen.object_id, thing)
            sightings.setdefault(seen.object_id, []).append(Sighting(record.index, frame.time, seen.clarity))
    path = Path(recording.path.times, np.stack(poses))
    for event in recording.events:
        events.append(_as_drifted(event, errors[path.index_at(event.time)]))
    events.sort(key=lambda event: event.time)
    return TruthState(path, records, sightings, events)


def _as_drifted(event: Event, error: Matrix) -> Event:
    if event.kind != MOVED:
        return event
    box = box_from_event(event)
    center = transform(error, box.center).tolist()
    return Event(event.time, MOVED, event.object_id, {**event.data, "center": center})


def _drifting(frames: Iterator[Oracle], noise: Noise, rng: np.random.Generator) -> Iterator[Oracle]:
    """The same frames in the world as drifting poses put it; what is seen stays where it is in view."""
    if noise == Noise():
        yield from frames
        return
    kept: list[Oracle] = []

    def passing() -> Iterator[Oracle]:
        for frame in frames:
            kept.append(frame)
            yield replace(frame, seen=())

    for observed in noisy(passing(), noise, rng):
        frame = kept.pop()
        error = observed.T_world_camera @ inverse(frame.T_world_camera)
        moved = []
        for seen in frame.seen:
            x, y, z = transform(error, seen.center).tolist()
            moved.append(replace(seen, center=(x, y, z)))
        yield replace(frame, T_world_camera=observed.T_world_camera, seen=tuple(moved))


def annotated_frames(recording: Recording) -> Iterator[Oracle]:
    """What a recording's annotations show, frame by frame, with how far the view is clear; where that is not
    stored but the world is, it is drawn in few pixels, at a third of the cost. An exact detector that did not
    tell what it looks through would leave a memory in doubt of every place that it finds empty."""
    drawn = recording.meta.get("pictures") == DRAWN
    if drawn or (recording.scene is not None and not recording.has_depth):
        from situ.benchmarks.drawn_recording import CoarselyDrawn  # when needed: it brings the worlds along

        recording = CoarselyDrawn.open(recording.folder)
    return oracle_frames(recording, visibility_rule(recording))


def visibility_rule(recording: Recording) -> Visibility | None:
    rule = recording.meta.get("visibility")
    return Visibility(**rule) if rule else None
