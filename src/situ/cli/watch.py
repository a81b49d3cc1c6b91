"""`situ watch`: a video, an RGB-D sequence or a recording into a memory."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.benchmarks.dataset import DRAWN
from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars, seconds_of
from situ.errors import BadInput
from situ.evaluation.participants.memory import STILL_WORLD, remember_solids
from situ.memory import Forgetting, Memory, MemoryOptions
from situ.memory.file.wall_clock import started_at
from situ.memory.sink import MemorySink
from situ.memory.upkeep.alignment import alignment_of
from situ.memory.upkeep.provenance import Recorded, take_up
from situ.perception.blur import BoxBlur
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.homes.network import Network
from situ.perception.homes.stages import homes_watch
from situ.perception.oracle import oracle_frames
from situ.perception.pipeline import Stages, Watch, WatchReport
from situ.perception.plan import POSE_FPS, WatchPlan, prepare
from situ.perception.sources import WIDTH, Source, recorded
from situ.recording import Recording
from situ.recording.fingerprint import fingerprint
from situ.recording.layout import METADATA

COMMIT_EVERY_S = 1.0  # other processes can ask about what was seen this long ago


class Eyes(StrEnum):
    """Who looks at the frames."""

    AUTO = "auto"
    PIXELS = "pixels"
    SOLIDS = "solids"
    HOMES = "homes"
    TRUTH = "truth"


def watch(
    source: Annotated[
        Path,
        typer.Argument(help="A video file, a recording, a folder that `import` knows, or rtsp://… http://…."),
    ],
    into: Annotated[Path, typer.Option("--into", help="Memory to write or to go on with: NAME.situ.")],
    poses: Annotated[
        Path | None, typer.Option(help="Your poses: TUM lines 'time x y z qx qy qz qw', camera to world.")
    ] = None,
    poses_up: Annotated[
        str, typer.Option("--poses-up", help="Axis that points up in your poses: z, y, -y ...")
    ] = "z",
    estimate_poses: Annotated[
        bool,
        typer.Option("--estimate-poses", help="Find the poses from the pictures even if there are some."),
    ] = False,
    depth: Annotated[
        Path | None, typer.Option(help="Folder of depth pictures, named by frame number or time.")
    ] = None,
    depth_units: Annotated[
        float, typer.Option("--depth-units", help="Units of a depth picture in a metre (mm: 1000).")
    ] = 1000.0,
    imu: Annotated[Path | None, typer.Option(help="Accelerometer (and gyroscope) samples: CSV.")] = None,
    fov: Annotated[
        float | None, typer.Option(help="Horizontal field of view of the upright picture, in degrees.")
    ] = None,
    eye_height: Annotated[
        float | None, typer.Option("--eye-height", help="Metres from floor to camera: gives RGB its scale.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Things you name by a click: CSV with label,frame,x,y.")
    ] = None,
    detections: Annotated[
        Path | None, typer.Option(help="Your detections: JSON lines with frame, label, score, box.")
    ] = None,
    models: Annotated[
        str, typer.Option(help="Models by name, hub id or folder, with commas; see `situ doctor --models`.")
    ] = "",
    vocabulary: Annotated[
        Path | None, typer.Option(help="What detectors look for: a text file with a name in each line.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where models run: auto, cpu, cuda.")] = "auto",
    fps: Annotated[float, typer.Option(help="How many frames a second are looked at and remembered.")] = 2.0,
    pose_fps: Annotated[
        float, typer.Option("--pose-fps", help="How many frames a second odometry sees.")
    ] = POSE_FPS,
    width: Annotated[int, typer.Option(help="Videos are scaled to at most this width, once.")] = WIDTH,
    eyes: Annotated[
        Eyes,
        typer.Option(
            help="pixels: what the pictures show; solids: coloured solids of REM; homes: a network for "
            "generated homes; truth: the recording's own annotations; auto: solids for REM, truth for "
            "annotated recordings, else pixels."
        ),
    ] = Eyes.AUTO,
    network: Annotated[
        Path | None, typer.Option(help="With --eyes homes: a network of `situ train eyes`.")
    ] = None,
    append: Annotated[
        bool, typer.Option("--append", help="Join this recording to a memory of another one; needs --align.")
    ] = False,
    align: Annotated[
        str | None,
        typer.Option(
            help="With --append: where this recording's origin lies in the memory: X,Y,YAW, or same."
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help="How far back details are remembered: 30d, 12h, 90m. What is older is thinned out."
        ),
    ] = None,
    started: Annotated[
        str | None,
        typer.Option(help="Date and time of day of the first frame, so that 'since 3 pm' can be asked."),
    ] = None,
    blur: Annotated[
        str, typer.Option(help="Blur what detectors call so in kept pictures, with commas: person,face.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Watch a video or a recording into a spatial memory that can be asked: one file, safe to read meanwhile.

    Takes what you have: RGB, RGB and poses, RGB-D, or RGB-D and poses; with no model, or with models of your
    choice. Interrupted? Run the same command again: it goes on after the last frame that was committed.
    """
    plan = WatchPlan(
        source, fps, pose_fps, width, fov, poses, poses_up, estimate_poses, depth, depth_units, imu,
        eye_height, labels, detections, tuple(m.strip() for m in models.split(",") if m.strip()),
        _words(vocabulary), device,
    )  # fmt: skip
    given = (poses, depth, imu, fov, eye_height, labels, detections)
    chosen = _chosen(
        source, eyes, any(value is not None for value in given) or estimate_poses or bool(models)
    )
    joining = _Joining(into, append, align, keep, None if started is None else started_at(started))
    hidden = [name for name in blur.split(",") if name.strip()]
    if network is not None and chosen != Eyes.HOMES:
        raise BadInput("--network is the one that --eyes homes looks through; give both")
    if chosen == Eyes.PIXELS:
        _watch_pixels(plan, prepare(plan), chosen, joining, hidden, as_json)
    elif chosen == Eyes.HOMES:
        _watch_pixels(plan, _with_homes(plan, network), chosen, joining, hidden, as_json)
    else:
        _watch_recording(source, joining, chosen, as_json)


