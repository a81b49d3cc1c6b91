"""ScanNet exports: color/, depth/ (millimetres), pose/ and intrinsic/, one numbered file per frame.

With instance-filt/ (ids from 1) and *.aggregation.json objects are imported too; their boxes are fitted to
depth points. The world is z up. Poses with -inf mark frames with lost tracking.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording.codec import Ids, Rgb
from situ.recording.formats.base import (
    NOMINAL_FPS,
    ImportReport,
    SourceFrame,
    World,
    need,
    pinhole,
    read_depth,
    read_intrinsics,
    read_numbers,
    read_raw,
    read_rgb,
    times_of,
    write_recording,
)
from situ.recording.formats.box_fitting import PointCollector
from situ.recording.formats.time_matching import numbered
from situ.recording.records import ObjectRecord

DEPTH_UNITS_PER_METRE = 1000.0
INSTANCES = ("instance-filt", "instance")


def import_scannet(source: Path, out: Path, fps: float | None = None, every: int = 1) -> ImportReport:
    """Import every `every`-th frame of an exported scan.

    Frames are numbered at `fps`; without it the recording marks its times as unknown.
    """
    depth_files = numbered(need(source / "depth", "the depth maps"), (".png",))
    first = next((raw for path in depth_files.values() if (raw := read_raw(path)) is not None), None)
    if first is None:
        raise BadFormat(f"{source / 'depth'} holds no readable depth map")
    K_depth = _intrinsics(source, "intrinsic_depth.txt")
    K_color = _intrinsics(source, "intrinsic_color.txt")
    camera = pinhole(first.shape[1], first.shape[0], K_depth)
    labels = _labels(source)
    skipped: list[str] = []
    frames = _frames(
        source, camera, K_depth @ np.linalg.inv(K_color), labels, every, fps or NOMINAL_FPS, skipped
    )
    world = World(camera, fps=None, meta={"format": "scannet", "source": source.name, **times_of(fps)})
    world.collector = PointCollector()
    world.objects = lambda: _objects(labels, world.collector)
    return write_recording(out, world, frames, skipped)


def _frames(
    source: Path,
    camera: Camera,
    depth_from_color: Matrix,
    labels: dict[int, str],
    every: int,
    fps: float,
    skipped: list[str],
) -> Iterator[SourceFrame]:
    pictures = numbered(need(source / "color", "the pictures"))
    instances = next((numbered(source / name) for name in INSTANCES if (source / name).is_dir()), {})
    for number, path in list(pictures.items())[::every]:
        pose_file = source / "pose" / f"{path.stem}.txt"
        if not pose_file.is_file():
            skipped.append(f"{pose_file}: the pose is missing; left the frame out")
            continue
        pose = read_numbers(pose_file, 4)
        depth = read_depth(source / "depth" / f"{path.stem}.png", DEPTH_UNITS_PER_METRE, skipped)
        rgb = read_rgb(path)
        ids = _ids(instances.get(number), labels, skipped) if labels else None
        color = None if rgb is None else as_depth_sees(rgb, depth_from_color, camera)
        yield SourceFrame(str(path), number / fps, pose, color, depth, ids)


def as_depth_sees(rgb: Rgb, depth_from_color: Matrix, camera: Camera) -> Rgb:
    """The colour image resampled to the depth camera, which shares its centre."""
    size = (camera.width, camera.height)
    return np.asarray(cv2.warpPerspective(rgb, depth_from_color, size, flags=cv2.INTER_AREA), dtype=np.uint8)


def _ids(path: Path | None, labels: dict[int, str], skipped: list[str]) -> Ids | None:
    raw = None if path is None else read_raw(path)
    if raw is None:
        skipped.append(f"{path or 'instance map'}: missing or unreadable; kept the frame without it")
        return None
    known = np.isin(raw, list(labels))
    return np.where(known, raw, 0).astype(np.uint16)


def _labels(source: Path) -> dict[int, str]:
    """Instance id to label; images count from 1, the file from 0."""
    files = sorted(source.glob("*.aggregation.json"))
    if not files:
        return {}
    try:
        groups = json.loads(files[0].read_text(encoding="utf-8"))["segGroups"]
        return {int(group["objectId"]) + 1: str(group["label"]) for group in groups}
    except (ValueError, KeyError, TypeError) as error:
        raise BadFormat(f"{files[0]} must list segGroups with objectId and label ({error})") from error


def _objects(labels: dict[int, str], collector: PointCollector | None) -> Iterable[ObjectRecord]:
    for number, box in collector.boxes().items() if collector else ():
        yield ObjectRecord(number, labels[number], box)


def _intrinsics(source: Path, name: str) -> Matrix:
    path = next((p for p in (source / "intrinsic" / name, source / name) if p.is_file()), None)
    return read_intrinsics(path or source / "intrinsic" / name)
