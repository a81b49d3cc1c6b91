"""One picture, levelled: up by its floor and sides, the run of its walls, what it shows around the head.

Walls of a building meet at right angles, so a single picture tells which way it looks but for quarter turns.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.perception.homes.instances import LEAST_EVIDENCE, Instance
from situ.perception.homes.network import Glance, Network
from situ.perception.homes.upright import normals_of, run_by, up_by
from situ.recording.codec import Rgb

Array = NDArray[np.float64]
FLOORS, WALL = ("floor", "lawn"), "wall"
SURE = 0.6  # cells that are less sure of their name are no landmarks
USUAL_EYES_M, EYES_M = 1.6, (1.2, 2.0)
USUAL_UP = np.array([0.0, -np.cos(np.radians(13)), -np.sin(np.radians(13))])
FLOOR_REACH_M, WALL_REACH_M = 6.0, 8.0
_FEWEST_FLOOR, _FEWEST_WALL, _MOST_WALL = 25, 40, 600
_FLAT_M, _LEAN, _ABOUT = 0.08, 0.15, np.cos(np.radians(6.0))
_BESIDE = 8  # degrees by which walls may run otherwise than most upright sides
_BIN_M = 0.08
_ANGLES = np.radians(np.arange(0.0, 90.0))


@dataclass(frozen=True, eq=False)
class Sight:
    """What a picture shows, in head axes: ahead, left, up from the floor below the eyes."""

    axes: Array  # rows: ahead, left, up, in camera axes
    eyes_m: float  # over the floor
    quarter: float | None  # heading of the walls but for quarter turns, in radians; None where none are seen
    walls: Array  # (n, 2)
    floor: Array  # (n, 2)
    things: list[Instance]
    middles: Array  # (n, 3) of the things
    points: Array  # (rows, columns, 3)
    label: NDArray[np.int32]
    metres: NDArray[np.float32]
    colors: Array  # (rows, columns, 3), means of cells


def sight_of(
    glance: Glance, things: list[Instance], rgb: Rgb, network: Network, up: Array, eyes_m: float
) -> tuple[Sight, Array]:
    """The picture levelled, and up in camera axes; the last one is kept where too little is seen."""
    floor = np.isin(glance.label, [network.names.index(name) for name in FLOORS])
    normals = normals_of(glance.points, glance.label)
    by_sides = up_by(normals)
    up, height = _level(glance.points[floor].astype(float), up if by_sides is None else by_sides)
    if height is not None and EYES_M[0] < height < EYES_M[1]:
        eyes_m += 0.3 * (height - eyes_m)
    axes = head_axes(up)
    points = glance.points.astype(float) @ axes.T
    points[..., 2] += eyes_m
    reach = np.linalg.norm(points[..., :2], axis=-1)
    sure = glance.sure > SURE
    walls = points[(glance.label == network.names.index(WALL)) & sure & (reach < WALL_REACH_M)][:, :2]
    clear = [thing for thing in things if thing.evidence >= LEAST_EVIDENCE]
    middles = np.array([axes @ thing.middle for thing in clear]).reshape(-1, 3)
    middles[:, 2] += eyes_m
    rows, columns = glance.label.shape
    high, wide = rgb.shape[0] // rows, rgb.shape[1] // columns
    cells = rgb[: rows * high, : columns * wide].reshape(rows, high, columns, wide, 3)
    ground = points[floor & sure & (reach < FLOOR_REACH_M)][:, :2]
    return Sight(
        axes, eyes_m, run_of(walls, run_by(normals, axes)), walls, ground, clear, middles, points,
        glance.label, glance.metres, cells.mean(axis=(1, 3)),
    ), up  # fmt: skip


def head_axes(up: Array) -> Array:
    """Ahead, left and up as rows, for a head that looks along z and has this up."""
    ahead = np.array([0.0, 0.0, 1.0]) - up[2] * up
    ahead /= np.linalg.norm(ahead)
    return np.stack([ahead, np.cross(up, ahead), up])


def _level(floor: Array, before: Array) -> tuple[Array, float | None]:
    """Up by the plane of the floor, and the height over it. Heads nod, but do not lean."""
    floor = floor[np.linalg.norm(floor, axis=1) < FLOOR_REACH_M]
    keep = np.ones(len(floor), bool)
    up = before
    for _ in range(3):
        if keep.sum() < _FEWEST_FLOOR:
            return before, None
        middle = floor[keep].mean(axis=0)
        up = np.linalg.svd(floor[keep] - middle, full_matrices=False)[2][2]
        up = -up if up[1] > 0 else up
        keep = np.abs((floor - middle) @ up) < _FLAT_M
    if abs(up[0]) > _LEAN or keep.sum() < _FEWEST_FLOOR or up @ before < _ABOUT:
        return before, None
    up = np.array([0.0, up[1], up[2]]) / np.hypot(up[1], up[2])
    return up, -float(np.median(floor[keep] @ up))


def run_of(walls: Array, about: float | None) -> float | None:
    """The heading, but for quarter turns, of who sees walls lie so: where they fall into fewest lines, about
    as most upright sides run."""
    if len(walls) < _FEWEST_WALL or about is None:
        return about
    walls = walls[np.linspace(0, len(walls) - 1, min(len(walls), _MOST_WALL)).astype(int)]
    sharp = np.zeros(len(_ANGLES))
    for across, along in ((np.cos(_ANGLES), np.sin(_ANGLES)), (-np.sin(_ANGLES), np.cos(_ANGLES))):
        lines = np.floor((walls[:, :1] * across + walls[:, 1:] * along) / _BIN_M).astype(int)
        lines -= lines.min()
        count = int(lines.max()) + 1
        numbers = lines + np.arange(len(_ANGLES)) * count
        held = np.bincount(numbers.ravel(), minlength=count * len(_ANGLES)).reshape(len(_ANGLES), count)
        sharp += (held.astype(float) ** 2).sum(axis=1)
    beside = np.abs((_ANGLES + about + np.pi / 4) % (np.pi / 2) - np.pi / 4) <= np.radians(_BESIDE)
    best = int(np.where(beside, sharp, 0.0).argmax())
    left, here, right = sharp[best - 1], sharp[best], sharp[(best + 1) % len(sharp)]
    bend = left - 2 * here + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return -float(np.radians(best + np.clip(shift, -0.5, 0.5)))
