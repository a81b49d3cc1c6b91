"""Pictures by their corners: two that overlap tell exactly how the head moved between them."""

from dataclasses import dataclass

import cv2
import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse
from situ.perception.homes.network import Glance
from situ.perception.odometry.features import Features, pose_from_features
from situ.recording.codec import Rgb

_NEAREST_M, _FARTHEST_M = 0.9, 15.0  # what is nearer may be carried along; farther depth tells little
_DEPTH_SHARE = 0.03
# Heads nod and turn, but neither lean nor rise: what says so was matched wrongly.
_LEAN, _RISE_M = np.sin(np.radians(3.0)), 0.12


@dataclass(frozen=True, eq=False)
class Picture:
    """Corners of a picture, and the points that they show in camera axes."""

    corners: Features
    points: Matrix

    @classmethod
    def of(cls, rgb: Rgb, glance: Glance, camera: Camera) -> "Picture":
        corners = Features.of(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))
        high, wide = glance.metres.shape
        cells = (corners.pixels * [wide / camera.width, high / camera.height]).astype(int)
        metres = glance.metres[np.minimum(cells[:, 1], high - 1), np.minimum(cells[:, 0], wide - 1)]
        fit = np.flatnonzero((metres > _NEAREST_M) & (metres < _FARTHEST_M))
        corners, metres = corners.only(fit), metres[fit].astype(float)
        x = (corners.pixels[:, 0] + 0.5 - camera.cx) / camera.fx * metres
        y = (corners.pixels[:, 1] + 0.5 - camera.cy) / camera.fy * metres
        return cls(corners, np.column_stack([x, y, metres]))


@dataclass(frozen=True, eq=False)
class Match:
    """How a picture lies to an earlier one, and how many corners say so."""

    T_then_now: Matrix
    corners: int

    def pose(self, T_world_then: Matrix) -> Matrix | None:
        """Where the picture was taken, or None where nobody could have held their head so."""
        pose = T_world_then @ self.T_then_now
        leans = abs(pose[2, 0]) > _LEAN
        return None if leans or abs(pose[2, 3] - T_world_then[2, 3]) > _RISE_M else pose


class Matches:
    """One picture against earlier ones, each compared once."""

    def __init__(self, picture: Picture, camera: Camera) -> None:
        self.picture, self._camera = picture, camera
        self._found: dict[int, Match | None] = {}

    def to(self, then: Picture) -> Match | None:
        if id(then) not in self._found:
            found = pose_from_features(
                then.corners, then.points, self.picture.corners, self._camera, _DEPTH_SHARE
            )
            match = None if found is None else Match(inverse(found.T_now_then), len(found.rows_now))
            self._found[id(then)] = match
        return self._found[id(then)]
