"""Small least-squares problems in compiled loops: linear solver, rotations, ground plane, image correlation.

They are solved a dozen times per frame for a few hundred points, too few for array operations to pay off.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Array = NDArray[np.float64]


class PlanePoints(NamedTuple):
    """Points for a plane fit: rays (z = 1), inverse depths, their standard deviations, and which to use."""

    rays: Array
    inverse_depth: Array
    noise: Array
    usable: NDArray[np.bool_]


class PlaneEstimate(NamedTuple):
    """Unit normal of a plane in camera axes, and the distance of the camera from it."""

    up: Array
    height: float


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def solved(normal: Array, right: Array) -> Array:
    """Solution of positive definite equations by Cholesky decomposition."""
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
def turn_steps(
    before: Array, after: Array, rotation: Array, focal: float, scales: Array
) -> tuple[Array, Array]:
    """Rotation between bearings (n, 2) by robust least squares, and the residuals before the last step."""
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
    """Two unit directions in a plane: horizontal sideways, and along the view."""
    size = np.sqrt(up[0] ** 2 + up[1] ** 2)
    side = np.array([up[1] / size, -up[0] / size, 0.0])
    ahead = np.array([side[1] * up[2], -side[0] * up[2], side[0] * up[1] - side[1] * up[0]])
    return side, ahead


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def plane_steps(
    points: PlanePoints, start: PlaneEstimate, expected: PlaneEstimate, pull: Array
) -> tuple[PlaneEstimate, Array]:
    """Plane fitted to inverse depths by robust least squares, and the normal matrix without the prior.

    The unknowns are two tilts and the log of the height. `pull` (3,) is the information of the prior.
    """
    rays, depth, noise, usable = points
    up, height = start
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
        away = np.array([0.0, 0.0, np.log(expected.height / height)])
        for i in range(3):
            away[0] += (expected.up[i] - up[i]) * side[i]
            away[1] += (expected.up[i] - up[i]) * ahead[i]
        for i in range(3):
            pulled[i, i] += pull[i]
            right[i] += pull[i] * away[i]
        delta = solved(pulled, right)
        up = up + delta[0] * side + delta[1] * ahead
        up = up / np.sqrt(up[0] ** 2 + up[1] ** 2 + up[2] ** 2)
        height = height * np.exp(min(max(delta[2], -0.5), 0.5))
    return PlaneEstimate(up, height), normal


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})  # type: ignore[untyped-decorator]
def _turned_correlation(
    before: NDArray[np.float32],
    after: NDArray[np.float32],
    turn: Array,
    lens: tuple[float, float, float, float],
    least_shared: float,
) -> tuple[float, float]:
    """Correlation of two images after rotating the first by `R_after_before`, and their overlap as a share.

    `lens`: (fx, fy, cx, cy) of both. The correlation is -1 if the overlap is too small or an image is
    uniform.
    """
    rows, columns = after.shape
    fx, fy, cx, cy = lens
    across, down = np.empty(columns), np.empty(columns)
    count, a, b, aa, bb, ab = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(rows):
        y = (i - cy) / fy
        for j in range(columns):  # without branches, so that it is vectorised
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
    """Correlations and overlaps for many rotations (n, 3, 3)."""
    correlations, shared = np.empty(len(turns)), np.empty(len(turns))
    for k in range(len(turns)):
        correlations[k], shared[k] = _turned_correlation(before, after, turns[k], lens, least_shared)
    return correlations, shared
