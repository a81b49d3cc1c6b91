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
PLACE_KNOWN_AGAIN = "found back from a place that was guessed"
CONTESTED = "some points tell of another motion"
_OFTEN_CONTESTED = 0.06  # of all frames: people who pass by are seldomer than tiles


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
        breaks = (PLACE_GUESSED, PLACE_KNOWN_AGAIN)
        followed = [status != "lost" and reason not in breaks for status, reason in both]
        return np.array(followed) & (self.confidence >= _UNSURE)

    @property
    def guessed(self) -> NDArray[np.bool_]:
        """The frames of maps that were never joined to the first: where they are is a guess."""
        changes = {PLACE_GUESSED: True, PLACE_KNOWN_AGAIN: False}
        guessed, so_far = np.zeros(len(self.reasons), np.bool_), False
        for k, reason in enumerate(self.reasons):
            guessed[k] = so_far = changes.get(reason, so_far)
        return guessed

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
        if self.status[-1] == "lost":
            return f"lost at the end: {self.reasons[-1]}"
        guessed = self.guessed
        if guessed[-1]:
            since = self.path.times[len(guessed) - np.argmin(guessed[::-1])]
            return f"from {since:.1f} s on the place is a guess: it was lost and nothing known came back"
        began = next(k for k, status in enumerate(self.status) if status != "lost")  # nothing to lose before
        lost = np.array([status == "lost" for status in self.status]) | guessed
        lost[:began] = False
        count = len(lost) - began
        if lost.sum() > 0.1 * count:
            why = Counter(np.where(guessed, PLACE_GUESSED, self.reasons)[lost].tolist())
            return f"lost in {lost.sum()} of {count} frames: {why.most_common(1)[0][0]}"
        contested = self.reasons.count(CONTESTED)
        if contested > _OFTEN_CONTESTED * count:
            return f"in {contested} of {count} frames points tell of two motions, as where a pattern repeats"
        unsure = int(np.sum((self.confidence < _UNSURE)[began:] & ~lost[began:]))
        if unsure > 0.12 * count:
            return f"scale or pose unsure in {unsure} of {count} frames"
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
