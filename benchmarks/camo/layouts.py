"""Worlds of eight coloured solids and three grey panels around a path, many at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.camo.paths import Array, Paths

COLORS = {
    "red": (0.80, 0.10, 0.08),
    "green": (0.10, 0.55, 0.12),
    "blue": (0.10, 0.20, 0.75),
    "yellow": (0.85, 0.75, 0.10),
    "purple": (0.45, 0.12, 0.55),
    "white": (0.88, 0.88, 0.88),
}
SHAPES = ("box", "cylinder", "sphere", "cone")
NAMES = tuple(f"{color} {shape}" for shape in SHAPES for color in COLORS)
THINGS, PANELS = 8, 3  # the things are two of each shape, in the order of SHAPES
PANEL_SIZE = 2.6, 0.15, 2.3
PANEL_COLOR = (0.33, 0.33, 0.33)
EYE_M = 1.5
REACH_M = 4.5  # how far from the path's middle things are put
FROM_PATH_M, FROM_THING_M, FROM_PANEL_M, PANEL_FROM_PATH_M = 1.0, 1.1, 0.8, 0.7
TRIES = 40


class Layouts(NamedTuple):
    """Solids on the ground (n, 11): the things, then the panels. `names` (n, 8) index NAMES."""

    names: NDArray[np.int64]
    x: Array
    y: Array
    yaw: Array
    size: Array  # diameter and height of a thing; not used for panels

    def take(self, chosen: NDArray[np.int64]) -> "Layouts":
        return Layouts(*(values[chosen] for values in self))


def draw_layouts(paths: Paths, rng: np.random.Generator) -> tuple[Layouts, NDArray[np.bool_]]:
    """A layout around each path, and whether room was found for everything.

    In every world the first panel stands before the camera's last place, and one thing behind it: otherwise
    hardly anything seen before would be hidden in front. As it is always so, it tells nothing.
    """
    n = len(paths.x)
    shape_colors = rng.permuted(np.tile(np.arange(len(COLORS)), (n * len(SHAPES), 1)), axis=1)[:, :2]
    names = shape_colors.reshape(n, THINGS) + len(COLORS) * np.repeat(np.arange(len(SHAPES)), 2)
    x, y = np.full((n, THINGS + PANELS), np.nan), np.full((n, THINGS + PANELS), np.nan)
    yaw = rng.uniform(-180.0, 180.0, x.shape)
    yaw[:, THINGS] = paths.yaw[:, -1] + 90.0 + rng.uniform(-25.0, 25.0, n)
    hidden = rng.integers(0, THINGS, n)
    for slot in [*range(THINGS, THINGS + PANELS), *range(THINGS)]:
        for _ in range(TRIES):
            lacking = np.flatnonzero(np.isnan(x[:, slot]))
            if not len(lacking):
                break
            at = _spots(paths, lacking, slot, hidden[lacking] == slot, rng)
            free = _has_room(paths, lacking, slot, at, x, y, yaw)
            x[lacking[free], slot], y[lacking[free], slot] = at[0][free], at[1][free]
    size = rng.uniform(0.7, 1.1, x.shape)
    placed = ~np.isnan(x).any(axis=1)
    return Layouts(names, x, y, yaw, size), placed


def _spots(
    paths: Paths, rows: NDArray[np.int64], slot: int, hidden: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Array, Array]:
    """Somewhere around the path's middle; the first panel and what it hides before the last place."""
    radius = REACH_M * np.sqrt(rng.uniform(0.02, 1.0, len(rows)))
    angle = rng.uniform(-np.pi, np.pi, len(rows))
    ahead = hidden | (slot == THINGS)
    near, far = (1.0, 1.8) if slot == THINGS else (2.6, 4.2)
    radius = np.where(ahead, rng.uniform(near, far, len(rows)), radius)
    angle = np.where(ahead, np.radians(paths.yaw[rows, -1] + rng.uniform(-15.0, 15.0, len(rows))), angle)
    x = np.where(ahead, paths.x[rows, -1], paths.x[rows].mean(axis=1))
    y = np.where(ahead, paths.y[rows, -1], paths.y[rows].mean(axis=1))
    return x + radius * np.cos(angle), y + radius * np.sin(angle)


def _has_room(
    paths: Paths,
    rows: NDArray[np.int64],
    slot: int,
    at: tuple[Array, Array],
    x: Array,
    y: Array,
    yaw: Array,
) -> NDArray[np.bool_]:
    """Whether a solid keeps its distance from the path, the panels and the other things."""
    here_x, here_y = at[0][:, None], at[1][:, None]
    way_x, way_y = paths.x[rows], paths.y[rows]
    if slot >= THINGS:
        gap = _from_panel(way_x, way_y, here_x, here_y, yaw[rows, slot : slot + 1])
        return np.asarray((gap > PANEL_FROM_PATH_M).all(axis=1))
    free = (np.hypot(way_x - here_x, way_y - here_y) > FROM_PATH_M).all(axis=1)
    others = np.hypot(x[rows, :THINGS] - here_x, y[rows, :THINGS] - here_y)
    free &= ~(others < FROM_THING_M).any(axis=1)  # places not yet taken are NaN
    panels = _from_panel(here_x, here_y, x[rows, THINGS:], y[rows, THINGS:], yaw[rows, THINGS:])
    return np.asarray(free & ~(panels < FROM_PANEL_M).any(axis=1))


def _from_panel(x: Array, y: Array, panel_x: Array, panel_y: Array, panel_yaw: Array) -> Array:
    """Distance of points from the middle line of a panel."""
    c, s = np.cos(np.radians(panel_yaw)), np.sin(np.radians(panel_yaw))
    along = (x - panel_x) * c + (y - panel_y) * s
    across = (y - panel_y) * c - (x - panel_x) * s
    beyond = np.maximum(np.abs(along) - PANEL_SIZE[0] / 2, 0.0)
    return np.hypot(beyond, across)
