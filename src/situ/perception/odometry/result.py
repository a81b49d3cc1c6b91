"""Results of odometry: one step per frame, and the whole path with its reliability."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import Matrix

Status = Literal["ok", "rotation", "lost"]
_LOW_CONFIDENCE = 0.25  # confidence below which a pose is not relied on
POSITION_GUESSED = "tracking restarted; position is a guess"
RELOCALIZED = "relocalized in the first map"
AMBIGUOUS_MOTION = "a group of points indicates another motion"
# Share of all frames. Passers-by cause fewer ambiguous frames than repetitive patterns such as tiles.
_MAX_AMBIGUOUS_SHARE = 0.06


@dataclass(frozen=True, eq=False)
class OdometryStep:
    """Pose of one frame, its uncertainty and the kind of motion.

    `covariance` (6, 6): small rotation in camera axes (radians), then position in the world (metres),
    relative to the landmarks of this frame. `confidence`: 0 to 1. Status "rotation": the camera turned in
    place and its position was held. Status "lost": the pose is the last known one, and `reason` says why
    tracking failed.
    """

    time: float
    T_world_camera: Matrix
    covariance: Matrix
    confidence: float
    status: Status
    reason: str = ""


@dataclass(frozen=True, eq=False)
class OdometryResult:
    """Path through a recording. Lost frames repeat the last known pose with confidence 0.

    `scale_known` is False if distances are in units of an assumed eye height instead of metres.
    `gravity_known` is False if no gravity cue was found; the first camera is then assumed to be level.
    """

    path: Path
    confidence: NDArray[np.float64]
    status: tuple[Status, ...]
    reasons: tuple[str, ...]
    scale_known: bool
    gravity_known: bool

    @property
    def sure(self) -> NDArray[np.bool_]:
        """Mask of frames with a reliable pose relative to the frame before: tracked, not restarted,
        confident."""
        both = zip(self.status, self.reasons, strict=True)
        breaks = (POSITION_GUESSED, RELOCALIZED)
        followed = [status != "lost" and reason not in breaks for status, reason in both]
        return np.array(followed) & (self.confidence >= _LOW_CONFIDENCE)

    @property
    def guessed(self) -> NDArray[np.bool_]:
        """Mask of frames in submaps that were never merged with the first: their position is a guess."""
        changes = {POSITION_GUESSED: True, RELOCALIZED: False}
        guessed, so_far = np.zeros(len(self.reasons), np.bool_), False
        for k, reason in enumerate(self.reasons):
            guessed[k] = so_far = changes.get(reason, so_far)
        return guessed

    @property
    def lost_share(self) -> float:
        return self.status.count("lost") / len(self.status)

    @property
    def trusted(self) -> bool:
        """Whether the whole path is consistent. If not, `problem` gives the reason."""
        return not self.problem

    @property
    def problem(self) -> str:
        """Why the path is unreliable, or ""."""
        if len(self.path) < 2:
            return "one frame shows no motion"
        if self.status[-1] == "lost":
            return f"lost at the end: {self.reasons[-1]}"
        guessed = self.guessed
        if guessed[-1]:
            since = self.path.times[len(guessed) - np.argmin(guessed[::-1])]
            return f"from {since:.1f} s on the position is a guess: tracking was lost and did not relocalize"
        # Frames before the first usable one do not count.
        began = next(k for k, status in enumerate(self.status) if status != "lost")
        lost = np.array([status == "lost" for status in self.status]) | guessed
        lost[:began] = False
        count = len(lost) - began
        if lost.sum() > 0.1 * count:
            why = Counter(np.where(guessed, POSITION_GUESSED, self.reasons)[lost].tolist())
            return f"lost in {lost.sum()} of {count} frames: {why.most_common(1)[0][0]}"
        ambiguous = self.reasons.count(AMBIGUOUS_MOTION)
        if ambiguous > _MAX_AMBIGUOUS_SHARE * count:
            return f"in {ambiguous} of {count} frames points move in two ways, as with a repetitive pattern"
        unsure = int(np.sum((self.confidence < _LOW_CONFIDENCE)[began:] & ~lost[began:]))
        if unsure > 0.12 * count:
            return f"scale or pose uncertain in {unsure} of {count} frames"
        return ""


def result_of(steps: Sequence[OdometryStep], scale_known: bool, gravity_known: bool) -> OdometryResult:
    if not steps:
        raise BadInput("no frames were given; odometry needs at least one")
    return OdometryResult(
        Path(np.array([s.time for s in steps]), np.array([s.T_world_camera for s in steps])),
        np.array([s.confidence for s in steps]),
        tuple(s.status for s in steps),
        tuple(s.reason for s in steps),
        scale_known,
        gravity_known,
    )
