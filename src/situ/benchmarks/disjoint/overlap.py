"""Which frames share scenery, and chains of frames in which neighbours do.

Whoever is to say how two things lie that are never in view together must be able to join the views: each
given frame shows a good part of what the one before it shows.
"""

import math
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.recording import Recording
from situ.rendering import Renderer

LEAST_SHARED = 0.25  # of the pixels of a frame that its neighbours show as well; 0.2 is what is promised
COARSE_WIDTH = 48
EDGE = 1.5  # times as far as its neighbour: another surface
REACH = 30  # frames further apart are not compared
Array = NDArray[np.float64]


class Overlaps:
    """How much of a frame another frame shows, from depth in few pixels. Without depth nothing is known."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        height = max(1, round(COARSE_WIDTH * recording.camera.height / recording.camera.width))
        self._camera: Camera = recording.camera.resized(COARSE_WIDTH, height)
        self._shares: dict[tuple[int, int], float] = {}
        self._depths: dict[int, Array] = {}
        self._clouds: dict[int, tuple[Array, Array]] = {}

    @property
    def known(self) -> bool:
        return self._recording.scene is not None or self._recording.has_depth

    def joined(self, i: int, j: int) -> bool:
        """Whether two frames show enough of each other, from about the same side.

        Two that look at each other's place share a floor and walls, but nobody sees at once that they do.
        """
        near = abs(i - j) <= REACH and self.facing(i, j)
        return near and min(self.share(i, j), self.share(j, i)) >= LEAST_SHARED

    def facing(self, i: int, j: int) -> bool:
        """Whether the camera turned by less than it sees at once."""
        ahead = [self._recording.frames[k].T_world_camera[:3, 2] for k in (i, j)]
        return float(ahead[0] @ ahead[1]) > math.cos(2 * math.atan(self._camera.width / 2 / self._camera.fx))

    def chain(self, frames: list[int], wanted: int) -> list[int] | None:
        """Frames from the first to the last of a list in which neighbours are joined, about so many.

        The fewest that reach, then others between them; None if there is no chain.
        """
        came: dict[int, int | None] = {frames[0]: None}
        for i in frames:  # in order of time, each reached by as few steps as can be
            for j in frames:
                if i in came and i < j <= i + REACH and j not in came and self.joined(i, j):
                    came[j] = i
        if frames[-1] not in came:
            return None
        found = [frames[-1]]
        while (before := came[found[-1]]) is not None:
            found.append(before)
        return self._filled(found[::-1], frames, wanted)

    def _filled(self, chain: list[int], frames: list[int], wanted: int) -> list[int]:
        """Put frames into the widest gaps while neighbours stay joined."""
        tried: set[int] = set()
        while len(chain) < wanted:
            gaps = sorted(pairwise(chain), key=lambda pair: pair[0] - pair[1])
            between = [(a, k, b) for a, b in gaps for k in frames if a < k < b and k not in tried]
            if not between:
                break
            a, k, b = min(between, key=lambda way: (way[0] - way[2], abs(2 * way[1] - way[0] - way[2])))
            tried.add(k)
            if self.joined(a, k) and self.joined(k, b):
                chain = sorted([*chain, k])
        return chain

    def share(self, i: int, j: int) -> float:
        """The share of frame i's pixels whose points frame j shows, too."""
        if (i, j) not in self._shares:
            self._shares[i, j] = self._measure(i, j)
        return self._shares[i, j]

    def _measure(self, i: int, j: int) -> float:
        (points, normals), pose = self._surface(i), self._recording.frames[j].T_world_camera
        if not len(points):
            return 0.0
        offset = points - pose[:3, 3]
        local = offset @ pose[:3, :3]
        # The two sides of a wall are as near to each other as depth tells, but nobody sees both.
        ahead = (local[:, 2] > 0.05) & ((offset * normals).sum(axis=1) < 0.0)
        pixels = np.floor(self._camera.project(local[ahead])).astype(int)
        inside = (pixels >= 0).all(axis=1) & (pixels < (self._camera.width, self._camera.height)).all(axis=1)
        seen = self._depth(j)[pixels[inside, 1], pixels[inside, 0]]
        far = local[ahead][inside, 2]
        return float((np.abs(seen - far) < 0.15 + 0.08 * far).sum() / self._depth(i).size)

    @cached_property
    def _renderer(self) -> Renderer:
        scene = self._recording.scene
        assert scene is not None
        return Renderer(scene, self._camera)

    def _depth(self, i: int) -> Array:
        if i not in self._depths:
            if self._recording.scene is not None:
                depth = self._renderer.render_ids(self._recording.frames[i].T_world_camera)[1]
            else:
                full = self._recording.depth(i)
                rows = np.linspace(0, full.shape[0] - 1, self._camera.height).astype(int)
                columns = np.linspace(0, full.shape[1] - 1, self._camera.width).astype(int)
                depth = full[np.ix_(rows, columns)]
            self._depths[i] = np.asarray(depth, dtype=float)
        return self._depths[i]

    def _surface(self, i: int) -> tuple[Array, Array]:
        """The points that a frame shows, in the world, and which way their surfaces face."""
        if i not in self._clouds:
            depth, pose = self._depth(i), self._recording.frames[i].T_world_camera
            grid = np.asarray(self._camera.points(depth), dtype=float)
            normals = np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0))
            normals *= -np.sign((normals * grid).sum(axis=2, keepdims=True))  # towards the camera
            normals = np.where(_smooth(depth)[..., None], normals, -grid)  # beside holes and edges: as seen
            there = depth.ravel() > 0
            local, facing = grid.reshape(-1, 3)[there], normals.reshape(-1, 3)[there]
            turn = pose[:3, :3].T
            self._clouds[i] = np.asarray(local @ turn + pose[:3, 3]), np.asarray(facing @ turn)
        return self._clouds[i]


def _smooth(depth: Array) -> NDArray[np.bool_]:
    """Where a pixel and its neighbours are one surface, so that differences tell which way it faces."""
    around = sliding_window_view(np.pad(depth, 1, mode="edge"), (3, 3))
    least, most = around.min(axis=(2, 3)), around.max(axis=(2, 3))
    return np.asarray((least > 0) & (most < EDGE * least))