@dataclass(frozen=True)
class _Joining:
    """The memory that is written, and how a recording goes into it."""

    into: Path
    append: bool
    align: str | None
    keep: str | None
    started: datetime | None = None

    def __post_init__(self) -> None:
        if self.append != (self.align is not None):
            raise BadInput("--append and --align go together: say how the two worlds lie to each other")

    def open(self, options: MemoryOptions) -> Memory:
        horizon = None if self.keep is None else Forgetting(seconds_of(self.keep))
        options = replace(options, commit_every_s=COMMIT_EVERY_S, forgetting=horizon)
        if not self.into.exists():
            return Memory.create(self.into, options)
        memory = Memory.open(self.into)
        if horizon is not None:
            memory.mind.options = replace(memory.mind.options, forgetting=horizon)
        return memory

    def take_up(self, memory: Memory, source: Path, eyes: Eyes, start: float) -> Recorded:
        part = Recorded(source.name or str(source), fingerprint(source), eyes.value)
        taken = take_up(memory, part, start, None if self.align is None else alignment_of(self.align))
        if self.started is not None:
            memory.set_clock(self.started, start + taken.time_shift)
        return taken


def _chosen(source: Path, eyes: Eyes, about_pixels: bool) -> Eyes:
    if eyes != Eyes.AUTO:
        return eyes
    if about_pixels or not (source / METADATA).is_file():
        return Eyes.PIXELS
    recording = Recording.open(source)
    if recording.meta.get("benchmark") == "rem":
        return Eyes.SOLIDS
    return Eyes.TRUTH if recording.objects else Eyes.PIXELS


