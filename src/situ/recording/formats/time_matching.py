"""Matching of unsynchronised streams by time, and ordering of images without times."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, rigid

Times = NDArray[np.float64]


def nearest(times: Times, wanted: float, within: float) -> int | None:
    """Index of the sorted time nearest to `wanted`, or None if it is farther than `within`."""
    if len(times) == 0:
        return None
    after = int(np.searchsorted(times, wanted))
    best = min((i for i in (after - 1, after) if 0 <= i < len(times)), key=lambda i: abs(times[i] - wanted))
    return best if abs(times[best] - wanted) <= within else None


def pose_at(times: Times, poses: Matrix, wanted: float, widest_gap: float) -> Matrix | None:
    """Interpolated pose, or None outside the samples or in a gap wider than `widest_gap`."""
    after = int(np.searchsorted(times, wanted))
    if after < len(times) and times[after] == wanted:
        exact: Matrix = poses[after]
        return exact
    if after == 0 or after == len(times):
        # A sample this close belongs to the frame, stamped by another clock.
        edge = 0 if after == 0 else len(times) - 1
        return poses[edge] if abs(times[edge] - wanted) <= widest_gap / 20 else None
    before = after - 1
    if times[after] - times[before] > widest_gap:
        return None
    from scipy.spatial.transform import Rotation, Slerp  # slow to import

    share = (wanted - times[before]) / (times[after] - times[before])
    ends = Rotation.from_matrix(poses[[before, after], :3, :3])
    place = poses[before, :3, 3] * (1 - share) + poses[after, :3, 3] * share
    return rigid(Slerp([0.0, 1.0], ends)(share).as_matrix(), place)


def as_numbered(name: str) -> list[str | int]:
    """Sort key for numbers in names: 2.png before 10.png."""
    parts = re.split(r"([0-9]+)", name)  # text and digits alternate
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def numbered(folder: Path, suffixes: tuple[str, ...] = (".jpg", ".jpeg", ".png")) -> dict[int, Path]:
    """Files whose names contain a number ("00012.png", "vignette0000012.jpg"), by that number."""
    found = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        digits = "".join(c for c in path.stem if c.isdigit())
        if path.suffix.lower() in suffixes and digits:
            found[int(digits)] = path
    return dict(sorted(found.items()))
