"""Camera paths: time-stamped camera poses."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.heading import Heading
from situ.geometry.pose import Matrix


class Passing(NamedTuple):
    """An earlier frame, and the horizontal distance from the wearer then to the wearer now."""

    frame: int
    time: float
    gap_m: float


@dataclass(frozen=True, eq=False)
class Path:
    """Poses `T_world_camera` (n, 4, 4) at strictly increasing times (n,) in seconds."""

    times: NDArray[np.float64]
    poses: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.poses.shape != (len(self.times), 4, 4):
            raise BadInput(
                f"a path needs one 4x4 pose per time: {len(self.times)} times, poses {self.poses.shape}"
            )
        if len(self.times) and not (np.isfinite(self.poses).all() and np.isfinite(self.times).all()):
            raise BadInput(
                "a path needs finite times and poses; drop the frames whose pose is NaN or infinite"
            )
        if np.any(np.diff(self.times) <= 0):
            raise BadInput("a path needs strictly increasing times; sort the frames and drop repeated ones")

    def __len__(self) -> int:
        return len(self.times)

    @property
    def first_frame(self) -> int:
        """Frame number of the first pose."""
        return 0

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Frame number of each pose; some frames may have been forgotten."""
        return np.arange(len(self.times))

    def latest(self, frames: int) -> "Path":
        """The end of the path, at most this many frames."""
        return self if len(self) <= frames else Path(self.times[-frames:], self.poses[-frames:])

    @property
    def start(self) -> float:
        """Time of the first pose, 0 without poses."""
        return float(self.times[0]) if len(self.times) else 0.0

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(Heading.of(pose) for pose in self.poses)

    @property
    def positions(self) -> NDArray[np.float64]:
        return self.poses[:, :3, 3]

    def ground(self, first: int, last: int) -> NDArray[np.float64]:
        """Horizontal positions (n, 2) from one frame to another, both included."""
        return self.positions[first - self.first_frame : last + 1 - self.first_frame, :2]

    def walked(self, since: float, least_m: float) -> float:
        """Horizontal path length since a time; steps up to `least_m` count as swaying."""
        ground = self.positions[self.times >= since, :2]
        steps = np.hypot(*np.diff(ground, axis=0).T)
        return float(steps[steps > least_m].sum())

    def came_by(self, near_m: float, away_m: float) -> Passing | None:
        """Nearest earlier approach to the current position, before the wearer was last beyond `away_m`.

        The approach is taken from the latest visit within `near_m`, or from the whole path without such a
        visit. None if the wearer never left.
        """
        ground = self.positions[:, :2]
        gaps = np.hypot(*(ground - ground[-1]).T)
        away = np.flatnonzero(gaps > away_m)
        if not len(away):
            return None
        k = latest_visit(gaps[: away[-1]], near_m)
        gap = float(gaps[k]) if away[-1] else math.inf
        return Passing(self.first_frame + k, float(self.times[k]), gap)

    @cached_property
    def middle(self) -> NDArray[np.float64]:
        """Median position (3,)."""
        return np.median(self.positions, axis=0)

    def index_at(self, time: float) -> int:
        """Index of the last pose at or before `time`, or 0."""
        return max(0, int(np.searchsorted(self.times, time + 1e-9, side="right")) - 1)

    def time_of(self, frame: int) -> float:
        return float(self.times[frame - self.first_frame])

    def pose_of(self, frame: int) -> Matrix:
        pose: Matrix = self.poses[frame - self.first_frame]
        return pose

    def heading_of(self, frame: int) -> Heading:
        return Heading.of(self.pose_of(frame))

    def pose_at(self, time: float) -> Matrix:
        pose: Matrix = self.poses[self.index_at(time)]
        return pose

    def ground_at(self, time: float) -> tuple[float, float]:
        """Horizontal position at a time."""
        x, y = self.pose_at(time)[:2, 3].tolist()
        return x, y

    def heading_at(self, time: float) -> Heading:
        return Heading.of(self.pose_at(time))

    def until(self, time: float) -> "Path":
        """The path up to `time`, inclusive."""
        count = int(np.searchsorted(self.times, time + 1e-9, side="right"))
        return Path(self.times[:count], self.poses[:count])

    @property
    def length(self) -> float:
        """Horizontal path length in metres."""
        return float(np.linalg.norm(np.diff(self.positions[:, :2], axis=0), axis=1).sum())


def latest_visit(gaps: NDArray[np.float64], near_m: float) -> int:
    """Index of the smallest gap within the last run of gaps up to a limit, or of the smallest of all."""
    near = np.flatnonzero(gaps <= near_m)
    if not len(near):
        return int(np.argmin(gaps)) if len(gaps) else 0
    last = int(near[-1])
    apart = np.flatnonzero(gaps[:last] > near_m)
    first = int(apart[-1]) + 1 if len(apart) else 0
    return first + int(np.argmin(gaps[first : last + 1]))
