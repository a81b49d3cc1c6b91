"""Poses, depth and detections that come from outside: another tracker, another sensor, another model."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from situ.errors import BadFormat, BadInput
from situ.geometry.axes import z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.perception.detections import Detections
from situ.perception.sources import Source
from situ.perception.stages import InputFrame
from situ.recording.codec import Depth
from situ.recording.formats.pose_files import PoseRows, read_poses
from situ.recording.formats.time_matching import nearest, pose_at
from situ.text_files import read_text

WIDEST_GAP_S = 0.5
SAME_MOMENT_S = 0.02
_SUFFIXES = (".png", ".npy", ".tif", ".tiff")


def with_poses(source: Source, file: Path, up: str = "z") -> Source:
    """The same stream with poses from a file in any form that `read_poses` knows.

    Poses with times are interpolated to the frames' times. If the file's clock never meets the stream's, both
    are taken to start together, and a note says so. Poses without times belong to frames by number.
    """
    given = read_poses(file)
    turned = replace(given, poses=z_up_from(up) @ given.poses)
    pose_of = (
        _pose_by_number(source, turned, file) if given.times is None else _pose_by_time(source, turned, file)
    )

    def read(after: int) -> Iterator[InputFrame]:
        for frame in source.read(after):
            yield replace(frame, T_world_camera=pose_of(frame))

    return replace(source, metric=True, read=read, has_poses=True)


def _pose_by_number(source: Source, given: PoseRows, file: Path) -> Callable[[InputFrame], Matrix | None]:
    known = given.by_number()
    if source.expected_frames > max(known) + 1:
        source.notes.append(
            f"{file.name} ends at frame {max(known)}, the source has {source.expected_frames}"
        )
    return lambda frame: known.get(frame.index)


def _pose_by_time(source: Source, given: PoseRows, file: Path) -> Callable[[InputFrame], Matrix | None]:
    poses, times = given.poses, given.times
    assert times is not None
    start = source.start_time
    meets = times[0] - WIDEST_GAP_S <= start <= times[-1] + WIDEST_GAP_S
    shift = 0.0 if meets else float(times[0] - start)
    if not meets:
        source.notes.append(f"{file.name} has another clock: its first pose was put at the first frame")
    return lambda frame: pose_at(times, poses, frame.time + shift, WIDEST_GAP_S)


def with_depth(source: Source, folder: Path, units_per_metre: float = 1000.0) -> Source:
    """The same stream with depth pictures from a folder; see `DepthFolder`."""
    depths = DepthFolder(folder, source.camera, units_per_metre, source.notes)

    def read(after: int) -> Iterator[InputFrame]:
        for frame in source.read(after):
            yield replace(frame, depth=depths.of(frame))

    return replace(source, read=read, has_depth=True)


class DepthFolder:
    """Depth pictures by frame number (`000123.png`) or time (`12.345678.png`), brought to the frames' grid.

    16-bit PNG or TIFF hold whole numbers of which `units_per_metre` make a metre; `.npy` holds metres.
    """

    def __init__(self, folder: Path, camera: Camera, units_per_metre: float, notes: list[str]) -> None:
        files = sorted(p for p in folder.iterdir() if p.suffix in _SUFFIXES) if folder.is_dir() else []
        if not files:
            raise BadInput(f"{folder} holds no depth pictures ({', '.join(_SUFFIXES)})")
        self._camera, self._units, self._notes = camera, units_per_metre, notes
        self._resized = False
        self._files = files
        self._by_time = all("." in p.stem for p in files)
        numbers = [_number(p, self._by_time) for p in files]
        order = np.argsort(numbers)
        self._numbers = np.array(numbers, dtype=float)[order]
        self._files = [files[i] for i in order]

    def of(self, frame: InputFrame) -> Depth | None:
        """The depth of a frame, or None where there is none (noted)."""
        wanted, within = (frame.time, SAME_MOMENT_S) if self._by_time else (float(frame.index), 0.0)
        found = nearest(self._numbers, wanted, within)
        depth = None if found is None else self._read(self._files[found])
        if depth is None:
            self._note(f"no depth for frame {frame.index} (at {frame.time:.3f} s)")
            return None
        return self._fitted(depth)

    def _read(self, file: Path) -> Depth | None:
        if file.suffix == ".npy":
            try:
                return np.asarray(np.load(file, allow_pickle=False), dtype=np.float32)
            except (OSError, ValueError):
                return None
        raw = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
        return None if raw is None or raw.ndim != 2 else (raw / np.float32(self._units)).astype(np.float32)

    def _fitted(self, depth: Depth) -> Depth:
        """Nearest neighbour, never a mean: the middle between a cup and the wall behind it is neither."""
        size = (self._camera.width, self._camera.height)
        if depth.shape[::-1] == size:
            return depth
        ratio = depth.shape[1] / depth.shape[0] * size[1] / size[0]
        if abs(ratio - 1) > 0.02:
            raise BadInput(
                f"depth pictures are {depth.shape[1]}x{depth.shape[0]} but frames are {size[0]}x{size[1]}: "
                "another shape, so they show another view; register the depth to the pictures first"
            )
        if not self._resized:
            self._resized = True
            self._note(f"depth of {depth.shape[1]}x{depth.shape[0]} was brought to {size[0]}x{size[1]}")
        return np.asarray(cv2.resize(depth, size, interpolation=cv2.INTER_NEAREST), dtype=np.float32)

    def _note(self, text: str) -> None:
        if len(self._notes) < 20:
            self._notes.append(text)


def _number(file: Path, by_time: bool) -> float:
    try:
        return float(file.stem) if by_time else float("".join(c for c in file.stem if c.isdigit()))
    except ValueError as error:
        raise BadFormat(f"{file} must be named by a frame number or by a time in seconds") from error


def read_detections(file: Path) -> Mapping[int, Detections]:
    """Detections by frame number from JSON lines, boxes in the pixels of the file that is watched.

    {"frame": 12, "label": "cup", "score": 0.8, "box": [left, top, right, bottom], "track": 3}
    """
    rows: dict[int, list[dict[str, object]]] = {}
    for number, line in enumerate(read_text(file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            rows.setdefault(int(row["frame"]), []).append(
                {
                    "label": str(row["label"]),
                    "score": float(row.get("score", 1.0)),
                    "box": [float(v) for v in row["box"]],
                    "track": row.get("track"),
                }
            )
            if len(row["box"]) != 4:
                raise ValueError("a box has four numbers")
        except (KeyError, TypeError, ValueError) as error:
            raise BadFormat(f"{file}, line {number}: must hold frame, label and box ({error})") from error
    return {frame: _detections(found) for frame, found in rows.items()}


def _detections(found: list[dict[str, object]]) -> Detections:
    tracks = tuple(row["track"] for row in found)
    return Detections(
        tuple(str(row["label"]) for row in found),
        tuple(float(str(row["score"])) for row in found),
        np.array([row["box"] for row in found], dtype=float).reshape(-1, 4),
        track_ids=tuple(int(str(t)) for t in tracks) if all(t is not None for t in tracks) else None,
    )
