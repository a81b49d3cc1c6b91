"""Whether a place was in view before a time, from the frames in the file; and which frames have a picture."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.memory.options.memory_options import MemoryOptions
from situ.memory.options.scales import SCALE
from situ.memory.options.visibility import OCCLUSION, PAST_VIEWS
from situ.memory.reading.history import History
from situ.perception.freespace import METRES_OF_CODE

_RANGE_M = MemoryOptions.look_range_m
_NEAREST_M = 0.3  # what is nearer to the lens is in hands, or blurred


def viewed(history: History, box: Box, before: float, last_frame: int, known: float) -> bool:
    """Whether two observations, so far apart that a detector does not fail in both for one reason, had the
    middle of a box in plain view. Without depth nobody knows of walls: then all is plain that the lens takes
    in."""
    latest: float | None = None
    last_frame = min(last_frame, history.last_frame(before, known))
    columns = history.frames.between(0, last_frame)
    near = np.hypot(*(columns.positions[:, :2] - box.center[:2]).T) <= _RANGE_M
    frames = columns.numbers[near & (columns.times < before)]
    run_of = np.searchsorted(history.frames.first_frames, frames, side="right") - 1
    for k in np.unique(run_of)[::-1].tolist():
        for time in reversed(_in_view(history, k, frames[run_of == k], box, last_frame, known)):
            if latest is not None and latest - time >= SCALE.glance_s:
                return True
            latest = time if latest is None else latest
    return False


def _in_view(
    history: History, run: int, frames: NDArray[np.int64], box: Box, last_frame: int, known: float
) -> list[float]:
    """When some frames of a run had the middle of a box in plain view, in order."""
    point, block = np.array(box.center), history.frames.block(run)
    rows = np.searchsorted(block.frames, frames)
    poses = block.poses[rows]
    for frame, pose in history.revised_poses(last_frame, known).items():
        poses[frames == frame] = pose
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


def pictured(history: History, first: int, last: int, most: int) -> list[int]:
    """The frames between two that have a picture; where there are more than `most`, as many or fewer,
    evenly chosen."""
    rows = history.connection.all(
        "SELECT frame FROM thumbnail WHERE frame BETWEEN ? AND ? ORDER BY frame LIMIT ?",
        (first, last, most + 1),
    )
    if len(rows) <= most:
        return [row[0] for row in rows]
    start = rows[0][0]
    step = (last - start + 1) / most
    rows = history.connection.all(
        "WITH RECURSIVE spot(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM spot WHERE number + 1 < ?)"
        "SELECT DISTINCT (SELECT min(frame) FROM thumbnail WHERE frame BETWEEN ? + number * ? AND ?) AS found"
        " FROM spot WHERE found IS NOT NULL ORDER BY found",
        (most, start, step, last),
    )
    return [row[0] for row in rows]


def pictured_beside(
    history: History, frames: Sequence[int], last: int
) -> list[tuple[int, int | None, int | None]]:
    """Each frame with the nearest ones that have a picture: not after it, and not before it."""
    if not frames:
        return []
    rows: list[tuple[int, int | None, int | None]] = history.connection.all(
        "SELECT column1, (SELECT max(frame) FROM thumbnail WHERE frame <= min(column1, ?)), "
        "(SELECT min(frame) FROM thumbnail WHERE frame BETWEEN column1 AND ?) "
        f"FROM (VALUES {','.join(['(?)'] * len(frames))})",
        (last, last, *frames),
    )
    return rows
