"""`situ watch`: a video, an RGB-D sequence or a recording into a memory."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars
from situ.errors import BadInput
from situ.evaluate.memory_participant import STILL_WORLD, remember_solids
from situ.memory import Memory, MemoryOptions
from situ.memory.sink import MemorySink
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.oracle import oracle_frames
from situ.perception.pipeline import Watch, WatchReport
from situ.perception.plan import POSE_FPS, WatchPlan, prepare
from situ.perception.sources import WIDTH
from situ.recording import Recording
from situ.recording.layout import METADATA


class Eyes(StrEnum):
    """Who looks at the frames."""

    AUTO = "auto"
    PIXELS = "pixels"
    SOLIDS = "solids"
    TRUTH = "truth"


def watch(
    source: Annotated[
        Path, typer.Argument(help="A video file, a recording, or a folder of a format that `import` knows.")
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
            help="pixels: what the pictures show; solids: coloured solids of REM; truth: the recording's own "
            "annotations; auto: solids for REM, truth for annotated recordings, else pixels."
        ),
    ] = Eyes.AUTO,
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
    if chosen == Eyes.PIXELS:
        _watch_pixels(plan, into, as_json)
    else:
        _watch_recording(source, into, chosen, as_json)


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


def _watch_pixels(plan: WatchPlan, into: Path, as_json: bool) -> None:
    source, stages = prepare(plan)
    with Memory.open(into) if into.exists() else Memory.create(into, MemoryOptions()) as memory:
        watching = Watch(source, stages, MemorySink(memory), plan.fps, FileCheckpoints(into))
        with progress_bars() as bars:
            report = watching.run(None if as_json else bars)
        facts = {
            "memory": str(into),
            "frames": memory.frames,
            "new_frames": report.looked,
            "frames_in": report.frames,
            "lost": report.lost,
            "objects": sum(view.presence > 0.5 for view in memory.state().objects()),
            "eyes": "pixels",
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


def _watch_recording(source: Path, into: Path, eyes: Eyes, as_json: bool) -> None:
    recording = Recording.open(source)
    solids = eyes == Eyes.SOLIDS
    if solids and not recording.has_images:
        raise BadInput(f"{source} has no pictures; use --eyes truth")
    options = STILL_WORLD if solids else MemoryOptions()
    with Memory.open(into) if into.exists() else Memory.create(into, options) as memory:
        before = memory.frames
        if solids:
            remember_solids(recording, memory)
        else:
            for frame in list(oracle_frames(recording))[before:]:
                memory.observe(frame.exact())
        objects = sum(view.presence > 0.5 for view in memory.state().objects())
        report = {"memory": str(into), "frames": memory.frames, "new_frames": memory.frames - before}
    if as_json:
        print_json({**report, "objects": objects, "eyes": eyes.value})
    else:
        console.print(
            f"{into}: {report['frames']} frames ({report['new_frames']} new), {objects} objects",
        )
