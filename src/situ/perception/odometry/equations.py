"""Least squares for a pose, a turn and the ground, compiled: the equations in one pass over the landmarks.

They are solved a dozen times for every frame, for some hundreds of landmarks: too few for arrays to pay.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Array = NDArray[np.float64]
_FARTHEST = 1e-4  # inverse depth
# What is nearer than this share of its depth at the anchor, or behind the camera, tells nothing.
_NEAREST, _SQUARED_BEHIND = 0.05, -1e6


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def normal_equations(
    rays: Array,
    anchors: Array,
    inverse_depth: Array,
    sigma: Array,
    seen: Array,
    rotation: Array,
    centre: Array,
    focal: float,
    noise_px: float,
    scale: float,
    squared: Array,
    likely: Array,
    free_scale: bool,
) -> tuple[Array, Array]:
    """Normal matrix (6, 6) and right side (6,) of robust least squares around a pose, with Cauchy weights of
    a `scale`. `squared` is filled with each landmark's squared Mahalanobis length, negative behind the
    camera. How badly a depth is known widens its residual along the epipolar line (Sherman and Morrison).

    `likely` are inverse depths around which all is linear; they are moved to where the pose makes them most
    likely. Who took far things for near ones would go to where these would be seen. With a free scale they
    are moved away only: were all nearer, a shorter step would explain the same.
    """
    normal, right = np.zeros((6, 6)), np.zeros(6)
    by_x, by_y = np.empty(6), np.empty(6)
    variance = noise_px * noise_px
    for k in range(len(rays)):
        px = py = pz = mx = my = mz = 0.0
        for i in range(3):
            away = anchors[k, i] - centre[i]
            towards = rays[k, i] + likely[k] * away
            px += rotation[0, i] * towards
            py += rotation[1, i] * towards
            pz += rotation[2, i] * towards
            mx += rotation[0, i] * away
            my += rotation[1, i] * away
            mz += rotation[2, i] * away
        if pz < _NEAREST:
            likely[k], squared[k] = inverse_depth[k], _SQUARED_BEHIND
            continue
        x, y, f = px / pz, py / pz, focal / pz
        off_x, off_y = focal * (seen[k, 0] - x), focal * (seen[k, 1] - y)
        # Derivatives by a small rotation (point x gradient), by the centre, and by the inverse depth.
        by_x[0], by_x[1], by_x[2] = -f * py * x, f * (pz + px * x), -f * py
        by_y[0], by_y[1], by_y[2] = -f * (pz + py * y), f * px * y, f * px
        for i in range(3):
            by_x[3 + i] = -likely[k] * f * (rotation[0, i] - x * rotation[2, i])
            by_y[3 + i] = -likely[k] * f * (rotation[1, i] - y * rotation[2, i])
        deep_x, deep_y = f * (mx - x * mz), f * (my - y * mz)
        off_x += deep_x * (likely[k] - inverse_depth[k])
        off_y += deep_y * (likely[k] - inverse_depth[k])
        doubt = sigma[k] * sigma[k]
        gain = doubt / (variance + doubt * (deep_x * deep_x + deep_y * deep_y))
        nearer = gain * (deep_x * off_x + deep_y * off_y)
        if free_scale:
            nearer = min(nearer, 0.0)
        likely[k] = max(inverse_depth[k] + nearer, _FARTHEST)
        xx = (1.0 - gain * deep_x * deep_x) / variance
        xy = -gain * deep_x * deep_y / variance
        yy = (1.0 - gain * deep_y * deep_y) / variance
        length = xx * off_x * off_x + 2.0 * xy * off_x * off_y + yy * off_y * off_y
        weight = 1.0 / (1.0 + length / (scale * scale))
        squared[k] = length
        for i in range(6):
            to_x, to_y = weight * (by_x[i] * xx + by_y[i] * xy), weight * (by_x[i] * xy + by_y[i] * yy)
            right[i] += to_x * off_x + to_y * off_y
            for j in range(i + 1):
                normal[i, j] += to_x * by_x[j] + to_y * by_y[j]
    for i in range(6):
        for j in range(i):
            normal[j, i] = normal[i, j]
    return normal, right


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def solved(normal: Array, right: Array) -> Array:
    """The solution of positive definite equations, by Cholesky's factors."""
    size = len(right)
    lower, found = np.zeros((size, size)), right.copy()
    for i in range(size):
        for j in range(i + 1):
            rest = normal[i, j]
            for k in range(j):
                rest -= lower[i, k] * lower[j, k]
            lower[i, j] = np.sqrt(max(rest, 1e-300)) if i == j else rest / lower[j, j]
    for i in range(size):
        for k in range(i):
            found[i] -= lower[i, k] * found[k]
        found[i] /= lower[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            found[i] -= lower[k, i] * found[k]
        found[i] /= lower[i, i]
    return found


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def turned_by(vector: Array, rotation: Array) -> Array:
    """A rotation followed by a small one, given as a rotation vector (Rodrigues)."""
    angle = np.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    sine = np.sin(angle) / angle if angle > 1e-12 else 1.0
    rest = (1.0 - np.cos(angle)) / angle**2 if angle > 1e-6 else 0.5
    made, x = np.empty((3, 3)), vector
    for c in range(3):
        a, b, d = rotation[0, c], rotation[1, c], rotation[2, c]
        u = (x[1] * d - x[2] * b, x[2] * a - x[0] * d, x[0] * b - x[1] * a)
        along = x[0] * a + x[1] * b + x[2] * d
        for i in range(3):
            made[i, c] = rotation[i, c] + sine * u[i] + rest * (x[i] * along - angle**2 * rotation[i, c])
    return made


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def pose_steps(
    rays: Array,
    anchors: Array,
    inverse_depth: Array,
    sigma: Array,
    seen: Array,
    rotation: Array,
    centre: Array,
    focal: float,
    noise_px: float,
    scales: Array,
    pulled_to: Array,
    pull: Array,
    noise_limits: Array,
    squared: Array,
    free_scale: bool,
) -> tuple[Array, Array, float, Array]:
    """Damped Gauss-Newton through shrinking Cauchy `scales`: rotation, centre, noise, likely inverse depths.

    The centre is pulled to a place with an information matrix. The noise is that of the median residual, once
    the scale is small; `squared` is left as it was before the last step.
    """
    likely = inverse_depth.copy()
    for step in range(len(scales)):
        normal, right = normal_equations(
            rays,
            anchors,
            inverse_depth,
            sigma,
            seen,
            rotation,
            centre,
            focal,
            noise_px,
            scales[step],
            squared,
            likely,
            free_scale,
        )
        for i in range(3):
            for j in range(3):
                normal[3 + i, 3 + j] += pull[i, j]
                right[3 + i] += pull[i, j] * (pulled_to[j] - centre[j])
        damped = normal.copy()
        for i in range(6):
            damped[i, i] += 1e-6 * normal[i, i] + 1e-9
        delta = solved(damped, right)
        rotation = turned_by(delta[:3], rotation)
        centre = centre + delta[3:]
        if step >= 3:
            # For two normal components the median of the square is 1.386.
            measured = noise_px * np.sqrt(np.median(np.abs(squared)) / 1.386) if len(squared) else noise_px
            noise_px = min(max(measured, noise_limits[0]), noise_limits[1])
            if np.abs(delta).max() < 1e-7:
                break
    return rotation, centre, noise_px, likely


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def turn_steps(
    before: Array, after: Array, rotation: Array, focal: float, scales: Array
) -> tuple[Array, Array]:
    """A turn between bearings (n, 2) by robust least squares, and their residuals before the last step."""
    residuals = np.zeros(len(before))
    by_x, by_y = np.empty(3), np.empty(3)
    for scale in scales:
        normal, right = np.zeros((3, 3)), np.zeros(3)
        for k in range(len(before)):
            u, v = before[k, 0], before[k, 1]
            z = rotation[2, 0] * u + rotation[2, 1] * v + rotation[2, 2]
            x = (rotation[0, 0] * u + rotation[0, 1] * v + rotation[0, 2]) / z
            y = (rotation[1, 0] * u + rotation[1, 1] * v + rotation[1, 2]) / z
            off_x, off_y = (after[k, 0] - x) * focal, (after[k, 1] - y) * focal
            length = off_x * off_x + off_y * off_y
            residuals[k] = np.sqrt(length)
            weight = 1.0 / (1.0 + length / (scale * scale))
            # Derivative of the image-plane coordinates by a small rotation vector of the camera.
            by_x[0], by_x[1], by_x[2] = -focal * x * y, focal * (1.0 + x * x), -focal * y
            by_y[0], by_y[1], by_y[2] = -focal * (1.0 + y * y), focal * x * y, focal * x
            for i in range(3):
                right[i] += weight * (by_x[i] * off_x + by_y[i] * off_y)
                for j in range(3):
                    normal[i, j] += weight * (by_x[i] * by_x[j] + by_y[i] * by_y[j])
        for i in range(3):
            normal[i, i] += 1e-9
        rotation = turned_by(solved(normal, right), rotation)
    return rotation, residuals


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def tangents(up: Array) -> tuple[Array, Array]:
    """Two directions along a plane: level sideways, and along the view."""
    size = np.sqrt(up[0] ** 2 + up[1] ** 2)
    side = np.array([up[1] / size, -up[0] / size, 0.0])
    ahead = np.array([side[1] * up[2], -side[0] * up[2], side[0] * up[1] - side[1] * up[0]])
    return side, ahead


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def plane_steps(
    rays: Array,
    depth: Array,
    noise: Array,
    usable: NDArray[np.bool_],
    up: Array,
    height: float,
    expected_up: Array,
    expected_height: float,
    pull: Array,
) -> tuple[Array, float, Array]:
    """A plane's up and height from inverse depths along rays, by robust least squares on its two tilts and
    the log of its height, pulled to what was expected; and the normal matrix without that pull."""
    normal, by = np.zeros((3, 3)), np.empty(3)
    for _ in range(6):
        side, ahead = tangents(up)
        normal, right = np.zeros((3, 3)), np.zeros(3)
        for k in range(len(depth)):
            x, y, z = rays[k, 0], rays[k, 1], rays[k, 2]
            predicted = -(x * up[0] + y * up[1] + z * up[2]) / height
            if not usable[k] or predicted <= 0:
                continue
            gap = (depth[k] - predicted) / noise[k]
            weight = 1.0 / (1.0 + (gap / 2.0) ** 2) ** 2
            by[0] = -(x * side[0] + y * side[1] + z * side[2]) / height / noise[k]
            by[1] = -(x * ahead[0] + y * ahead[1] + z * ahead[2]) / height / noise[k]
            by[2] = -predicted / noise[k]
            for i in range(3):
                right[i] += weight * by[i] * gap
                for j in range(3):
                    normal[i, j] += weight * by[i] * by[j]
        pulled = normal.copy()
        away = np.array([0.0, 0.0, np.log(expected_height / height)])
        for i in range(3):
            away[0] += (expected_up[i] - up[i]) * side[i]
            away[1] += (expected_up[i] - up[i]) * ahead[i]
        for i in range(3):
            pulled[i, i] += pull[i]
            right[i] += pull[i] * away[i]
        delta = solved(pulled, right)
        up = up + delta[0] * side + delta[1] * ahead
        up = up / np.sqrt(up[0] ** 2 + up[1] ** 2 + up[2] ** 2)
        height = height * np.exp(min(max(delta[2], -0.5), 0.5))
    return up, height, normal


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})  # type: ignore[untyped-decorator]
def _turned_correlation(
    before: NDArray[np.float32],
    after: NDArray[np.float32],
    turn: Array,
    lens: tuple[float, float, float, float],
    least_shared: float,
) -> tuple[float, float]:
    """Of two pictures of one lens (fx, fy, cx, cy), the first turned by `R_after_before`, where it then shows
    anything, and how large a share that is; -1 if it is too small, or all is even."""
    rows, columns = after.shape
    fx, fy, cx, cy = lens
    across, down = np.empty(columns), np.empty(columns)
    count, a, b, aa, bb, ab = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(rows):
        y = (i - cy) / fy
        for j in range(columns):  # no branches: several at once
            x = (j - cx) / fx
            ahead = turn[0, 2] * x + turn[1, 2] * y + turn[2, 2]
            scale = 1.0 / ahead if ahead > 1e-3 else np.inf
            across[j] = fx * (turn[0, 0] * x + turn[1, 0] * y + turn[2, 0]) * scale + cx
            down[j] = fy * (turn[0, 1] * x + turn[1, 1] * y + turn[2, 1]) * scale + cy
        for j in range(columns):
            u, v = across[j], down[j]
            if not (0.0 <= u < columns - 1 and 0.0 <= v < rows - 1):
                continue
            left, top = int(u), int(v)
            right, low = u - left, v - top
            upper = before[top, left] + right * (before[top, left + 1] - before[top, left])
            lower = before[top + 1, left] + right * (before[top + 1, left + 1] - before[top + 1, left])
            p, q = upper + low * (lower - upper), float(after[i, j])
            count += 1
            a, b = a + p, b + q
            aa, bb, ab = aa + p * p, bb + q * q, ab + p * q
    shared = count / after.size
    if shared < least_shared or count == 0:
        return -1.0, shared
    spread = (aa - a * a / count) * (bb - b * b / count)
    return (ab - a * b / count) / np.sqrt(spread) if spread > 1e-6 else -1.0, shared


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def turned_correlations(
    before: NDArray[np.float32],
    after: NDArray[np.float32],
    turns: Array,
    lens: tuple[float, float, float, float],
    least_shared: float,
) -> tuple[Array, Array]:
    """The same for many turns (n, 3, 3): correlations, and the shares of the picture that they are of."""
    told, shared = np.empty(len(turns)), np.empty(len(turns))
    for k in range(len(turns)):
        told[k], shared[k] = _turned_correlation(before, after, turns[k], lens, least_shared)
    return told, shared
