"""Watching: one stream of frames through all stages into a memory, as fast as they can take it."""

import itertools
import json
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from situ.errors import SituError
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix
from situ.perception.locating import Located, Locator
from situ.perception.observation import Observation
from situ.perception.observing import observed
from situ.perception.parallax import Parallax
from situ.perception.pose_process import PoseProcess, worth_a_process
from situ.perception.running_ahead import each, running_ahead
from situ.perception.sources import Source
from situ.perception.stages import (
    Batched,
    Blur,
    Captioner,
    Checkpoints,
    DepthStage,
    Eye,
    Gauge,
    InputFrame,
    Look,
    PlaceTagger,
    PoseStage,
    Rays,
    Sink,
    calibrated,
    known_names,
)
from situ.perception.straying import UNRELIABLE, Straying
from situ.perception.timing import Timings

# Frames that wait, to be located and to be looked at; where networks see more of them at once, as many.
QUEUE_FRAMES, _LOCATED_AHEAD = 8, 16
_MOST_NOTES = 50
_SAVING_SHARE = 20  # saving takes at most about a twentieth of the time
_SAME_TIME_S = 1e-6
_FIRST_BATCH = 8  # frames that networks are shown at once at first; then twice as many each time


@dataclass(frozen=True, eq=False)
class Stages:
    """What does the work. `must_see` are frames that are looked at whatever the rate, as users named them."""

    poses: PoseStage
    eyes: tuple[Eye, ...] = ()
    depth: DepthStage | None = None
    places: PlaceTagger | None = None
    captions: Captioner | None = None
    blur: Blur | None = None
    must_see: frozenset[int] = frozenset()
    batch: int = 1  # frames that networks are shown at once


@dataclass
class WatchReport:
    """What became of a stream."""

    frames: int = 0  # that came in
    looked: int = 0  # that the memory has taken in
    lost: int = 0
    revised: int = 0
    notes: list[str] = field(default_factory=list)
    fault: str = ""
    captions: list[tuple[float, str]] = field(default_factory=list)


