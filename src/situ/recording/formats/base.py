"""Shared parts of all importers: source frames, validation rules, and the import report."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, camera_pose
from situ.recording.codec import Depth, Ids, Rgb
from situ.recording.formats.box_fitting import PointCollector
from situ.recording.records import Event, FrameRecord, ObjectRecord, Visible, visible_objects
from situ.recording.writer import RecordingWriter

MAX_SPEED_M_S = 6.0  # of a head-worn camera; a faster motion is a jump of lost tracking
MAX_STEP_M = 0.5  # a shorter step is no jump, however close in time the frames are
MAX_JUMPS_SHARE = 0.2  # of the frames; more means that the poses are misread
ASSUMED_FOV_DEG = 70.0  # horizontal, of an unknown camera
STILL = camera_pose((0.0, 0.0, 1.6), 0.0)  # pose of every frame if poses are unknown: level, at eye height
NOMINAL_FPS = 30.0  # spacing of numbered frames without times


@dataclass(frozen=True, eq=False)
class SourceFrame:
    """One frame from an importer. `name` identifies its origin.

    `visible` is for sources that list visible objects without an image of instance ids.
    """

    name: str
    time: float
    T_world_camera: Matrix
    rgb: Rgb | None = None
    depth: Depth | None = None
    ids: Ids | None = None
    visible: tuple[Visible, ...] = ()


@dataclass(frozen=True)
class ImportReport:
    """Result of an import: numbers of frames and objects, and what was skipped and why."""

    out: Path
    frames: int
    objects: int
    skipped: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()  # axes, units and clock of the source, if known


def times_of(fps: float | None) -> dict[str, str]:
    """Metadata about the times of a source that has only a stated frame rate."""
    return {"times": "unknown"} if fps is None else {}


@dataclass
class World:
    """What an importer knows apart from the frames.

    Objects and events are requested after the last frame; the collector receives every accepted frame.
    """

    camera: Camera
    images: bool = True
    fps: float | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    objects: Callable[[], Iterable[ObjectRecord]] = tuple
    collector: PointCollector | None = None
    events: Callable[[], Iterable[Event]] = tuple


def write_recording(
    out: Path, world: World, frames: Iterable[SourceFrame], skipped: list[str]
) -> ImportReport:
    """Write a recording from source frames. Invalid frames are skipped and reported."""
    count = 0
    with RecordingWriter(
        out,
        world.camera,
        images="jpeg" if world.images else "none",
        fps=world.fps,
        store_depth=True,
        meta=world.meta,
    ) as writer:
        shown: set[int] = set()
        for frame in _sound(frames, world, skipped):
            visible = visible_objects(frame.ids) if frame.ids is not None else frame.visible
            shown.update(seen.object_id for seen in visible)
            if world.collector is not None and frame.depth is not None and frame.ids is not None:
                world.collector.add(world.camera, frame.T_world_camera, frame.depth, frame.ids)
            record = FrameRecord(count, frame.time, frame.T_world_camera, "", visible)
            writer.add_frame(record, rgb=frame.rgb, depth=frame.depth, ids=frame.ids)
            count += 1
        if count == 0:
            raise BadFormat(
                "no frame could be used: " + "; ".join(skipped[:5]) if skipped else "no frame found"
            )
        objects = {obj.id: obj for obj in world.objects()}
        for obj in objects.values():
            writer.add_object(obj)
        for event in world.events():
            writer.add_event(event)
        unknown = shown - set(objects)
        if unknown:
            raise BadFormat(f"{len(unknown)} instance ids have no object, for instance {sorted(unknown)[:5]}")
    conventions = tuple(str(line) for line in world.meta.get("conventions", ()))
    return ImportReport(out, count, len(objects), tuple(skipped), conventions)


def _sound(frames: Iterable[SourceFrame], world: World, skipped: list[str]) -> Iterator[SourceFrame]:
    """The valid frames; images of a wrong size are dropped from them."""
    last: SourceFrame | None = None
    total = jumps = 0
    for frame in frames:
        total += 1
        problem = _problem(frame, world, last)
        if problem:
            jumps += "jumps" in problem
            skipped.append(f"{frame.name}: {problem}")
            continue
        last = frame
        yield _with_fitting_pictures(frame, world.camera, skipped)
    if jumps > max(3, MAX_JUMPS_SHARE * total):
        raise BadFormat(f"the pose jumps in {jumps} of {total} frames; the trajectory cannot be trusted")


def _problem(frame: SourceFrame, world: World, last: SourceFrame | None) -> str:
    pose = frame.T_world_camera
    if not np.isfinite(pose).all():
        return "its pose is not finite (tracking was lost)"
    turn = pose[:3, :3]
    if np.abs(turn @ turn.T - np.eye(3)).max() > 1e-2 or np.linalg.det(turn) < 0:
        return "its pose is not a rotation and a translation"
    if world.images and frame.rgb is None:
        return "its picture is missing or unreadable"
    if frame.rgb is not None and frame.rgb.shape[:2] != (world.camera.height, world.camera.width):
        return f"its picture is {_size(frame.rgb)}, the camera is {world.camera.width}x{world.camera.height}"
    if last is None:
        return ""
    if frame.time <= last.time:
        return f"its time {frame.time} s is not after the frame before ({last.time} s)"
    step = float(np.linalg.norm(pose[:3, 3] - last.T_world_camera[:3, 3]))
    if step > MAX_STEP_M and step > MAX_SPEED_M_S * (frame.time - last.time):
        return f"its pose jumps by {step:.2f} m in {frame.time - last.time:.3f} s"
    return ""


def _with_fitting_pictures(frame: SourceFrame, camera: Camera, skipped: list[str]) -> SourceFrame:
    depth, ids = frame.depth, frame.ids
    for what, picture in (("depth", depth), ("instance", ids)):
        if picture is not None and picture.shape != (camera.height, camera.width):
            skipped.append(
                f"{frame.name}: its {what} map is {_size(picture)}, the camera is "
                f"{camera.width}x{camera.height}; kept without it"
            )
            if what == "depth":
                depth = None
            else:
                ids = None
    return SourceFrame(frame.name, frame.time, frame.T_world_camera, frame.rgb, depth, ids, frame.visible)


def _size(picture: NDArray[Any]) -> str:
    return f"{picture.shape[1]}x{picture.shape[0]}"


def read_rgb(path: Path) -> Rgb | None:
    """An image as RGB, or None if it is missing or broken."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
    return None if picture is None else np.ascontiguousarray(picture[..., ::-1])


