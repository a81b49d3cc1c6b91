"""Surface normals of a depth image on a small grid."""

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera

GRID_WIDTH = 160  # pixels


def reduced_depth(depth: NDArray[np.floating], camera: Camera) -> tuple[NDArray[np.float64], Camera]:
    """Every k-th pixel after a median that keeps edges sharp and takes single faults out, and its camera."""
    step = grid_step(camera)
    smooth = cv2.medianBlur(np.nan_to_num(depth, posinf=0.0, neginf=0.0).astype(np.float32), 5)
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


def surface_normals(points: NDArray[np.float64], eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit normals that face the eye, from points two pixels away on each side; NaN at gaps."""
    padded = np.pad(points, ((2, 2), (2, 2), (0, 0)), constant_values=np.nan)
    across = padded[2:-2, 4:] - padded[2:-2, :-4]
    down = padded[4:, 2:-2] - padded[:-4, 2:-2]
    normal = np.cross(across, down)
    with np.errstate(invalid="ignore", divide="ignore"):
        normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        away = np.einsum("rci,rci->rc", normal, eye - points) < 0
    turned: NDArray[np.float64] = np.where(away[..., None], -normal, normal)
    return turned
