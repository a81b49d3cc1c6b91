"""The landmarks that are being tracked: one row each, in arrays, so that all of them move at once."""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.resection import Sightings, Terms
from situ.perception.odometry.tracks import Pixels, bearings

Rows = NDArray[np.generic]


def _empty(*shape: int, dtype: type = float) -> NDArray[np.generic]:
    return np.zeros(shape, dtype)


@dataclass(eq=False)
class Landmarks:
    """Tracked points. Rays are in the anchor camera's axes, so a corrected anchor takes its landmarks along."""

    pixels: Pixels = field(default_factory=lambda: np.zeros((0, 2), np.float32))  # in the latest frame
    ray: Matrix = field(default_factory=lambda: np.zeros((0, 3)))  # (x, y, 1) in the anchor camera
    anchor: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # keyframe number
    inverse_depth: Vector = field(default_factory=lambda: np.zeros(0))
    sigma: Vector = field(default_factory=lambda: np.zeros(0))
    misses: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    sightings: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    id: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    ground: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    next_id: int = 0

    def __len__(self) -> int:
        return len(self.pixels)

    def keep(self, mask: Rows) -> None:
        for f in fields(self):
            if f.name != "next_id":
                setattr(self, f.name, getattr(self, f.name)[mask])

    def add(self, camera: Camera, pixels: Pixels, anchor: int, inverse_depth: Vector, sigma: Vector) -> None:
        """New landmarks, first seen in keyframe `anchor`."""
        count = len(pixels)
        flat = bearings(camera, pixels)
        new = {
            "pixels": pixels,
            "ray": np.concatenate([flat, np.ones((count, 1))], axis=1),
            "anchor": np.full(count, anchor),
            "inverse_depth": inverse_depth,
            "sigma": sigma,
            "misses": np.zeros(count, np.int64),
            "sightings": np.ones(count, np.int64),
            "id": np.arange(self.next_id, self.next_id + count),
            "ground": np.zeros(count, np.bool_),
        }
        self.next_id += count
        for name, values in new.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))

    def sighted(self, camera: Camera, anchor_poses: NDArray[np.float64]) -> Sightings:
        """As equations for the latest frame. `anchor_poses` holds `T_world_camera` of every keyframe."""
        poses = anchor_poses[self.anchor]
        return Sightings(
            np.einsum("nij,nj->ni", poses[:, :3, :3], self.ray),
            poses[:, :3, 3],
            self.inverse_depth,
            self.sigma,
            bearings(camera, self.pixels),
        )

    def refine_depths(self, terms: Terms, used: NDArray[np.bool_], noise_px: float, floor: float) -> None:
        """One Kalman step of every inverse depth with this frame's residuals, the pose taken as known."""
        curvature = np.sum(terms.by_depth**2, axis=1) / noise_px**2
        slope = np.sum(terms.by_depth * terms.residual, axis=1) / noise_px**2
        information = 1.0 / self.sigma**2 + curvature
        step = np.where(used, slope / information, 0.0)
        self.inverse_depth = np.maximum(self.inverse_depth + step, 1e-4)
        self.sigma = np.where(used, np.maximum(information**-0.5, floor * self.inverse_depth), self.sigma)
