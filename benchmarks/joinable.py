"""Whether the frames of DISJOINT questions can be joined, by code that shares nothing with the recipe.

    python -m benchmarks.joinable SET ...

Of every two neighbouring frames of a question: which share of the pixels of each shows a surface that the
other shows, too, from depth in 96x72 pixels, and by how much the camera turned. A question is joinable if
every neighbour shares at least 20 % both ways and no turn is wider than the view.
"""

import math
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.dataset import Dataset
from situ.geometry.camera import Camera
from situ.recording import Recording
from situ.rendering import Renderer

WIDE, HIGH = 96, 72
LEAST_SHARED = 0.2
NEAR_M, NEAR_SHARE = 0.12, 0.06  # by which a depth may be off where two frames show the same surface
Array = NDArray[np.float64]


class Frames:
    """The surfaces that the frames of a recording show."""

    def __init__(self, recording: Recording) -> None:
        assert recording.scene is not None
        self.focal = WIDE * recording.camera.fx / recording.camera.width
        self.fov_deg = math.degrees(2 * math.atan(WIDE / 2 / self.focal))
        self._camera = Camera.from_fov(WIDE, HIGH, self.fov_deg)
        self._renderer = Renderer(recording.scene, self._camera)
        self.poses = [np.asarray(frame.T_world_camera) for frame in recording.frames]
        self.depth = cache(self._depth)

    def _depth(self, i: int) -> Array:
        return np.asarray(self._renderer.render_ids(self.poses[i])[1], dtype=float)

    def shared(self, i: int, j: int) -> float:
        """The share of frame i's pixels whose surface frame j shows."""
        v, u = np.mgrid[:HIGH, :WIDE] + 0.5
        depth = self.depth(i)
        rays = np.stack([(u - WIDE / 2) / self.focal, (v - HIGH / 2) / self.focal, np.ones_like(u)])
        there = np.linalg.inv(self.poses[j]) @ self.poses[i]
        points = rays * depth
        across, down = np.gradient(points, axis=2), np.gradient(points, axis=1)
        normal = np.cross(across, down, axis=0)
        normal *= -np.sign((normal * points).sum(axis=0))
        eye = np.linalg.inv(there)[:3, 3][:, None, None]  # of frame j: it must be on the side that i sees
        faces = (normal * (eye - points)).sum(axis=0) > 0
        x, y, z = np.tensordot(there[:3, :3], points, 1) + there[:3, 3][:, None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            column, row = (
                np.floor(self.focal * x / z + WIDE / 2),
                np.floor(self.focal * y / z + HIGH / 2),
            )
        inside = (
            faces & (depth > 0) & (z > 0.05) & (column >= 0) & (column < WIDE) & (row >= 0) & (row < HIGH)
        )
        seen = self.depth(j)[row[inside].astype(int), column[inside].astype(int)]
        return float((np.abs(seen - z[inside]) < NEAR_M + NEAR_SHARE * z[inside]).sum() / depth.size)

    def turned_deg(self, i: int, j: int) -> float:
        cosine = (self.poses[i][:3, :3].T @ self.poses[j][:3, :3])[2, 2]
        return math.degrees(math.acos(max(-1.0, min(1.0, float(cosine)))))


def neighbours(dataset: Dataset) -> Iterator[tuple[float, bool]]:
    """Of each question about two things the least share of neighbours, and whether every turn is small."""
    for item, rows in dataset.by_item():
        asked = [row for row in rows if row.strata.get("distance_m") is not None]
        frames = Frames(dataset.recording(item)) if asked else None
        for row in asked:
            assert frames is not None
            given = [(int(a), int(b)) for a, b in pairwise(row.program["frames"])]
            least = min(min(frames.shared(a, b), frames.shared(b, a)) for a, b in given)
            yield least, all(frames.turned_deg(a, b) < frames.fov_deg for a, b in given)


def count(folder: str) -> None:
    found = list(neighbours(Dataset.open(folder)))
    joinable = sum(least >= LEAST_SHARED and turns for least, turns in found)
    low, middle = np.quantile([least for least, _ in found], [0.01, 0.5])
    print(
        f"{folder}: {joinable} of {len(found)} joinable ({100 * joinable / len(found):.1f} %); "
        f"least share of neighbours: median {100 * middle:.0f} %, lowest hundredth {100 * low:.0f} %",
        flush=True,
    )


if __name__ == "__main__":
    for given_set in sys.argv[1:]:
        count(given_set)
