"""Distance between boxes as VSI-Bench measures it: between lattice points that fill each box.

The lattice has equal steps of about `step` along every side, ends included. A border point counts only if it
is still inside the box after a transformation to the world and back. Rounding decides that for each face, so
a published distance may exceed the true one by up to two steps. Plain products and sums in a fixed order make
the rounding the same on every machine.
"""

from functools import lru_cache

import numpy as np

from situ.geometry.box import Box
from situ.geometry.oriented import box_axes
from situ.geometry.pose import Matrix


@lru_cache(maxsize=512)  # questions about a room use the same few boxes
def lattice_points(box: Box, step: float) -> Matrix:
    """Lattice points (n, 3) of a box in the world, without interior points, which are never the nearest."""
    sides = np.asarray(box.size, dtype=float)
    ticks = [np.linspace(-side / 2, side / 2, max(1, int(np.ceil(side / step)))) for side in sides]
    local = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    local = local[(np.abs(local) > sides / 4).any(axis=1)]
    axes = box_axes(box)
    world = np.stack([_dot(local, axes[:, k]) + box.center[k] for k in range(3)], axis=-1)
    back = world - np.asarray(box.center)
    inside = np.stack([np.abs(_dot(back, axis)) <= side / 2 for axis, side in zip(axes, sides, strict=True)])
    kept: Matrix = world[inside.all(axis=0)]
    return kept if len(kept) else lattice_points(box, step / 2)


def lattice_gap(first: Box, second: Box, step: float = 0.05) -> float:
    """Distance in metres between the closest lattice points of two boxes."""
    from scipy.spatial import cKDTree  # slow to import

    tree = cKDTree(lattice_points(first, step))
    return float(tree.query(lattice_points(second, step))[0].min())


def _dot(points: Matrix, vector: Matrix) -> Matrix:
    product: Matrix = points[:, 0] * vector[0] + points[:, 1] * vector[1] + points[:, 2] * vector[2]
    return product
