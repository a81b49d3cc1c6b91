"""Two motions in one frame: where a pattern repeats, most points may have been followed to their neighbours,
and only the others tell how the camera moved."""

import numpy as np

from situ.perception.odometry.resection import Fit, Mask, Sightings, solve_pose

_FEWEST, _LEAST_SHARE = 12, 0.08  # of all points
_TOGETHER = 0.5  # of those that disagree with one motion agree on the other
_APART_M = 0.2  # less is the slack of a few far points


def rival_shift(seen: Sightings, with_depth: Mask, fit: Fit, focal: float) -> float:
    """How far from a solved pose the camera is if the points that disagree are right; 0 if they are too few,
    or agree on nothing. Which of the two is true cannot be told from here: somebody may have walked by."""
    others = ~fit.inliers & with_depth
    if others.sum() < max(_FEWEST, _LEAST_SHARE * len(seen)):
        return 0.0
    rival = solve_pose(seen.only(others), fit.R_camera_world, fit.centre, focal, fit.noise_px, None)
    apart = float(np.linalg.norm(rival.centre - fit.centre))
    return apart if rival.inliers.sum() > _TOGETHER * others.sum() and apart > _APART_M else 0.0
