"""TUM RGB-D folders: rgb.txt, depth.txt and groundtruth.txt, three streams with separate clocks.

Depth is in units of 0.2 mm; quaternions are x y z w; the world is z up. Test sequences have no
groundtruth.txt, and home-made folders of this layout use other cameras than the three sensors.
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
    ASSUMED_FOV_DEG,
    STILL,
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
from situ.recording.formats.time_matching import Times, nearest, pose_at
from situ.text_files import read_text

DEPTH_UNITS_PER_METRE = 5000.0
WITHIN_S = 0.02  # largest time difference between an image and its depth map
WIDEST_GAP_S = 0.1  # poses are interpolated over gaps up to this
# Published calibration of the three sensors: fx, fy, cx, cy, and lens distortion k1, k2, p1, p2, k3.
SENSORS = {
    1: ((517.3, 516.5, 318.6, 255.3), (0.2624, -0.9531, -0.0054, 0.0026, 1.1633)),
    2: ((520.9, 521.0, 325.1, 249.7), (0.2312, -0.7849, -0.0033, -0.0001, 0.9172)),
    3: ((535.4, 539.2, 320.1, 247.6), (0.0, 0.0, 0.0, 0.0, 0.0)),
}


def import_tum(source: Path, out: Path, sensor: int | None = None) -> ImportReport:
    """Import a sequence. `sensor` 1, 2 or 3 selects the camera; the default follows from the sequence's
    name."""
    rgb = _listing(need(source / "rgb.txt", "the list of pictures"))
    depth = _listing(need(source / "depth.txt", "the list of depth maps"))
    track = _track(source / "groundtruth.txt") if (source / "groundtruth.txt").exists() else None
    sensor = sensor or _sensor_of(source)
    lens = _unknown_lens(source, rgb) if sensor is None else _Lens(*SENSORS[sensor])
    skipped: list[str] = []
    unknown = {"poses": track is None, "lens": sensor is None}
    stated = {name: "unknown" for name, is_so in unknown.items() if is_so}
    world = World(lens.camera, meta={"format": "tum", "source": source.name, **stated})
    return write_recording(out, world, _frames(source, rgb, depth, track, lens, skipped), skipped)


Track = tuple[Times, Matrix]


def _track(path: Path) -> Track:
    """Times and poses of a trajectory file."""
    rows = read_numbers(path, 8)
    rows = rows[np.argsort(rows[:, 0])]
    return rows[:, 0], np.stack([pose_from_quat_wxyz(row[[7, 4, 5, 6]], row[1:4]) for row in rows])


class _AnyLens:
    """Images and depth maps without undistortion."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera

    def straight_rgb(self, picture: Rgb) -> Rgb:
        return picture

    def straight_depth(self, depth: Depth) -> Depth:
        return depth


class _Lens(_AnyLens):
    """Undistorts images and the depth maps registered to them."""

    def __init__(self, intrinsics: tuple[float, ...], distortion: tuple[float, ...]) -> None:
        fx, fy, cx, cy = intrinsics
        K = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
        super().__init__(pinhole(640, 480, K))
        self._map = cv2.initUndistortRectifyMap(K, np.array(distortion), None, K, (640, 480), cv2.CV_32FC1)

    def straight_rgb(self, picture: Rgb) -> Rgb:
        return np.asarray(cv2.remap(picture, *self._map, cv2.INTER_LINEAR), dtype=np.uint8)

    def straight_depth(self, depth: Depth) -> Depth:
        return np.asarray(cv2.remap(depth, *self._map, cv2.INTER_NEAREST), dtype=np.float32)


def _frames(
    source: Path,
    rgb: list[tuple[float, str]],
    depth: list[tuple[float, str]],
    track: Track | None,
    lens: _AnyLens,
    skipped: list[str],
) -> Iterator[SourceFrame]:
    depth_times = np.array([time for time, _ in depth])
    for time, name in rgb:
        pose = STILL if track is None else pose_at(*track, time, WIDEST_GAP_S)
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


def _sensor_of(source: Path) -> int | None:
    """Sensor from the folder name or the comments in its files; None if not named."""
    heads = [source / name for name in ("groundtruth.txt", "rgb.txt") if (source / name).exists()]
    lines = [line for head in heads for line in read_text(head).splitlines()[:3] if line.startswith("#")]
    found = re.search(r"(?:freiburg|fr)([123])", " ".join([source.resolve().name, *lines]))
    return None if found is None else int(found.group(1))


def _unknown_lens(source: Path, rgb: list[tuple[float, str]]) -> _AnyLens:
    first = next((found for _, name in rgb if (found := read_rgb(source / name)) is not None), None)
    if first is None:
        raise BadFormat(f"{source}: no picture that rgb.txt lists can be read")
    return _AnyLens(Camera.from_fov(first.shape[1], first.shape[0], ASSUMED_FOV_DEG))
