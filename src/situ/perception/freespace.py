"""How far the view is clear: a depth image reduced to a few bytes."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera

ROWS, COLUMNS = 12, 16
UNKNOWN = 0
# Code 1 is 0.1 m, code 255 is 60 m, and each step is 2.5 % farther.
_NEAREST_M, _FARTHEST_M = 0.1, 60.0
_STEP = math.log(_FARTHEST_M / _NEAREST_M) / 254
METRES_OF_CODE = np.concatenate([[0.0], _NEAREST_M * np.exp(_STEP * np.arange(255))])


@dataclass(frozen=True, eq=False, slots=True)
class FreeSpace:
    """For each patch of the view, the distance along the optical axis up to which all of it is clear.

    `codes` is a (rows, columns) table of bytes, finer near and coarser far; 0 stands for "not measured".
    Rounding is always towards the camera, so that what counts as clear is clear.
    """

    codes: NDArray[np.uint8]

    @classmethod
    def from_depth(cls, depth: NDArray[np.floating], rows: int = ROWS, columns: int = COLUMNS) -> "FreeSpace":
        """From a depth image in metres along the optical axis; 0 or NaN where depth is missing. Where
        pixels are larger than patches, a patch is clear as far as all pixels that it lies in."""
        if depth.ndim != 2 or not depth.size:
            raise BadInput(f"a depth image has rows and columns of metres, got shape {depth.shape}")
        if depth.shape[0] < rows or depth.shape[1] < columns:
            depth = depth.repeat(rows, axis=0).repeat(columns, axis=1)  # patches end where pixels do
        known = np.where(np.isfinite(depth) & (depth > 0), depth, np.inf)
        by_row = np.minimum.reduceat(known, _starts(depth.shape[0], rows), axis=0)
        nearest = np.minimum.reduceat(by_row, _starts(depth.shape[1], columns), axis=1)
        return cls.from_metres(np.where(np.isfinite(nearest), nearest, 0.0))

    @classmethod
    def from_metres(cls, nearest: NDArray[np.floating]) -> "FreeSpace":
        """From the clear distance of each patch in metres; 0 where it is not known."""
        with np.errstate(divide="ignore"):
            steps = np.floor(np.log(np.maximum(nearest, 1e-9) / _NEAREST_M) / _STEP + 1e-9) + 1
        codes = np.clip(steps, 1, 255)
        return cls(np.where(nearest > 0, codes, UNKNOWN).astype(np.uint8))

    @property
    def metres(self) -> NDArray[np.float64]:
        """The clear distance of each patch; 0 where it was not measured."""
        metres: NDArray[np.float64] = METRES_OF_CODE[self.codes]
        return metres

    def clear_to(self, camera: Camera, u: float, v: float) -> float:
        """The clear distance at a pixel, 0 where nothing was measured or outside the image."""
        if not (0 <= u < camera.width and 0 <= v < camera.height):
            return 0.0
        rows, columns = self.codes.shape
        return float(
            METRES_OF_CODE[self.codes[int(v / camera.height * rows), int(u / camera.width * columns)]]
        )


def _starts(length: int, parts: int) -> NDArray[np.intp]:
    return (np.arange(parts) * length) // parts
