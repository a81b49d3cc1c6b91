"""Text files of Project Aria: trajectories, calibrations, objects and 2D boxes."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadFormat, BadInput
from situ.geometry.axes import up_axis_from_gravity
from situ.geometry.fisheye import Fisheye624
from situ.geometry.oriented import OrientedBox
from situ.geometry.pose import Matrix, pose_from_quat_wxyz, transform
from situ.recording.formats.time_matching import Times

NS, US = 1e-9, 1e-6  # seconds
STATIC = -1  # timestamp of static objects
# Image size that the numbers of an online calibration refer to, by camera.
ONLINE_SIZES = {"camera-rgb": (2880, 2880), "camera-slam-left": (640, 480), "camera-slam-right": (640, 480)}


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Device poses in the file's world, sorted by time in seconds, and its up axis."""

    times: Times
    T_world_device: Matrix
    up: str


@dataclass(frozen=True, eq=False)
class Sensor:
    """One calibrated camera of the device."""

    lens: Fisheye624
    T_device_camera: Matrix


def read_trajectory(path: Path) -> Trajectory:
    """Read a closed-loop, open-loop or ground-truth trajectory. Quaternions are found by column name."""
    rows = list(rows_of(path))
    world = "odometry" if rows and "tx_odometry_device" in rows[0] else "world"
    names = [f"{name}_{world}_device" for name in ("qw", "qx", "qy", "qz", "tx", "ty", "tz")]
    gravity_names = [f"gravity_{axis}_{world}" for axis in "xyz"]
    times, poses, gravity = [], [], None
    for number, row in enumerate(rows, 2):
        w, x, y, z, *place = numbers(path, number, row, names)
        times.append(numbers(path, number, row, ["tracking_timestamp_us"])[0] * US)
        poses.append(pose_from_quat_wxyz((w, x, y, z), place))
        if gravity is None and gravity_names[0] in row:
            gravity = np.array(numbers(path, number, row, gravity_names))
    if not poses:
        raise BadFormat(f"{path} holds no pose; is the download complete?")
    order = np.argsort(times, kind="stable")
    up = "z" if gravity is None else up_axis_from_gravity(gravity)
    return Trajectory(np.array(times)[order], np.stack(poses)[order], up)


def read_calibration(path: Path, label: str = "camera-rgb") -> Sensor:
    """Read `online_calibration.jsonl` (its first line) or `camera_calibration.json`."""
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text.splitlines()[0] if path.suffix == ".jsonl" else text)
        if "CameraCalibrations" in data:
            return _online(path, {c["Label"]: c for c in data["CameraCalibrations"]}[label], label)
        return _exported(path, data[label])
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise BadFormat(f"{path} does not describe '{label}' ({type(error).__name__}: {error})") from error


def _online(path: Path, data: dict[str, Any], label: str) -> Sensor:
    _check_model(path, data["Projection"]["Name"])
    pose = data["T_Device_Camera"]
    w, xyz = pose["UnitQuaternion"]
    lens = Fisheye624.from_parameters(*ONLINE_SIZES[label], data["Projection"]["Params"])
    return Sensor(lens, pose_from_quat_wxyz((w, *xyz), pose["Translation"]))


def _exported(path: Path, data: dict[str, Any]) -> Sensor:
    _check_model(path, data["model"])
    width, height = data["image_size"]
    lens = Fisheye624.from_parameters(int(width), int(height), data["projection_params"])
    return Sensor(lens, np.array(data["T_device_camera"], dtype=float))


def _check_model(path: Path, name: str) -> None:
    if name.split(".")[-1].upper() not in ("FISHEYE624", "FISHEYERADTANTHINPRISM"):
        raise BadFormat(f"{path}: camera model '{name}' is unknown; this reader knows Fisheye624")


@dataclass(frozen=True)
class AdtBox:
    """A 2D box: stream, object, time in seconds, edges in pixels, and visible share of the object."""

    stream: str
    uid: str
    time: float
    edges: tuple[float, float, float, float]  # x_min, x_max, y_min, y_max
    visibility: float


def read_boxes_2d(path: Path) -> list[AdtBox]:
    edges = [f"{name}[pixel]" for name in ("x_min", "x_max", "y_min", "y_max")]
    boxes = []
    for number, row in enumerate(rows_of(path), 2):
        time, x_min, x_max, y_min, y_max, seen = numbers(
            path, number, row, ["timestamp[ns]", *edges, "visibility_ratio[%]"]
        )
        boxes.append(
            AdtBox(row["stream_id"], row["object_uid"], time * NS, (x_min, x_max, y_min, y_max), seen)
        )
    return boxes


def read_boxes_3d(folder: Path, T_ours_theirs: Matrix) -> dict[str, list[tuple[float, OrientedBox]]]:
    """Boxes of every object in our world by time in seconds; a static object has one, at -1."""
    extents = {}
    path = folder / "3d_bounding_box.csv"
    columns = [f"p_local_obj_{axis}{end}[m]" for axis in "xyz" for end in ("min", "max")]
    for number, row in enumerate(rows_of(path), 2):
        extents[row["object_uid"]] = np.array(numbers(path, number, row, columns)).reshape(3, 2)
    path = folder / "scene_objects.csv"
    place = [*(f"q_wo_{axis}" for axis in "wxyz"), *(f"t_wo_{axis}[m]" for axis in "xyz")]
    found: dict[str, list[tuple[float, OrientedBox]]] = {}
    for number, row in enumerate(rows_of(path), 2):
        w, x, y, z, *t, stamp = numbers(path, number, row, [*place, "timestamp[ns]"])
        if row["object_uid"] not in extents:
            continue
        pose = T_ours_theirs @ pose_from_quat_wxyz((w, x, y, z), t)
        time = float(STATIC) if stamp == STATIC else stamp * NS
        found.setdefault(row["object_uid"], []).append((time, _placed(extents[row["object_uid"]], pose)))
    return {uid: sorted(boxes, key=lambda item: item[0]) for uid, boxes in found.items()}


def _placed(extent: Matrix, T_world_object: Matrix) -> OrientedBox:
    x, y, z = (float(v) for v in transform(T_world_object, extent.mean(axis=1)))
    sx, sy, sz = (float(v) for v in extent[:, 1] - extent[:, 0])
    a, b, c = (tuple(float(v) for v in axis) for axis in T_world_object[:3, :3].T)
    return OrientedBox((x, y, z), (sx, sy, sz), 0.0, (a, b, c))  # type: ignore[arg-type]


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a CSV file by column name."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            yield from csv.DictReader(file)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}. Is the download complete?") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFormat(f"{path} is no table of comma-separated values in UTF-8 ({error})") from error


def numbers(path: Path, line: int, row: dict[str, str], names: list[str]) -> list[float]:
    """Columns of a row as numbers; errors name file, line and column."""
    values = []
    for name in names:
        try:
            values.append(float(row[name]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadFormat(
                f"{path}, line {line}: column '{name}' must be a number, got {row.get(name)!r}"
            ) from error
    return values
