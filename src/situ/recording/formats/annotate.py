"""Naming things in an RGB-D recording by hand: a small CSV file with a label, a frame and a pixel each.

    label,frame,x,y
    fire extinguisher,12,301,188

The depth at the pixel gives the place, the surface around it the size, and the depth of every other frame
tells where the thing is in view and where something stands before it.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, transform
from situ.recording.codec import Depth
from situ.recording.formats.base import ImportReport
from situ.recording.formats.boxes import LEAST_POINTS, fitted_box
from situ.recording.reader import Recording
from situ.recording.records import FrameRecord, ObjectRecord, Visible
from situ.recording.writer import RecordingWriter

REACH_M = 0.6  # a thing's surface is followed this far from the pixel that names it
STEP_M = 0.03  # and only where neighbouring pixels differ by less than this in depth
SLACK_M = 0.10  # a depth nearer than the thing by more than this hides it
COLUMNS = ("label", "frame", "x", "y")


@dataclass(frozen=True)
class Annotation:
    """One row of the file."""

    label: str
    frame: int
    x: float
    y: float


def annotate_recording(recording: Recording, annotations: Path, out: Path) -> ImportReport:
    """Copy a recording and add the things that an annotation file names."""
    if not recording.has_depth:
        raise BadInput(f"{recording.folder} has no depth, so a pixel does not say where a thing is")
    skipped: list[str] = []
    things: list[ObjectRecord] = []
    for line, row in enumerate(read_annotations(annotations), 2):
        box = box_at(recording, row)
        if box is None:
            skipped.append(f"{annotations}, line {line}: no depth around pixel ({row.x:g}, {row.y:g})")
            continue
        things.append(ObjectRecord(len(things) + 1, row.label, box))
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


def read_annotations(path: Path) -> list[Annotation]:
    """The rows of an annotation file; the error names the line and the rule."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    found = []
    for line, row in enumerate(rows, 2):
        try:
            found.append(
                Annotation(row["label"].strip(), int(row["frame"]), float(row["x"]), float(row["y"]))
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadFormat(f"{path}, line {line}: must be {','.join(COLUMNS)}, got {row}") from error
    return found


def box_at(recording: Recording, row: Annotation) -> Box | None:
    """The box of the surface that a pixel shows, or None where there is no depth."""
    camera = recording.camera
    if not 0 <= row.frame < len(recording) or not (0 <= row.x < camera.width and 0 <= row.y < camera.height):
        raise BadFormat(
            f"'{row.label}' names frame {row.frame}, pixel ({row.x:g}, {row.y:g}); the recording has "
            f"{len(recording)} frames of {camera.width}x{camera.height}"
        )
    return surface_box(recording.depth(row.frame), camera, recording.path.poses[row.frame], row.x, row.y)


def surface_box(depth: Depth, camera: Camera, T_world_camera: Matrix, x: float, y: float) -> Box | None:
    """The box of the surface that a pixel shows, followed up to `REACH_M`; None where there is no depth."""
    middle = _around(depth, int(x), int(y))
    if middle is None:
        return None
    points = camera.points(depth.astype(float))
    near = np.linalg.norm(points - camera.backproject((x, y), middle), axis=-1) < REACH_M
    surface = _connected(np.where(near, depth, 0.0).astype(np.float32), int(x), int(y))
    world = transform(T_world_camera, points[surface])
    return fitted_box(world) if len(world) >= LEAST_POINTS else None


def _around(depth: Depth, x: int, y: int, radius: int = 2) -> float | None:
    patch = depth[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
    return float(np.median(patch[patch > 0])) if (patch > 0).any() else None


def _connected(depth: Depth, x: int, y: int) -> NDArray[np.bool_]:
    """Pixels that are joined to (x, y) without a step in depth."""
    ys, xs = np.nonzero(depth > 0)
    if depth[y, x] <= 0:
        i = int(np.argmin((ys - y) ** 2 + (xs - x) ** 2))
        x, y = int(xs[i]), int(ys[i])
    mask = np.zeros((depth.shape[0] + 2, depth.shape[1] + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
    cv2.floodFill(depth.copy(), mask, (x, y), 0.0, STEP_M, STEP_M, flags)
    return np.asarray((mask[1:-1, 1:-1] > 0) & (depth > 0))


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
