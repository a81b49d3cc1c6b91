"""Depth from a moving camera, without networks: corners followed into earlier frames of known pose.

Parallax tells depth only where there is texture and only as far as the camera has moved: what comes out is
semi-dense, with 0 wherever nothing is known. It is worked out for frames that are looked at, from a few kept
ones, nearest first: each tells where to look in the next, which is farther off and tells the depth better.
"""

from collections import deque
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector, inverse
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.images import Grey, Mask, Pixels, bearings, grey_of, pixels
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.resection import Sightings, linearise
from situ.perception.odometry.two_view import triangulate
from situ.recording.codec import Depth

_KEPT = 12
_APART_M, _APART_DEG = 0.04, 5.0  # of one kept frame from the next
_LOOKED_M, _WIDEST_DEG = (0.1, 0.25, 0.5), 25.0  # how far off the frames are into which corners are followed
_WANTED_POINTS = 1400
_EPIPOLAR_PX = 1.5
# Relative: of a depth that is believed at all, and by which two of them may differ.
WORST_SHARE, _AGREE_SHARE = 0.12, 0.2
_PATCH_PX = 5  # half the side of what one corner speaks for
_NEAREST_M, _FARTHEST_M = 0.2, 12.0


@dataclass(frozen=True, eq=False)
class _Kept:
    grey: Grey
    T_world_camera: Matrix

    @cached_property
    def picture(self) -> Pyramid:
        return Pyramid.of(self.grey)


class Parallax:
    """The last few frames of a camera that moves: `pass_by` with every frame, `depth` for some of them."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._kept: deque[_Kept] = deque(maxlen=_KEPT)

    def pass_by(self, rgb: NDArray[np.uint8], T_world_camera: Matrix) -> None:
        """Keep a frame if it is some way from the last one that was kept."""
        if self._kept:
            away, turned = _between(self._kept[-1].T_world_camera, T_world_camera)
            if away < _APART_M and turned < _APART_DEG:
                return
        self._kept.append(_Kept(grey_of(rgb, self._camera), T_world_camera))

    def lose(self) -> None:
        """The place is not known any more: what was kept says nothing of what comes."""
        self._kept.clear()

    def depth(self, rgb: NDArray[np.uint8], T_world_camera: Matrix) -> Depth:
        """Metres along the optical axis in units of the poses; 0 where nothing can be said."""
        grey = grey_of(rgb, self._camera)
        corners = new_points(grey, np.zeros((0, 2), np.float32), wanted=_WANTED_POINTS)
        known = np.zeros((self._camera.height, self._camera.width), np.float32)
        if not len(corners):
            return known
        picture = Pyramid.of(grey)
        best, sigma = np.zeros(len(corners)), np.full(len(corners), np.inf)
        for kept in self._chosen(T_world_camera):
            found, spread = self._seen_from(kept, picture, corners, best, T_world_camera)
            with np.errstate(invalid="ignore"):
                fits = np.isinf(sigma) | (np.abs(found - best) < _AGREE_SHARE * best + 2 * sigma)
            better = fits & (spread < sigma)
            best, sigma = np.where(better, found, best), np.where(better, spread, sigma)
        good = (sigma < WORST_SHARE * best) & (best > 1 / _FARTHEST_M) & (best < 1 / _NEAREST_M)
        # Far ones first: where patches overlap, the nearer surface is the one that is seen.
        for i in np.flatnonzero(good)[np.argsort(best[good])]:
            x, y = round(float(corners[i, 0])), round(float(corners[i, 1]))
            rows = slice(max(0, y - _PATCH_PX), y + _PATCH_PX + 1)
            known[rows, max(0, x - _PATCH_PX) : x + _PATCH_PX + 1] = 1 / best[i]
        return known

    def _chosen(self, T_world_camera: Matrix) -> list[_Kept]:
        """Kept frames at about the wanted distances that look the same way, nearest first."""
        able: list[tuple[float, _Kept]] = []
        for kept in self._kept:
            away, turned = _between(kept.T_world_camera, T_world_camera)
            if away >= _APART_M and turned < _WIDEST_DEG:
                able.append((away, kept))
        chosen: dict[int, tuple[float, _Kept]] = {}
        for wanted in _LOOKED_M:
            if able:
                nearest = min(able, key=lambda one: abs(np.log(one[0] / wanted)))
                chosen[id(nearest[1])] = nearest
        return [kept for _, kept in sorted(chosen.values(), key=lambda one: one[0])]

    def _seen_from(
        self, kept: _Kept, picture: Pyramid, corners: Pixels, guess: Vector, T_world_camera: Matrix
    ) -> tuple[Vector, Vector]:
        """Inverse depths of corners and their deviations (infinite where not found) from a kept frame."""
        T_kept_now = inverse(kept.T_world_camera) @ T_world_camera
        turn, centre = T_kept_now[:3, :3], inverse(T_kept_now)[:3, 3]
        rays = np.concatenate([bearings(self._camera, corners), np.ones((len(corners), 1))], axis=1)
        there = (rays - guess[:, None] * centre) @ turn.T
        expected = pixels(self._camera, there[:, :2] / np.maximum(there[:, 2:], 0.1))
        moved, good = follow(picture, kept.picture, corners, expected)
        seen = bearings(self._camera, moved)
        focal = (self._camera.fx + self._camera.fy) / 2
        depth, sigma = triangulate(rays, seen, turn, centre, focal)
        fits = good & self._on_epipolar_lines(rays, seen, depth, turn, centre, focal)
        return np.where(fits, depth, 0.0), np.where(fits, sigma, np.inf)

    def _on_epipolar_lines(
        self, rays: Matrix, seen: Matrix, depth: Vector, turn: Matrix, centre: Vector, focal: float
    ) -> Mask:
        at_depth = Sightings(rays, np.zeros_like(rays), depth, np.ones(len(rays)), seen)
        off = np.linalg.norm(linearise(at_depth, turn, centre, focal).residual, axis=1)
        near: Mask = off < _EPIPOLAR_PX
        return near


def _between(first: Matrix, second: Matrix) -> tuple[float, float]:
    """Metres and degrees between two poses."""
    cosine = np.clip((np.sum(first[:3, :3] * second[:3, :3]) - 1) / 2, -1.0, 1.0)
    return float(np.linalg.norm(first[:3, 3] - second[:3, 3])), float(np.degrees(np.arccos(cosine)))
