"""The landmarks that are being tracked: one row each, in arrays, so that all of them move at once."""

from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.resection import Sightings, Terms
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.tracks import Mask, Pixels

_MISSES_ALLOWED = 1
_VIEWS = 6  # in keyframes; what was lost from view longer ago is forgotten


@dataclass(frozen=True, eq=False)
class Structure:
    """Points as one camera sees them: rays (z = 1), inverse depths and their standard deviations."""

    rays: Matrix
    inverse_depth: Vector
    sigma: Vector


@dataclass(eq=False)
class Landmarks:
    """Tracked points. Rays are in the anchor camera's axes: a corrected anchor takes its landmarks along."""

    pixels: Pixels = field(default_factory=lambda: np.zeros((0, 2), np.float32))  # in the latest frame
    ray: Matrix = field(default_factory=lambda: np.zeros((0, 3)))  # (x, y, 1) in the anchor camera
    sway: Matrix = field(default_factory=lambda: np.zeros((0, 2)))  # of the ray, by a second of reading
    anchor: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # keyframe number
    inverse_depth: Vector = field(default_factory=lambda: np.zeros(0))
    sigma: Vector = field(default_factory=lambda: np.zeros(0))
    misses: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    sightings: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    ground: Mask = field(default_factory=lambda: np.zeros(0, np.bool_))

    # In the latest keyframes since its anchor, newest last: image-plane coordinates, and their numbers or -1.
    views: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, _VIEWS, 2)))
    viewed: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, _VIEWS), np.int64))

    # Lost from view a short while ago: they still tell how the keyframes that saw them stand to each other.
    gone: "Landmarks | None" = None

    def __len__(self) -> int:
        return len(self.pixels)

    @property
    def depth_known(self) -> Mask:
        """Known well enough to fix a position, not only a direction."""
        return self.sigma < 0.3 * self.inverse_depth

    def keep(self, mask: Mask) -> None:
        for name in _COLUMNS:
            setattr(self, name, getattr(self, name)[mask])

    def lose(self, lost: Mask) -> None:
        """Some could not be followed any more."""
        telling = lost & self.depth_known & (self.viewed[:, -1] >= 0)
        if telling.any():
            gone = replace(self, gone=None)
            gone.keep(telling)
            self.gone = gone if self.gone is None else self.gone.with_rows_of(gone)
        self.keep(~lost)

    def with_rows_of(self, other: "Landmarks") -> "Landmarks":
        both = replace(self)
        for name in _COLUMNS:
            setattr(both, name, np.concatenate([getattr(self, name), getattr(other, name)]))
        return both

    def clear(self) -> None:
        self.keep(np.zeros(len(self), np.bool_))
        self.gone = None

    def add(
        self,
        shutter: Shutter,
        pixels: Pixels,
        anchor: int,
        inverse_depth: Vector,
        sigma: Vector,
        ground: Mask | None = None,
    ) -> None:
        """New landmarks, first seen in keyframe `anchor`."""
        count = len(pixels)
        new = {
            "pixels": pixels,
            "ray": np.concatenate([shutter.bearings(pixels), np.ones((count, 1))], axis=1),
            "sway": shutter.sway(pixels),
            "anchor": np.full(count, anchor),
            "inverse_depth": inverse_depth,
            "sigma": sigma,
            "misses": np.zeros(count, np.int64),
            "sightings": np.ones(count, np.int64),
            "ground": np.zeros(count, np.bool_) if ground is None else ground,
            "views": np.zeros((count, _VIEWS, 2)),
            "viewed": np.full((count, _VIEWS), -1),
        }
        for name, values in new.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))

    def sighted(self, shutter: Shutter, anchor_poses: NDArray[np.float64]) -> Sightings:
        """As equations for the latest frame. `anchor_poses` holds `T_world_camera` of every keyframe."""
        poses = anchor_poses[self.anchor]
        return Sightings(
            np.einsum("nij,nj->ni", poses[:, :3, :3], self.ray),
            poses[:, :3, 3],
            self.inverse_depth,
            self.sigma,
            shutter.bearings(self.pixels),
        )

    def seen_from(
        self, shutter: Shutter, anchor_poses: NDArray[np.float64], T_world_camera: Matrix
    ) -> Structure:
        """All landmarks from the latest camera instead of from their anchors."""
        seen = self.sighted(shutter, anchor_poses)
        viewing = T_world_camera[:3, 2]
        ray_z = seen.rays @ viewing
        z = ray_z + seen.inverse_depth * ((seen.anchors - T_world_camera[:3, 3]) @ viewing)
        z = np.maximum(z, 0.05)
        rays = np.concatenate([seen.seen, np.ones((len(seen), 1))], axis=1)
        return Structure(rays, seen.inverse_depth / z, seen.sigma * np.abs(ray_z) / z**2)

    def read_later(self, change: float) -> None:
        """Reading a picture turned out to take that much longer."""
        self.ray = self.ray.copy()
        self.ray[:, :2] += change * self.sway

    def refine_depths(self, terms: Terms, used: Mask, noise_px: float, floor: float) -> None:
        """One Kalman step of every inverse depth with this frame's residuals, the pose taken as known.

        `floor` keeps relative errors from being believed ever smaller: looks at one landmark share errors.
        """
        curvature = np.sum(terms.by_depth**2, axis=1) / noise_px**2
        slope = np.sum(terms.by_depth * terms.residual, axis=1) / noise_px**2
        information = 1.0 / self.sigma**2 + curvature
        step = np.where(used, slope / information, 0.0)
        self.inverse_depth = np.maximum(self.inverse_depth + step, 1e-4)
        self.sigma = np.where(used, np.maximum(information**-0.5, floor * self.inverse_depth), self.sigma)

    def count_sightings(self, agreed: Mask) -> None:
        """Note who agreed with the pose; who disagreed too often in a row goes."""
        self.sightings = self.sightings + agreed
        self.misses = np.where(agreed, 0, self.misses + 1)
        self.keep(self.misses <= _MISSES_ALLOWED)

    def note_views(self, shutter: Shutter, keyframe: int) -> None:
        """The latest frame has become a keyframe."""
        if self.gone is not None:
            self.gone.keep(self.gone.viewed[:, -1] > keyframe - _VIEWS)
        now = shutter.bearings(self.pixels)[:, None]
        self.views = np.concatenate([self.views[:, 1:], now], axis=1)
        self.viewed = np.concatenate([self.viewed[:, 1:], np.full((len(self), 1), keyframe)], axis=1)

    def rescale(self, scale: float) -> None:
        """Make everything farther away by a factor."""
        self.inverse_depth = self.inverse_depth / scale
        self.sigma = self.sigma / scale
        if self.gone is not None:
            self.gone.rescale(scale)


_COLUMNS = tuple(f.name for f in fields(Landmarks) if f.name != "gone")
