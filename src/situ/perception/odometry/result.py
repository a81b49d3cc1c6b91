"""What odometry says about each frame, and about a whole recording."""

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
_UNSURE = 0.25
PLACE_GUESSED = "started again, place guessed"


@dataclass(frozen=True, eq=False)
class OdometryStep:
    """One frame: where the camera is, how sure that is, and what kind of motion was seen.

    `covariance` (6, 6) is of a small rotation in camera axes (radians) and of the position in the world, for
    this frame against the landmarks; `confidence` in 0..1 sums it up. "rotation" means that the head turned
    in place: the position is held. "lost" means that the pose is the last known one, for the `reason` given.
    """

    time: float
    T_world_camera: Matrix
    covariance: Matrix
    confidence: float
    status: Status
    reason: str = ""


@dataclass(frozen=True, eq=False)
class OdometryResult:
    """The path through a recording. Frames that were lost hold the last known pose and a confidence of 0.

    `scale_known` is False when distances are in units of an assumed eye height instead of metres.
    `gravity_known` is False when nothing showed where down is: the camera was then taken as level at first.
    """

    path: Path
    confidence: NDArray[np.float64]
    status: tuple[Status, ...]
    reasons: tuple[str, ...]
    scale_known: bool
    gravity_known: bool

    @property
    def sure(self) -> NDArray[np.bool_]:
        """The frames whose pose is known beside those before: not lost, not started again, not in doubt."""
        both = zip(self.status, self.reasons, strict=True)
        followed = [status != "lost" and reason != PLACE_GUESSED for status, reason in both]
        return np.array(followed) & (self.confidence >= _UNSURE)

    @property
    def lost_share(self) -> float:
        return self.status.count("lost") / len(self.status)

    @property
    def trusted(self) -> bool:
        """Whether the path holds together from end to end; if not, `complaint` says why."""
        return not self.complaint

    @property
    def complaint(self) -> str:
        """Why the path should not be relied on, or ""."""
        if len(self.path) < 2:
            return "one frame shows no motion"
        began = next((k for k, status in enumerate(self.status) if status != "lost"), 0)
        followed, reasons = self.status[began:], self.reasons[began:]  # before that there was nothing to lose
        lost = [why for status, why in zip(followed, reasons, strict=True) if status == "lost"]
        if self.status[-1] == "lost":
            return f"lost at the end: {self.reasons[-1]}"
        if PLACE_GUESSED in self.reasons:
            since = self.path.times[self.reasons.index(PLACE_GUESSED)]
            return f"from {since:.1f} s on the place is a guess: it was lost and nothing known came back"
        if len(lost) > 0.1 * len(followed):
            return f"lost in {len(lost)} of {len(followed)} frames: {Counter(lost).most_common(1)[0][0]}"
        unsure = int(np.sum(self.confidence[began:] < _UNSURE)) - len(lost)
        if unsure > 0.12 * len(followed):
            return f"scale or pose unsure in {unsure} of {len(followed)} frames"
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
