"""Deterministic lattice noise, and smooth noise that tiles."""

import numpy as np

from situ.rendering.kernel import kernel

_MASK = 0xFFFFFFFF  # 32 bits


@kernel
def lattice(x: int, y: int, seed: int) -> float:
    """A number in [0, 1) for a lattice point."""
    h = (x * 374761393 + y * 668265263 + seed * 1442695041 + 12345) & _MASK
    h = ((h ^ (h >> 13)) * 1274126177) & _MASK
    h = ((h ^ (h >> 15)) * 2246822519) & _MASK
    return float((h ^ (h >> 16)) & _MASK) / 4294967296.0


@kernel
def value_noise(u: float, v: float, columns: int, rows: int, seed: int) -> float:
    """Smooth noise in [0, 1) over the unit square, which tiles; `columns` by `rows` lattice cells."""
    x, y = u * columns, v * rows
    column, row = int(np.floor(x)), int(np.floor(y))
    fx, fy = x - column, y - row
    fx, fy = fx * fx * (3.0 - 2.0 * fx), fy * fy * (3.0 - 2.0 * fy)
    left, right = column % columns, (column + 1) % columns
    top, bottom = row % rows, (row + 1) % rows
    upper = lattice(left, top, seed) * (1.0 - fx) + lattice(right, top, seed) * fx
    lower = lattice(left, bottom, seed) * (1.0 - fx) + lattice(right, bottom, seed) * fx
    return upper * (1.0 - fy) + lower * fy


@kernel
def fractal(u: float, v: float, columns: int, rows: int, octaves: int, keep: float, seed: int) -> float:
    """Octaves of value noise, each twice as fine and `keep` times as strong; about 0.5 on average."""
    total, weight, strength = 0.0, 0.0, 1.0
    for octave in range(octaves):
        total += strength * value_noise(u, v, columns << octave, rows << octave, seed + octave)
        weight += strength
        strength *= keep
    return total / weight


@kernel
def clamp01(value: float) -> float:
    return min(1.0, max(0.0, value))


@kernel
def smooth_step(low: float, high: float, value: float) -> float:
    t = clamp01((value - low) / (high - low))
    return t * t * (3.0 - 2.0 * t)
