"""ScanNet++ scenes as unpacked by its own tools: iPhone images, depth maps, poses and intrinsics.

iphone/rgb/frame_000000.jpg, iphone/depth/frame_000000.png     images; millimetres at lower resolution
iphone/pose_intrinsic_imu.json      per frame: aligned_pose (camera to world), intrinsic, timestamp
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadFormat
from situ.geometry.pose import Matrix
from situ.recording.formats.base import ImportReport, need, pinhole, read_rgb
from situ.recording.formats.phones.captures import axes_by_depth
from situ.recording.formats.posed import Posed, Source, import_posed
from situ.recording.formats.time_matching import numbered
from situ.text_files import read_text

TABLE = "iphone/pose_intrinsic_imu.json"
IPHONE_FPS = 60.0  # rate of the video that frame numbers refer to


def import_scannetpp(source: Path, out: Path) -> ImportReport:
    """Import a scene folder with unpacked images; `rgb.mkv` and `depth.bin` are not read."""
    stated = _read(need(source / TABLE, "the poses and intrinsics"))
    pictures = numbered(
        need(source / "iphone/rgb", "the pictures, unpacked from rgb.mkv by ScanNet++'s tools")
    )
    timed = all("timestamp" in stated.get(path.stem, {}) for path in pictures.values())
    posed, lenses = list[Posed](), list[Matrix]()
    for number, path in pictures.items():
        if path.stem not in stated:
            raise BadFormat(f"{source / TABLE} has no '{path.stem}', of which there is a picture")
        about = stated[path.stem]
        depth = source / "iphone/depth" / f"{path.stem}.png"
        time = float(about["timestamp"]) if timed else number / IPHONE_FPS
        pose = _matrix(source, path.stem, about, "aligned_pose", 4)
        posed.append(Posed(time, pose, path, depth if depth.is_file() else None))
        lenses.append(_matrix(source, path.stem, about, "intrinsic", 3))
    first = next((rgb for one in posed if (rgb := read_rgb(one.picture)) is not None), None)
    if first is None:
        raise BadFormat(f"{source / 'iphone/rgb'} holds no readable picture")
    # Focusing changes the intrinsics slightly; a recording has one camera.
    camera = pinhole(first.shape[1], first.shape[0], np.median(lenses, axis=0))
    flip, why = axes_by_depth(posed, Source("scannetpp", camera, ()))
    clock = "the phone's, s" if timed else "numbers of frames at 60 a second"
    about_all = Source(
        "scannetpp",
        camera,
        (f"axes: camera {why}, world z up", "units: metres, depth in millimetres", f"clock: {clock}"),
    )
    moved = [replace(one, T_world_camera=one.T_world_camera @ flip) for one in posed]
    return import_posed(out, source.name, about_all, moved)


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        stated = json.loads(read_text(file))
        return {str(name): dict(about) for name, about in stated.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise BadFormat(f"{file} must hold one entry for each frame ({error})") from error


def _matrix(source: Path, frame: str, about: Mapping[str, Any], name: str, side: int) -> Matrix:
    try:
        found = np.asarray(about[name], float)
    except (KeyError, TypeError, ValueError) as error:
        raise BadFormat(f"{source / TABLE}: '{frame}' has no {name} ({error})") from error
    if found.shape != (side, side):
        raise BadFormat(f"{source / TABLE}: {name} of '{frame}' must be {side}x{side}, it is {found.shape}")
    return found
