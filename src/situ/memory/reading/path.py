"""The wearer's path from the file, and samples of how it may have been."""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, overload

import numpy as np
from numpy.typing import NDArray

from situ.geometry.heading import Heading
from situ.geometry.path import Passing, Path
from situ.geometry.path_uncertainty import PathSamples
from situ.geometry.pose import Matrix
from situ.memory.reading.frames import FrameColumns
from situ.memory.reading.history import History


class WalkedPath(Path):
    """A `Path` over the frames up to one; asking for the pose at a time unpacks a single run of frames.

    After forgetting, the poses of frames that were thinned out are those of the last kept frame before.
    """

    def __init__(self, history: History, last_frame: int, known: float, first_frame: int = 0) -> None:
        self.__dict__.update(_history=history, _first=first_frame, _last=last_frame, _known=known)

    _history: History
    _first: int  # of the times, positions and headings as wholes; single frames go by their numbers
    _last: int
    _known: float

    def __len__(self) -> int:
        return self._last + 1 - self._first

    @property
    def first_frame(self) -> int:
        return self._first

    @property
    def start(self) -> float:
        return self.time_of(0) if len(self) else 0.0

    def latest(self, frames: int) -> Path:
        if len(self) <= frames:
            return self
        return WalkedPath(self._history, self._last, self._known, self._last + 1 - frames)

    def until(self, time: float) -> Path:
        if not len(self) or time < self.time_of(0):
            return Path(np.zeros(0), np.zeros((0, 4, 4)))
        return WalkedPath(self._history, self.index_at(time), self._known)

    # ------------------------------------------------------------------ all of it
    @cached_property
    def _columns(self) -> FrameColumns:
        found = self._history.frames.between(self._first, self._last)
        if not self._revised:
            return found
        positions = found.positions.copy()
        for frame, pose in self._revised.items():
            positions[found.numbers == frame] = pose[:3, 3]
        return found._replace(positions=positions)

    @cached_property
    def _revised(self) -> dict[int, Matrix]:
        """Poses that were corrected from outside."""
        return dict(self._history.revised_poses(self._last, self._known))

    @property
    def numbers(self) -> NDArray[np.int64]:
        return self._columns.numbers

    @property
    def times(self) -> NDArray[np.float64]:
        return self._columns.times

    @property
    def positions(self) -> NDArray[np.float64]:
        return self._columns.positions

    @property
    def poses(self) -> NDArray[np.float64]:
        return self._poses

    @cached_property
    def _poses(self) -> NDArray[np.float64]:
        poses = self._history.frames.poses_of(self.numbers)
        for frame, pose in self._revised.items():
            poses[self.numbers == frame] = pose
        return poses

    @cached_property
    def headings(self) -> Sequence[Heading]:  # type: ignore[override]
        path = WalkedPath(self._history, self._last, self._known, self._first)
        return Headings(path)  # no circle of references

    def ground(self, first: int, last: int) -> NDArray[np.float64]:
        first, last = max(first, self._first), min(last, self._last)
        if self._revised:
            return self._columns.cut(first, last).positions[:, :2]
        return self._history.frames.between(first, last).positions[:, :2]

    def came_by(self, near_m: float, away_m: float) -> Passing | None:
        found = super().came_by(near_m, away_m)
        return None if found is None else found._replace(frame=int(self.numbers[found.frame - self._first]))

    # ------------------------------------------------------------------ single frames
    def pose_of(self, frame: int) -> Matrix:
        """The pose of a frame, as corrected by what was known."""
        known = self._known_poses.get(frame)
        if known is None:
            kept = frame
            if self._revised:
                numbers = self.numbers
                kept = int(numbers[max(0, int(np.searchsorted(numbers, frame, side="right")) - 1)])
            known = self._revised.get(kept)
            known = self._history.frames.pose_of(frame) if known is None else known
            self._known_poses[frame] = known
        return known

    @cached_property
    def _known_poses(self) -> dict[int, Matrix]:
        """Poses that have been asked for; a question asks for the same few again and again."""
        return {}

    def ground_at(self, time: float) -> tuple[float, float]:
        frame = self.index_at(time)
        if self._revised:
            x, y = self.pose_of(frame)[:2, 3].tolist()
        else:
            x, y = self._history.frames.position_of(frame)[:2].tolist()
        return x, y

    def time_of(self, frame: int) -> float:
        return self._history.frames.time_of(frame)

    def index_at(self, time: float) -> int:
        if len(self) and time >= self._last_time:
            return self._last
        return min(self._history.frames.index_at(time), self._last)

    @cached_property
    def _last_time(self) -> float:
        return self.time_of(self._last)

    def pose_at(self, time: float) -> Matrix:
        return self.pose_of(self.index_at(time))

    def heading_at(self, time: float) -> Heading:
        return self.heading_of(self.index_at(time))

    def heading_of(self, frame: int) -> Heading:
        known = self._known_headings.get(frame)
        if known is None:
            known = self._known_headings[frame] = Heading.of(self.pose_of(frame))
        return known

    @cached_property
    def _known_headings(self) -> dict[int, Heading]:
        return {}


class SampledPath(Path):
    """A `Path` whose earlier poses are off by what one sample says; where the wearer is now is held fixed."""

    def __init__(self, believed: Path, sample: PathSamples, now: float) -> None:
        self.__dict__.update(_believed=believed, _sample=sample, _now=now)

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


class _ByFrame(Protocol):
    """A path whose headings are to be had one by one."""

    @property
    def first_frame(self) -> int: ...

    def __len__(self) -> int: ...

    def heading_of(self, frame: int) -> Heading: ...


class Headings(Sequence[Heading]):
    """Headings by frame number, each worked out when it is asked for."""

    def __init__(self, path: _ByFrame) -> None:
        self._path = path

    def __len__(self) -> int:
        return len(self._path)

    @overload
    def __getitem__(self, index: int) -> Heading: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Heading, ...]: ...
    def __getitem__(self, index: int | slice) -> Heading | tuple[Heading, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"frame {index} of a path of {len(self)} frames")
        return self._path.heading_of(self._path.first_frame + number)
