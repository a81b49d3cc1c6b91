"""Aria Synthetic Environments scenes: rgb/, depth/, instances/, trajectory.csv.

Depth is in millimetres *along the ray*; all scenes share one fisheye camera, given here at 704 pixels. Boxes
of objects are fitted to visible points. The world is z up.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from situ.errors import BadFormat
from situ.geometry.axes import z_up_from
from situ.geometry.camera import Camera
from situ.geometry.fisheye import Fisheye624
from situ.geometry.pose import pose_from_quat_wxyz
from situ.recording.formats.base import (
    ImportReport,
    SourceFrame,
    World,
    need,
    read_depth,
    read_raw,
    read_rgb,
    write_recording,
)
from situ.recording.formats.box_fitting import PointCollector
from situ.recording.formats.rectify import Rectifier
from situ.recording.formats.research.aria_files import Trajectory, read_trajectory
from situ.recording.formats.time_matching import numbered
from situ.recording.records import ObjectRecord

LENS = Fisheye624.from_parameters(
    704,
    704,
    [
        297.6375381033778,
        357.6599197217746,
        349.1922497127481,
        0.3650890375644368,
        -0.1738082418112771,
        -0.7534945484033189,
        2.434788882752295,
        -2.57786220300886,
        0.8788483538598834,
        0.0008005198595407136,
        -0.000294237814554143,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
)
T_DEVICE_CAMERA = pose_from_quat_wxyz(
    (0.9441858687689326, 0.32640934382849085, 0.029274992008313648, 0.033361059956531547),
    (-0.007530096566173914, -0.01090854984158026, -0.003598063315542823),
)
DEPTH_UNITS_PER_METRE = 1000.0
STRUCTURE = ("empty_space", "background", "wall", "floor", "ceiling")  # labels that are no objects


def import_ase(
    source: Path, out: Path, size: int = 640, fov_deg: float = 90.0, every: int = 1
) -> ImportReport:
    """Import every `every`-th frame of a scene as an upright pinhole camera."""
    trajectory = read_trajectory(need(source / "trajectory.csv", "the device poses"))
    labels = _labels(source / "object_instances_to_classes.json")
    camera = Camera.from_fov(size, size, fov_deg)
    skipped: list[str] = []
    frames = _frames(source, trajectory, Rectifier(LENS, camera), labels, every, skipped)
    world = World(camera, meta={"format": "ase", "source": source.name})
    world.collector = PointCollector()
    world.objects = lambda: _objects(labels, world.collector)
    return write_recording(out, world, frames, skipped)


def _frames(
    source: Path,
    trajectory: Trajectory,
    rectifier: Rectifier,
    labels: dict[int, str],
    every: int,
    skipped: list[str],
) -> Iterator[SourceFrame]:
    pictures = numbered(need(source / "rgb", "the pictures"))
    depths, instances = numbered(source / "depth"), numbered(source / "instances")
    for number, path in list(pictures.items())[::every]:
        if number >= len(trajectory.times):
            skipped.append(f"{path}: trajectory.csv has no pose for frame {number}")
            continue
        raw = read_rgb(path)
        if raw is not None and raw.shape[:2] != (LENS.height, LENS.width):
            skipped.append(f"{path}: must be {LENS.width}x{LENS.height}, is {raw.shape[1]}x{raw.shape[0]}")
            continue
        pose = rectifier.pose(z_up_from(trajectory.up) @ trajectory.T_world_device[number] @ T_DEVICE_CAMERA)
        fallback = source / "depth" / f"depth{number:07d}.png"
        distance = read_depth(depths.get(number, fallback), DEPTH_UNITS_PER_METRE, skipped)
        depth = None if distance is None else rectifier.depth_from_range(distance)
        labelled = read_raw(instances[number]) if number in instances else None
        ids = None
        if labelled is not None and labelled.shape != (LENS.height, LENS.width):
            skipped.append(
                f"{instances[number]}: the instance map is {labelled.shape[1]}x{labelled.shape[0]}, the "
                f"picture {LENS.width}x{LENS.height}; kept the frame without it"
            )
        elif labelled is not None:
            objects = np.where(np.isin(labelled, list(labels)), labelled, 0).astype(np.uint16)
            ids = rectifier.ids(objects)
        rgb = None if raw is None else rectifier.rgb(raw)
        yield SourceFrame(str(path), float(trajectory.times[number]), pose, rgb, depth, ids)


def _labels(path: Path) -> dict[int, str]:
    try:
        classes = json.loads(need(path, "the names of the instances").read_text(encoding="utf-8"))
        return {int(k): str(v) for k, v in classes.items() if int(k) > 0 and str(v) not in STRUCTURE}
    except (ValueError, AttributeError) as error:
        raise BadFormat(f"{path} must map instance numbers to class names ({error})") from error


def _objects(labels: dict[int, str], collector: PointCollector | None) -> Iterable[ObjectRecord]:
    for number, box in collector.boxes().items() if collector else ():
        yield ObjectRecord(number, labels[number], box)
