"""`situ.watch`: a video, an RGB-D sequence or a recording into a memory."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from situ.api.appending import apart_from, join_if_known, watched_before
from situ.errors import BadInput, SituError
from situ.evaluation.benchmark import SOLIDS, eyes_for
from situ.evaluation.participants.memory import STILL_WORLD, remember_solids
from situ.evaluation.participants.stages import annotated_frames
from situ.memory import Forgetting, MemoryOptions, SpatialMemory
from situ.memory.sink import MemorySink, options_for
from situ.memory.upkeep.alignment import alignment_of
from situ.memory.upkeep.provenance import Recorded, take_up
from situ.perception.blur import BoxBlur
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.homes.network import Network
from situ.perception.homes.stages import homes_watch
from situ.perception.observation import ObservedFrame
from situ.perception.observing import THUMBNAIL_WIDTH, thumbnail
from situ.perception.pipeline import Stages, Watch
from situ.perception.plan import WatchPlan, prepare
from situ.perception.sources import Source, recorded
from situ.recording.fingerprint import fingerprint
from situ.recording.formats.videos.live_stream import address_of
from situ.recording.layout import METADATA
from situ.recording.reader import Recording
from situ.recording.remote import fetched

COMMIT_EVERY_S = 1.0  # other processes can ask about what was seen this long ago
Progress = Callable[[str, int, int], None]


class Eyes(StrEnum):
    """Who looks at the frames."""

    AUTO = "auto"
    PIXELS = "pixels"
    SOLIDS = "solids"
    HOMES = "homes"
    TRUTH = "truth"


@dataclass(frozen=True)
class Watched:
    """What became of a stream. `fault` says why it ended early; all before that is kept. `details` of
    pictures tell where scale and level come from, what was lost, and how long the stages took."""

    memory: str
    frames: int
    new_frames: int
    objects: int
    eyes: str
    fault: str = ""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Joining:
    """The memory that is written, and how a recording goes into it. `keep_s` is how far back details are
    remembered; `align` is where the recording's origin lies in the memory: X,Y,YAW, or same; `started` is the
    time of day of its first frame."""

    into: Path
    align: str | None = None
    keep_s: float | None = None
    started: datetime | None = None

    @contextmanager
    def open(self, options: MemoryOptions) -> Iterator[SpatialMemory]:
        """The memory, while it is written; committed unless something fails. A file that was made for a
        recording of which nothing could be taken in is removed again."""
        new = not self.into.exists()
        try:
            with self._memory(options) as memory:
                yield memory
        except BaseException:
            if new and self._is_empty():
                self.into.unlink()
            raise

    def _is_empty(self) -> bool:
        with suppress(SituError), SpatialMemory.open(self.into, read_only=True) as memory:
            return memory.frames == 0
        return False

    def _memory(self, options: MemoryOptions) -> SpatialMemory:
        horizon = None if self.keep_s is None else Forgetting(self.keep_s)
        options = replace(options, commit_every_s=COMMIT_EVERY_S, forgetting=horizon)
        if not self.into.exists():
            return SpatialMemory.create(self.into, options)
        memory = SpatialMemory.open(self.into)
        if horizon is not None:
            memory.working.options = replace(memory.working.options, forgetting=horizon)
        return memory

    def take_up(self, memory: SpatialMemory, source: Path, eyes: Eyes, start: float) -> Recorded:
        part = Recorded(source.name or str(source), fingerprint(source), eyes.value)
        taken = take_up(memory, part, start, None if self.align is None else alignment_of(self.align))
        if self.started is not None:
            memory.set_clock(self.started, start + taken.time_shift)
        return taken


def watch(
    source: str | Path,
    into: str | Path,
    eyes: str = Eyes.AUTO,
    align: str | None = None,
    keep_s: float | None = None,
    blur: Sequence[str] = (),
    started: datetime | None = None,
    network: Path | None = None,
    progress: Progress | None = None,
    append: bool = False,
    **given: Any,
) -> Watched:
    """Watch a video, a recording or a folder of a known format into the memory file `into`.

    `source` may lie in a store (s3://, hf://): it is copied here for as long as it is watched.
    Interrupted? Call it again: it goes on after the last frame that was committed. With `align` another
    recording is appended; with `append` alone it is if it shows a place that the memory knows again, and is
    kept apart if not. `started` is the time of day of the first frame; `network` is what the eyes "homes"
    look through. What else is known of the source goes into `given`, by the names of
    `situ.perception.plan.WatchPlan`: poses, depth, fov_deg, detections, models, fps and others.

    >>> import situ, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rem = situ.make("rem", folder, variant="mini", scale=0.02, seed=3, width=240, height=160)
    ...     walk = rem.recording(rem.items[0])
    ...     watched = situ.watch(walk.folder, folder + "/walk.situ")
    ...     watched.frames == len(walk), watched.eyes
    (True, 'solids')
    """
    joining = Joining(Path(into), align, keep_s, started)
    live = address_of(source) is not None  # looked at as it comes; what lies in a store is copied here first
    with nullcontext(Path(source)) if live else fetched(str(source)) as here:
        return _watch(WatchPlan(here, **given), joining, eyes, append, blur, network, progress)


def _watch(
    plan: WatchPlan,
    joining: Joining,
    eyes: str,
    append: bool,
    blur: Sequence[str],
    network: Path | None,
    progress: Progress | None,
) -> Watched:
    chosen = _chosen(plan, Eyes(eyes))
    if network is not None and chosen != Eyes.HOMES:
        raise BadInput("--network is the one that --eyes homes looks through; give both")
    looking = chosen in (Eyes.PIXELS, Eyes.HOMES)
    known = not append or joining.align is not None or watched_before(joining.into, plan.source)
    if not known and not looking:
        raise BadInput(
            f"--eyes {chosen} know no place again: say how the two worlds lie with --align X,Y,YAW"
        )
    going_into = joining if known else replace(joining, into=apart_from(joining.into, plan.source))
    if looking:
        prepared = prepare(plan) if chosen == Eyes.PIXELS else _with_homes(plan, network)
        watched = _watch_pixels(plan, prepared, chosen, going_into, blur, progress)
    else:
        watched = _watch_recording(plan.source, going_into, chosen)
    return watched if known or watched.fault else _joined(watched, joining, going_into.into, progress)


def _joined(watched: Watched, joining: Joining, apart: Path, progress: Progress | None) -> Watched:
    """What was watched apart, in the memory that it should join if it shows the same place."""
    with joining.open(MemoryOptions()) as memory:
        done, said = join_if_known(memory, apart, joining.started, progress)
        details = {**watched.details, "notes": [*watched.details.get("notes", ()), said], "joined": done}
        if not done:
            return replace(watched, details=details)
        return _watched(memory, watched.frames, Eyes(watched.eyes), details=details)


def _chosen(plan: WatchPlan, eyes: Eyes) -> Eyes:
    """Who looks: what somebody says about the pictures makes sense for eyes that look at them only."""
    if eyes != Eyes.AUTO:
        return eyes
    if plan.about_pixels or not (plan.source / METADATA).is_file():
        return Eyes.PIXELS
    recording = Recording.open(plan.source)
    if eyes_for(recording) == SOLIDS:
        return Eyes.SOLIDS
    return Eyes.TRUTH if recording.objects else Eyes.PIXELS


def _with_homes(plan: WatchPlan, network: Path | None) -> tuple[Source, Stages]:
    """Pictures through the network for homes; a day that is drawn on demand is drawn."""
    if (plan.source / METADATA).is_file():
        source = recorded(Recording.open(plan.source), plan.pose_fps)
    else:
        source = prepare(plan)[0]
    return homes_watch(source, Network(network), plan.estimate_poses)


def _watch_pixels(
    plan: WatchPlan,
    prepared: tuple[Source, Stages],
    eyes: Eyes,
    joining: Joining,
    hidden: Sequence[str],
    progress: Progress | None,
) -> Watched:
    from situ.kernels import compiling_beside  # takes a compiler with it

    source, stages = prepared
    if hidden:
        stages = replace(stages, blur=BoxBlur(list(hidden)))
    with (
        joining.open(options_for(stages.poses.scale_from)) as memory,
        # The path keeps one core busy with compiling; without eyes there are no objects to compile for.
        compiling_beside("situ.memory.warm") if stages.eyes else nullcontext(),
    ):
        part = joining.take_up(memory, plan.source, eyes, source.start_time)
        checkpoints = FileCheckpoints(joining.into)
        watching = Watch(source, stages, MemorySink(memory, part), plan.fps, checkpoints, look_at_end=True)
        report = watching.run(progress)
        details = {
            "frames_in": report.frames,
            "lost": report.lost,
            "scale_from": stages.poses.scale_from or "unknown",
            "gravity_from": stages.poses.gravity_from or "first frame",
            "timings": watching.timings.to_json(),
            "captions": report.captions,
            "notes": report.notes,
        }
        return _watched(memory, report.looked, eyes, report.fault, details)


def _watch_recording(source: Path, joining: Joining, eyes: Eyes) -> Watched:
    recording = Recording.open(source)
    solids = eyes == Eyes.SOLIDS
    if solids and not recording.has_images:
        raise BadInput(f"{source} has no pictures; use --eyes truth")
    if solids and joining.align is not None:
        raise BadInput(
            "coloured solids are placed by the steps from the first frame on: they cannot be appended"
        )
    with joining.open(STILL_WORLD if solids else MemoryOptions()) as memory:
        before = memory.frames
        part = joining.take_up(memory, source, eyes, float(recording.path.times[0]))
        if solids:
            remember_solids(recording, memory, picture_width=THUMBNAIL_WIDTH)
        else:
            sink = MemorySink(memory, part)
            for frame in _pictured(recording, sink.frames):
                sink.observe(frame)
        return _watched(memory, memory.frames - before, eyes)


def _pictured(recording: Recording, done: int) -> Iterator[ObservedFrame]:
    """What the annotations of each frame show, after the first `done`, with a small picture where one is
    stored."""
    camera = recording.camera
    images = iter(recording.images(range(done, len(recording)))) if recording.has_images else None
    for frame in itertools.islice(annotated_frames(recording), done, None):
        picture = None if images is None else thumbnail(next(images), camera.width, camera.height)
        yield replace(frame.exact(), thumbnail=picture)


def _watched(
    memory: SpatialMemory, new: int, eyes: Eyes, fault: str = "", details: dict[str, Any] | None = None
) -> Watched:
    objects = sum(view.presence > 0.5 for view in memory.state().objects())
    return Watched(str(memory.path), memory.frames, new, objects, eyes.value, fault, details or {})
