"""TUM RGB-D folders: rgb.txt, depth.txt and groundtruth.txt, three streams with clocks of their own.

Depth is in fifths of a millimetre; quaternions are x y z w; the world is z up.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, pose_from_quat_wxyz
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import (
    ImportReport,
    SourceFrame,
    World,
    need,
    pinhole,
    read_depth,
    read_numbers,
    read_rgb,
    write_recording,
)
from situ.recording.formats.timing import Times, nearest, pose_at
from situ.text_files import read_text

DEPTH_UNITS_PER_METRE = 5000.0
WITHIN_S = 0.02  # a depth map belongs to a picture that is at most this far away in time
WIDEST_GAP_S = 0.1  # poses are interpolated over gaps up to this
# Published intrinsics of the three sensors: fx, fy, cx, cy and the lens distortion k1, k2, p1, p2, k3.
SENSORS = {
    1: ((517.3, 516.5, 318.6, 255.3), (0.2624, -0.9531, -0.0054, 0.0026, 1.1633)),
    2: ((520.9, 521.0, 325.1, 249.7), (0.2312, -0.7849, -0.0033, -0.0001, 0.9172)),
    3: ((535.4, 539.2, 320.1, 247.6), (0.0, 0.0, 0.0, 0.0, 0.0)),
}


def import_tum(source: Path, out: Path, sensor: int | None = None) -> ImportReport:
    """Import a sequence. `sensor` 1, 2 or 3 names the camera; by default the sequence's name says it."""
    rgb = _listing(need(source / "rgb.txt", "the list of pictures"))
    depth = _listing(need(source / "depth.txt", "the list of depth maps"))
    rows = read_numbers(need(source / "groundtruth.txt", "the camera poses"), 8)
    rows = rows[np.argsort(rows[:, 0])]
    poses = np.stack([pose_from_quat_wxyz(row[[7, 4, 5, 6]], row[1:4]) for row in rows])
    lens = _Lens(*SENSORS[sensor or _sensor_of(source)])
    skipped: list[str] = []
    world = World(lens.camera, meta={"format": "tum", "source": source.name})
    frames = _frames(source, rgb, depth, rows[:, 0], poses, lens, skipped)
    return write_recording(out, world, frames, skipped)


class _Lens:
    """Takes the lens distortion out of a picture and of the depth map that is registered to it."""

    def __init__(self, intrinsics: tuple[float, ...], distortion: tuple[float, ...]) -> None:
        fx, fy, cx, cy = intrinsics
        K = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
        self.camera: Camera = pinhole(640, 480, K)
        self._map = cv2.initUndistortRectifyMap(K, np.array(distortion), None, K, (640, 480), cv2.CV_32FC1)

    def straight_rgb(self, picture: Rgb) -> Rgb:
        return np.asarray(cv2.remap(picture, *self._map, cv2.INTER_LINEAR), dtype=np.uint8)

    def straight_depth(self, depth: Depth) -> Depth:
        return np.asarray(cv2.remap(depth, *self._map, cv2.INTER_NEAREST), dtype=np.float32)


def _frames(
    source: Path,
    rgb: list[tuple[float, str]],
    depth: list[tuple[float, str]],
    pose_times: Times,
    poses: Matrix,
    lens: _Lens,
    skipped: list[str],
) -> Iterator[SourceFrame]:
    depth_times = np.array([time for time, _ in depth])
    for time, name in rgb:
        pose = pose_at(pose_times, poses, time, WIDEST_GAP_S)
        if pose is None:
            skipped.append(f"{source / name}: groundtruth.txt has no pose around its time {time:.4f} s")
            continue
        found = nearest(depth_times, time, WITHIN_S)
        if found is None:
            skipped.append(f"{source / name}: depth.txt has no map within {WITHIN_S} s; kept without depth")
        measured = (
            None if found is None else read_depth(source / depth[found][1], DEPTH_UNITS_PER_METRE, skipped)
        )
        picture = read_rgb(source / name)
        if picture is not None and picture.shape[:2] == (480, 640):
            picture = lens.straight_rgb(picture)
        if measured is not None and measured.shape == (480, 640):
            measured = lens.straight_depth(measured)
        yield SourceFrame(str(source / name), time, pose, picture, measured)


def _listing(path: Path) -> list[tuple[float, str]]:
    entries = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        try:
            entries.append((float(words[0]), words[1]))
        except (ValueError, IndexError) as error:
            raise BadFormat(f"{path}, line {number}: must be 'timestamp filename', got {line!r}") from error
    return sorted(entries)


def _sensor_of(source: Path) -> int:
    """From the folder's name or the comment at the top of its files."""
    head = "".join(read_text(source / "groundtruth.txt").splitlines(keepends=True)[:3])
    found = re.search(r"(?:freiburg|fr)([123])", f"{source.resolve().name} {head}")
    if found is None:
        raise BadFormat(
            f"{source}: neither the name nor groundtruth.txt says freiburg1, 2 or 3; give the sensor"
        )
    return int(found.group(1))
