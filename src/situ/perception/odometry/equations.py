"""The normal equations of a camera pose, in one pass over the landmarks.

They are solved a dozen times for every frame, for some hundreds of landmarks: too few for arrays to pay.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Array = NDArray[np.float64]


@njit(cache=True)  # type: ignore[untyped-decorator]
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
) -> tuple[Array, Array]:
    """Normal matrix (6, 6) and right side (6,) of robust least squares around a pose, with Cauchy weights of
    a `scale`. `squared` is filled with each landmark's squared Mahalanobis length, negative behind the
    camera. How badly a depth is known widens its residual along the epipolar line (Sherman and Morrison)."""
    normal, right = np.zeros((6, 6)), np.zeros(6)
    by_x, by_y = np.empty(6), np.empty(6)
    variance = noise_px * noise_px
    for k in range(len(rays)):
        px = py = pz = mx = my = mz = 0.0
        for i in range(3):
            away = anchors[k, i] - centre[i]
            towards = rays[k, i] + inverse_depth[k] * away
            px += rotation[0, i] * towards
            py += rotation[1, i] * towards
            pz += rotation[2, i] * towards
            mx += rotation[0, i] * away
            my += rotation[1, i] * away
            mz += rotation[2, i] * away
        z = pz if abs(pz) > 1e-6 else 1e-6
        x, y, f = px / z, py / z, focal / z
        off_x, off_y = focal * (seen[k, 0] - x), focal * (seen[k, 1] - y)
        # Derivatives by a small rotation (point x gradient), by the centre, and by the inverse depth.
        by_x[0], by_x[1], by_x[2] = -f * py * x, f * (pz + px * x), -f * py
        by_y[0], by_y[1], by_y[2] = -f * (pz + py * y), f * px * y, f * px
        for i in range(3):
            by_x[3 + i] = -inverse_depth[k] * f * (rotation[0, i] - x * rotation[2, i])
            by_y[3 + i] = -inverse_depth[k] * f * (rotation[1, i] - y * rotation[2, i])
        deep_x, deep_y = f * (mx - x * mz), f * (my - y * mz)
        doubt = sigma[k] * sigma[k]
        gain = doubt / (variance + doubt * (deep_x * deep_x + deep_y * deep_y))
        xx = (1.0 - gain * deep_x * deep_x) / variance
        xy = -gain * deep_x * deep_y / variance
        yy = (1.0 - gain * deep_y * deep_y) / variance
        length = xx * off_x * off_x + 2.0 * xy * off_x * off_y + yy * off_y * off_y
        weight = 1.0 / (1.0 + length / (scale * scale))
        squared[k] = length if pz > 0.0 else -length
        for i in range(6):
            to_x, to_y = weight * (by_x[i] * xx + by_y[i] * xy), weight * (by_x[i] * xy + by_y[i] * yy)
            right[i] += to_x * off_x + to_y * off_y
            for j in range(6):
                normal[i, j] += to_x * by_x[j] + to_y * by_y[j]
    return normal, right
