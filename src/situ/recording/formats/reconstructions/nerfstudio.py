"""nerfstudio and instant-ngp: transforms.json with intrinsics and one camera-to-world matrix per image.

Cameras have OpenGL axes; the world is assumed to be z up, as nerfstudio writes it. There are no times: images
are ordered by name (the file's order is that of matching), and the scale is metric only if the capture was.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadFormat
from situ.geometry.axes import T_OPENGL_OPENCV
from situ.geometry.camera import Camera
from situ.recording.formats.base import ImportReport, need
from situ.recording.formats.posed import SPACING_S, Posed, Source, import_posed
from situ.recording.formats.time_matching import as_numbered
from situ.recording.reader import Recording
from situ.recording.staging import StagedFolder

FILE = "transforms.json"
RADIAL = ("k1", "k2", "p1", "p2")
FISHEYE = ("k1", "k2", "k3", "k4")


def import_nerfstudio(source: Path, out: Path, fps: float | None = None) -> ImportReport:
    data = _read(need(source / FILE, "the poses and intrinsics"))
    first = {**data, **data["frames"][0]}
    fisheye = "FISHEYE" in str(data.get("camera_model", "")).upper()
    try:
        camera = Camera(
            *(int(first[k]) for k in ("w", "h")), *(float(first[k]) for k in ("fl_x", "fl_y", "cx", "cy"))
        )
        lens = tuple(float(data.get(name, 0.0)) for name in (FISHEYE if fisheye else RADIAL))
        frames = sorted(data["frames"], key=lambda frame: as_numbered(str(frame["file_path"])))
        posed = [_posed(source, number, frame, fps) for number, frame in enumerate(frames)]
    except (KeyError, TypeError, ValueError) as error:
        raise BadFormat(f"{source / FILE}: {_missing(error)}") from error
    about = Source(
        "nerfstudio",
        camera,
        (
            "axes: camera OpenGL, world z up",
            "units: as stored; metres only if the capture was metric",
            "clock: none; pictures in the order of their names"
            if fps is None
            else f"clock: {fps:g} pictures a second, as was said",
        ),
        distortion=lens,
        fisheye=fisheye,
        unknown=("scale",) if fps else ("times", "scale"),
    )
    return import_posed(out, source.name, about, posed)


def _posed(source: Path, number: int, frame: dict[str, Any], fps: float | None) -> Posed:
    pose = np.asarray(frame["transform_matrix"], float)
    if pose.shape != (4, 4):
        raise ValueError(f"transform_matrix of frame {number} must be 4x4, it is {pose.shape}")
    depth = frame.get("depth_file_path")
    time = number * SPACING_S if fps is None else number / fps
    return Posed(
        time,
        pose @ T_OPENGL_OPENCV,
        _inside(source, frame["file_path"]),
        _inside(source, depth) if depth else None,
    )


def _inside(source: Path, name: str) -> Path:
    """A file of the capture; paths outside the folder are refused."""
    path = source / name
    if path.suffix == "":  # instant-ngp omits it
        path = path.with_suffix(".png")
    if not path.resolve().is_relative_to(source.resolve()):
        raise ValueError(f"'{name}' lies outside the capture")
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadFormat(f"{path} is not JSON ({error})") from error
    if not isinstance(data, dict) or not isinstance(data.get("frames"), list) or not data["frames"]:
        raise BadFormat(f"{path} must list frames")
    return data


def _missing(error: Exception) -> str:
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error)


def export_nerfstudio(recording: Recording, out: Path) -> None:
    """Export a recording in nerfstudio's format, with depth in millimetres if available."""
    import cv2

    staged, camera = StagedFolder(out), recording.camera
    try:
        (staged.work / "images").mkdir()
        (staged.work / "depth").mkdir()
        frames = []
        for frame in recording.frames:
            name = f"images/{frame.index:06d}.jpg"
            (staged.work / name).write_bytes(recording.jpeg(frame.index))
            one: dict[str, Any] = {
                "file_path": name,
                "transform_matrix": (frame.T_world_camera @ T_OPENGL_OPENCV).tolist(),
                "time": frame.time,
            }
            if recording.has_depth:
                one["depth_file_path"] = f"depth/{frame.index:06d}.png"
                millimetres = np.clip(np.round(recording.depth(frame.index) * 1000), 0, 65535).astype(
                    np.uint16
                )
                cv2.imwrite(str(staged.work / one["depth_file_path"]), millimetres)
            frames.append(one)
        about = {"w": camera.width, "h": camera.height, "fl_x": camera.fx, "fl_y": camera.fy}
        about |= {"cx": camera.cx, "cy": camera.cy}
        text = json.dumps({"camera_model": "OPENCV", **about, "frames": frames}, indent=1)
        (staged.work / FILE).write_text(text + "\n", encoding="utf-8")
    except BaseException:
        staged.discard()
        raise
    staged.commit()
