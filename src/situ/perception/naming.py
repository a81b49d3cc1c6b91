"""Names by hand: the box of the thing under a click, and recordings with the things that clicks name.

One routine for every way in: `situ watch --labels` and `situ import --things`.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, transform
from situ.perception.surfaces import Surfaces, find_surfaces
from situ.perception.things import find_segments, segment_at
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import ImportReport
from situ.recording.formats.hand_labels import Annotation, read_annotations, surface_box
from situ.recording.formats.registry import BatchReport, import_batch
from situ.recording.reader import Recording
from situ.recording.records import FrameRecord, ObjectRecord, Visible
from situ.recording.writer import RecordingWriter

SLACK_M = 0.10  # a depth nearer than the thing by more than this hides it
_TINT = 20.0  # in Lab: what differs by more is another thing on the same wall
_NEAR_PX = 3  # of the small grid: a click beside a thing's edge means the thing
SAME_M = 0.35  # clicks of one name whose boxes come this near to each other are on one thing


def box_under(
    depth: Depth, rgb: Rgb, camera: Camera, T_world_camera: Matrix, x: float, y: float
) -> Box | None:
    """The box of what a pixel shows: the thing that stands there, parted from what carries it; else the
    surface around the pixel, without the floor and the walls; on those, the patch of one colour. None where
    there is no depth nearby."""
    surfaces = find_surfaces(depth, camera, T_world_camera)
    segments = find_segments(surfaces, rgb)
    for dx, dy in _nearby(surfaces.step):
        segment = segment_at(segments, surfaces.step, max(0.0, x + dx), max(0.0, y + dy))
        if segment is not None:
            return segment.box
    ground = _carriers(surfaces, depth.shape)
    row, column = int(y), int(x)
    if not ground[row, column]:
        found = surface_box(np.where(ground, 0.0, depth).astype(np.float32), camera, T_world_camera, x, y)
        if found is not None:
            return found
    tints = cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2LAB).astype(np.float32)
    patch = tints[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3].reshape(-1, 3)
    alike = np.linalg.norm(tints - np.median(patch, axis=0), axis=-1) < _TINT
    return surface_box(np.where(alike, depth, 0.0).astype(np.float32), camera, T_world_camera, x, y)


def _nearby(step: int) -> list[tuple[float, float]]:
    """Offsets in pixels of the frame, the nearest first."""
    reach = range(-_NEAR_PX, _NEAR_PX + 1)
    cells = sorted((i * i + j * j, i, j) for i in reach for j in reach)
    return [(float(i * step), float(j * step)) for _, i, j in cells]


def _carriers(surfaces: Surfaces, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Pixels of floors, table tops and walls."""
    mask = surfaces.walls.copy()
    for support in surfaces.supports:
        mask |= support
    large = cv2.resize(mask.astype(np.uint8), (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(large > 0)


def one_thing(boxes: Sequence[Box]) -> Box:
    """One box of a thing that was clicked on several times: each click saw one side of it."""
    centre = np.median([box.center for box in boxes], axis=0)
    size = np.median([box.size for box in boxes], axis=0)
    return Box((float(centre[0]), float(centre[1]), float(centre[2])), tuple(size.tolist()), boxes[0].yaw_deg)


def same_thing(one: Box, other: Box) -> bool:
    """Whether two boxes of one name are of one thing."""
    apart = float(np.linalg.norm(np.subtract(one.center, other.center)))
    return apart < SAME_M + min(max(one.size), max(other.size)) / 2


def import_named(name: str, path: Path, things: Path, out: Path) -> BatchReport:
    """Import one source and add the things that a file names; nothing appears if either fails."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import-", dir=out.parent) as staging:
        report = import_batch(name, path, Path(staging) / "plain")
        if report.failed or len(report.done) != 1:
            raise BadInput(f"--things names things of one source; {path} holds {len(report.done)} sources")
        named = annotate_recording(Recording.open(report.done[0].out), things, out)
    return BatchReport((replace(named, skipped=(*report.done[0].skipped, *named.skipped)),), ())


def annotate_recording(recording: Recording, annotations: Path, out: Path) -> ImportReport:
    """Copy a recording and add the things that an annotation file names."""
    if not recording.has_depth:
        raise BadInput(f"{recording.folder} has no depth, so a pixel does not say where a thing is")
    skipped: list[str] = []
    found: list[tuple[str, list[Box]]] = []
    for line, row in enumerate(read_annotations(annotations), 2):
        box = _box_at(recording, row)
        if box is None:
            skipped.append(f"{annotations}, line {line}: no depth around pixel ({row.x:g}, {row.y:g})")
            continue
        add_click(found, row.label, box)
    things = [ObjectRecord(k + 1, label, one_thing(boxes)) for k, (label, boxes) in enumerate(found)]
    with RecordingWriter(
        out, recording.camera, images="jpeg", store_depth=True, meta={**recording.meta, "annotated": True}
    ) as writer:
        for thing in things:
            writer.add_object(thing)
        for frame in recording.frames:
            depth = recording.depth(frame.index)
            seen = tuple(v for thing in things if (v := _seen(recording, frame, depth, thing)) is not None)
            record = FrameRecord(frame.index, frame.time, frame.T_world_camera, frame.action, seen)
            writer.add_frame(record, rgb=recording.image(frame.index), depth=depth)
    return ImportReport(out, len(recording), len(things), tuple(skipped))


def add_click(found: list[tuple[str, list[Box]]], label: str, box: Box) -> None:
    """Another click: on a thing that was clicked on before, or on a new one."""
    for name, boxes in found:
        if name == label and same_thing(one_thing(boxes), box):
            boxes.append(box)
            return
    found.append((label, [box]))


def _box_at(recording: Recording, row: Annotation) -> Box | None:
    camera = recording.camera
    if not 0 <= row.frame < len(recording) or not (0 <= row.x < camera.width and 0 <= row.y < camera.height):
        raise BadFormat(
            f"'{row.label}' names frame {row.frame}, pixel ({row.x:g}, {row.y:g}); the recording has "
            f"{len(recording)} frames of {camera.width}x{camera.height}"
        )
    depth, rgb = recording.depth(row.frame), recording.image(row.frame)
    return box_under(depth, rgb, camera, recording.path.poses[row.frame], row.x, row.y)


def _seen(recording: Recording, frame: FrameRecord, depth: Depth, thing: ObjectRecord) -> Visible | None:
    """The thing's pixels in a frame: those inside its box's outline whose depth reaches into the box."""
    camera = recording.camera
    corners = transform(inverse(frame.T_world_camera), thing.box.corners())
    if corners[:, 2].min() < 0.2:
        return None
    pixels = camera.project(corners)
    low = np.clip(np.floor(pixels.min(axis=0)).astype(int), 0, (camera.width, camera.height))
    high = np.clip(np.ceil(pixels.max(axis=0)).astype(int), 0, (camera.width, camera.height))
    window = depth[low[1] : high[1], low[0] : high[0]]
    nearest, farthest = corners[:, 2].min() - SLACK_M, corners[:, 2].max() + SLACK_M
    count = int(((window > nearest) & (window < farthest)).sum())
    total = camera.width * camera.height
    return Visible(thing.id, count, count / total) if count else None
