"""Observations from truth, exact or with the faults of a real detector."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, rigid, transform
from situ.perception.freespace import FreeSpace
from situ.perception.observation import Observation, ObservedFrame
from situ.recording import Recording
from situ.state.truth import ENTERED, TruthState
from situ.state.visibility import Visibility

EXACT_SIGMA_M = 0.02
_FARTHEST_INVENTED_M = 5.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A thing in plain view: its number in the world, what it is, and where."""

    object_id: int
    category: str
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    attributes: Mapping[str, str] = field(default_factory=dict)
    clarity: float = 1.0


@dataclass(frozen=True, eq=False, slots=True)
class Oracle:
    """The truth of one frame, before any detector has spoiled it."""

    time: float
    T_world_camera: Matrix
    seen: tuple[Seen, ...]
    camera: Camera | None = None
    free: FreeSpace | None = None
    place: str | None = None

    def exact(self) -> ObservedFrame:
        """What a perfect detector would say."""
        observations = tuple(
            Observation(
                s.category, s.center, 1.0, EXACT_SIGMA_M, None, s.size, s.attributes, clarity=s.clarity
            )
            for s in self.seen
        )
        return ObservedFrame(self.time, self.T_world_camera, observations, self.camera, self.free, self.place)


@dataclass(frozen=True)
class Noise:
    """The faults of a detector and a tracker of poses. All zero is the truth.

    `miss`, `false_positive` and `confuse` are chances for each thing seen; depth noise is a constant plus a
    share of the distance, along the line of sight; `drift` is metres for each metre walked in a direction
    that wanders slowly, and `drift_yaw_deg` is a random walk for each root of a metre; `latency_s` is how
    late the observations are known.
    """

    miss: float = 0.0
    false_positive: float = 0.0
    confuse: float = 0.0
    depth_m: float = 0.0
    depth_share: float = 0.0
    drift: float = 0.0
    drift_yaw_deg: float = 0.0
    latency_s: float = 0.0

    def __post_init__(self) -> None:
        for name in ("miss", "false_positive", "confuse"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise BadInput(f"the chance '{name}' must lie in 0..1, got {getattr(self, name)}")


def oracle_frames(recording: Recording, visibility: Visibility | None = None) -> Iterator[Oracle]:
    """The truth of a recording, frame by frame; free space where the recording has depth."""
    rule = visibility or Visibility()
    truth = TruthState.of(recording, rule)
    entered = [event for event in recording.events if event.kind == ENTERED]
    for frame in recording.frames:
        at = bisect_right(entered, frame.time, key=lambda event: event.time)
        place = str(entered[at - 1].data["place"]) if at else ""
        seen = []
        for visible in frame.visible:
            clarity = rule.clarity(visible.share)
            box = truth.where(visible.object_id, frame.time)
            if clarity > 0 and box is not None:
                seen.append(_seen(recording, visible.object_id, box, clarity))
        free = FreeSpace.from_depth(recording.depth(frame.index)) if recording.has_depth else None
        yield Oracle(frame.time, frame.T_world_camera, tuple(seen), recording.camera, free, place or None)


def _seen(recording: Recording, object_id: int, box: Box, clarity: float) -> Seen:
    record = recording.objects[object_id]
    return Seen(object_id, record.category, box.center, _extent(box), record.attributes, clarity)


def _extent(box: Box) -> tuple[float, float, float]:
    """How far a box reaches along the axes of the world: observations tell no heading of things."""
    c, s = abs(math.cos(math.radians(box.yaw_deg))), abs(math.sin(math.radians(box.yaw_deg)))
    width, depth, height = box.size
    return width * c + depth * s, width * s + depth * c, height


def noisy(frames: Iterable[Oracle], noise: Noise, rng: np.random.Generator) -> Iterator[ObservedFrame]:
    """Frames as a faulty detector would give them. Misnamed and invented things take names that occur."""
    names: list[tuple[str, Mapping[str, str]]] = []
    known: set[str] = set()
    error, last, heading = np.eye(4), None, rng.uniform(0, 2 * math.pi)
    for frame in frames:
        for s in frame.seen:
            if s.category not in known:
                known.add(s.category)
                names.append((s.category, s.attributes))
        if last is not None and (noise.drift or noise.drift_yaw_deg):
            step = float(np.linalg.norm(frame.T_world_camera[:3, 3] - last))
            heading += rng.normal(0.0, 0.1) * math.sqrt(step)
            error = _drifted(error, frame.T_world_camera[:3, 3], step, heading, noise, rng)
        last = frame.T_world_camera[:3, 3]
        pose = error @ frame.T_world_camera
        observations = [
            _observed(s, frame, pose, noise, names, rng) for s in frame.seen if rng.random() >= noise.miss
        ]
        invented = int(rng.binomial(max(1, len(frame.seen)), noise.false_positive))
        observations += [_invented(frame, pose, names, noise, rng) for _ in range(invented if names else 0)]
        known_at = frame.time + noise.latency_s if noise.latency_s else None
        yield ObservedFrame(
            frame.time, pose, tuple(observations), frame.camera, frame.free, frame.place, known_at
        )


def _drifted(
    error: Matrix,
    position: NDArray[np.float64],
    step: float,
    heading: float,
    noise: Noise,
    rng: np.random.Generator,
) -> Matrix:
    """The pose error after one more step."""
    at = transform(error, position)
    yaw = math.radians(noise.drift_yaw_deg) * math.sqrt(step) * rng.normal()
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    slip = noise.drift * step * np.array([math.cos(heading), math.sin(heading), 0.0])
    moved: Matrix = rigid(turn, at - turn @ at + slip) @ error
    return moved


def _observed(
    s: Seen,
    frame: Oracle,
    pose: Matrix,
    noise: Noise,
    names: list[tuple[str, Mapping[str, str]]],
    rng: np.random.Generator,
) -> Observation:
    local = transform(inverse(frame.T_world_camera), s.center)
    distance = float(np.linalg.norm(local))
    sigma = noise.depth_m + noise.depth_share * distance
    if sigma > 0:
        local = local * (1.0 + rng.normal(0.0, sigma) / max(distance, 1e-6))
    label = s.category
    if noise.confuse and rng.random() < noise.confuse:
        label = names[int(rng.integers(len(names)))][0]
    x, y, z = transform(pose, local).tolist()
    return Observation(
        label,
        (x, y, z),
        float(rng.uniform(0.5, 1.0)),
        max(sigma, EXACT_SIGMA_M),
        None,
        s.size,
        s.attributes,
        clarity=s.clarity,
    )


def _invented(
    frame: Oracle,
    pose: Matrix,
    names: list[tuple[str, Mapping[str, str]]],
    noise: Noise,
    rng: np.random.Generator,
) -> Observation:
    """A thing that is not there: somewhere in the view, on what is seen there if that is known."""
    depth = rng.uniform(0.8, 4.0)
    ray = np.array([rng.uniform(-0.6, 0.6), rng.uniform(-0.4, 0.4), 1.0])
    if frame.free is not None and frame.camera is not None:
        u, v = frame.camera.project(ray).tolist()
        depth = min(frame.free.clear_to(frame.camera, u, v) or depth, _FARTHEST_INVENTED_M)
    local = ray * depth
    label, attributes = names[int(rng.integers(len(names)))]
    x, y, z = transform(pose, local).tolist()
    size = tuple(rng.uniform(0.08, 0.4, 3).tolist())
    sigma = max(noise.depth_m + noise.depth_share * depth, EXACT_SIGMA_M)
    return Observation(label, (x, y, z), float(rng.uniform(0.3, 0.9)), sigma, None, size, attributes)
