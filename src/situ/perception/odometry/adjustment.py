"""The latest keyframes and the landmarks seen in them, adjusted together: solved for one after the other,
poses and depths take on each other's errors, and the scale wanders.

Depths are eliminated: what is left to solve are six numbers for each of a few keyframes.
"""

import numpy as np
from numpy.typing import NDArray

from situ.perception.odometry.bundle import between, equations, step, total_cost
from situ.perception.odometry.equations import turned_by
from situ.perception.odometry.keyframes import Keyframes
from situ.perception.odometry.landmarks import Landmarks

_FREE = 5  # keyframes; older ones stay, and keep the scale
_FEWEST_LANDMARKS, _FEWEST_KEYFRAMES = 20, 3
_STEPS, _TRIES, _ENOUGH = 6, 4, 1e-3  # share of the cost that a step must save to be followed by another
_LEAST_NOISE_PX = 0.3
# Of a depth's deviation, as part of what it knows comes from these very views; but the ground is known from
# elsewhere, and a walker's scale hangs on it.
_WIDENED = 3.0


def adjusted(
    keyframes: Keyframes, marks: Landmarks, focal: float, noise_px: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
    """Better poses of keyframes, with their numbers, and better depths in `marks`; None if too little is
    seen. Keyframes that anchor nothing in view any more do not count: they stay where the map is moved."""
    numbers = np.unique(np.append(marks.anchor, len(keyframes.poses) - 1))
    if len(marks) < _FEWEST_LANDMARKS or len(numbers) < _FEWEST_KEYFRAMES:
        return None
    seen = marks
    if marks.gone is not None:
        marks.gone.keep(np.isin(marks.gone.anchor, numbers))
        seen = marks.with_rows_of(marks.gone)
    held = max(2, len(numbers) - _FREE)
    poses = keyframes.poses[numbers]
    rotations, centres, depths = _solve(
        np.ascontiguousarray(poses[:, :3, :3].transpose(0, 2, 1)),
        poses[:, :3, 3].copy(),
        held,
        seen.ray,
        np.searchsorted(numbers, seen.anchor),
        seen.inverse_depth,
        (np.where(seen.ground, 1.0, _WIDENED) * seen.sigma) ** -2.0,
        np.where(np.isin(seen.viewed, numbers), np.searchsorted(numbers, seen.viewed), -1),
        seen.views,
        focal / max(noise_px, _LEAST_NOISE_PX),
    )
    marks.inverse_depth = depths[: len(marks)]
    if marks.gone is not None:
        marks.gone.inverse_depth = depths[len(marks) :]
    poses[:, :3, :3], poses[:, :3, 3] = rotations.transpose(0, 2, 1), centres
    return numbers[held:], poses[held:]


def _solve(  # type: ignore[no-untyped-def]
    rotations, centres, held: int, rays, anchors, depths, information, viewed, views, focal: float
):
    """Damped Gauss-Newton; the first `held` poses stay. `focal` is in deviations of a pixel. What it calls is
    compiled; a few dozen steps a keyframe need not be."""
    expected, damping = depths, 1e-4
    turns, shifts = between(rotations, centres)
    cost = total_cost(turns, shifts, rays, anchors, depths, expected, information, viewed, views, focal)
    for _ in range(_STEPS):
        normal, right, across, curve, slope = equations(
            rotations, turns, shifts, held, rays, anchors, depths, viewed, views, focal
        )
        curve, slope = curve + information, slope + information * (expected - depths)
        saved = 0.0
        for _try in range(_TRIES):
            by_pose, by_depth = step(normal, right, across, curve, slope, damping)
            new_rotations, new_centres = rotations.copy(), centres.copy()
            for k in range(held, len(rotations)):
                at = 6 * (k - held)
                new_rotations[k] = turned_by(by_pose[at : at + 3], rotations[k])
                new_centres[k] += by_pose[at + 3 : at + 6]
            new_depths = np.maximum(depths + by_depth, 1e-4)
            turns, shifts = between(new_rotations, new_centres)
            new_cost = total_cost(
                turns, shifts, rays, anchors, new_depths, expected, information, viewed, views, focal
            )
            if new_cost < cost:
                saved = cost - new_cost
                rotations, centres, depths, cost = new_rotations, new_centres, new_depths, new_cost
                damping *= 0.3
                break
            damping *= 10.0
        if saved <= _ENOUGH * cost:
            break
    return rotations, centres, depths
