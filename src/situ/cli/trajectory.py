"""`situ lab trajectory`: where the camera went, as a file of another tool, and how far off it is."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, errors, frame_words, print_json, progress_bars
from situ.geometry.trajectory import Alignment, compare
from situ.perception.path_only import estimate_walk
from situ.perception.plan import WatchPlan
from situ.perception.trajectory_files import WRITERS, read_tum


class Layout(StrEnum):
    """Whose format the file has."""

    TUM = "tum"
    KITTI = "kitti"
    COLMAP = "colmap"


class Align(StrEnum):
    """How an estimate is laid over the truth before they are compared."""

    SE3 = "se3"
    SIM3 = "sim3"
    YAW = "yaw"
    FIRST = "first"
    NONE = "none"


ALIGNMENTS: dict[str, Alignment] = {
    "se3": "se3",
    "sim3": "sim3",
    "yaw": "yaw",
    "first": "first",
    "none": "none",
}


def trajectory(
    source: Annotated[Path, typer.Argument(help="A video, a recording, a dataset folder, or a TUM file.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File to write (colmap: a folder); default by source and format."),
    ] = None,
    to: Annotated[Layout, typer.Option(help="Format: tum, kitti or colmap.")] = Layout.TUM,
    given: Annotated[bool, typer.Option("--given", help="Write the poses that the source has.")] = False,
    depth: Annotated[Path | None, typer.Option(help="Folder of depth pictures.")] = None,
    depth_units: Annotated[float, typer.Option("--depth-units", help="Units in a metre.")] = 1000.0,
    imu: Annotated[Path | None, typer.Option(help="Accelerometer samples: CSV.")] = None,
    fov: Annotated[float | None, typer.Option(help="Horizontal field of view in degrees.")] = None,
    eye_height: Annotated[
        float | None, typer.Option("--eye-height", help="Metres from floor to camera: gives RGB its scale.")
    ] = None,
    fps: Annotated[float, typer.Option(help="At most this many frames a second.")] = 30.0,
    truth: Annotated[
        Path | None, typer.Option(help="True poses as a TUM file, to compare with; default: the source's.")
    ] = None,
    align: Annotated[Align | None, typer.Option(help="Default: sim3 if the scale is unknown.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Estimate the camera's path from the pictures, and from depth if there is any, and write it as a file.

    If the true path is known, from --truth or from the source itself, the errors are printed: ATE, RPE, drift
    per metre, scale and heading. A TUM file as the source is only compared and converted.
    """
    plan = WatchPlan(
        source, fps=None, pose_fps=fps, fov_deg=fov, estimate_poses=not given, depth=depth, imu=imu,
        eye_height=eye_height, depth_units_per_metre=depth_units,
    )  # fmt: skip
    with progress_bars() as bars:
        walk = estimate_walk(plan, None if as_json else bars)
    target = out or Path(f"{source.stem}.{to.value}{'' if to == Layout.COLMAP else '.txt'}")
    files = WRITERS[to.value](walk.path, walk.camera, walk.names, target)
    facts: dict[str, object] = {
        "files": [str(file) for file in files],
        "frames": len(walk.path),
        "lost": walk.lost,
        "metres": round(walk.path.length, 3) if walk.scale_from else None,
        "scale_from": walk.scale_from or "unknown",
        "gravity_from": walk.gravity_from or "first frame",
        "notes": walk.notes,
    }
    true_path = read_tum(truth) if truth is not None else walk.truth
    kind, error = align or (Align.SE3 if walk.scale_from else Align.SIM3), None
    if true_path is not None and not given:
        error = compare(walk.path, true_path, ALIGNMENTS[kind.value], 0.02)
        facts["error"] = {"aligned": kind.value, **{k: round(float(v), 5) for k, v in vars(error).items()}}
    if walk.readout_s is not None:
        facts["readout_ms"] = round(1000 * walk.readout_s, 1)
    if as_json:
        print_json(facts)
        return
    for note in walk.notes:
        errors.print(f"note: {note}")
    walked = (
        f"{walk.path.length:.2f} m walked"
        if walk.scale_from
        else "no metres, because the scale is unknown (pass --eye-height or --depth)"
    )
    console.print(
        f"{files[0]}: {len(walk.path)} poses, {walked}, {walk.lost} frames lost; {frame_words(facts)}",
    )
    if walk.readout_s:
        console.print(
            f"the camera seems to read a picture in {1000 * abs(walk.readout_s):.0f} ms, "
            f"the {'first' if walk.readout_s > 0 else 'last'} line first"
        )
    if error is not None:
        said = ", ".join(f"{k} {float(v):.5g}" for k, v in vars(error).items())
        console.print(f"against the truth ({kind.value}): {said}")
