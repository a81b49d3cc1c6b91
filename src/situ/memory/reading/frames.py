"""The frames of a memory's file, in columns: a run of frames is unpacked when something in it is needed.

The file holds frames in runs of some hundreds. Their times, positions and places (a fifth of a run) stay at
hand once they have been unpacked, 10 MB for a day at one frame a second; whole poses of the last runs only.
"""

import math
import weakref
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.file.database import Database
from situ.memory.file.packing import PoseBlock
from situ.memory.tables.pending_rows import FOREVER

NO_END = 1 << 32  # no frame has so high a number
_RUNS = "SELECT first_frame, frames, first_time, last_time FROM chunk ORDER BY first_frame"
_WHOLE_RUNS = 64  # runs of whole poses at hand, 32 KB each
_SAME_S = 1e-9  # times that differ by less are the same


class FrameColumns(NamedTuple):
    """Some frames in order: number, time, when known, camera position (n, 3), and the place's number."""

    numbers: NDArray[np.int64]
    times: NDArray[np.float64]
    known: NDArray[np.float64]
    positions: NDArray[np.float64]
    places: NDArray[np.int64]

    @classmethod
    def of(cls, block: PoseBlock) -> "FrameColumns":
        places = block.table[13].astype(np.int64)
        return cls(block.frames, block.times.copy(), block.known.copy(), block.positions, places)

    def cut(self, first: int, last: int) -> "FrameColumns":
        """Those from one frame to another, both included."""
        a, b = np.searchsorted(self.numbers, (first, last + 1)).tolist()
        numbers, times, known, positions, places = self
        return FrameColumns(numbers[a:b], times[a:b], known[a:b], positions[a:b], places[a:b])


_NO_FRAMES = FrameColumns(
    np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros((0, 3)), np.zeros(0, np.int64)
)
Unpacked = dict[tuple[int, int], FrameColumns]  # by first frame and number of frames


