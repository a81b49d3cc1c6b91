"""Images for a Qwen vision tower: resized to whole cells, cut into patches, normalised.

Patches are transferred as bytes and normalised on the device, which needs a quarter of the memory. A frame
becomes patches of 14 x 14 or 16 x 16 pixels, depending on the family; two frames form one step of a video,
and 2 x 2 patches one token of the language model.
"""

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.train.families import MERGE, QWEN25, STEP_FRAMES, Family

Grid = tuple[int, int, int]  # steps, rows and columns of patches


def fitted_size(width: int, height: int, max_pixels: int, family: Family = QWEN25) -> tuple[int, int]:
    """Width and height in whole cells, with about the same aspect ratio and at most `max_pixels` pixels."""
    cell = family.cell
    wide, high = (max(cell, round(side / cell) * cell) for side in (width, height))
    if wide * high > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        wide, high = (max(cell, math.floor(side / shrink / cell) * cell) for side in (width, height))
    elif wide * high < family.least_pixels:
        grow = math.sqrt(family.least_pixels / (width * height))
        wide, high = (math.ceil(side * grow / cell) * cell for side in (width, height))
    return wide, high


def grid_of(frames: int, width: int, height: int, max_pixels: int, family: Family = QWEN25) -> Grid:
    """Grid of patches of a number of frames; an odd last frame is repeated."""
    wide, high = fitted_size(width, height, max_pixels, family)
    return math.ceil(frames / STEP_FRAMES), high // family.patch, wide // family.patch


def tokens_of(grid: Grid) -> int:
    """Number of language model tokens of a grid of patches."""
    return grid[0] * grid[1] * grid[2] // MERGE**2


def patches_of(
    frames: Sequence[NDArray[np.uint8]], max_pixels: int, family: Family = QWEN25
) -> tuple[NDArray[np.uint8], Grid]:
    """Patches (n, 3 * 2 * patch * patch) in the model's order, and their grid."""
    height, width = frames[0].shape[:2]
    wide, high = fitted_size(width, height, max_pixels, family)
    sized = [
        frame
        if frame.shape[:2] == (high, wide)
        else cv2.resize(frame, (wide, high), interpolation=cv2.INTER_AREA)
        for frame in frames
    ]
    if len(sized) % STEP_FRAMES:
        sized.append(sized[-1])
    video = np.stack(sized)
    side = family.patch
    steps, rows, columns = len(sized) // STEP_FRAMES, high // side, wide // side
    cut = video.reshape(
        steps, STEP_FRAMES, rows // MERGE, MERGE, side, columns // MERGE, MERGE, side, 3
    ).transpose(0, 2, 5, 3, 6, 8, 1, 4, 7)
    return np.ascontiguousarray(cut.reshape(steps * rows * columns, -1)), (steps, rows, columns)


def normalised(patches: Any, dtype: Any, family: Family = QWEN25) -> Any:
    """Byte patches (a tensor) normalised as in the model's training."""
    import torch

    mean, std = (
        torch.tensor(values, device=patches.device).repeat_interleave(STEP_FRAMES * family.patch**2)
        for values in (family.mean, family.std)
    )
    return ((patches / 255.0 - mean) / std).to(dtype)
