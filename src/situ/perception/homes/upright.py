"""Up and the run of a building by the sides of everything in it: nearly all are level or upright, and most
upright ones stand square to each other. So a picture tells both where it shows neither floor nor a wall.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_PITCHES = np.radians(np.arange(-65.0, 26.0))
_UPS = np.stack([np.zeros(len(_PITCHES)), -np.cos(_PITCHES), np.sin(_PITCHES)])
_SIGMA = np.radians(5.0)
_MOST, _FEWEST = 1500, 60
_UPRIGHT = 0.3  # share of a normal that may point up or down
_TURNS = np.minimum(np.arange(90.0), 90.0 - np.arange(90.0))
_SMOOTH = np.fft.rfft(np.exp(-0.5 * (_TURNS / 3.0) ** 2))
_LEAST_SQUARE = 0.095  # of all upright sides at one heading; where they stand anyhow it is 0.084


def normals_of(points: NDArray[np.float32], label: NDArray[np.int32]) -> Array:
    """Normals (n, 3) of cells amid others of their name; the sky and what has no name are left out."""
    across = (points[1:-1, 2:] - points[1:-1, :-2]).astype(float)
    down = (points[2:, 1:-1] - points[:-2, 1:-1]).astype(float)
    here = label[1:-1, 1:-1]
    amid = (label[1:-1, 2:] == here) & (label[1:-1, :-2] == here) & (here > 0)
    amid &= (label[2:, 1:-1] == here) & (label[:-2, 1:-1] == here)
    normals = np.cross(across[amid], down[amid])
    return np.asarray(normals / np.maximum(1e-9, np.linalg.norm(normals, axis=1))[:, None])


def up_by(normals: Array) -> Array | None:
    """Up in camera axes, for a head that nods but does not lean: where most is level or upright."""
    if len(normals) < _FEWEST:
        return None
    some = normals[:: max(1, len(normals) // _MOST)]
    slope = np.abs(np.arcsin(np.clip(some @ _UPS, -1.0, 1.0)))
    off = np.minimum(slope, np.pi / 2 - slope)
    best = int(np.exp(-0.5 * (off / _SIGMA) ** 2).sum(axis=0).argmax())
    return np.asarray(_UPS[:, best])


def run_by(normals: Array, axes: Array) -> float | None:
    """The heading but for quarter turns, in radians, of who sees upright sides lie so."""
    level = normals @ axes.T
    upright = level[np.abs(level[:, 2]) < _UPRIGHT]
    if len(upright) < _FEWEST:
        return None
    turns = np.degrees(np.arctan2(upright[:, 1], upright[:, 0])) % 90.0
    counts = np.bincount(turns.astype(int) % 90, minlength=90).astype(float)
    held = np.fft.irfft(np.fft.rfft(counts) * _SMOOTH, 90)
    best = int(held.argmax())
    return -float(np.radians(best + 0.5)) if held[best] > _LEAST_SQUARE * len(upright) else None
