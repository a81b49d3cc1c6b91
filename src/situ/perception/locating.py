"""Which frames are looked at, and where the camera was in each: all that has to do with poses of a stream.

It knows nothing of looks and of the memory, so that it may run ahead of them, in a thread or in a process.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from situ.geometry.pose import Matrix
from situ.perception.stages import InputFrame, Posed, PoseStage

_SAME_TIME_S = 1e-6


@dataclass(frozen=True, eq=False)
class Located:
    """A frame and its pose; whether it is to be looked at, and if so which of the poses that were told before
    were known better by then."""

    frame: InputFrame
    posed: Posed
    looking: bool = False
    better: Mapping[int, Matrix] = field(default_factory=dict)


class Locator:
    """Finds the pose of every frame and chooses at most `fps` of them a second for looks. `must_see` are
    looked at whatever the rate; up to `known_until` the memory has its poses, and those stay."""

    def __init__(
        self, poses: PoseStage, fps: float | None, must_see: frozenset[int], known_until: float
    ) -> None:
        self.poses = poses
        self.due = float("-inf")  # when the next look is
        self.told: dict[int, Matrix] = {}  # poses as the memory was given them, by number in the source
        self._fps, self._must_see, self._known_until = fps, must_see, known_until

    def looks_in(self, frames: Sequence[InputFrame], due: float) -> tuple[list[InputFrame], float]:
        """Those of the next frames that will be looked at if none is lost, and when the next one is due."""
        chosen = []
        for frame in frames:
            on_time = frame.time >= due - _SAME_TIME_S
            if on_time or frame.index in self._must_see:
                chosen.append(frame)
            if on_time and self._fps is not None:
                due = frame.time + 1 / self._fps
        return chosen, due

    def looks_at(self, frame: InputFrame) -> bool:
        return bool(self.looks_in([frame], self.due)[0])

    def locate(self, frame: InputFrame) -> Located:
        looking = self.looks_at(frame)
        posed = self.poses.locate(frame)
        if posed.lost or not looking:
            return Located(frame, posed)
        if self._fps is not None and frame.time >= self.due - _SAME_TIME_S:
            self.due = frame.time + 1 / self._fps
        better = self.better() if frame.time > self._known_until else {}
        self.told[frame.index] = posed.T_world_camera
        return Located(frame, posed, looking, better)

    def better(self) -> Mapping[int, Matrix]:
        """Of the poses that were told those that are known better by now; from now on these are told."""
        better = self.poses.revised(self.told)
        self.told.update(better)
        return better

    def take_over(self, other: "Locator") -> None:
        """Go on from where a copy of this one has come to."""
        self.due, self.told = other.due, other.told
        vars(self.poses).update(vars(other.poses))
