"""Closing loops: when an old place is in view again, what has drifted since is spread over the way back."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import cv2
import numpy as np

from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.turning import angle_deg, exp_rotation

# A loop that would move the camera more than this is taken for a mistaken place.
_LARGEST_M, _LARGEST_DEG = 0.6, 12.0


@dataclass(frozen=True, eq=False)
class Correction:
    """A turn about a point and a shift, of which earlier poses get a smaller share."""

    about: Vector
    turn: Vector
    shift: Vector

    def share(self, fraction: float) -> Matrix:
        rotation = exp_rotation(self.turn * fraction)
        return rigid(rotation, self.about - rotation @ self.about + self.shift * fraction)


def correction_for(pose: Matrix, found: Recognised) -> Correction | None:
    """What takes a drifted pose to where the recognised place says that it is; None if that is too far."""
    turn = found.T_world_camera[:3, :3] @ pose[:3, :3].T
    shift = found.T_world_camera[:3, 3] - pose[:3, 3]
    if angle_deg(turn) > _LARGEST_DEG or np.linalg.norm(shift) > _LARGEST_M:
        return None
    return Correction(pose[:3, 3], cv2.Rodrigues(turn)[0][:, 0], shift)


def spread(
    correction: Correction,
    since: int,
    keyframes: Keyframes,
    steps: list[OdometryStep],
    in_use: Collection[int],
) -> None:
    """Share a correction out over all that came after keyframe `since`; anchors in use take all of it."""
    start, now = keyframes.steps[since], len(steps)
    for number in range(start, now):
        part = correction.share((number - start) / (now - start))
        steps[number] = replace(steps[number], T_world_camera=part @ steps[number].T_world_camera)
    for number in range(since + 1, len(keyframes.poses)):
        fraction = 1.0 if number in in_use else (keyframes.steps[number] - start) / (now - start)
        keyframes.poses[number] = correction.share(fraction) @ keyframes.poses[number]