class Frames:
    """All frames of a file as it stands."""

    def __init__(self, database: Database, unpacked: Unpacked) -> None:
        """`unpacked` holds the runs that were unpacked before, which are the same while they are as long."""
        # Weakly: what a connection has read is kept with it, and must not keep it open.
        self._database, self._unpacked = weakref.ref(database), unpacked
        rows = database.all(
            "SELECT first_frame, frames, first_time, last_time FROM chunk ORDER BY first_frame"
        )
        first, counts, began, ended = np.array(rows, float).reshape(-1, 4).T
        self.first_frames = first.astype(np.int64)
        self._counts: list[int] = counts.astype(np.int64).tolist()
        self._began, self._ended = began, ended
        self._blocks: OrderedDict[int, PoseBlock] = OrderedDict()
        self._joined: tuple[tuple[int, int], FrameColumns] | None = None

    def __len__(self) -> int:
        """How many runs there are."""
        return len(self._counts)

    @property
    def start(self) -> float:
        return float(self._began[0]) if len(self) else 0.0

    @property
    def end(self) -> float:
        """Time of the last frame."""
        return float(self._ended[-1]) if len(self) else 0.0

    # ------------------------------------------------------------------ runs
    def block(self, k: int) -> PoseBlock:
        """The k-th run with its whole poses."""
        block = self._blocks.pop(k, None)
        if block is None:
            first = int(self.first_frames[k])
            database = self._database()
            assert database is not None, "the memory of these frames is gone"
            row = database.one("SELECT poses FROM chunk WHERE first_frame = ?", (first,))
            block = PoseBlock.unpack(first, row[0])
            if len(self._blocks) >= _WHOLE_RUNS:
                self._blocks.popitem(last=False)
        self._blocks[k] = block
        return block

    def run(self, k: int) -> FrameColumns:
        """The k-th run."""
        key = int(self.first_frames[k]), self._counts[k]
        found = self._unpacked.get(key)
        if found is None:
            found = self._unpacked[key] = FrameColumns.of(self.block(k))
        return found

    def run_of(self, frame: int) -> int:
        """The run that holds a frame, the first one left if it was forgotten; -1 if there are no frames."""
        if not len(self):
            return -1
        return max(0, int(np.searchsorted(self.first_frames, frame, side="right")) - 1)

    def run_at(self, time: float) -> int:
        """The run in which a time falls, or the last one before it; -1 if there is none."""
        return int(np.searchsorted(self._began, time, side="right")) - 1

    def between(self, first: int, last: int) -> FrameColumns:
        """The columns of the frames from one to another, both included."""
        if not len(self) or last < first:
            return _NO_FRAMES
        runs = self.run_of(first), self.run_of(last)
        if self._joined is None or self._joined[0] != runs:
            parts = [self.run(k) for k in range(runs[0], runs[1] + 1)]
            self._joined = runs, FrameColumns(*map(np.concatenate, zip(*parts, strict=True)))
        return self._joined[1].cut(first, last)

    # ------------------------------------------------------------------ times
    def last_frame(self, at: float, known: float) -> int:
        """The last frame at or before a time that was known by another; -1 if there is none."""
        for k in range(self.run_at(at), -1, -1):
            run = self.run(k)
            count = int(np.searchsorted(run.times, at + _SAME_S, side="right"))
            if count and run.known[count - 1] > known + _SAME_S:
                count = min(count, int(np.searchsorted(run.known, known + _SAME_S, side="right")))
            if count:
                return int(run.numbers[count - 1])
        return -1

    def first_from(self, time: float) -> int:
        """The first frame at or after a time; one beyond the last if there is none."""
        k = int(np.searchsorted(self._began, time)) - 1
        if k < 0:
            return 0
        run = self.run(k)
        row = int(np.searchsorted(run.times, time))
        return int(run.numbers[row]) if row < len(run.numbers) else int(run.numbers[-1]) + 1

    def within(self, start: float, stop: float, last_frame: int = NO_END) -> tuple[int, int]:
        """The first and the last frame from one time on and before another, none beyond `last_frame`."""
        first = 0 if start <= -FOREVER else self.first_from(start)
        last = last_frame if stop >= FOREVER else self.first_from(stop) - 1
        return first, min(last, last_frame)

    def index_at(self, time: float) -> int:
        """The last frame at or before a time; the first one if there is none."""
        k = self.run_at(time)
        if k < 0:
            return int(self.run(0).numbers[0]) if len(self) else 0
        run = self.run(k)
        return int(run.numbers[max(0, int(np.searchsorted(run.times, time + _SAME_S, side="right")) - 1)])

    def times_of(self, frames: NDArray[np.int64]) -> NDArray[np.float64]:
        """When some frames were taken (n,); of one that was forgotten, the last one before it."""
        times = np.full(len(frames), math.nan)
        of = np.maximum(np.searchsorted(self.first_frames, frames, side="right") - 1, 0)
        for k in np.unique(of).tolist():
            run, mine = self.run(k), of == k
            rows = np.searchsorted(run.numbers, frames[mine], side="right") - 1
            times[mine] = run.times[np.maximum(rows, 0)]
        return times

    def time_of(self, frame: int) -> float:
        run, row = self._row_of(frame)
        return float(run.times[row])

    # ------------------------------------------------------------------ poses
    def poses_of(self, frames: NDArray[np.int64]) -> NDArray[np.float64]:
        """The poses of some frames (n, 4, 4), as they were corrected by the tracker."""
        poses = np.empty((len(frames), 4, 4))
        of = np.maximum(np.searchsorted(self.first_frames, frames, side="right") - 1, 0)
        for k in np.unique(of).tolist():
            block, mine = self.block(k), of == k
            rows = np.searchsorted(block.frames, frames[mine], side="right") - 1
            poses[mine] = block.poses_at(np.maximum(rows, 0))
        return poses

    def pose_of(self, frame: int) -> Matrix:
        """One of them."""
        block = self.block(self.run_of(frame))
        row = max(0, int(np.searchsorted(block.frames, frame, side="right")) - 1)
        return block.correction(row) @ block.given_pose(row)

    def position_of(self, frame: int) -> NDArray[np.float64]:
        """Where the camera was (3,)."""
        run, row = self._row_of(frame)
        spot: NDArray[np.float64] = run.positions[row]
        return spot

    def place_of(self, frame: int) -> int:
        """The number of the place in which a frame was taken, 0 if there is none."""
        if frame < 0 or not len(self):
            return 0
        run, row = self._row_of(frame)
        return int(run.places[row])

    def _row_of(self, frame: int) -> tuple[FrameColumns, int]:
        """The run that holds a frame, and the frame's row there; the one before it if it was forgotten."""
        run = self.run(self.run_of(frame))
        return run, max(0, int(np.searchsorted(run.numbers, frame, side="right")) - 1)