class Watch:
    """One pass of a source into a memory.

    Every frame goes to the pose stage; at most `fps` of them a second are looked at and remembered. Frames
    that the memory has already are passed over, so a watch that was interrupted can be run again.
    """

    def __init__(
        self,
        source: Source,
        stages: Stages,
        memory: Sink,
        fps: float | None = None,
        checkpoints: Checkpoints | None = None,
        save_every: int = 300,
        save_every_s: float | None = None,
        look_at_end: bool = False,
    ) -> None:
        """The state is saved every so many frames, and if stated every so many seconds by the clock on the
        wall, for streams that cannot be read again from the start. With `look_at_end` the last frame of a
        source that ends is looked at, whatever the rate: who asks then asks from there."""
        self.source, self.stages, self.memory = source, stages, memory
        self.timings = Timings()
        self.report = WatchReport(notes=source.notes)
        self.memory_frame: dict[int, int] = {}
        self.time = float("-inf")  # of the last frame that was taken
        self.located = float("-inf")  # time of the last frame whose place was known
        self.lost: list[tuple[float, float]] = []  # spans in which it was not
        self._straying = Straying()
        self._checkpoints = checkpoints
        self._save_every, self._save_every_s = save_every, save_every_s
        self._saved_at, self._saving_s = time.monotonic(), 0.0
        self._look_at_end = look_at_end
        self._passed_over: Look | None = None  # the latest frame, if it was located and not looked at
        known_until = memory.now if memory.frames else float("-inf")  # by the memory, before this watch
        self.locator = Locator(stages.poses, fps, stages.must_see, known_until)
        self._saved = threading.Event()
        self._ahead = False  # whether it was left off while the poses of later frames were known already
        self._parallax = Parallax(source.camera)
        self._depth_at = float("-inf")  # time of the latest frame whose depth was estimated

    def run(self, progress: Callable[[str, int, int], None] | None = None) -> WatchReport:
        """Watch to the end. Whatever goes wrong on the way, all before it is kept and the report says so."""
        last = self._checkpoints.load(self) if self._checkpoints is not None else -1
        done = 0
        try:
            with closing(self._located(self._prepared(self._decoded(last)))) as located:
                for one in located:
                    self._see(one)
                    last, done = one.frame.index, done + 1
                    if progress is not None:
                        progress("watching", done, max(done, self.source.expected_frames))
                    if done % self._save_every == 0 or self._has_waited():
                        self._keep(last)
                        self._saved.set()
            if self._checkpoints is None or self._checkpoints.ended:
                getattr(self.stages.poses, "finish", lambda: None)()
            if self._look_at_end and (seen := self._passed_over) is not None:
                frame = self._with_depth(seen.frame)
                better = self.locator.better()
                self.locator.told[frame.index] = seen.T_world_camera
                self._look(replace(seen, frame=frame, depth=frame.depth), better)
        except (SituError, MemoryError) as error:
            self.report.fault = str(error) or type(error).__name__
        except BaseException:
            self._keep(last)
            raise
        try:
            self._keep(last)
        except SituError as error:
            self.report.fault = self.report.fault or str(error)
        self._note(*self._straying.over())
        if complaint := self.stages.poses.complaint:
            self.report.notes.append(UNRELIABLE.format(complaint))
        for eye in self.stages.eyes:
            self.report.notes += getattr(eye, "closing_notes", list)()
        if unplaced := self._unplaced():
            many = ", ".join(f"{label} ({seen[0]})" for label, seen in sorted(unplaced.items())[:12])
            self.report.notes.append(
                f"seen but not placed: {many}; without depth a thing needs to be seen in a few frames "
                "from places that differ"
            )
        if self._checkpoints is not None and not self.report.fault:
            self._checkpoints.clear()
        return self.report

    def _has_waited(self) -> bool:
        """Whether it is time to save; what takes long to save is saved less often."""
        if self._save_every_s is None:
            return False
        return time.monotonic() - self._saved_at >= max(self._save_every_s, _SAVING_SHARE * self._saving_s)

    def _decoded(self, after: int) -> Generator[InputFrame, None, None]:
        """Frames from a thread of their own."""

        def read() -> Iterator[InputFrame]:
            frames = self.source.read(after)
            while True:
                with self.timings.measured("decode"):
                    frame = next(frames, None)
                if frame is None:
                    return
                yield frame

        return running_ahead(read(), max(QUEUE_FRAMES, self.stages.batch), "situ-decode")

    def _located(self, frames: Generator[InputFrame, None, None]) -> Generator[Located, None, None]:
        """Frames with their poses. Where networks look, poses are found ahead, in a thread or a process of
        their own: they take about as long as a look. Who saves by the clock needs them to be where the looks
        are."""
        if self._save_every_s is not None or not self._batched:
            yield from each(self._locate, frames)
            return
        elsewhere = worth_a_process(self.locator, self.source.expected_frames)
        ahead = self._in_process(frames) if elsewhere else self._in_thread(frames)
        try:
            # Not `yield from`: that would close it before it is told that all is saved.
            for one in ahead:  # noqa: UP028
                yield one
        except GeneratorExit:
            self._ahead = True
            raise
        finally:
            self._saved.set()
            ahead.close()

    def _in_thread(self, frames: Generator[InputFrame, None, None]) -> Generator[Located, None, None]:
        def locate_all() -> Iterator[Located]:
            with closing(frames):
                for done, frame in enumerate(frames, 1):
                    self._saved.clear()
                    yield self._locate(frame)
                    if done % self._save_every == 0:
                        self._saved.wait()  # what is saved is the state as of this frame

        return running_ahead(locate_all(), self._most_located, "situ-poses")

    def _in_process(self, frames: Generator[InputFrame, None, None]) -> Generator[Located, None, None]:
        process = PoseProcess(self.locator, self._save_every, partial(self.timings.add, "pose"))
        try:
            yield from process.located(each(self._with_depth, frames), self._most_located)
        finally:
            self._ahead = self._ahead or not process.came_back

    @property
    def _most_located(self) -> int:
        return max(_LOCATED_AHEAD, self.stages.batch)

    @property
    def _batched(self) -> list[Batched]:
        """The stages that can look at several frames at once."""
        stages: tuple[object, ...] = (self.stages.depth, *self.stages.eyes, self.stages.places)
        return [stage for stage in stages if isinstance(stage, Batched)]

    def _prepared(self, frames: Generator[InputFrame, None, None]) -> Generator[InputFrame, None, None]:
        """Frames in batches: stages that can look at several at once do so before the first is taken.

        Networks look at the next batch while the other stages work on this one, each in a thread of its own.
        The first batches are small, so that nobody waits long for them.
        """
        every: object = self.stages.depth if self.stages.poses.wants_depth else None  # what sees all frames
        able = [(stage, stage is every) for stage in self._batched]
        if not able:
            yield from frames
            return
        due, at_once = self.locator.due, _FIRST_BATCH

        def next_batch() -> list[InputFrame]:
            nonlocal due, at_once
            batch = list(itertools.islice(frames, min(at_once, self.stages.batch)))
            at_once *= 2
            looks, due = self.locator.looks_in(batch, due)
            shown = [(stage, batch if sees_all else looks) for stage, sees_all in able if batch]
            for looking in [ahead.submit(prepare, *given) for given in shown]:
                looking.result()
            return batch

        def prepare(stage: Batched, seen: list[InputFrame]) -> None:
            with self.timings.measured(f"{type(stage).__name__.lower()} ahead"):
                stage.prepare(seen)

        with closing(frames), ThreadPoolExecutor(1 + len(able), "situ-networks") as ahead:
            coming = ahead.submit(next_batch)
            while batch := coming.result():
                coming = ahead.submit(next_batch)
                yield from batch

    def _locate(self, frame: InputFrame) -> Located:
        if self.locator.looks_at(frame) or (self.stages.poses.wants_depth and self._depth_is_due(frame)):
            frame = self._with_depth(frame)
        with self.timings.measured("pose"):
            return self.locator.locate(frame)

    def _see(self, located: Located) -> None:
        frame, posed = located.frame, located.posed
        self.report.frames += 1
        self.time = frame.time
        if posed.lost:
            self.report.lost += 1
            self._passed_over = None
            self._parallax.lose()
            self._note_lost(frame.time)
            self._straying.lost(frame, posed.lost)
            return
        self._note(*self._straying.over())
        self.located = frame.time
        depth = frame.depth
        if depth is not None and posed.depth_factor != 1.0:
            depth = depth * np.float32(posed.depth_factor)
        pose = posed.T_world_camera
        seen = Look(frame, self.source.camera, pose, depth, self._parallax, posed.depth_factor)
        if frame.depth is None and self.stages.depth is None:
            self._parallax.pass_by(frame.rgb, posed.T_world_camera)
        self._passed_over = None if located.looking else seen
        if located.looking:
            self._look(seen, located.better)

    def _depth_is_due(self, frame: InputFrame) -> bool:
        """A slow depth stage does not look at every frame that goes through odometry."""
        interval = getattr(self.stages.depth, "interval_s", 0.0)
        if frame.time >= self._depth_at + interval - _SAME_TIME_S:
            return True
        return bool(getattr(self.stages.poses, "needs_depth", False))

    def _with_depth(self, frame: InputFrame) -> InputFrame:
        if self.stages.depth is None or frame.depth is not None:
            return frame
        self._depth_at = frame.time
        with self.timings.measured("depth"):
            if isinstance(self.stages.depth, Gauge):
                return self.stages.depth.gauged(frame)
            return replace(frame, depth=self.stages.depth.depth(frame))

    def _look(self, look: Look, better: Mapping[int, Matrix]) -> None:
        observations: list[Observation] = []
        for eye in self.stages.eyes:
            with self.timings.measured(type(eye).__name__.lower()):
                observations += eye.look(look)
        place = None
        if self.stages.places is not None:
            with self.timings.measured("place"):
                place = self.stages.places.tag(look.frame.rgb)
        if self.stages.captions is not None:
            with self.timings.measured("caption"):
                self.report.captions.append((look.frame.time, self.stages.captions.caption(look.frame.rgb)))
        if self.memory.frames and look.frame.time <= self.memory.now:
            self._recall(look)
            return
        with self.timings.measured("memory"):
            self._correct(better)
            self.memory_frame[look.frame.index] = self.memory.frames
            self.memory.observe(observed(look, tuple(observations), place, self.stages.blur))
        self.report.looked += 1

    def _recall(self, look: Look) -> None:
        """A look that the memory has from before an interruption: its pose may have to be revised later."""
        number = max(self.memory_frame.values(), default=-1) + 1
        if number < self.memory.frames:
            self.memory_frame[look.frame.index] = number

    def _correct(self, better: Mapping[int, Matrix]) -> None:
        """Tell the memory which of its poses are known better."""
        known = {self.memory_frame[i]: pose for i, pose in better.items() if i in self.memory_frame}
        if known:
            self.memory.correct(known)
            self.report.revised += len(known)

    def _keep(self, last: int) -> None:
        """Make durable: first the memory, then the state of the stages that goes with it."""
        began = time.monotonic()
        if not self._ahead:
            self._correct(self.locator.better())
        poses = self.stages.poses
        facts = {
            "source": self.source.name,
            "scale_from": poses.scale_from,
            "gravity_from": poses.gravity_from,
            "unplaced": json.dumps(self._unplaced()),
            "names": "yes" if any(getattr(eye, "names", True) for eye in self.stages.eyes) else "",
            "known_names": json.dumps(sorted(known_names(self.stages.eyes))),
            "calibrated": "yes" if calibrated(self.stages.eyes) else "",
        }
        if poses.visual_map:
            self.memory.remember(poses.visual_map)
        self.memory.keep(facts, self._doubt())
        if self._checkpoints is not None and last >= 0 and not self._ahead:
            self._checkpoints.save(self, last)
        self._saved_at = time.monotonic()
        self._saving_s = self._saved_at - began

    def _unplaced(self) -> dict[str, tuple[int, float, float]]:
        """What was seen and has no place."""
        found: dict[str, tuple[int, float, float]] = {}
        for eye in self.stages.eyes:
            rays = getattr(eye, "rays", None)
            if isinstance(rays, Rays):
                found |= rays.unplaced()
        return found

    def _note_lost(self, at: float) -> None:
        if self.lost and self.lost[-1][0] == self.located:
            self.lost[-1] = (self.located, at)
        elif self.located > float("-inf"):
            self.lost.append((self.located, at))

    def _doubt(self) -> PathUncertainty | None:
        """How far the poses may be off, and when there were none."""
        doubt = self.stages.poses.doubt
        if not self.lost:
            return doubt
        if doubt is None:
            doubt = PathUncertainty.of([self.located], np.zeros((1, 2)), np.zeros((1, 3)))
        return replace(doubt, lost=np.array(self.lost)).thinned()

    def _note(self, *texts: str) -> None:
        if len(self.report.notes) < _MOST_NOTES:
            self.report.notes.extend(texts)
