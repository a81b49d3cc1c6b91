"""Paths as files of other tools: TUM, KITTI and COLMAP."""

from collections.abc import Callable, Sequence
from pathlib import Path as File

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import inverse, quat_wxyz
from situ.recording.formats.pose_files import read_poses

Writer = Callable[[Path, Camera, Sequence[str], File], tuple[File, ...]]


def read_tum(file: File) -> Path:
    """`time x y z qx qy qz qw` in each line; a '#' starts a comment. Lines may come in any order."""
    given = read_poses(file)
    if given.times is None:
        raise BadFormat(f"{file} must hold lines of 'time x y z qx qy qz qw': a path needs times")
    return Path(given.times, given.poses)


def write_tum(path: Path, camera: Camera, names: Sequence[str], out: File) -> tuple[File, ...]:
    """One file: `time x y z qx qy qz qw`, T_world_camera, seconds and metres."""
    lines = ["# timestamp tx ty tz qx qy qz qw"]
    for time, pose in zip(path.times, path.poses, strict=True):
        w, x, y, z = quat_wxyz(pose)
        place = " ".join(f"{v:.6f}" for v in pose[:3, 3])
        lines.append(f"{time:.6f} {place} {x:.7f} {y:.7f} {z:.7f} {w:.7f}")
    return (_written(out, lines),)


def write_kitti(path: Path, camera: Camera, names: Sequence[str], out: File) -> tuple[File, ...]:
    """Two files: the first three rows of each T_world_camera, twelve numbers a line, and the times."""
    poses = [" ".join(f"{v:.9e}" for v in pose[:3].ravel()) for pose in path.poses]
    times = [f"{time:.6e}" for time in path.times]
    return _written(out, poses), _written(out.with_name(f"{out.stem}.times.txt"), times)


def write_colmap(path: Path, camera: Camera, names: Sequence[str], out: File) -> tuple[File, ...]:
    """A COLMAP text model: a folder with cameras.txt, images.txt and an empty points3D.txt.

    COLMAP stores world to camera, and its pixel centres are at halves, as ours are.
    """
    out.mkdir(parents=True, exist_ok=True)
    lens = f"{camera.fx:.6f} {camera.fy:.6f} {camera.cx:.6f} {camera.cy:.6f}"
    images = []
    for number, (pose, name) in enumerate(zip(path.poses, names, strict=True), 1):
        T_camera_world = inverse(pose)
        turn = " ".join(f"{v:.9f}" for v in quat_wxyz(T_camera_world))
        place = " ".join(f"{v:.9f}" for v in T_camera_world[:3, 3])
        images += [f"{number} {turn} {place} 1 {name}", ""]
    return (
        _written(out / "cameras.txt", [f"1 PINHOLE {camera.width} {camera.height} {lens}"]),
        _written(out / "images.txt", images),
        _written(out / "points3D.txt", []),
    )


def _written(file: File, lines: Sequence[str]) -> File:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n" if lines else "", encoding="utf-8")
    return file


WRITERS: dict[str, Writer] = {"tum": write_tum, "kitti": write_kitti, "colmap": write_colmap}
