"""Camera paths of three motions in a row, many at once, with the motions they are made of."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.narrate.motions import DIRECTIONS

Array = NDArray[np.float64]
FRAMES, PARTS = 12, 3
STEPS = FRAMES - 1
KINDS = ("pan", "dolly", "truck", "arc", "tracking")
CLASSES = tuple(f"{kind} {DIRECTIONS[kind][side]}" for kind in KINDS for side in (0, 1))
LENGTHS = np.array([(3, 3, 5), (3, 5, 3), (5, 3, 3), (3, 4, 4), (4, 3, 4), (4, 4, 3)])
NET_TURN_DEG = 60.0, 180.0
# Per step and kind: least and most turn in degrees, least and most way in metres.
TURN = np.array([(12.0, 38.0), (0, 0), (0, 0), (6.0, 15.0), (8.0, 22.0)])
WAY = np.array([(0.0, 0.0), (0.25, 0.55), (0.2, 0.45), (0.25, 0.45), (0.25, 0.5)])


class Paths(NamedTuple):
    """`classes` (n, 3) index CLASSES, `lengths` are steps; `turns` and `ways` are of one step of a part.

    Places are in metres, `yaw` in degrees counter-clockwise from +x; each has one column a frame.
    """

    classes: NDArray[np.int64]
    lengths: NDArray[np.int64]
    turns: Array
    ways: Array
    x: Array
    y: Array
    yaw: Array

    def take(self, chosen: NDArray[np.int64]) -> "Paths":
        return Paths(*(values[chosen] for values in self))


def draw_paths(count: int, rng: np.random.Generator) -> Paths:
    """Paths whose net turn is within NET_TURN_DEG."""
    found: list[Paths] = []
    while sum(len(part.x) for part in found) < count:
        paths = _any_paths(2 * count, rng)
        net = np.abs(paths.yaw[:, -1] - paths.yaw[:, 0])
        found.append(paths.take(np.flatnonzero((net >= NET_TURN_DEG[0]) & (net <= NET_TURN_DEG[1]))))
    return Paths(*(np.concatenate(parts)[:count] for parts in zip(*found, strict=True)))


def _any_paths(count: int, rng: np.random.Generator) -> Paths:
    kinds = rng.integers(0, len(KINDS), (count, PARTS))
    for part in range(1, PARTS):  # never the same kind twice in a row: it would be one motion
        same = kinds[:, part] == kinds[:, part - 1]
        kinds[same, part] = (kinds[same, part] + rng.integers(1, len(KINDS), int(same.sum()))) % len(KINDS)
    side = rng.integers(0, 2, kinds.shape)
    sign = 1.0 - 2.0 * side
    lengths = LENGTHS[rng.integers(0, len(LENGTHS), count)]
    # To the right; an arc to the right moves right and turns left.
    turns = sign * rng.uniform(TURN[kinds, 0], TURN[kinds, 1]) * np.where(kinds == 3, -1.0, 1.0)
    ways = rng.uniform(WAY[kinds, 0], WAY[kinds, 1])
    signed = np.where(kinds == 4, ways, sign * ways)  # tracking always goes ahead
    part_of = (np.arange(STEPS) >= np.cumsum(lengths, axis=1)[:, :, None]).sum(axis=1)
    turn, way, kind = (np.take_along_axis(v, part_of, axis=1) for v in (turns, signed, kinds))
    sideways = (kind == 2) | (kind == 3)
    yaw = np.empty((count, FRAMES))
    yaw[:, 0] = rng.uniform(-180.0, 180.0, count)
    yaw[:, 1:] = yaw[:, :1] - np.cumsum(turn, axis=1)
    half = np.radians((yaw[:, 1:] + yaw[:, :-1]) / 2)
    dx = np.where(sideways, np.sin(half), np.cos(half)) * way
    dy = np.where(sideways, -np.cos(half), np.sin(half)) * way
    x, y = (np.concatenate([np.zeros((count, 1)), np.cumsum(d, axis=1)], axis=1) for d in (dx, dy))
    return Paths(2 * kinds + side, lengths, turns, ways, x, y, yaw)


def polar(paths: Paths, frame: int, x: Array, y: Array) -> tuple[Array, Array]:
    """Bearing (degrees, positive to the right) and distance of points (n, k) as seen from a frame."""
    dx, dy = x - paths.x[:, frame, None], y - paths.y[:, frame, None]
    bearing = paths.yaw[:, frame, None] - np.degrees(np.arctan2(dy, dx))
    return wrapped(bearing), np.hypot(dx, dy)


def wrapped(angles: Array) -> Array:
    """`situ.geometry.pose.wrap_deg` for arrays."""
    return 180.0 - (180.0 - angles) % 360.0


def sector(bearing: Array) -> tuple[NDArray[np.int64], Array]:
    """Which of eight sectors, clockwise from the front, and how far the next one is."""
    place = np.round(bearing / 45.0)
    margin = 22.5 - np.abs(bearing - 45.0 * place)
    return place.astype(np.int64) % 8, margin
