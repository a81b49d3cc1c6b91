"""Images for the texture "poster": random compositions of shapes in four colours.

Images store palette weights, so one pool serves every material: the colours are the two of the material and
two selected by its seed.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from situ.rendering.kernel import kernel
from situ.rendering.noise import clamp01, lattice, smooth_step

PICTURE = 256  # texels along a side
POOL = 12  # different posters
_SHAPES = 20  # per poster


@lru_cache(maxsize=1)
def pictures() -> NDArray[np.uint64]:
    """The pool: one image with its mipmaps per row, with a 16-bit lane per palette colour."""
    rows = []
    for number in range(POOL):
        weights = np.zeros((PICTURE, PICTURE, 4))
        _paint(number, weights)
        levels = []
        while True:
            whole = np.round(weights * 255.0).astype(np.uint64)
            packed = whole[..., 0] << 48 | whole[..., 1] << 32 | whole[..., 2] << 16 | whole[..., 3]
            levels.append(packed.ravel())
            if len(weights) == 1:
                break
            weights = (weights[::2, ::2] + weights[1::2, ::2] + weights[::2, 1::2] + weights[1::2, 1::2]) / 4
        rows.append(np.concatenate(levels))
    return np.stack(rows)


@kernel
def _paint(number: int, weights: NDArray[np.float64]) -> None:
    size = weights.shape[0]
    seed = 1000 + 37 * number
    horizon = 0.3 + 0.4 * lattice(0, 0, seed)
    for row in range(size):
        for column in range(size):
            u, v = (column + 0.5) / size, (row + 0.5) / size
            ground = smooth_step(horizon - 0.01, horizon + 0.01, v + 0.05 * np.sin(u * 9.0 + seed))
            _cover(weights[row, column], 0, 1.0)
            _cover(weights[row, column], 2 + seed % 2, ground * 0.8)
            for shape in range(_SHAPES):
                color = int(lattice(shape, 1, seed) * 4)
                _cover(weights[row, column], color, _shape(shape, seed, u, v, 1.0 / size))
            edge = min(min(u, 1.0 - u), min(v, 1.0 - v))
            _cover(weights[row, column], 1, 1.0 - smooth_step(0.025, 0.033, edge))


@kernel
def _cover(weights: NDArray[np.float64], color: int, share: float) -> None:
    for k in range(4):
        weights[k] *= 1.0 - share
    weights[color] += share


@kernel
def _shape(shape: int, seed: int, u: float, v: float, soft: float) -> float:
    """Coverage of one shape at a point: discs, rotated bars, half-filled rings, lines of writing."""
    x, y = u - lattice(shape, 2, seed), v - lattice(shape, 3, seed)
    size = 0.05 + 0.22 * lattice(shape, 4, seed) * (1.0 - shape / _SHAPES * 0.6)
    style = int(lattice(shape, 5, seed) * 4)
    if style == 0:
        return smooth_step(size + soft, size - soft, np.sqrt(x * x + y * y))
    if style == 1:
        tilt = (lattice(shape, 6, seed) - 0.5) * 1.6
        across, along = x + tilt * y, y - tilt * x
        inside = max(abs(across) - size * 0.4, abs(along) - size * 1.3)
        return smooth_step(soft, -soft, inside)
    if style == 2:
        radius = np.sqrt(x * x + y * y)
        ring = abs(radius - size) - size * 0.22
        return smooth_step(soft, -soft, ring) * (1.0 if x + 0.5 * y > -0.3 * size else 0.35)
    line = int(np.floor(v * 40))
    letter = lattice(int(np.floor(u * 64)), line, seed + shape)
    inside = abs(x) < size * 1.2 and abs(y) < size * 0.5 and line % 2 == 0
    return clamp01(letter * 3.0 - 1.0) if inside else 0.0
