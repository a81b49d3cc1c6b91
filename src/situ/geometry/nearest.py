"""Horizontal distance to the nearest of many points, by group."""

import numpy as np
from numpy.typing import NDArray

_MANY_CELLS = 64_000  # entries of a distance table above which it is split
_CELLS = 12_000  # entries that fit the processor cache; larger tables take five times as long


def run_starts(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Start index of each run of equal values."""
    new = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new.nonzero()[0]


def nearest_of_runs(
    points: NDArray[np.float64],
    spots: NDArray[np.float64],
    runs: NDArray[np.int64],
    beyond_m: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Distances (n, runs) from points (n, 2) to the nearest spot (m, 2) of each run.

    Runs start at the indices `runs`, in increasing order from 0. A per-spot offset is added to its distance.
    """
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


def nearest_within(
    points: NDArray[np.float64],
    spots: NDArray[np.float64],
    groups: NDArray[np.int64],
    number: int,
    reach_m: float,
    beyond_m: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Distances (n, groups) from points (n, 2) to the nearest spot (m, 2) of each group.

    Spots are sorted by group. Distances beyond the reach may be infinite. Many points are processed by
    region, with the spots around it.
    """
    found = np.full((len(points), number), np.inf)
    if not len(points) or not len(spots):
        return found
    if len(points) * len(spots) <= _MANY_CELLS or len(points) == 1:
        runs = run_starts(groups)
        found[:, groups[runs]] = nearest_of_runs(points, spots, runs, beyond_m)
        return found
    axis = int(np.ptp(points, axis=0).argmax())
    order = points[:, axis].argsort(kind="stable")
    for half in (order[: len(order) // 2], order[len(order) // 2 :]):
        along, ends = spots[:, axis], points[half[[0, -1]], axis]
        near = ((along >= ends[0] - reach_m) & (along <= ends[1] + reach_m)).nonzero()[0]
        found[half] = nearest_within(points[half], spots[near], groups[near], number, reach_m, beyond_m[near])
    return found
