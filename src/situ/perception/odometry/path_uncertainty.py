"""Uncertainty of an odometry path: stations of the pose graph as knots, loops as ties."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Vector, inverse
from situ.perception.odometry.odometry import Odometry
from situ.perception.odometry.pose_graph import motion_between, usual_sigma

# Unobserved motion before the map starts: metres per second of it, at most, and standing.
_UNSEEN_M_S, _MAX_UNSEEN_M, _STANDING_M = 0.7, 5.0, 0.05
# Sine of the unknown camera tilt without any gravity cue: about 25 degrees.
_UNKNOWN_TILT = 0.4
_UNMAPPED_KNOTS = 24
_ONLY_TURNED = 0.5  # confidence of a step above which only a rotation was observed
# Relative sigmas: of a stated eye height, of the assumed one, of sensor depth.
_STATED_HEIGHT, _UNSTATED_HEIGHT, _DEPTH_BIAS = 0.06, 0.25, 0.01


def path_uncertainty(
    odometry: Odometry, height_stated: bool, lens_doubt: float = 0.0
) -> PathUncertainty | None:
    """Uncertainty of the path so far, or None before the first frame.

    Knots are the stations and the latest frame. `lens_doubt`: relative standard deviation of the focal
    length.
    """
    graph, keyframes, frame_poses = odometry.graph, odometry.keyframes, odometry.frame_poses
    numbers = graph.stations.numbers("keyframe")
    if not len(frame_poses):
        return None
    height = _STATED_HEIGHT if height_stated else _UNSTATED_HEIGHT
    scale = (
        float(np.hypot(height, odometry.scale_uncertainty))
        if odometry.free_scale
        else max(_DEPTH_BIAS, odometry.scale_uncertainty)
    )
    if not len(numbers):
        return _unmapped(odometry, scale, lens_doubt)
    rows = np.searchsorted(frame_poses.keyframe_of[: len(frame_poses)], numbers)
    times, ground = (
        frame_poses.time[np.minimum(rows, len(frame_poses) - 1)],
        keyframes.poses[numbers][:, :2, 3],
    )
    sigma = graph.stations["sigma"].copy()
    sigma[0] = (0.0, 0.0, scale)
    if not odometry.free_scale:
        sigma[1:, 2] = 0.0
    located = odometry.last.time if odometry.last is not None else frame_poses.last_time
    if located > times[-1]:
        walked = float(np.linalg.norm(odometry.pose[:3, 3] - keyframes.poses[graph.newest][:3, 3]))
        latest = np.hypot(usual_sigma(walked), odometry.extra_sigma) * [1.0, 1.0, odometry.free_scale]
        times, ground = np.append(times, located), np.concatenate([ground, odometry.pose[None, :2, 3]])
        sigma = np.concatenate([sigma, latest[None]])
    turned = _rotation_angles(np.concatenate([keyframes.poses[numbers], odometry.pose[None]])[: len(sigma)])
    sigma[1:, 0] = np.hypot(sigma[1:, 0], _rotation_sigma(turned, _tilt_error(odometry), lens_doubt))
    ends, tie_sigma = _ties(odometry, numbers)
    known = times[ends.max(axis=1, initial=0)]
    whole = PathUncertainty(times, ground, sigma, ends, tie_sigma, known, np.zeros((0, 2)))
    return whole.thinned()


def _unmapped(odometry: Odometry, scale: float, lens_doubt: float) -> PathUncertainty:
    """Uncertainty before a map exists: rotations are known, the distance walked is not.

    A camera that only rotates has hardly moved.
    """
    frame_poses = odometry.frame_poses
    rows = np.unique(
        np.linspace(0, len(frame_poses) - 1, min(len(frame_poses), _UNMAPPED_KNOTS)).round().astype(int)
    )
    poses, times = frame_poses.poses(rows, odometry.keyframes), frame_poses.time[rows]
    moving = frame_poses.confidence[1 : len(frame_poses)] < _ONLY_TURNED
    seconds = float((np.diff(frame_poses.time[: len(frame_poses)]) * moving).sum())
    unseen = min(_MAX_UNSEEN_M, _STANDING_M + _UNSEEN_M_S * seconds)
    sigma = np.zeros((len(rows), 3))
    sigma[0, 2] = scale
    sigma[1:, 0] = np.hypot(0.02, _rotation_sigma(_rotation_angles(poses), _tilt_error(odometry), lens_doubt))
    sigma[1:, 1] = unseen / np.sqrt(max(1, len(rows) - 1))
    return PathUncertainty.of(times, poses[:, :2, 3], sigma)


def _tilt_error(odometry: Odometry) -> float:
    """Share of a rotation that may be about a wrong axis: the sine of the gravity error."""
    return 0.0 if odometry.gravity_known else _UNKNOWN_TILT


def _rotation_sigma(turned: Vector, tilt_error: float, lens_doubt: float) -> Vector:
    """Sigma of each rotation from tilt and lens errors.

    A wrong focal length scales all rotations alike, so its errors add up over the path.
    """
    return np.asarray(np.hypot(tilt_error * turned, lens_doubt * np.sqrt(turned * turned.sum())))


def _rotation_angles(poses: NDArray[np.float64]) -> Vector:
    """Rotation angles from each pose to the next, in radians."""
    cosines = (np.einsum("nij,nij->n", poses[1:, :3, :3], poses[:-1, :3, :3]) - 1) / 2
    return np.asarray(np.arccos(np.clip(cosines, -1.0, 1.0)))


def _ties(odometry: Odometry, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Loops between stations as ties; the sigma of a loop grows by its residual after optimisation."""
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
