"""Whether a place was in plain view before a time, from the frames in the file, the latest first."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.memory.file.packing import PoseBlock
from situ.memory.options.looks import OCCLUSION, PAST_VIEWS
from situ.memory.options.memory_options import MemoryOptions
from situ.memory.options.scales import SCALE
from situ.memory.reading.history import History
from situ.perception.freespace import METRES_OF_CODE

_RANGE_M = MemoryOptions.look_range_m
_NEAREST_M = 0.3  # what is nearer to the lens is in hands, or blurred


def viewed(history: History, box: Box, before: float, last_frame: int, known: float) -> bool:
    """Whether two looks, so far apart that a detector does not fail in both for one reason, had the middle
    of a box in plain view. Without depth nobody knows of walls: then all is plain that the lens takes in."""
    latest: float | None = None
    last_frame = min(last_frame, history.last_frame(before, known))
    x, y, _ = box.center
    for first, frames in reversed(history.run_lengths(last_frame, -np.inf)):
        if history.trace(first, frames).least_m(x, y, _RANGE_M) > _RANGE_M:
            continue
        block = history.block_of(first)
        assert block is not None
        for time in reversed(_looks(history, block, box, before, last_frame, known)):
            if latest is not None and latest - time >= SCALE.glance_s:
                return True
            latest = time if latest is None else latest
    return False


def _looks(
    history: History, block: PoseBlock, box: Box, before: float, last_frame: int, known: float
) -> list[float]:
    """When frames of a run had the middle of a box in plain view, in order."""
    point = np.array(box.center)
    near = np.hypot(*(block.positions[:, :2] - point[:2]).T) <= _RANGE_M
    rows = np.flatnonzero(near & (block.times < before) & (block.frames <= last_frame))
    if not len(rows):
        return []
    poses = block.poses[rows]
    for frame, pose in history.revised_poses(last_frame, known):
        poses[block.frames[rows] == frame] = pose
    local = np.einsum("nij,ni->nj", poses[:, :3, :3], point - poses[:, :3, 3])
    numbers, shown = block.table[14, rows].astype(int), np.zeros(len(rows), bool)
    free = history.free_space(block.first_frame)
    for number in sorted({*numbers.tolist()}):
        camera, mine = history.camera(number), np.flatnonzero(numbers == number)
        if camera is None:
            continue
        ahead = mine[(local[mine, 2] > _NEAREST_M) & (local[mine, 2] <= _RANGE_M)]
        u, v = camera.project(local[ahead]).T / np.array([[camera.width], [camera.height]])
        edge = PAST_VIEWS.border
        inside = (u >= edge) & (u < 1 - edge) & (v >= edge) & (v < 1 - edge)
        ahead, u, v = ahead[inside], u[inside], v[inside]
        shown[ahead] = _plain(free, rows[ahead], u, v, local[ahead, 2], max(box.size))
    times: list[float] = block.times[rows[shown]].tolist()
    return times


def _plain(
    free: NDArray[np.uint8] | None,
    rows: NDArray[np.int64],
    u: NDArray[np.float64],
    v: NDArray[np.float64],
    depth: NDArray[np.float64],
    size: float,
) -> NDArray[np.bool_]:
    """Whether nothing nearer is where a place lies in some frames, by shares of width and height."""
    if free is None:
        return np.ones(len(rows), bool)
    row, column = (v * free.shape[1]).astype(int), (u * free.shape[2]).astype(int)
    clear = METRES_OF_CODE[free[rows, row, column]]
    slack = size + SCALE.slack_m + OCCLUSION.slack_share * depth
    return np.asarray(clear >= depth - 0.5 * slack)