def read_raw(path: Path) -> NDArray[Any] | None:
    """A depth or instance image with its stored values, or None if it is missing or broken."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.is_file() else None
    return picture if picture is None or picture.ndim == 2 else picture[..., 0]


def read_depth(path: Path, units_per_metre: float, skipped: list[str]) -> Depth | None:
    """Depth in metres, 0 where nothing was measured. A missing file is reported and gives no depth."""
    raw = read_raw(path)
    if raw is None:
        skipped.append(f"{path}: the depth map is missing or unreadable; kept the frame without it")
        return None
    return (raw.astype(np.float32) / np.float32(units_per_metre)).astype(np.float32)


def need(path: Path, what: str) -> Path:
    """The path, or an error if it does not exist."""
    if not path.exists():
        raise BadInput(f"{path} is missing: {what}. Is the download complete?")
    return path


def read_numbers(path: Path, columns: int | None = None) -> Matrix:
    """Numbers of a text file, one row per line; '#' starts a comment."""
    try:
        rows = np.loadtxt(path, comments="#", ndmin=2)
    except (OSError, ValueError) as error:
        raise BadFormat(f"{path} must hold rows of numbers ({error})") from error
    if columns is not None and rows.shape[1] != columns:
        raise BadFormat(f"{path} must have {columns} numbers in a row, it has {rows.shape[1]}")
    return rows


def pinhole(width: int, height: int, K: Matrix) -> Camera:
    """Camera from intrinsics with pixel centres at integers."""
    return Camera(width, height, float(K[0, 0]), float(K[1, 1]), float(K[0, 2]) + 0.5, float(K[1, 2]) + 0.5)


def read_intrinsics(path: Path) -> Matrix:
    """Intrinsics from a 3x3 or 4x4 matrix, or a line of fx fy cx cy."""
    rows = read_numbers(need(path, "the intrinsics"))
    if rows.shape in ((3, 3), (3, 4), (4, 4)):
        return rows[:3, :3]
    if rows.size == 4:
        fx, fy, cx, cy = rows.ravel()
        return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])
    raise BadFormat(f"{path} must hold a 3x3 matrix or fx fy cx cy, it holds {rows.shape[0]}x{rows.shape[1]}")
