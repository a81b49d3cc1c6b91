"""Frames as a Qwen vision tower takes them: sized to whole cells, cut into patches, normalised.

Patches travel as bytes and are normalised where the model is: a quarter of the memory to move. A frame
becomes patches of 14 x 14 or 16 x 16 pixels, by the model's family; a video joins two frames to one step,
and 2 x 2 patches make one token of the language model.
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
    """Width and height in whole cells, of about the same shape, with at most `max_pixels` pixels."""
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
    """The patches that so many frames make; an odd last frame is shown twice."""
    wide, high = fitted_size(width, height, max_pixels, family)
    return math.ceil(frames / STEP_FRAMES), high // family.patch, wide // family.patch


def tokens_of(grid: Grid) -> int:
    """Tokens of the language model that a grid of patches becomes."""
    return grid[0] * grid[1] * grid[2] // MERGE**2


def patches_of(
    frames: Sequence[NDArray[np.uint8]], max_pixels: int, family: Family = QWEN25
) -> tuple[NDArray[np.uint8], Grid]:
    """Patches (n, 3 * 2 * patch * patch) in the order that the model reads, and their grid."""
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
    """Bytes of patches (a tensor) as the numbers that the model was trained on."""
    import torch

    mean, std = (
        torch.tensor(values, device=patches.device).repeat_interleave(STEP_FRAMES * family.patch**2)
        for values in (family.mean, family.std)
    )
    return ((patches / 255.0 - mean) / std).to(dtype)
