"""Least squares for a camera's pose from landmarks whose depths are known more or less well, compiled."""

import numpy as np

from situ.compiled import njit
from situ.perception.odometry.equations import Array, solved, turned_by

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
        moved, most = centre.copy(), 0.0
        for i in range(6):
            most = max(most, abs(delta[i]))
        for i in range(3):
            moved[i] += delta[3 + i]
        centre = moved
        if step >= 3:
            # For two normal components the median of the square is 1.386.
            measured = noise_px * np.sqrt(median_size(squared) / 1.386) if len(squared) else noise_px
            noise_px = min(max(measured, noise_limits[0]), noise_limits[1])
            if most < 1e-7:
                break
    return rotation, centre, noise_px, likely


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def median_size(values: Array) -> float:
    """The median of absolute values, by selection (Hoare); that of NumPy takes far longer to compile."""
    left, half = values.copy(), len(values) // 2
    for i in range(len(left)):
        left[i] = abs(left[i])
    low, high = 0, len(left) - 1
    while low < high:
        pivot, i, j = left[(low + high) // 2], low, high
        while i <= j:
            while left[i] < pivot:
                i += 1
            while left[j] > pivot:
                j -= 1
            if i <= j:
                left[i], left[j] = left[j], left[i]
                i, j = i + 1, j - 1
        if half <= j:
            high = j
        elif half >= i:
            low = i
        else:
            break
    middle: float = left[half]
    if len(left) % 2 == 0:
        below = left[0]
        for i in range(half):
            below = max(below, left[i])
        middle = 0.5 * (below + middle)
    return middle
