"""The wearer's path, read from the file only as far as it is looked at."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, overload

import numpy as np
from numpy.typing import NDArray

from situ.geometry.heading import Heading
from situ.geometry.path import Passing, Path
from situ.geometry.pose import Matrix
from situ.memory.file.packing import PoseBlock
from situ.memory.reading.history import History
from situ.memory.reading.revisits import came_by
from situ.memory.reading.walk import Walk, WholeRun


class WalkedPath(Path):
    """A `Path` over the frames up to one; asking for the pose at a time reads a single run of frames.

    After forgetting, the poses of frames that were thinned out are those of the last kept frame before.
    """

    def __init__(self, history: History, last_frame: int, known: float, first_frame: int = 0) -> None:
        object.__setattr__(self, "_history", history)
        object.__setattr__(self, "_first", first_frame)
        object.__setattr__(self, "_last", last_frame)
        object.__setattr__(self, "_known", known)

    _history: History
    _first: int  # of the times, positions and headings as wholes; single frames go by their numbers
    _last: int
    _known: float

    def __len__(self) -> int:
        return self._last + 1 - self._first

    @property
    def first_frame(self) -> int:
        return self._first

    def latest(self, frames: int) -> Path:
        if len(self) <= frames:
            return self
        first = self._last + 1 - frames
        if first not in self._parts:  # all samples of a belief ask for the same
            self._parts[first] = WalkedPath(self._history, self._last, self._known, first)
        return self._parts[first]

    @cached_property
    def _parts(self) -> "dict[int, WalkedPath]":
        return {}

    def _block_of(self, frame: int) -> tuple[PoseBlock, int]:
        block = self._history.block_of(frame)
        assert block is not None
        return block, max(0, bisect_right(block.moments[0], frame) - 1)

    @property
    def start(self) -> float:
        return self.time_of(0) if len(self) else 0.0

    @property
    def settled_until(self) -> float:
        return -math.inf if self._history.any_revised or not len(self) else self._last_time

    def pose_of(self, frame: int) -> Matrix:
        """The pose of a frame, as corrected by what was known."""
        known = self._known_poses.get(frame)
        if known is None:
            known = self._known_poses[frame] = self._read_pose(frame)
        return known

    @cached_property
    def _known_poses(self) -> dict[int, Matrix]:
        """Poses that have been asked for; a question asks for the same few again and again."""
        return {}

    @property
    def _last_pose(self) -> Matrix:
        return self.pose_of(self._last)

    def _read_pose(self, frame: int) -> Matrix:
        if (book := self._history.frame_book) is not None and not self._history.any_revised:
            block, k = book.poses_of(np.array([frame])), 0
        else:
            block, k = self._block_of(frame)
        revised = self._history.revised_pose(int(block.frames[k]), self._known)
        return revised if revised is not None else block.correction(k) @ block.given_pose(k)

    def poses_of(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """The poses of some frames (n, 4, 4), those of one run together."""
        book = None if self._history.any_revised else self._history.frame_book
        if book is not None:
            return book.poses_of(numbers).poses
        known = self._known_poses
        frames: list[int] = numbers.tolist()
        missing = [] if self._history.any_revised else sorted({*frames} - known.keys())
        while missing:
            block, row = self._block_of(missing[0])
            there = block.moments[0]
            held = max(1, bisect_right(missing, there[-1]))
            rows = [row, *(bisect_right(there, frame) - 1 for frame in missing[1:held])]
            known.update(zip(missing, block.poses_at(rows), strict=False))
            missing = missing[held:]
        return np.array([self.pose_of(frame) for frame in frames]).reshape(-1, 4, 4)

    def time_of(self, frame: int) -> float:
        run = self._history.moments_of(frame)
        assert run is not None
        return run.times[max(0, bisect_right(run.frames, frame) - 1)]

    def index_at(self, time: float) -> int:
        if len(self) and time >= self._last_time:
            return self._last
        known = self._known_indices.get(time)
        if known is None:
            known = self._known_indices[time] = self._find_index(time)
        return known

    def _find_index(self, time: float) -> int:
        run = self._history.moments_at(time)
        if run is None:
            return 0
        return min(run.frames[max(0, bisect_right(run.times, time + 1e-9) - 1)], self._last)

    @cached_property
    def _known_indices(self) -> dict[float, int]:
        return {}

    @cached_property
    def _last_time(self) -> float:
        return self.time_of(self._last)

    def pose_at(self, time: float) -> Matrix:
        return self.pose_of(self.index_at(time))

    def ground_at(self, time: float) -> tuple[float, float]:
        book = None if self._history.any_revised else self._history.frame_book
        if book is None:
            return super().ground_at(time)
        x, y, _ = book.positions[self.index_at(time)].tolist()
        return x, y

    def heading_at(self, time: float) -> Heading:
        if len(self) and time >= self._last_time:
            return self._last_heading
        return self.heading_of(self.index_at(time))

    @property
    def _last_heading(self) -> Heading:
        return self.heading_of(self._last)

    def heading_of(self, frame: int) -> Heading:
        known = self._known_headings.get(frame)
        if known is None:
            known = self._known_headings[frame] = Heading.of(self.pose_of(frame))
        return known

    @cached_property
    def _known_headings(self) -> dict[int, Heading]:
        return {}

    def until(self, time: float) -> Path:
        if not len(self) or time < self.time_of(0):
            return Path(np.zeros(0), np.zeros((0, 4, 4)))
        return WalkedPath(self._history, self.index_at(time), self._known)

    @cached_property
    def _all(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        times, poses, numbers = [np.zeros(0)], [np.zeros((0, 4, 4))], [np.zeros(0, np.int64)]
        for block in self._history.blocks(self._last, self._first):
            keep = (block.frames <= self._last) & (block.frames >= self._first)
            times.append(block.times[keep])
            poses.append(block.poses[keep])
            numbers.append(block.frames[keep])
        all_times, all_poses = np.concatenate(times), np.concatenate(poses)
        all_numbers = np.concatenate(numbers)
        for frame, pose in self._revised:
            all_poses[all_numbers == frame] = pose
        return all_times, all_poses, all_numbers

    @property
    def times(self) -> NDArray[np.float64]:
        return self._track[0]

    @property
    def positions(self) -> NDArray[np.float64]:
        return self._track[1]

    @cached_property
    def _track(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times and positions of all frames; whole poses cost twenty times as much."""
        if not self._revised and (book := self._history.frame_book) is not None:
            whole = slice(self._first, self._last + 1)
            return book.columns[0][whole], book.positions[whole]
        times, spots, numbers = [np.zeros(0)], [np.zeros((0, 3))], [np.zeros(0, np.int64)]
        for block in self._history.blocks(self._last, self._first):
            keep = (block.frames <= self._last) & (block.frames >= self._first)
            times.append(block.times[keep])
            spots.append(block.positions[keep])
            numbers.append(block.frames[keep])
        track, frames = np.concatenate(spots), np.concatenate(numbers)
        for frame, pose in self._revised:
            track[frames == frame] = pose[:3, 3]
        return np.concatenate(times), track

    def ground(self, first: int, last: int) -> NDArray[np.float64]:
        first, last, parts = max(first, self._first), min(last, self._last), [np.zeros((0, 2))]
        if not self._revised and (book := self._history.frame_book) is not None:
            return book.positions[first : max(first, last + 1), :2]
        block = self._history.block_of(first) if first <= last else None
        while block is not None and block.first_frame <= last:
            a, b = np.searchsorted(block.frames, (first, last + 1)).tolist()
            spots = block.positions[a:b, :2]
            for frame, pose in self._revised:
                hit = np.flatnonzero(block.frames[a:b] == frame)
                if len(hit):
                    spots = spots.copy()
                    spots[hit] = pose[:2, 3]
            parts.append(spots)
            after = self._history.block_of(int(block.frames[-1]) + 1)
            block = None if after is None or after.first_frame <= block.first_frame else after
        return np.concatenate(parts)

    @cached_property
    def _revised(self) -> list[tuple[int, Matrix]]:
        """Poses that were corrected from outside, the latest correction last."""
        return self._history.revised_poses(self._last, self._known)

    def walked(self, since: float, least_m: float) -> float:
        """What was walked within a whole run of frames is worked out once."""
        if self._revised:
            return super().walked(since, least_m)
        total, before = 0.0, None
        for first, frames in self._history.run_lengths(self._last, since):
            run = self._walk_in(first, frames, since, least_m)
            total += run.metres
            if run.start is not None:
                gap = 0.0 if before is None else math.dist(before, run.start)
                total += gap if gap > least_m else 0.0
                before = run.end
        return total

    def came_by(self, near_m: float, away_m: float) -> Passing | None:
        if self._first or self._revised:
            return super().came_by(near_m, away_m)
        x, y = self._last_pose[:2, 3].tolist()
        return came_by(self._history, (x, y), self._last, near_m, away_m)

    def _walk_in(self, first: int, frames: int, since: float, least_m: float) -> Walk:
        key, walks = (first, frames, least_m), self._history.cached.walks
        known = walks.get(key)
        if known is not None and known.last <= self._last and first >= self._first and known.began >= since:
            return known.walk
        block = self._history.block_of(first)
        assert block is not None
        kept = (block.frames <= self._last) & (block.frames >= self._first) & (block.times >= since)
        walk = Walk.along(block.positions[kept, :2], least_m)
        if kept.all():
            walks[key] = WholeRun(int(block.frames[-1]), float(block.times[0]), walk)
        return walk

    @property
    def poses(self) -> NDArray[np.float64]:
        return self._all[1]

    @property
    def numbers(self) -> NDArray[np.int64]:
        return self._all[2]

    @cached_property
    def headings(self) -> Sequence[Heading]:  # type: ignore[override]
        path = WalkedPath(self._history, self._last, self._known, self._first)
        return Headings(path)  # no circle of references


class ByFrame(Protocol):
    """A path whose headings are to be had one by one."""

    @property
    def first_frame(self) -> int: ...

    def __len__(self) -> int: ...

    def heading_of(self, frame: int) -> Heading: ...


class Headings(Sequence[Heading]):
    """Headings by frame number, each worked out when it is asked for."""

    def __init__(self, path: ByFrame) -> None:
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