def _words(file: Path | None) -> tuple[str, ...]:
    if file is None:
        return ()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _with_homes(plan: WatchPlan, network: Path | None) -> tuple[Source, Stages]:
    """Pictures through the network for homes; a day that is drawn on demand is drawn."""
    if (plan.source / METADATA).is_file():
        recording = Recording.open(plan.source)
        if recording.meta.get("pictures") == DRAWN:
            from situ.benchmarks.ucs.drawn_recording import DrawnRecording  # brings the worlds along

            recording = DrawnRecording.open(plan.source)
        source = recorded(recording, plan.pose_fps)
    else:
        source = prepare(plan)[0]
    return homes_watch(source, Network(network), plan.estimate_poses)


def _watch_pixels(
    plan: WatchPlan,
    prepared: tuple[Source, Stages],
    eyes: Eyes,
    joining: _Joining,
    hidden: list[str],
    as_json: bool,
) -> None:
    source, stages = prepared
    if hidden:
        stages = replace(stages, blur=BoxBlur(hidden))
    into = joining.into
    with joining.open(MemoryOptions()) as memory:
        part = joining.take_up(memory, plan.source, eyes, source.start_time)
        watching = Watch(source, stages, MemorySink(memory, part), plan.fps, FileCheckpoints(into))
        with progress_bars() as bars:
            report = watching.run(None if as_json else bars)
        facts = {
            "memory": str(into),
            "frames": memory.frames,
            "new_frames": report.looked,
            "frames_in": report.frames,
            "lost": report.lost,
            "objects": sum(view.presence > 0.5 for view in memory.state().objects()),
            "eyes": eyes.value,
            "scale_from": stages.poses.scale_from or "unknown",
            "gravity_from": stages.poses.gravity_from or "first camera taken as level",
            "timings": watching.timings.to_json(),
            "captions": report.captions,
            "notes": report.notes,
            "fault": report.fault,
        }
    _print(facts, report, as_json)
    if report.fault:
        raise typer.Exit(1)


def _print(facts: dict[str, Any], report: WatchReport, as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    for note in report.notes:
        errors.print(f"note: {note}")
    spent = ", ".join(
        f"{stage} {entry['wall_ms']:.0f} ms x {entry['calls']}" for stage, entry in facts["timings"].items()
    )
    errors.print(f"stages: {spent}")
    console.print(
        f"{facts['memory']}: {facts['frames']} frames ({facts['new_frames']} new), "
        f"{facts['objects']} objects; scale from {facts['scale_from']}, up from {facts['gravity_from']}",
    )
    if report.fault:
        errors.print(
            f"stopped: {report.fault}. Everything before that is kept; run the same command to go on.",
        )


def _watch_recording(source: Path, joining: _Joining, eyes: Eyes, as_json: bool) -> None:
    recording = Recording.open(source)
    solids = eyes == Eyes.SOLIDS
    if solids and not recording.has_images:
        raise BadInput(f"{source} has no pictures; use --eyes truth")
    into = joining.into
    if solids and joining.append:
        raise BadInput(
            "coloured solids are placed by the steps from the first frame on: they cannot be appended"
        )
    with joining.open(STILL_WORLD if solids else MemoryOptions()) as memory:
        before = memory.frames
        part = joining.take_up(memory, source, eyes, float(recording.path.times[0]))
        if solids:
            remember_solids(recording, memory)
        else:
            sink = MemorySink(memory, part)
            for frame in list(oracle_frames(recording))[sink.frames :]:
                sink.observe(frame.exact())
        objects = sum(view.presence > 0.5 for view in memory.state().objects())
        report = {"memory": str(into), "frames": memory.frames, "new_frames": memory.frames - before}
    if as_json:
        print_json({**report, "objects": objects, "eyes": eyes.value})
    else:
        console.print(
            f"{into}: {report['frames']} frames ({report['new_frames']} new), {objects} objects",
        )
