"""Following points from frame to frame, checked forwards and backwards, and finding new ones."""

from functools import partial

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.perception.odometry.cells import best_corners, block_variances
from situ.perception.odometry.flow import LEVELS, Mask, Pixels, Pyramid, flow
from situ.perception.odometry.hands import at_once, parts
from situ.perception.odometry.images import Grey

__all__ = ["Mask", "Pixels", "bearings", "follow", "grey_noise", "new_points", "pixels"]

_ROUND_TRIP_PX = 0.8
_WORTH_SHARING = 32  # points: following them takes ten times as long as handing them to another thread
_ROWS_WORTH_SHARING = 4  # of cells, the same
_EDGE_PX = 6
# Smaller eigenvalue of the gradient matrix, below which noise looks like texture: per squared grey level of
# noise, of which a picture has at least some; where all of it is texture there is no more than usual.
_WEAKEST_CORNER, _LEAST_NOISE, _MOST_NOISE = 6e-5, 0.25, 2.0
_WANTED_POINTS = 320
# The ground is in the lower part of the picture, and its texture often hardly stands out from the noise.
_LOWER_PART, _FAINT_SHARE = 0.6, 0.5


def follow(
    before: Pyramid, after: Pyramid, points: Pixels, guesses: Pixels, levels: int = LEVELS
) -> tuple[Pixels, Mask]:
    """Where `points` of one frame are in the next, and which of them came back to where they started.

    With few `levels` of the pyramids they stay near the guesses.
    """
    shared = parts(len(points), _WORTH_SHARING)
    made = at_once(
        [partial(_both_ways, before, after, points[some], guesses[some], levels) for some in shared]
    )
    there, good = (np.concatenate(column) for column in zip(*made, strict=True))
    return there, good


def _both_ways(
    before: Pyramid, after: Pyramid, points: Pixels, guesses: Pixels, levels: int
) -> tuple[Pixels, Mask]:
    there, good = flow(before, after, points, guesses, levels)
    good &= np.all((there > _EDGE_PX) & (there < before.sizes[0, 1:] - _EDGE_PX), axis=1)
    # The way back starts at the answer, so it needs few levels; a wrong match still runs off elsewhere.
    back, returned = flow(after, before, there[good], points[good], 1)
    good[good] = returned & (np.linalg.norm(back - points[good], axis=1) < _ROUND_TRIP_PX)
    return there, good


def new_points(grey: Grey, taken: Pixels, seek_ground: bool = False, wanted: int = _WANTED_POINTS) -> Pixels:
    """The best corner of every cell of the image that holds no point yet: all of the view is covered, by
    about as many as are wanted. Who takes the scale from the ground is better served with faint corners of it
    than with none."""
    height, width = grey.shape
    cell = max(8, round(float(np.sqrt(width * height / wanted))))
    rows, columns = height // cell, width // cell
    free = np.ones((rows, columns), np.bool_)
    if len(taken):
        occupied = (taken // cell).astype(int)
        free[np.clip(occupied[:, 1], 0, rows - 1), np.clip(occupied[:, 0], 0, columns - 1)] = False
    weakest = _WEAKEST_CORNER * float(np.clip(grey_noise(grey), _LEAST_NOISE, _MOST_NOISE)) ** 2
    faint = seek_ground & (np.arange(rows) >= _LOWER_PART * rows)
    limits = np.where(faint, _FAINT_SHARE, 1.0) * weakest
    shared = parts(rows, _ROWS_WORTH_SHARING)
    found = partial(best_corners, grey, free, cell, limits, _EDGE_PX)
    return np.concatenate(at_once([partial(found, some.start, some.stop) for some in shared]))


def grey_noise(grey: Grey) -> float:
    """Grey levels of noise: the spread within the flattest twentieth of the picture's blocks."""
    spread = np.sqrt(block_variances(grey, 8, 3))
    return float(np.percentile(spread, 5)) if len(spread) else 0.0


def bearings(camera: Camera, points: Pixels) -> Matrix:
    """Image-plane coordinates (n, 2) at depth 1 of tracked points, whose pixel centres are at integers."""
    x, y = points.astype(float).T
    return np.stack([(x + 0.5 - camera.cx) / camera.fx, (y + 0.5 - camera.cy) / camera.fy], axis=1)


def pixels(camera: Camera, flat: Matrix) -> Pixels:
    """The inverse of `bearings`."""
    return np.stack(
        [flat[:, 0] * camera.fx + camera.cx - 0.5, flat[:, 1] * camera.fy + camera.cy - 0.5], axis=1
    ).astype(np.float32)
