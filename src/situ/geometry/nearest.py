"""The nearest of many spots over the ground."""

import numpy as np
from numpy.typing import NDArray

_CELLS = 12_000  # of a table that stays in the processor's cache: larger ones take five times as long


def run_starts(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each run of equal values begins."""
    new = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new.nonzero()[0]


def nearest_of_runs(
    points: NDArray[np.float64],
    spots: NDArray[np.float64],
    runs: NDArray[np.int64],
    beyond_m: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """How far points (n, 2) are from the nearest spot (m, 2) of each run of spots, which begin at `runs`, in
    order and from 0 on (n, runs). A spot counts as so many metres farther off than it is."""
    found = np.empty((len(points), len(runs)))
    beyond_m = None if beyond_m is None or not beyond_m.any() else beyond_m
    east, north = np.ascontiguousarray(spots.T)
    step = max(1, _CELLS // max(1, len(spots)))
    for first in range(0, len(points), step):
        x, y = points[first : first + step].T[:, :, None]
        gaps, across = x - east, y - north
        gaps *= gaps
        across *= across
        gaps += across
        if beyond_m is not None:
            np.sqrt(gaps, out=gaps)
            gaps += beyond_m
        found[first : first + step] = np.minimum.reduceat(gaps, runs, axis=1)
    return found if beyond_m is not None else np.sqrt(found, out=found)
