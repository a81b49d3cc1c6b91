"""Surface normals of a depth image on a small grid."""

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.camera import Camera

GRID_WIDTH = 160  # pixels


def reduced_depth(depth: NDArray[np.floating], camera: Camera) -> tuple[NDArray[np.float64], Camera]:
    """Every k-th pixel after a median that keeps edges sharp and takes single faults out, and its camera."""
    step = grid_step(camera)
    known = depth.astype(np.float32)
    finite = np.isfinite(known)
    if not finite.all():
        known[~finite] = 0.0
    smooth = cv2.medianBlur(known, 5)
    small = smooth[step // 2 :: step, step // 2 :: step].astype(float)
    rows, columns = small.shape
    middle = step // 2 + 0.5
    lens = Camera(
        columns,
        rows,
        camera.fx / step,
        camera.fy / step,
        (camera.cx - middle) / step + 0.5,
        (camera.cy - middle) / step + 0.5,
    )
    return small, lens


def grid_step(camera: Camera) -> int:
    """How many pixels of the frame make one of the grid."""
    return max(1, round(camera.width / GRID_WIDTH))


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def surface_normals(points: NDArray[np.float64], eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit normals that face the eye, from points two pixels away on each side; NaN at gaps."""
    rows, columns, _ = points.shape
    made = np.full((rows, columns, 3), np.nan)
    across, down, normal = np.empty(3), np.empty(3), np.empty(3)
    for r in range(2, rows - 2):
        for c in range(2, columns - 2):
            for i in range(3):
                across[i] = points[r, c + 2, i] - points[r, c - 2, i]
                down[i] = points[r + 2, c, i] - points[r - 2, c, i]
            normal[0] = across[1] * down[2] - across[2] * down[1]
            normal[1] = across[2] * down[0] - across[0] * down[2]
            normal[2] = across[0] * down[1] - across[1] * down[0]
            size = np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
            if not size > 0.0:
                continue
            facing = 0.0
            for i in range(3):
                normal[i] /= size
                facing += normal[i] * (eye[i] - points[r, c, i])
            for i in range(3):
                made[r, c, i] = -normal[i] if facing < 0.0 else normal[i]
    return made
