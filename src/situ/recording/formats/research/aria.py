"""Project Aria folders: an MPS trajectory with calibration, and objects and 2D boxes of Aria Digital Twin.

Images are files named `rgb_<nanoseconds>.jpg`; without any, the recording contains the path alone. The up
axis follows from the gravity columns (MPS worlds are z up, Digital Twin worlds y up).
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from situ.errors import BadFormat, BadInput
from situ.geometry.axes import z_up_from
from situ.geometry.camera import Camera
from situ.geometry.oriented import OrientedBox
from situ.recording.formats.base import ImportReport, SourceFrame, World, read_rgb, write_recording
from situ.recording.formats.rectify import Rectifier
from situ.recording.formats.research.aria_files import (
    NS,
    AdtBox,
    Sensor,
    Trajectory,
    read_boxes_2d,
    read_boxes_3d,
    read_calibration,
    read_trajectory,
)
from situ.recording.formats.time_matching import nearest, pose_at
from situ.recording.records import Event, ObjectRecord, Visible

TRAJECTORIES = ("aria_trajectory.csv", "closed_loop_trajectory.csv", "open_loop_trajectory.csv")
CALIBRATIONS = ("camera_calibration.json", "online_calibration.jsonl")
RGB_STREAM = "214-1"
WIDEST_GAP_S = 0.1
SAME_FRAME_S = 0.010
PATH_RATE_HZ = 10.0
MOVED_M = 0.02  # an object that shifts by more has moved
SIZE, FOV_DEG = 704, 90.0


def import_aria(source: Path, out: Path, size: int = SIZE, fov_deg: float = FOV_DEG) -> ImportReport:
    """Import a folder as an upright, square pinhole camera of `size` pixels and `fov_deg` degrees."""
    trajectory = read_trajectory(_first(source, TRAJECTORIES, "a trajectory"))
    sensor = read_calibration(_first(source, CALIBRATIONS, "a camera calibration"))
    rectifier = Rectifier(sensor.lens, Camera.from_fov(size, size, fov_deg))
    skipped: list[str] = []
    objects = _Objects(source, trajectory.up, skipped)
    pictures = {int(path.stem.split("_")[-1]) * NS: path for path in sorted(source.glob("rgb_*.jpg"))}
    if pictures:
        frames = _frames(pictures, trajectory, sensor, rectifier, objects, skipped)
    else:
        skipped.append(f"{source}: no rgb_*.jpg; imported the path without pictures")
        frames = _path_only(source, trajectory, sensor, rectifier)
    world = World(
        rectifier.camera,
        images=bool(pictures),
        meta={"format": "aria", "source": source.name, "visible": "2D boxes clipped to the picture"},
        objects=objects.records,
        events=objects.events,
    )
    return write_recording(out, world, frames, skipped)


def _frames(
    pictures: dict[float, Path],
    trajectory: Trajectory,
    sensor: Sensor,
    rectifier: Rectifier,
    objects: "_Objects",
    skipped: list[str],
) -> Iterator[SourceFrame]:
    upright = z_up_from(trajectory.up)
    lens = sensor.lens
    for time, path in sorted(pictures.items()):
        T_world_device = pose_at(trajectory.times, trajectory.T_world_device, time, WIDEST_GAP_S)
        picture = read_rgb(path)
        if T_world_device is None:
            skipped.append(f"{path}: the trajectory has no pose around its time {time:.6f} s")
            continue
        if picture is not None and picture.shape[:2] != (lens.height, lens.width):
            if picture.shape[0] * lens.width != picture.shape[1] * lens.height:
                skipped.append(f"{path}: its shape does not fit the calibration ({lens.width}x{lens.height})")
                continue
            rectifier = Rectifier(lens.resized(picture.shape[1], picture.shape[0]), rectifier.camera)
            lens = rectifier.lens
        pose = rectifier.pose(upright @ T_world_device @ sensor.T_device_camera)
        rgb = None if picture is None else rectifier.rgb(picture)
        yield SourceFrame(str(path), time, pose, rgb, visible=objects.visible(time, rectifier))


def _path_only(
    source: Path, trajectory: Trajectory, sensor: Sensor, rectifier: Rectifier
) -> Iterator[SourceFrame]:
    upright = z_up_from(trajectory.up)
    due = -np.inf
    for time, T_world_device in zip(trajectory.times, trajectory.T_world_device, strict=True):
        if time >= due:
            due = time + 1 / PATH_RATE_HZ - 1e-6
            pose = rectifier.pose(upright @ T_world_device @ sensor.T_device_camera)
            yield SourceFrame(f"{source}, pose at {time:.6f} s", float(time), pose)


class _Objects:
    """Objects of a Digital Twin folder, with ids from 1 in order of their uid."""

    def __init__(self, source: Path, up: str, skipped: list[str]) -> None:
        self._names: dict[str, dict[str, str]] = {}
        self._boxes: dict[str, list[tuple[float, OrientedBox]]] = {}
        self._seen: dict[float, list[AdtBox]] = {}
        if not (source / "scene_objects.csv").is_file():
            return
        self._boxes = read_boxes_3d(source, z_up_from(up))
        self._names = _names(source / "instances.json")
        self._ids = {uid: i for i, uid in enumerate(sorted(self._boxes), 1)}
        for uid in sorted(set(self._names) - set(self._boxes)):
            name = self._names[uid].get("instance_name", uid)
            skipped.append(f"{source / 'scene_objects.csv'}: '{name}' has no pose or no box; left it out")
        if (source / "2d_bounding_box.csv").is_file():
            for box in read_boxes_2d(source / "2d_bounding_box.csv"):
                if box.stream == RGB_STREAM and box.uid in self._ids:
                    self._seen.setdefault(box.time, []).append(box)

    def records(self) -> Iterable[ObjectRecord]:
        for uid, boxes in sorted(self._boxes.items()):
            about = self._names.get(uid, {})
            attributes = {"uid": uid} | ({"name": about["instance_name"]} if about else {})
            category = about.get("category", "object")
            yield ObjectRecord(self._ids[uid], category, boxes[0][1].upright(), attributes)

    def events(self) -> Iterable[Event]:
        for uid, boxes in sorted(self._boxes.items()):
            last = boxes[0][1].center
            for time, box in boxes[1:]:
                if np.linalg.norm(np.subtract(box.center, last)) > MOVED_M:
                    now = box.upright()
                    data = {"center": list(now.center), "size": list(now.size), "yaw_deg": now.yaw_deg}
                    yield Event(time, "moved", self._ids[uid], data)
                    last = box.center

    def visible(self, time: float, rectifier: Rectifier) -> tuple[Visible, ...]:
        """Visible objects of the 2D boxes nearest in time; the visible part of a box counts as filled."""
        stamps = np.array(sorted(self._seen))
        found = nearest(stamps, time, SAME_FRAME_S)
        if found is None:
            return ()
        total = rectifier.camera.width * rectifier.camera.height
        shown = []
        for box in self._seen[float(stamps[found])]:
            pixels = round(_clipped_area(box, rectifier) * min(1.0, box.visibility))
            if pixels > 0:
                shown.append(Visible(self._ids[box.uid], pixels, pixels / total))
        return tuple(sorted(shown, key=lambda seen: seen.object_id))


def _clipped_area(box: AdtBox, rectifier: Rectifier) -> float:
    """Pixels that a 2D box of the fisheye image covers in the upright one."""
    x_min, x_max, y_min, y_max = box.edges
    edge = np.linspace(0.0, 1.0, 5)
    along_x, along_y = x_min + (x_max - x_min) * edge, y_min + (y_max - y_min) * edge
    grid = np.stack(np.meshgrid(along_x, along_y), -1).reshape(-1, 2) + 0.5
    pixels = rectifier.pixels(grid)
    size = np.array([rectifier.camera.width, rectifier.camera.height], dtype=float)
    if not np.isfinite(pixels).all():
        return 0.0
    low, high = np.clip(pixels.min(axis=0), 0, size), np.clip(pixels.max(axis=0), 0, size)
    return float(np.prod(high - low))


def _names(path: Path) -> dict[str, dict[str, str]]:
    try:
        instances = json.loads(path.read_text(encoding="utf-8"))
        return {str(uid): dict(about) for uid, about in instances.items()}
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}. Is the download complete?") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise BadFormat(f"{path} must map object uids to their names ({error})") from error


def _first(source: Path, names: tuple[str, ...], what: str) -> Path:
    for name in names:
        if (source / name).is_file():
            return source / name
    raise BadInput(f"{source} holds no {what.split(' ', 1)[1]}: none of {', '.join(names)} is there")
