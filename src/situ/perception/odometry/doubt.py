"""How far the poses of odometry may be off: its pose graph as knots with doubts, and its loops as ties."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path_doubt import PathDoubt
from situ.geometry.pose import Vector, inverse
from situ.perception.odometry.engine import Odometry
from situ.perception.odometry.posegraph import motion_between, usual_sigma

# What may have been walked before anything could be measured.
_UNSEEN_M_S, _MOST_UNSEEN_M, _ON_THE_SPOT_M = 0.7, 5.0, 0.05
# Where neither floor nor wall was seen, cameras are held as people like: some 25 degrees off, or more.
_UNKNOWN_LEAN = 0.4
_UNMAPPED_KNOTS = 24
_ONLY_TURNED = 0.5  # confidence of a step above which nothing but a turn was seen
# The eye height as stated may be off by so much, one that nobody stated by more; depth may be biased.
_STATED_HEIGHT, _UNSTATED_HEIGHT, _DEPTH_BIAS = 0.06, 0.25, 0.01


def path_doubt(odometry: Odometry, height_stated: bool, lens_doubt: float = 0.0) -> PathDoubt | None:
    """Stations as knots, with one more for the latest frame; None before the first frame. `lens_doubt` is how
    far the focal length may be off, as a share."""
    graph, keyframes, trail = odometry.graph, odometry.keyframes, odometry.trail
    numbers = graph.stations.numbers("keyframe")
    if not len(trail):
        return None
    height = _STATED_HEIGHT if height_stated else _UNSTATED_HEIGHT
    scale = (
        float(np.hypot(height, odometry.scale_doubt))
        if odometry.free_scale
        else max(_DEPTH_BIAS, odometry.scale_doubt)
    )
    if not len(numbers):
        return _unmapped(odometry, scale, lens_doubt)
    rows = np.searchsorted(trail.hung[: len(trail)], numbers)
    times, ground = trail.time[np.minimum(rows, len(trail) - 1)], keyframes.poses[numbers][:, :2, 3]
    sigma = graph.stations["sigma"].copy()
    sigma[0] = (0.0, 0.0, scale)
    if not odometry.free_scale:
        sigma[1:, 2] = 0.0
    located = odometry.last.time if odometry.last is not None else trail.last_time
    if located > times[-1]:
        walked = float(np.linalg.norm(odometry.pose[:3, 3] - keyframes.poses[graph.newest][:3, 3]))
        latest = np.hypot(usual_sigma(walked), odometry.doubt) * [1.0, 1.0, odometry.free_scale]
        times, ground = np.append(times, located), np.concatenate([ground, odometry.pose[None, :2, 3]])
        sigma = np.concatenate([sigma, latest[None]])
    turned = _turns(np.concatenate([keyframes.poses[numbers], odometry.pose[None]])[: len(sigma)])
    sigma[1:, 0] = np.hypot(sigma[1:, 0], _falsely(turned, _leaning(odometry), lens_doubt))
    ends, tie_sigma = _ties(odometry, numbers)
    known = times[ends.max(axis=1, initial=0)]
    whole = PathDoubt(times, ground, sigma, ends, tie_sigma, known, np.zeros((0, 2)))
    return whole.thinned()


def _unmapped(odometry: Odometry, scale: float, lens_doubt: float) -> PathDoubt:
    """Before there is a map the turns are known, but nobody knows how far the camera went while points near
    and far moved apart. Who only turns has hardly moved."""
    trail = odometry.trail
    rows = np.unique(np.linspace(0, len(trail) - 1, min(len(trail), _UNMAPPED_KNOTS)).round().astype(int))
    poses, times = trail.poses(rows, odometry.keyframes), trail.time[rows]
    moving = trail.confidence[1 : len(trail)] < _ONLY_TURNED
    seconds = float((np.diff(trail.time[: len(trail)]) * moving).sum())
    unseen = min(_MOST_UNSEEN_M, _ON_THE_SPOT_M + _UNSEEN_M_S * seconds)
    sigma = np.zeros((len(rows), 3))
    sigma[0, 2] = scale
    sigma[1:, 0] = np.hypot(0.02, _falsely(_turns(poses), _leaning(odometry), lens_doubt))
    sigma[1:, 1] = unseen / np.sqrt(max(1, len(rows) - 1))
    return PathDoubt.of(times, poses[:, :2, 3], sigma)


def _leaning(odometry: Odometry) -> float:
    """How much of a turn may be told as one about another axis: the sine of how far up may be off."""
    return 0.0 if odometry.gravity_known else _UNKNOWN_LEAN


def _falsely(turned: Vector, leaning: float, lens_doubt: float) -> Vector:
    """What may be wrong with each of some turns. A lens that is off makes all of them too large or all too
    small, so that they add up: after as many turns the whole is off by that share of the whole."""
    return np.asarray(np.hypot(leaning * turned, lens_doubt * np.sqrt(turned * turned.sum())))


def _turns(poses: NDArray[np.float64]) -> Vector:
    """Angles from each pose to the next, in radians."""
    cosines = (np.einsum("nij,nij->n", poses[1:, :3, :3], poses[:-1, :3, :3]) - 1) / 2
    return np.asarray(np.arccos(np.clip(cosines, -1.0, 1.0)))


def _ties(odometry: Odometry, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Loops between stations; one that the solution does not keep is as loose as it is off."""
    loops, keyframes = odometry.graph.loops, odometry.keyframes
    first, second = loops.numbers("first"), loops.numbers("second")
    known = np.isin(first, numbers) & np.isin(second, numbers)
    ends = np.stack([np.searchsorted(numbers, first[known]), np.searchsorted(numbers, second[known])], axis=1)
    sigma = loops["sigma"][known].copy()
    for k, (a, b) in enumerate(zip(first[known].tolist(), second[known].tolist(), strict=True)):
        now, log_scale = motion_between(a, b, keyframes)
        off = inverse(loops["motion"][known][k]) @ now
        turned = np.arccos(np.clip((np.trace(off[:3, :3]) - 1) / 2, -1.0, 1.0))
        moved = float(np.linalg.norm(off[:3, 3]))
        scaled = log_scale - loops["log_scale"][known][k] if odometry.free_scale else 0.0
        sigma[k] = np.hypot(sigma[k], [turned, moved, scaled])
    return ends, sigma
