"""One live stream into one memory: a thread that watches, and what is known of how far it got."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadFormat, SituError
from situ.geometry.heading import Heading
from situ.geometry.pose import Matrix
from situ.memory.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.memory.upkeep.alignment import alignment_of
from situ.memory.upkeep.provenance import Recorded, recordings, take_up
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.imu import ImuStream
from situ.perception.pipeline import Stages, Watch
from situ.perception.plan import with_models
from situ.perception.posing import GivenPoses, OdometryPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame
from situ.perception.things import Things
from situ.recording.latest_queue import LatestQueue
from situ.serve.hello import ALIGN_HERE, Hello, RawFrame
from situ.serve.library import Served
from situ.serve.pictures import decode_depth, decode_jpeg, fitted

LOOKS_PER_S = 2.0
QUEUE = 8  # frames that wait; a client that sends more at a time loses the oldest
SAVE_EVERY_S = 2.0
_EYES = "stream"
_GRAVITY = 9.81


@dataclass(frozen=True)
class Seeing:
    """Who looks at the frames: models by name as for `situ watch`, or none; and how often."""

    models: tuple[str, ...] = ()
    vocabulary: tuple[str, ...] = ()
    device: str = "auto"
    fps: float = LOOKS_PER_S


class _Checkpoints(FileCheckpoints):
    """Those of a stream: they stay until the client says that it has ended."""

    def __init__(self, memory: Path) -> None:
        super().__init__(memory)
        self.ended = False
        self.kept: float | None = None

    def save(self, watch: Watch, last: int) -> None:
        super().save(watch, last)
        self.kept = watch.time

    def clear(self) -> None:
        if self.ended:
            super().clear()


class Stream:
    """Opens the memory as its one writer, watches until the frames end, and leaves everything committed.

    `resume_after` is the time up to which nothing need be sent again; None for a stream that begins.
    """

    def __init__(
        self, served: Served, hello: Hello, seeing: Seeing, max_pixels: int, moved: Callable[[], None]
    ) -> None:
        self.served, self.hello, self.frames = served, hello, LatestQueue[RawFrame](QUEUE)
        self.acked, self.late, self.broken, self.fault = -1, 0, 0, ""
        self.counted_drops = 0  # those that the metrics have
        self._seeing, self._max_pixels, self._moved = seeing, max_pixels, moved
        self._watch: Watch | None = None
        self._taken: dict[int, int] = {}  # how many were watched before a frame -> what its client calls it
        self._watched = 0
        served.take_writing()
        try:
            self._memory = _opened(served.path)
            self._checkpoints = _Checkpoints(served.path)
            self.resume_after = self._checkpoints.time_of(hello.session) if self._memory.frames else None
            self._checkpoints.kept = self.resume_after
            self._last = -np.inf if self.resume_after is None else self.resume_after
            self._thread = threading.Thread(target=self._run, name="situ-stream", daemon=True)
            self._thread.start()
        except BaseException:
            try:
                if hasattr(self, "_memory"):
                    self._memory.close()
            finally:
                served.leave_writing()
            raise

    def put(self, frame: RawFrame) -> None:
        """One more frame. Time must grow: what is older than what came before is dropped and counted."""
        if frame.header.time <= self._last:
            self.late += 1
            return
        self._last = frame.header.time
        self.frames.put(frame)

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def end(self, for_good: bool) -> None:
        """Watch what waits and leave. A stream that ended for good is not resumed."""
        self._checkpoints.ended = for_good
        self.frames.close()

    def join(self) -> None:
        self._thread.join()

    def progress(self) -> dict[str, Any]:
        """How far it got: `ack` is the last frame that was watched, `kept` the time up to which all is safe
        even from a killed server, `done` how many of the frames that came on this connection no longer wait,
        whatever became of them."""
        report = None if self._watch is None else self._watch.report
        return {
            "ack": self.acked,
            "done": self._watched + self.frames.dropped + self.late + self.broken,
            "kept": self._checkpoints.kept,
            "looked": 0 if report is None else report.looked,
            "lost": 0 if report is None else report.lost,
            "queued": len(self.frames),
            "dropped": self.frames.dropped,
            "late": self.late,
            "broken": self.broken,
            "scale_from": "" if self._watch is None else self._watch.stages.poses.scale_from,
        }

    def _run(self) -> None:
        try:
            with self._memory as memory:
                self._watch_all(memory)
        except SituError as error:
            self.fault = self.fault or str(error)
        except Exception as error:
            self.fault = self.fault or f"the server made a mistake ({type(error).__name__})"
        finally:
            self.frames.close()
            self.served.live = None
            self.served.leave_writing()
            self._moved()

    def _watch_all(self, memory: SpatialMemory) -> None:
        waiting = iter(self.frames)
        first = next(waiting, None)
        if first is None:
            return
        part = self._part(memory, first.header.time)
        source = self._source(first, waiting)
        stages = self._stages(first)
        if self._seeing.models:
            chosen = self._seeing
            source, stages = with_models(chosen.models, chosen.vocabulary, chosen.device, source, stages)
        self._watch = Watch(
            source, stages, MemorySink(memory, part), self._seeing.fps, self._checkpoints,
            save_every_s=SAVE_EVERY_S,
        )  # fmt: skip
        report = self._watch.run(self._step)
        self.fault = report.fault

    def _step(self, _: str, done: int, __: int) -> None:
        self.acked, self._watched = self._taken.pop(done - 1), done
        self._moved()

    def _part(self, memory: SpatialMemory, start: float) -> Recorded:
        part = Recorded("stream", self.hello.session, _EYES)
        known = recordings(memory)
        going_on = bool(known) and known[-1].fingerprint == part.fingerprint
        alignment = None if going_on or not memory.frames else _alignment(memory, self.hello.align)
        return take_up(memory, part, start, alignment)

    def _stages(self, first: RawFrame) -> Stages:
        hello, down = self.hello, first.header.gravity
        if hello.poses:
            return Stages(GivenPoses(), (Things(),))
        imu = None
        if down is not None:
            felt = -_GRAVITY * np.array([down]) / np.linalg.norm(down)
            imu = ImuStream(np.array([first.header.time]), felt, None)
        return Stages(OdometryPoses(hello.camera, hello.eye_height, imu), (Things(),))

    def _source(self, first: RawFrame, waiting: Iterator[RawFrame]) -> Source:
        camera = self.hello.camera

        def read(after: int) -> Iterator[InputFrame]:
            number = after
            given = 0
            for raw in _with_first(first, waiting):
                frame = self._decoded(raw, number + 1)
                if frame is None:
                    continue
                number += 1
                self._taken[given] = raw.header.seq
                given += 1
                yield frame

        size = (camera.width, camera.height)
        return Source(self.hello.session, camera, read, self.hello.depth, self.hello.poses, size)

    def _decoded(self, raw: RawFrame, number: int) -> InputFrame | None:
        """A frame as the stages want it; one that cannot be decoded is passed over and counted."""
        camera = self.hello.camera
        try:
            rgb = decode_jpeg(raw.jpeg, self._max_pixels)
            depth = None if raw.depth is None else decode_depth(raw.depth, self._max_pixels)
        except BadFormat:
            self.broken += 1
            return None
        rgb = fitted(rgb, self.hello.orientation, camera.width, camera.height)
        if depth is not None and depth.shape != rgb.shape[:2]:
            depth = _nearest(depth, self.hello.orientation, camera.width, camera.height)
        self.served.live = raw.jpeg
        return InputFrame(number, raw.header.time, rgb, depth, raw.header.T_world_camera)


def _with_first(first: RawFrame, rest: Iterator[RawFrame]) -> Iterator[RawFrame]:
    yield first
    yield from rest


def _nearest(depth: Any, orientation: int, width: int, height: int) -> Any:
    """Depth in the grid of the camera: never a mean of near and far."""
    turned = np.rot90(depth, -orientation // 90) if orientation else depth
    rows = (np.arange(height) * turned.shape[0] / height).astype(int)
    columns = (np.arange(width) * turned.shape[1] / width).astype(int)
    return np.ascontiguousarray(turned[rows][:, columns])


def _opened(path: Path) -> SpatialMemory:
    """For writing, each look committed as it is taken in: readers can ask about it at once."""
    memory = SpatialMemory.open(path)
    memory.working.options = replace(memory.working.options, commit_every_s=0.0)
    return memory


def _alignment(memory: SpatialMemory, align: str) -> Matrix:
    """Where a new stream begins in the memory's world."""
    if align != ALIGN_HERE:
        return alignment_of(align)
    last = Heading.of(memory.state().pose)
    return alignment_of(f"{last.x},{last.y},{last.yaw_deg}")
