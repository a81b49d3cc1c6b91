"""A sample of the path as it may have been, in the axes of somebody who knows where they are now."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.path_doubt import PathSamples
from situ.geometry.pose import Matrix
from situ.memory.reading.lazy_path import Headings


class SampledPath(Path):
    """A `Path` whose earlier poses are off by what one sample says; where the wearer is now is held fixed."""

    def __init__(self, believed: Path, sample: PathSamples, now: float) -> None:
        object.__setattr__(self, "_believed", believed)
        object.__setattr__(self, "_sample", sample)
        object.__setattr__(self, "_now", now)

    _believed: Path
    _sample: PathSamples
    _now: float

    def __len__(self) -> int:
        return len(self._believed)

    @property
    def first_frame(self) -> int:
        return self._believed.first_frame

    @property
    def start(self) -> float:
        return self._believed.start

    @property
    def times(self) -> NDArray[np.float64]:
        return self._believed.times

    @cached_property
    def _moments(self) -> NDArray[np.float64]:
        """Times, the last of them being now: who is lost has walked on since."""
        return np.append(self.times[:-1], self._now)

    @property
    def positions(self) -> NDArray[np.float64]:
        return self._positions

    @cached_property
    def _positions(self) -> NDArray[np.float64]:
        points = self._believed.positions[None]
        moved: NDArray[np.float64] = self._sample.seen_from(self._now, points, self._moments, wearer=True)[0]
        return moved

    @property
    def poses(self) -> NDArray[np.float64]:
        return self._poses

    @cached_property
    def _poses(self) -> NDArray[np.float64]:
        poses = self._believed.poses.copy()
        yaw = self._sample.turned(self._now, self._moments)[0]
        turn = np.tile(np.eye(3), (len(poses), 1, 1))
        turn[:, 0, 0] = turn[:, 1, 1] = np.cos(yaw)
        turn[:, 1, 0] = np.sin(yaw)
        turn[:, 0, 1] = -turn[:, 1, 0]
        poses[:, :3, :3] = turn @ poses[:, :3, :3]
        poses[:, :3, 3] = self._positions
        return poses

    def index_at(self, time: float) -> int:
        return self._believed.index_at(time)

    def time_of(self, frame: int) -> float:
        return self._believed.time_of(frame)

    def pose_at(self, time: float) -> Matrix:
        return self.pose_of(self.index_at(time))

    def heading_at(self, time: float) -> Heading:
        frame = self.index_at(time)
        if frame == self.first_frame + len(self) - 1:
            return self._believed.heading_at(time)
        return self.heading_of(frame)

    @cached_property
    def headings(self) -> Sequence[Heading]:  # type: ignore[override]
        return Headings(self)

    def latest(self, frames: int) -> Path:
        return SampledPath(self._believed.latest(frames), self._sample, self._now)

    def until(self, time: float) -> Path:
        count = max(0, self.index_at(time) + 1 - self.first_frame)
        return Path(self.times[:count], self._poses[:count])
