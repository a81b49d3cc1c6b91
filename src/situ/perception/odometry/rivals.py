"""Two motions in one frame: where a pattern repeats, most points may have been followed to their neighbours,
and only the others tell how the camera moved."""

import numpy as np

from situ.geometry.camera import Camera
from situ.perception.odometry.following import Followed, View
from situ.perception.odometry.resection import Fit, Mask, Sightings, solve_pose
from situ.perception.odometry.tracks import Pixels, follow, pixels

_FEWEST, _LEAST_SHARE = 12, 0.08  # of all points
_TOGETHER = 0.5  # of those that disagree with one motion agree on the other
_APART_M = 0.2  # less is the slack of a few far points
_LEVELS = 1  # of the pyramids: more reach as far as the next tile
_NEAREST = 0.1  # in units of an anchor's depth


def rival_of(seen: Sightings, with_depth: Mask, fit: Fit, focal: float) -> Fit | None:
    """Where the camera is if the points with depth that disagree with a solved pose are right; nothing if
    they are too few, or agree on nothing. Which of the two is true cannot be told from here: somebody may
    have walked by."""
    others = ~fit.inliers & with_depth
    if others.sum() < max(_FEWEST, _LEAST_SHARE * len(seen)):
        return None
    rival = solve_pose(seen.only(others), fit.R_camera_world, fit.centre, focal, fit.noise_px, None)
    apart = float(np.linalg.norm(rival.centre - fit.centre))
    return rival if rival.inliers.sum() > _TOGETHER * others.sum() and apart > _APART_M else None


def followed_by(
    rival: Fit, seen: Sightings, followed: Followed, last: View, view: View, camera: Camera
) -> tuple[Pixels, Mask]:
    """All points again, looked for near where they are if the rival is right. A pattern that repeats is
    found there, too; people who walk by take nothing along."""
    points = (
        seen.rays + seen.inverse_depth[:, None] * (seen.anchors - rival.centre)
    ) @ rival.R_camera_world.T
    guesses = pixels(camera, points[:, :2] / np.maximum(points[:, 2:], _NEAREST))
    there, good = follow(last.pyramid, view.pyramid, followed.before[followed.good], guesses, _LEVELS)
    return there, good & (points[:, 2] > _NEAREST)
