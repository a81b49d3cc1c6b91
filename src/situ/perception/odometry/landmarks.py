"""Active landmarks as columns of arrays, one row per landmark."""

from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.images import Mask, Pixels
from situ.perception.odometry.resection import Sightings, Terms
from situ.perception.odometry.rolling_shutter import RollingShutter

_MAX_MISSES = 1  # in a row, as an outlier
_VIEWS = 6  # keyframes whose observations are kept


@dataclass(frozen=True, eq=False)
class Structure:
    """Points as one camera sees them: rays (z = 1), inverse depths and their standard deviations."""

    rays: Matrix
    inverse_depth: Vector
    sigma: Vector


@dataclass(eq=False)
class Landmarks:
    """Tracked points with inverse depth along a ray in the axes of an anchor keyframe.

    Moving an anchor moves its landmarks.
    """

    pixels: Pixels = field(default_factory=lambda: np.zeros((0, 2), np.float32))  # in the latest frame
    ray: Matrix = field(default_factory=lambda: np.zeros((0, 3)))  # (x, y, 1) in the anchor camera
    shift_per_second: Matrix = field(
        default_factory=lambda: np.zeros((0, 2))
    )  # derivative of the ray by the readout time (seconds)
    anchor: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # keyframe number
    inverse_depth: Vector = field(default_factory=lambda: np.zeros(0))
    sigma: Vector = field(default_factory=lambda: np.zeros(0))
    misses: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    sightings: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    ground: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))

    # Observations in the latest keyframes, newest last: image-plane coordinates, and keyframe numbers or -1.
    views: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, _VIEWS, 2)))
    view_keyframes: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, _VIEWS), np.int64))

    # Landmarks that left the view recently: they still constrain the keyframes that observed them.
    recently_lost: "Landmarks | None" = None

    def __len__(self) -> int:
        return len(self.pixels)

    @property
    def depth_known(self) -> Mask:
        """Mask of landmarks whose depth is known well enough to constrain the position."""
        return self.sigma < 0.3 * self.inverse_depth

    def keep(self, mask: Mask) -> None:
        for name in _COLUMNS:
            setattr(self, name, getattr(self, name)[mask])

    def drop(self, lost: Mask) -> None:
        """Remove landmarks that could not be tracked; keep observations of those with known depth."""
        telling = lost & self.depth_known & (self.view_keyframes[:, -1] >= 0)
        if telling.any():
            recently_lost = replace(self, recently_lost=None)
            recently_lost.keep(telling)
            self.recently_lost = (
                recently_lost
                if self.recently_lost is None
                else self.recently_lost.with_rows_of(recently_lost)
            )
        self.keep(~lost)

    def with_rows_of(self, other: "Landmarks") -> "Landmarks":
        both = replace(self)
        for name in _COLUMNS:
            setattr(both, name, np.concatenate([getattr(self, name), getattr(other, name)]))
        return both

    def clear(self) -> None:
        self.keep(np.zeros(len(self), np.bool_))
        self.recently_lost = None

    def add(
        self,
        shutter: RollingShutter,
        pixels: Pixels,
        anchor: int,
        inverse_depth: Vector,
        sigma: Vector,
        ground: Mask | None = None,
    ) -> None:
        """Add landmarks first seen in keyframe `anchor`."""
        count = len(pixels)
        new = {
            "pixels": pixels,
            "ray": np.concatenate([shutter.bearings(pixels), np.ones((count, 1))], axis=1),
            "shift_per_second": shutter.shift_per_second(pixels),
            "anchor": np.full(count, anchor),
            "inverse_depth": inverse_depth,
            "sigma": sigma,
            "misses": np.zeros(count, np.int64),
            "sightings": np.ones(count, np.int64),
            "ground": np.zeros(count, np.bool_) if ground is None else ground,
            "views": np.zeros((count, _VIEWS, 2)),
            "view_keyframes": np.full((count, _VIEWS), -1),
        }
        for name, values in new.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))

    def observed(self, shutter: RollingShutter, anchor_poses: NDArray[np.float64]) -> Sightings:
        """Sightings in the latest frame. `anchor_poses` holds `T_world_camera` of every keyframe."""
        poses = anchor_poses[self.anchor]
        return Sightings(
            np.einsum("nij,nj->ni", poses[:, :3, :3], self.ray),
            poses[:, :3, 3],
            self.inverse_depth,
            self.sigma,
            shutter.bearings(self.pixels),
        )

    def structure_from(
        self, shutter: RollingShutter, anchor_poses: NDArray[np.float64], T_world_camera: Matrix
    ) -> Structure:
        """All landmarks relative to the latest camera instead of their anchors."""
        seen = self.observed(shutter, anchor_poses)
        viewing = T_world_camera[:3, 2]
        ray_z = seen.rays @ viewing
        z = ray_z + seen.inverse_depth * ((seen.anchors - T_world_camera[:3, 3]) @ viewing)
        z = np.maximum(z, 0.05)
        rays = np.concatenate([seen.seen, np.ones((len(seen), 1))], axis=1)
        return Structure(rays, seen.inverse_depth / z, seen.sigma * np.abs(ray_z) / z**2)

    def shift_readout(self, change: float) -> None:
        """Correct the rays after the estimated readout time changed by `change` seconds."""
        self.ray = self.ray.copy()
        self.ray[:, :2] += change * self.shift_per_second

    def refine_depths(self, terms: Terms, used: Mask, noise_px: float, floor: float) -> None:
        """One Kalman update of every inverse depth from this frame's residuals, with the pose fixed.

        `floor` is the smallest relative sigma: errors of repeated observations are correlated.
        """
        curvature = np.sum(terms.by_depth**2, axis=1) / noise_px**2
        slope = np.sum(terms.by_depth * terms.residual, axis=1) / noise_px**2
        information = 1.0 / self.sigma**2 + curvature
        step = np.where(used, slope / information, 0.0)
        self.inverse_depth = np.maximum(self.inverse_depth + step, 1e-4)
        self.sigma = np.where(used, np.maximum(information**-0.5, floor * self.inverse_depth), self.sigma)

    def count_observations(self, agreed: Mask) -> None:
        """Count inlier observations; remove landmarks that are outliers too often in a row."""
        self.sightings = self.sightings + agreed
        self.misses = np.where(agreed, 0, self.misses + 1)
        self.keep(self.misses <= _MAX_MISSES)

    def note_views(self, shutter: RollingShutter, keyframe: int) -> None:
        """Record the observations of the latest frame, which became keyframe number `keyframe`."""
        if self.recently_lost is not None:
            self.recently_lost.keep(self.recently_lost.view_keyframes[:, -1] > keyframe - _VIEWS)
        now = shutter.bearings(self.pixels)[:, None]
        self.views = np.concatenate([self.views[:, 1:], now], axis=1)
        self.view_keyframes = np.concatenate(
            [self.view_keyframes[:, 1:], np.full((len(self), 1), keyframe)], axis=1
        )

    def rescale(self, scale: float) -> None:
        """Scale all depths by a factor."""
        self.inverse_depth = self.inverse_depth / scale
        self.sigma = self.sigma / scale
        if self.recently_lost is not None:
            self.recently_lost.rescale(scale)


_COLUMNS = tuple(f.name for f in fields(Landmarks) if f.name != "recently_lost")
