"""`situ watch`: a video, an RGB-D sequence or a recording into a memory."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from situ.api.watching import Eyes, Watched
from situ.api.watching import watch as watch_into
from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars, seconds_of
from situ.english import counted
from situ.errors import BadInput
from situ.memory.file.wall_clock import started_at
from situ.perception.models.defaults import DEFAULT, default_names, is_here, offer
from situ.perception.plan import POSE_FPS
from situ.perception.sources import WIDTH
from situ.recording.formats.pose_files import FORMS


def watch(
    source: Annotated[
        Path,
        typer.Argument(help="A video file, a recording, a folder that `import` knows, or rtsp://… http://…."),
    ],
    into: Annotated[Path, typer.Option("--into", help="Memory to write or to go on with: NAME.situ.")],
    poses: Annotated[Path | None, typer.Option(help=f"Your poses, camera to world: {FORMS}.")] = None,
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
    names: Annotated[
        Path | None,
        typer.Option(
            help="Alone: name things by a small detector, fetched once after asking. With a CSV of word,name "
            "(and trust): your names for a detector's words."
        ),
    ] = None,
    device: Annotated[str, typer.Option(help="Where models run: auto, cpu, cuda.")] = "auto",
    fps: Annotated[float, typer.Option(help="How many frames a second are looked at and remembered.")] = 2.0,
    pose_fps: Annotated[
        float,
        typer.Option("--pose-fps", help="Frames a second for odometry; of videos up to twice in fast turns."),
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
        bool,
        typer.Option(
            "--append",
            help="Join this recording to a memory of another one if the place is known again by its looks; "
            "if not, it is kept apart.",
        ),
    ] = False,
    align: Annotated[
        str | None,
        typer.Option(
            help="With --append, if you know: where this recording's origin lies in the memory: X,Y,YAW, or "
            "same."
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
    if align is not None and not append:
        raise BadInput("--align says where a recording lies that joins another: give --append too")
    hidden = [name for name in blur.split(",") if name.strip()]
    chosen = tuple(m.strip() for m in models.split(",") if m.strip())
    if names is not None and str(names) == DEFAULT:
        names, chosen = None, (*chosen, _agreed(as_json))
    with progress_bars() as bars:
        watched = watch_into(
            source, into, eyes, align, None if keep is None else seconds_of(keep), hidden,
            None if started is None else started_at(started), network, None if as_json else bars, append,
            fps=fps, pose_fps=pose_fps, width=width, fov_deg=fov, poses=poses, poses_up=poses_up,
            estimate_poses=estimate_poses, depth=depth, depth_units_per_metre=depth_units, imu=imu,
            eye_height=eye_height, labels=labels, detections=detections,
            models=chosen, vocabulary=_words(vocabulary), names=names, device=device,
        )  # fmt: skip
    _print(watched, as_json)
    if watched.fault:
        raise typer.Exit(1)


def _agreed(as_json: bool) -> str:
    """The default detector, once somebody has agreed to fetch it."""
    card = default_names()
    if not is_here(card):
        told = offer(card)
        if as_json or not sys.stdin.isatty():
            raise BadInput(
                f"--names would fetch {told}; to agree without being asked, say --models {card.name}"
            )
        if not typer.confirm(f"--names fetches {told}. Once, into the cache of the hub. Go on?", err=True):
            raise BadInput("nothing was fetched; without it things are named by clicks: situ view, --labels")
    return card.name


def _words(file: Path | None) -> tuple[str, ...]:
    if file is None:
        return ()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _print(watched: Watched, as_json: bool) -> None:
    details = watched.details
    if as_json:
        plain = {k: v for k, v in vars(watched).items() if k != "details"}
        print_json({**plain, **details} if details else {k: v for k, v in plain.items() if k != "fault"})
        return
    for note in details.get("notes", ()):
        errors.print(f"note: {note}")
    if details:
        spent = (f"{stage} {t['wall_ms']:.0f} ms x {t['calls']}" for stage, t in details["timings"].items())
        errors.print(f"stages: {', '.join(spent)}")
    rests = f"; scale from {details['scale_from']}, up from {details['gravity_from']}" if details else ""
    console.print(
        f"{watched.memory}: {counted(watched.frames, 'frame')} ({watched.new_frames} new), "
        f"{counted(watched.objects, 'object')}{rests}",
    )
    if watched.fault:
        errors.print(
            f"stopped: {watched.fault}. Everything before that is kept; run the same command to go on.",
        )
