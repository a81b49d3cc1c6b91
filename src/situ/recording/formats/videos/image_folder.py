"""Image folders ordered by the numbers in names, with optional poses, intrinsics and depth.

Only images are required. Missing data is marked as unknown in the recording.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording.formats.base import (
    ASSUMED_FOV_DEG,
    NOMINAL_FPS,
    STILL,
    ImportReport,
    pinhole,
    read_intrinsics,
    read_rgb,
    write_recording,
)
from situ.recording.formats.pose_files import PoseRows, read_poses
from situ.recording.formats.posed import Lens, Posed, Source, posed_frame, upright_by_axes, world_of
from situ.recording.formats.time_matching import numbered, pose_at

PICTURES = ("*.jpg", "*.jpeg", "*.png", "*.JPG", "*.JPEG", "*.PNG")
FOLDERS = ("images", "rgb", "color", "frames")
POSES = ("poses.txt", "pose.txt", "trajectory.txt", "traj.txt", "groundtruth.txt", "poses.csv", "poses.npy",
         "poses", "pose")  # fmt: skip
INTRINSICS = ("K.txt", "intrinsics.txt", "intrinsic.txt", "camera-intrinsics.txt", "camera_intrinsics.txt")
WIDEST_GAP_S = 0.1


def import_image_folder(source: Path, out: Path) -> ImportReport:
    """Import images in `source` itself, or in its images/, rgb/, color/ or frames/."""
    folder = next((source / name for name in FOLDERS if (source / name).is_dir()), source)
    pictures = numbered(folder)
    if not pictures:
        raise BadInput(f"{folder} holds no .jpg or .png whose name has a number")
    first = next((rgb for path in pictures.values() if (rgb := read_rgb(path)) is not None), None)
    if first is None:
        raise BadFormat(f"{folder} holds no readable picture")
    camera, known_by = _camera(source, first.shape[1], first.shape[0])
    lens_said = known_by or f"lens unknown, {ASSUMED_FOV_DEG:g} degrees across assumed"
    given = next((read_poses(source / name) for name in POSES if (source / name).exists()), None)
    times = _times(pictures)
    found = _poses(pictures, times, given, source)
    turn, axes = _upright(found, given)
    unknown = ["times"] if times is None and (given is None or given.times is None) else []
    unknown += ["poses"] if given is None else []
    unknown += [] if known_by else ["lens"]
    about = Source(
        "images",
        camera,
        (
            axes,
            f"units: metres assumed, depth in millimetres; {lens_said}",
            "clock: none" if "times" in unknown else "clock: seconds, of the names or the poses",
        ),
        unknown=tuple(unknown),
    )
    lens, skipped = Lens(about), list[str]()
    posed = _posed(source, pictures, found, turn, skipped)
    frames = (posed_frame(one, about, lens, read_rgb(one.picture), skipped) for one in posed)
    return write_recording(out, world_of(source.name, about, lens), frames, skipped)


def _posed(
    source: Path,
    pictures: dict[int, Path],
    found: list[tuple[float, Matrix | None]],
    turn: Matrix,
    skipped: list[str],
) -> Iterator[Posed]:
    for path, (time, pose) in zip(pictures.values(), found, strict=True):
        if pose is None:
            skipped.append(f"{path}: it has no pose; left the frame out")
            continue
        depth = source / "depth" / f"{path.stem}.png"
        yield Posed(time, turn @ pose, path, depth if depth.is_file() else None)


def _upright(found: list[tuple[float, Matrix | None]], given: PoseRows | None) -> tuple[Matrix, str]:
    """Rotation that makes the world z up, and a description of the axes for the report."""
    poses = [pose for _, pose in found if pose is not None]
    if given is None or not poses:
        return np.eye(4), "axes: no poses"
    turn, why = upright_by_axes(poses)
    said = ("axes: camera OpenCV", given.columns, why)
    return turn, "; ".join(part for part in said if part)


def _poses(
    pictures: dict[int, Path], times: list[float] | None, given: PoseRows | None, source: Path
) -> list[tuple[float, Matrix | None]]:
    """Time and pose of each image."""
    spaced = times or [place / NOMINAL_FPS for place in range(len(pictures))]
    if given is None:
        return [(time, STILL) for time in spaced]
    if given.times is not None and times is not None:
        return [(time, pose_at(given.times, given.poses, time, WIDEST_GAP_S)) for time in times]
    if len(given.poses) == len(pictures):  # one per image, in order
        stamps = spaced if given.times is None else given.times.tolist()
        return list(zip(stamps, given.poses, strict=True))
    if given.times is not None:
        raise BadFormat(
            f"{source} has {len(pictures)} pictures and {len(given.poses)} poses with times: name the "
            "pictures by their times (12.345678.png), or give each a pose"
        )
    known = given.by_number()
    return [(time, known.get(number)) for time, number in zip(spaced, pictures, strict=True)]


def _times(pictures: dict[int, Path]) -> list[float] | None:
    """Times in seconds, if every name is one, such as 1305031102.175304.png."""
    try:
        times = [float(path.stem) for path in pictures.values() if "." in path.stem]
    except ValueError:
        return None
    return times if len(times) == len(pictures) and bool(np.all(np.diff(times) > 0)) else None


def _camera(source: Path, width: int, height: int) -> tuple[Camera, str]:
    """The camera and the source of its intrinsics, "" if assumed."""
    path = next((source / name for name in INTRINSICS if (source / name).is_file()), None)
    if path is None:
        return Camera.from_fov(width, height, ASSUMED_FOV_DEG), ""
    return pinhole(width, height, read_intrinsics(path)), f"lens of {path.name}"
