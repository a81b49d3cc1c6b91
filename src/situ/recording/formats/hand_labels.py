"""Objects labelled by hand: a CSV file with a label, a frame and a pixel per row, and their surfaces.

label,frame,x,y
fire extinguisher,12,301,188
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform
from situ.recording.codec import Depth
from situ.recording.formats.box_fitting import MIN_POINTS, fitted_box
from situ.text_files import read_table

REACH_M = 0.6  # largest distance of an object's surface from the labelled pixel
STEP_M = 0.03  # largest depth difference between neighbouring pixels of a surface
HOLE_PX = (2, 5, 9, 14)  # radii in which depth is searched around a pixel without depth
COLUMNS = ("label", "frame", "x", "y")


@dataclass(frozen=True)
class Annotation:
    """One row of the file."""

    label: str
    frame: int
    x: float
    y: float


def read_annotations(path: Path) -> list[Annotation]:
    """Rows of an annotation file; errors name the line and the rule."""
    rows = read_table(path)
    found = []
    for line, row in enumerate(rows, 2):
        try:
            found.append(
                Annotation(row["label"].strip(), int(row["frame"]), float(row["x"]), float(row["y"]))
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadFormat(f"{path}, line {line}: must be {','.join(COLUMNS)}, got {row}") from error
    return found


def surface_box(depth: Depth, camera: Camera, T_world_camera: Matrix, x: float, y: float) -> Box | None:
    """Box of the surface at a pixel, followed up to `REACH_M`; None without depth.

    If the pixel has no depth, the nearest measured one is used.
    """
    middle = next((z for r in HOLE_PX if (z := _around(depth, int(x), int(y), r)) is not None), None)
    if middle is None:
        return None
    points = camera.points(depth.astype(float))
    near = np.linalg.norm(points - camera.backproject((x, y), middle), axis=-1) < REACH_M
    surface = _connected(np.where(near, depth, 0.0).astype(np.float32), int(x), int(y))
    world = transform(T_world_camera, points[surface])
    return fitted_box(world) if len(world) >= MIN_POINTS else None


def _around(depth: Depth, x: int, y: int, radius: int) -> float | None:
    patch = depth[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
    return float(np.median(patch[patch > 0])) if (patch > 0).any() else None


def _connected(depth: Depth, x: int, y: int) -> NDArray[np.bool_]:
    """Pixels connected to (x, y) without a depth step."""
    ys, xs = np.nonzero(depth > 0)
    if depth[y, x] <= 0:
        i = int(np.argmin((ys - y) ** 2 + (xs - x) ** 2))
        x, y = int(xs[i]), int(ys[i])
    mask = np.zeros((depth.shape[0] + 2, depth.shape[1] + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
    cv2.floodFill(depth.copy(), mask, (x, y), 0.0, STEP_M, STEP_M, flags)
    return np.asarray((mask[1:-1, 1:-1] > 0) & (depth > 0))
