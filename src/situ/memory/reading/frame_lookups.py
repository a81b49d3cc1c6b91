"""What a memory's file holds of frames: they lie there in runs, each with its poses, times, places and packed
observations."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.file.packing import PoseBlock, unpack_free, unpack_seen
from situ.memory.reading.caches import LOOKUPS_OF_ONE
from situ.memory.reading.filed_runs import RunStarts
from situ.memory.reading.frame_book import FrameBook
from situ.memory.reading.lookups import Lookups
from situ.memory.reading.moments import Moments
from situ.memory.reading.traces import Trace
from situ.memory.reading.vantages import Walked
from situ.memory.tables.pending_rows import FOREVER

NO_END = 1 << 32  # no frame comes as late
# Kept from one question to the next: chunks of poses, and frames of moments. A few MB in all.
_CACHED_BLOCKS, _CACHED_FRAMES = 128, 16384
_RUN_LENGTHS = "SELECT first_frame, frames, last_time FROM chunk ORDER BY first_frame"


class FrameLookups(Lookups):
    """Over one open file: by time, by frame, or run by run."""

    def block_at(self, time: float) -> PoseBlock | None:
        """The run of frames in which a time falls, or the last one before it."""
        known = self._at_hand().runs.at(time)
        if known is not None:
            return known
        row = self._again(
            "SELECT first_frame, frames FROM chunk WHERE first_time <= ? ORDER BY first_time DESC LIMIT 1",
            time,
        )
        return self._block(*row) if row else None

    def block_of(self, frame: int) -> PoseBlock | None:
        """The run that holds a frame; where the first frames were forgotten, the first that is left."""
        known = self._at_hand().runs.of(frame)
        if known is not None:
            return known
        row = self._again(
            "SELECT first_frame, frames FROM chunk WHERE first_frame <= ? ORDER BY first_frame DESC LIMIT 1",
            frame,
        )
        if row is None:
            row = self._again("SELECT first_frame, frames FROM chunk ORDER BY first_frame LIMIT 1")
        return self._block(*row) if row else None

    def blocks(self, last_frame: int, first_frame: int = 0) -> Iterator[PoseBlock]:
        """The runs that hold the frames up to one, from another on."""
        rows = self.connection.all(
            "SELECT first_frame, frames FROM chunk WHERE first_frame <= ? AND first_frame >= coalesce("
            "(SELECT max(first_frame) FROM chunk WHERE first_frame <= ?), 0) ORDER BY first_frame",
            (last_frame, first_frame),
        )
        for first_frame, frames in rows:
            yield self._block(first_frame, frames)

    def _block(self, first_frame: int, frames: int) -> PoseBlock:
        cached = self._cached.blocks.get(first_frame)
        if cached is not None and len(cached.times) == frames:
            self._cached.blocks.move_to_end(first_frame)
            self._cached.runs.add(cached)
            self._cached.moments.add(cached)
            return cached
        self._frames(self._share_of_runs)
        row = self.connection.one("SELECT poses FROM chunk WHERE first_frame = ?", (first_frame,))
        block = self._cached.blocks[first_frame] = PoseBlock.unpack(first_frame, row[0])
        if len(self._cached.blocks) > _CACHED_BLOCKS:
            self._cached.blocks.popitem(last=False)
        self._cached.runs.add(block)
        self._cached.moments.add(block)
        return block

    @property
    def frame_book(self) -> FrameBook | None:
        """All frames, if they have been read: who looks into many runs is better off with them at hand."""
        return self._frames(0.0)

    def _frames(self, share: float) -> FrameBook | None:
        return self._cached.frames.of(self.file_version, self.connection, share)

    @property
    def _share_of_runs(self) -> float:
        """Of a long file more has to be asked for until it is worth reading: as much as it has runs."""
        return min(1.0, LOOKUPS_OF_ONE / max(1, len(self._starts.frames)))

    def walked(self, last_frame: int) -> Walked:
        """Where the wearer was in which place up to a frame."""
        return self._kept(("walked", last_frame), lambda: Walked.read(list(self.blocks(last_frame))))

    def trace(self, first_frame: int, frames: int) -> Trace:
        """Where a run of so many frames led, read once."""
        known = self._cached.traces.get((first_frame, frames))
        if known is None:
            block = self.block_of(first_frame)
            assert block is not None
            known = self._cached.traces[(first_frame, frames)] = Trace.of(block)
        return known

    def run_lengths(self, last_frame: int, since: float) -> list[tuple[int, int]]:
        """The first frame and the number of frames of each run up to a frame that ends after a time."""
        runs = self._kept(("run lengths",), lambda: self.connection.all(_RUN_LENGTHS))
        count = bisect_right(runs, last_frame, key=itemgetter(0))
        return [(first, frames) for first, frames, ended in runs[:count] if ended >= since]

    def _run_of(self, frame: int) -> int:
        """The first frame of the run that holds a frame."""
        query = "SELECT first_frame FROM chunk WHERE first_frame <= ? ORDER BY first_frame DESC LIMIT 1"
        row = frame and self._again(query, frame)
        return row[0] if row else 0

    @property
    def _starts(self) -> RunStarts:
        return self._kept(("runs",), self._read_starts)

    def _read_starts(self) -> RunStarts:
        rows = self.connection.all("SELECT first_frame, first_time FROM chunk ORDER BY first_frame")
        frames, times = zip(*rows, strict=True) if rows else ((), ())
        return RunStarts(np.array(frames, np.int64), np.array(times, float))

    def last_frame(self, at: float, known: float) -> int:
        """The last frame at or before a time that was known by another; -1 if there is none."""
        block = self.block_at(at)
        while block is not None:
            frames, times = block.moments
            count = bisect_right(times, at + 1e-9)
            if count and block.known_by[count - 1] > known + 1e-9:
                count = min(count, bisect_right(block.known_by, known + 1e-9))
            if count:
                return frames[count - 1]
            block = self.block_of(block.first_frame - 1) if block.first_frame else None
        return -1

    def frames_between(self, start: float, stop: float, last_frame: int) -> tuple[int, int]:
        """The first and the last frame from one time on and before another, none beyond `last_frame`."""
        first = 0 if start <= -FOREVER else self._first_from(start)
        last = last_frame if stop >= FOREVER else self._first_from(stop) - 1
        return first, min(last, last_frame)

    def frames_of_spans(self, spans: NDArray[np.float64]) -> NDArray[np.int64]:
        """The same of some spans (n, 3), each behind a number, as rows of these; some have no end."""
        if (book := self._frames(len(spans) * self._share_of_runs)) is not None:
            begin, end = np.searchsorted(book.columns[0], spans[:, 1:]).T
            frames = np.column_stack([begin, np.where(spans[:, 2] >= FOREVER, NO_END, end - 1)])
        else:
            found = [self.frames_between(start, stop, NO_END) for _, start, stop in spans.tolist()]
            frames = np.array(found, np.int64).reshape(-1, 2)
        return np.column_stack([spans[:, 0].astype(np.int64), frames])

    def _first_from(self, time: float) -> int:
        """The first frame at or after a time; one beyond the last if there is none."""
        if (book := self.frame_book) is not None:
            return bisect_left(book.moments.times, time)
        known = self._cached.frames_from.get(time)
        if known is None:
            known = self._find_first_from(time)
            if time <= self.end:  # else the next frame will change it
                if len(self._cached.frames_from) >= _CACHED_FRAMES:
                    self._cached.frames_from.clear()
                self._cached.frames_from[time] = known
        return known

    def _find_first_from(self, time: float) -> int:
        run = self._at_hand().moments.at(time)
        if run is None or run.times[0] == time:
            row = self._one(
                "SELECT first_frame FROM chunk WHERE first_time < ? ORDER BY first_time DESC LIMIT 1", time
            )
            run = self.moments_of(row[0]) if row else None
            if run is None:
                return 0
        k = bisect_left(run.times, time)
        return run.frames[k] if k < len(run.frames) else run.frames[-1] + 1

    def moments_at(self, time: float) -> Moments | None:
        """When the frames were of the run in which a time falls, or of the last one before it."""
        if (book := self.frame_book) is not None and time >= book.moments.times[0]:
            return book.moments
        known = self._at_hand().moments.at(time)
        return known or self._moments(self.block_at(time))

    def moments_of(self, frame: int) -> Moments | None:
        """The same of the run that holds a frame."""
        if (book := self.frame_book) is not None:
            return book.moments
        known = self._at_hand().moments.of(frame)
        return known or self._moments(self.block_of(frame))

    def _moments(self, block: PoseBlock | None) -> Moments | None:
        return None if block is None or not len(block.times) else Moments.of(block)

    def place_of(self, frame: int) -> int:
        """The number of the place in which a frame was taken, 0 if there is none."""
        block = self.block_of(frame) if frame >= 0 else None
        return 0 if block is None else block.place(bisect_right(block.moments[0], frame) - 1)

    def filed_in(self, frame: int) -> set[int]:
        """The numbers under which the observations of a frame were filed."""
        row = self._one(
            "SELECT first_frame, observations, seen FROM chunk WHERE first_frame <= ? "
            "ORDER BY first_frame DESC LIMIT 1",
            frame,
        )
        if row is None:
            return set()
        table = unpack_seen(row[2], row[1])
        return set(table["object_id"][table["frame"] == frame - row[0]].tolist())

    def observations(self, first_frame: int) -> NDArray[np.void]:
        """The packed observations of the run that starts at a frame."""
        row = self._one("SELECT observations, seen FROM chunk WHERE first_frame = ?", first_frame)
        return unpack_seen(row[1] if row else None, row[0] if row else 0)

    def free_space(self, first_frame: int) -> NDArray[np.uint8] | None:
        """How far the view was clear in the frames of the run that starts at one; None if that is unknown."""
        row = self._one("SELECT free FROM chunk WHERE first_frame = ?", first_frame)
        return None if row is None or row[0] is None else unpack_free(row[0])

    def revised_pose(self, frame: int, known: float) -> Matrix | None:
        """A pose that was corrected from outside."""
        row = self.any_revised and self._one(
            "SELECT body FROM pose_revision WHERE frame = ? AND known_from <= ? "
            "ORDER BY known_from DESC LIMIT 1",
            frame,
            known,
        )
        return np.frombuffer(row[0]).reshape(4, 4) if row else None

    @property
    def any_revised(self) -> bool:
        """Whether any pose was corrected from outside."""
        return self._again("SELECT 1 FROM pose_revision LIMIT 1") is not None

    def revised_poses(self, last_frame: int, known: float) -> list[tuple[int, Matrix]]:
        """All of them up to a frame, in the order in which they became known."""
        if not self.any_revised:
            return []
        rows = self.connection.execute(
            "SELECT frame, body FROM pose_revision WHERE frame <= ? AND known_from <= ? ORDER BY known_from",
            (last_frame, known),
        )
        return [(frame, np.frombuffer(body).reshape(4, 4)) for frame, body in rows]
