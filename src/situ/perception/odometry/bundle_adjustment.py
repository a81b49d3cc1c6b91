"""Bundle adjustment of the latest keyframes and the landmarks seen in them.

Estimating poses and depths one after the other lets errors of one spread to the other, and the scale drifts.
Depths are eliminated (Schur complement), which leaves six unknowns for each of a few keyframes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.perception.odometry.keyframes import Keyframes
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.least_squares import Array, solved, turned_by

_CAUCHY_SIGMAS = 2.5  # scale of the robust weights, as in the last steps of `solve_pose`
_FREE_KEYFRAMES = 5  # older ones are fixed, which keeps the scale
_MIN_LANDMARKS, _MIN_KEYFRAMES = 20, 3  # for an adjustment
# Gauss-Newton steps, attempts at a step with growing damping, and the share of the cost that a step must
# save.
_MAX_STEPS, _MAX_ATTEMPTS, _MIN_GAIN = 6, 4, 1e-3
_MIN_NOISE_PX = 0.3
# Factor on a depth's sigma, since the same views determined part of it. Ground points are exempt: their depth
# comes from the ground plane, which the scale of RGB odometry depends on.
_WIDENED = 3.0


class Window(NamedTuple):
    """Measurements of one adjustment; landmarks and keyframes are numbered within the window."""

    rays: Array  # (n, 3) in axes of the anchor keyframe
    anchors: NDArray[np.int64]  # (n,) anchor keyframe of each landmark
    prior_depths: Array  # (n,) inverse depths before the adjustment
    information: Array  # (n,) of those
    view_keyframes: NDArray[np.int64]  # (n, v) keyframes that observed a landmark, or -1
    views: Array  # (n, v, 2) image-plane coordinates there
    focal: float  # in standard deviations of the pixel noise


class Equations(NamedTuple):
    """Normal equations: of the free poses, of each depth, and the terms that couple both."""

    normal: Array
    right: Array
    coupling: Array
    depth_normal: Array
    depth_right: Array


def adjusted(
    keyframes: Keyframes, marks: Landmarks, focal: float, noise_px: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
    """Numbers and improved poses of the free keyframes, or None if there are too few observations.

    The depths in `marks` are improved in place. Only keyframes that anchor an active landmark take part.
    """
    numbers = np.unique(np.append(marks.anchor, len(keyframes.poses) - 1))
    if len(marks) < _MIN_LANDMARKS or len(numbers) < _MIN_KEYFRAMES:
        return None
    seen = marks
    if marks.recently_lost is not None:
        marks.recently_lost.keep(np.isin(marks.recently_lost.anchor, numbers))
        seen = marks.with_rows_of(marks.recently_lost)
    fixed = max(2, len(numbers) - _FREE_KEYFRAMES)
    poses = keyframes.poses[numbers]
    window = Window(
        seen.ray,
        np.searchsorted(numbers, seen.anchor),
        seen.inverse_depth,
        (np.where(seen.ground, 1.0, _WIDENED) * seen.sigma) ** -2.0,
        np.where(np.isin(seen.view_keyframes, numbers), np.searchsorted(numbers, seen.view_keyframes), -1),
        seen.views,
        focal / max(noise_px, _MIN_NOISE_PX),
    )
    rotations, centres, depths = _solve(
        window, np.ascontiguousarray(poses[:, :3, :3].transpose(0, 2, 1)), poses[:, :3, 3].copy(), fixed
    )
    marks.inverse_depth = depths[: len(marks)]
    if marks.recently_lost is not None:
        marks.recently_lost.inverse_depth = depths[len(marks) :]
    poses[:, :3, :3], poses[:, :3, 3] = rotations.transpose(0, 2, 1), centres
    return numbers[fixed:], poses[fixed:]


def _solve(window: Window, rotations: Array, centres: Array, fixed: int) -> tuple[Array, Array, Array]:
    """Rotations, centres and inverse depths by damped Gauss-Newton; the first `fixed` poses stay.

    Not compiled itself: a few dozen steps per keyframe, and the functions it calls are compiled.
    """
    depths, damping = window.prior_depths, 1e-4
    turns, shifts = relative_poses(rotations, centres)
    cost = robust_cost(window, turns, shifts, depths)
    for _ in range(_MAX_STEPS):
        terms = normal_equations(window, rotations, turns, shifts, fixed, depths)
        terms = terms._replace(
            depth_normal=terms.depth_normal + window.information,
            depth_right=terms.depth_right + window.information * (window.prior_depths - depths),
        )
        saved = 0.0
        for _attempt in range(_MAX_ATTEMPTS):
            by_pose, by_depth = schur_step(terms, damping)
            new_rotations, new_centres = rotations.copy(), centres.copy()
            for k in range(fixed, len(rotations)):
                at = 6 * (k - fixed)
                new_rotations[k] = turned_by(by_pose[at : at + 3], rotations[k])
                new_centres[k] += by_pose[at + 3 : at + 6]
            new_depths = np.maximum(depths + by_depth, 1e-4)
            turns, shifts = relative_poses(new_rotations, new_centres)
            new_cost = robust_cost(window, turns, shifts, new_depths)
            if new_cost < cost:
                saved = cost - new_cost
                rotations, centres, depths, cost = new_rotations, new_centres, new_depths, new_cost
                damping *= 0.3
                break
            damping *= 10.0
        if saved <= _MIN_GAIN * cost:
            break
    return rotations, centres, depths


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def relative_poses(rotations: Array, centres: Array) -> tuple[Array, Array]:
    """For each pair of keyframes (first, second): `R_first_second`, and the second's centre in the first."""
    count = len(rotations)
    turns, shifts = np.empty((count, count, 3, 3)), np.empty((count, count, 3))
    for k in range(count):
        for a in range(count):
            np.dot(rotations[k], rotations[a].T, turns[k, a])
            np.dot(rotations[k], centres[a] - centres[k], shifts[k, a])
    return turns, shifts


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def robust_cost(window: Window, turns: Array, shifts: Array, depths: Array) -> float:
    """Cauchy cost of all observations, plus the quadratic cost of the depth priors."""
    total, rays, focal = 0.0, window.rays, window.focal
    for n in range(len(rays)):
        total += window.information[n] * (depths[n] - window.prior_depths[n]) ** 2
        u, v, a = rays[n, 0], rays[n, 1], window.anchors[n]
        for i in range(window.view_keyframes.shape[1]):
            k = window.view_keyframes[n, i]
            if k < 0:
                continue
            turn, shift = turns[k, a], shifts[k, a]
            z = turn[2, 0] * u + turn[2, 1] * v + turn[2, 2] + depths[n] * shift[2]
            z = max(z, 1e-6)
            x = (turn[0, 0] * u + turn[0, 1] * v + turn[0, 2] + depths[n] * shift[0]) / z
            y = (turn[1, 0] * u + turn[1, 1] * v + turn[1, 2] + depths[n] * shift[1]) / z
            off_x, off_y = window.views[n, i, 0] - x, window.views[n, i, 1] - y
            squared = focal * focal * (off_x**2 + off_y**2)
            total += _CAUCHY_SIGMAS**2 * np.log(1.0 + squared / _CAUCHY_SIGMAS**2)
    return total


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def normal_equations(
    window: Window, rotations: Array, turns: Array, shifts: Array, fixed: int, depths: Array
) -> Equations:
    """Normal equations of the observations around the current poses and depths."""
    rays, view_keyframes, focal = window.rays, window.view_keyframes, window.focal
    count, size = len(rays), 6 * (len(rotations) - fixed)
    normal, right, coupling = np.zeros((size, size)), np.zeros(size), np.zeros((count, size))
    depth_normal, depth_right = np.zeros(count), np.zeros(count)
    # Derivatives by rotation and centre of the observing keyframe, then by those of the anchor.
    by_x, by_y = np.empty(12), np.empty(12)
    for n in range(count):
        a, u, v, depth = window.anchors[n], rays[n, 0], rays[n, 1], depths[n]
        for i in range(view_keyframes.shape[1]):
            k = view_keyframes[n, i]
            if k < 0:
                continue
            turn, shift, rotation = turns[k, a], shifts[k, a], rotations[k]
            px = turn[0, 0] * u + turn[0, 1] * v + turn[0, 2] + depth * shift[0]
            py = turn[1, 0] * u + turn[1, 1] * v + turn[1, 2] + depth * shift[1]
            pz = turn[2, 0] * u + turn[2, 1] * v + turn[2, 2] + depth * shift[2]
            if pz <= 1e-6:
                continue
            x, y, f = px / pz, py / pz, focal / pz
            off_x, off_y = focal * (window.views[n, i, 0] - x), focal * (window.views[n, i, 1] - y)
            weight = 1.0 / (1.0 + (off_x * off_x + off_y * off_y) / _CAUCHY_SIGMAS**2)
            by_x[0], by_x[1], by_x[2] = -f * py * x, f * (pz + px * x), -f * py
            by_y[0], by_y[1], by_y[2] = -f * (pz + py * y), f * px * y, f * px
            for j in range(3):
                by_x[9 + j] = depth * f * (rotation[0, j] - x * rotation[2, j])
                by_y[9 + j] = depth * f * (rotation[1, j] - y * rotation[2, j])
                by_x[3 + j], by_y[3 + j] = -by_x[9 + j], -by_y[9 + j]
            for by, row, flat in ((by_x, 0, x), (by_y, 1, y)):
                g0 = f * (turn[row, 0] - flat * turn[2, 0])
                g1 = f * (turn[row, 1] - flat * turn[2, 1])
                g2 = f * (turn[row, 2] - flat * turn[2, 2])
                by[6], by[7], by[8] = g1 - v * g2, u * g2 - g0, v * g0 - u * g1
            deep_x, deep_y = f * (shift[0] - x * shift[2]), f * (shift[1] - y * shift[2])
            depth_normal[n] += weight * (deep_x * deep_x + deep_y * deep_y)
            depth_right[n] += weight * (deep_x * off_x + deep_y * off_y)
            for one in range(12):
                at = 6 * ((k if one < 6 else a) - fixed) + one % 6
                if at < 0:
                    continue
                to_x, to_y = weight * by_x[one], weight * by_y[one]
                right[at] += to_x * off_x + to_y * off_y
                coupling[n, at] += to_x * deep_x + to_y * deep_y
                for other in range(12):
                    to = 6 * ((k if other < 6 else a) - fixed) + other % 6
                    if to >= 0:
                        normal[at, to] += to_x * by_x[other] + to_y * by_y[other]
    return Equations(normal, right, coupling, depth_normal, depth_right)


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def schur_step(terms: Equations, damping: float) -> tuple[Array, Array]:
    """Steps of poses and depths from the damped equations, with the depths eliminated."""
    stiff = terms.depth_normal * (1.0 + damping) + 1e-12
    tied = terms.coupling / stiff.reshape(-1, 1)
    reduced = terms.normal - terms.coupling.T @ tied
    for i in range(len(terms.right)):
        reduced[i, i] += damping * terms.normal[i, i] + 1e-9
    by_pose = solved(reduced, terms.right - tied.T @ terms.depth_right)
    return by_pose, terms.depth_right / stiff - tied @ by_pose
