"""Camera pose from point-to-bearing matches with many outliers: P3P in a RANSAC loop, compiled.

Three matches have at most four solutions (Grunert 1841), from the real roots of a quartic polynomial.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

Array = NDArray[np.float64]
_CONFIDENCE = 0.999  # probability of having drawn three inliers at which sampling stops
_SMALL = 1e-12  # below this a number counts as 0
_FLAT = 1e-6  # smallest squared area of a triangle, relative to the square on its longest side


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def ransac_p3p(points: Array, flat: Array, off: float, tries: int) -> tuple[Array, Array, float]:
    """`R_camera_points`, the translation, and the truncated cost, by RANSAC over P3P solutions.

    `flat` (n, 2): image-plane coordinates. `off`: inlier threshold in the same units. The cost is the sum of
    squared errors, each at most `off` squared. Samples are deterministic. Without a solution the translation
    is NaN.
    """
    count, most = len(points), off * off
    turn, shift, best = np.eye(3), np.full(3, np.nan), count * most
    rays, corners = np.empty((3, 3)), np.empty((3, 3))
    state, drawn, needed = np.uint64(1), 0, float(tries)
    three = np.zeros(3, np.int64)
    while drawn < needed and count >= 3:
        drawn += 1
        for i in range(3):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            three[i] = np.int64(state >> np.uint64(33)) % count
        if three[0] == three[1] or three[0] == three[2] or three[1] == three[2]:
            continue
        for i in range(3):
            x, y = flat[three[i], 0], flat[three[i], 1]
            length = np.sqrt(x * x + y * y + 1.0)
            rays[i, 0], rays[i, 1], rays[i, 2] = x / length, y / length, 1.0 / length
            for j in range(3):
                corners[i, j] = points[three[i], j]
        distances, found = p3p_distances(corners, rays)
        for k in range(found):
            rotation, away = _placed(corners, rays, distances[k])
            cost, near = _cost(points, flat, rotation, away, most, best)
            if cost < best:
                best, turn, shift = cost, rotation, away
                right = (near / count) ** 3
                if right > 1.0 - 1e-9:
                    needed = 0.0
                elif right > _SMALL:
                    needed = min(needed, np.log(1.0 - _CONFIDENCE) / np.log(1.0 - right))
    return turn, shift, best


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def p3p_distances(corners: Array, rays: Array) -> tuple[Array, int]:
    """Distances of a triangle's corners along three unit rays: up to four solutions, and their number."""
    made, found = np.empty((4, 3)), 0
    aa = bb = cc = alpha = beta = gamma = 0.0
    for i in range(3):
        aa += (corners[1, i] - corners[2, i]) ** 2
        bb += (corners[0, i] - corners[2, i]) ** 2
        cc += (corners[0, i] - corners[1, i]) ** 2
        alpha += rays[1, i] * rays[2, i]
        beta += rays[0, i] * rays[2, i]
        gamma += rays[0, i] * rays[1, i]
    # Sixteen times the squared area (Heron): collinear corners leave a rotation undetermined.
    if 2.0 * (aa * bb + bb * cc + cc * aa) - aa * aa - bb * bb - cc * cc <= _FLAT * max(aa, bb, cc) ** 2:
        return made, 0
    p, q, r, s = (aa - cc) / bb, (aa + cc) / bb, cc / bb, aa / bb
    a4 = (p - 1.0) ** 2 - 4.0 * r * alpha**2
    a3 = 4.0 * (p * (1.0 - p) * beta - (1.0 - q) * alpha * gamma + 2.0 * r * alpha**2 * beta)
    a2 = 2.0 * (p * p - 1.0 + 2.0 * p * p * beta**2 + 2.0 * (1.0 - r) * alpha**2)
    a2 += 2.0 * (-4.0 * q * alpha * beta * gamma + 2.0 * (1.0 - s) * gamma**2)
    a1 = 4.0 * (-p * (1.0 + p) * beta + 2.0 * s * gamma**2 * beta - (1.0 - q) * alpha * gamma)
    a0 = (1.0 + p) ** 2 - 4.0 * s * gamma**2
    roots, count = quartic_roots(a4, a3, a2, a1, a0)
    for k in range(count):
        v = roots[k]
        below = 2.0 * (gamma - v * alpha)
        squared = 1.0 + v * v - 2.0 * v * beta
        if abs(below) < 1e-9 or squared < _SMALL:
            continue
        u = ((p - 1.0) * v * v - 2.0 * p * beta * v + 1.0 + p) / below
        first = np.sqrt(bb / squared)
        if u > 0.0 and v > 0.0:
            made[found, 0], made[found, 1], made[found, 2] = first, u * first, v * first
            found += 1
    return made, found


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def quartic_roots(a4: float, a3: float, a2: float, a1: float, a0: float) -> tuple[Array, int]:
    """Real roots of a quartic polynomial, and their number (Ferrari, refined by Newton steps)."""
    roots, count = np.empty(4), 0
    if abs(a4) < _SMALL:
        return roots, 0
    b, c, d, e = a3 / a4, a2 / a4, a1 / a4, a0 / a4
    p = c - 0.375 * b * b
    q = d - 0.5 * b * c + 0.125 * b**3
    r = e - 0.25 * b * d + b * b * c / 16.0 - 3.0 * b**4 / 256.0
    m = _largest_root(p, 0.25 * p * p - r, -0.125 * q * q)
    if m < _SMALL:
        return roots, 0
    root = np.sqrt(2.0 * m)
    for sign in (-1.0, 1.0):
        inside = -2.0 * (p + m) + sign * 2.0 * q / root
        if inside < 0.0:
            continue
        for other in (-1.0, 1.0):
            x = 0.5 * (-sign * root + other * np.sqrt(inside)) - 0.25 * b
            for _ in range(2):
                slope = ((4.0 * x + 3.0 * b) * x + 2.0 * c) * x + d
                if abs(slope) > _SMALL:
                    x -= ((((x + b) * x + c) * x + d) * x + e) / slope
            roots[count] = x
            count += 1
    return roots, count


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _largest_root(a: float, b: float, c: float) -> float:
    """Largest real root of x^3 + a x^2 + b x + c."""
    q, r = (a * a - 3.0 * b) / 9.0, (2.0 * a**3 - 9.0 * a * b + 27.0 * c) / 54.0
    if r * r < q**3:
        angle = np.arccos(min(max(r / np.sqrt(q**3), -1.0), 1.0))
        largest: float = -2.0 * np.sqrt(q) * np.cos((angle + 2.0 * np.pi) / 3.0) - a / 3.0
        return largest
    one = -np.sign(r) * (abs(r) + np.sqrt(r * r - q**3)) ** (1.0 / 3.0)
    only: float = one + (q / one if one != 0.0 else 0.0) - a / 3.0
    return only


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _placed(corners: Array, rays: Array, distances: Array) -> tuple[Array, Array]:
    """Rotation and translation that move a triangle's corners onto the rays at the given distances."""
    seen, rotation, shift = np.empty((3, 3)), np.zeros((3, 3)), np.empty(3)
    for i in range(3):
        for j in range(3):
            seen[i, j] = rays[i, j] * distances[i]
    there, here = _axes(corners), _axes(seen)
    for i in range(3):
        for j in range(3):
            for k in range(3):
                rotation[i, j] += here[k, i] * there[k, j]
        shift[i] = seen[0, i]
        for j in range(3):
            shift[i] -= rotation[i, j] * corners[0, j]
    return rotation, shift


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _axes(corners: Array) -> Array:
    """Orthonormal axes of a triangle as rows: its first side, the perpendicular in its plane, its normal.

    Written by element: row operations take ten times as long to compile.
    """
    made, aside = np.empty((3, 3)), np.empty(3)
    for i in range(3):
        made[0, i], aside[i] = corners[1, i] - corners[0, i], corners[2, i] - corners[0, i]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        made[2, i] = made[0, j] * aside[k] - made[0, k] * aside[j]
    along = np.sqrt(made[0, 0] ** 2 + made[0, 1] ** 2 + made[0, 2] ** 2)
    out = max(np.sqrt(made[2, 0] ** 2 + made[2, 1] ** 2 + made[2, 2] ** 2), _SMALL)
    for i in range(3):
        made[0, i] /= along
        made[2, i] /= out
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        made[1, i] = made[2, j] * made[0, k] - made[2, k] * made[0, j]
    return made


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _cost(
    points: Array, flat: Array, rotation: Array, shift: Array, most: float, best: float
) -> tuple[float, int]:
    """Truncated cost of a pose and its number of inliers; stops early when worse than `best`."""
    cost, near = 0.0, 0
    for k in range(len(points)):
        x, y, z = points[k, 0], points[k, 1], points[k, 2]
        depth = rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z + shift[2]
        across = rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z + shift[0]
        down = rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z + shift[1]
        gap = most
        if depth > 1e-6:
            off_x, off_y = across / depth - flat[k, 0], down / depth - flat[k, 1]
            gap = off_x * off_x + off_y * off_y
        if gap < most:
            near += 1
            cost += gap
        else:
            cost += most
            if cost >= best:
                break
    return cost, near
