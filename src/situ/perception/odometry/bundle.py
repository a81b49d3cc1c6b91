"""What several keyframes see of the same landmarks, as equations for their poses and the landmarks' depths:
the compiled part of an adjustment."""

import numpy as np

from situ.compiled import njit
from situ.perception.odometry.equations import Array, solved

_CAUCHY = 2.5  # as in the last steps of a single pose


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def between(rotations: Array, centres: Array) -> tuple[Array, Array]:
    """From each keyframe (second) into each (first): `R_first_second`, and where the second's centre is."""
    count = len(rotations)
    turns, shifts = np.empty((count, count, 3, 3)), np.empty((count, count, 3))
    for k in range(count):
        for a in range(count):
            np.dot(rotations[k], rotations[a].T, turns[k, a])
            np.dot(rotations[k], centres[a] - centres[k], shifts[k, a])
    return turns, shifts


@njit(cache=True, nogil=True)
def total_cost(turns, shifts, rays, anchors, depths, expected, information, viewed, views, focal):  # type: ignore[no-untyped-def]
    total = 0.0
    for n in range(len(rays)):
        total += information[n] * (depths[n] - expected[n]) ** 2
        u, v, a = rays[n, 0], rays[n, 1], anchors[n]
        for i in range(viewed.shape[1]):
            k = viewed[n, i]
            if k < 0:
                continue
            turn, shift = turns[k, a], shifts[k, a]
            z = turn[2, 0] * u + turn[2, 1] * v + turn[2, 2] + depths[n] * shift[2]
            z = max(z, 1e-6)
            x = (turn[0, 0] * u + turn[0, 1] * v + turn[0, 2] + depths[n] * shift[0]) / z
            y = (turn[1, 0] * u + turn[1, 1] * v + turn[1, 2] + depths[n] * shift[1]) / z
            squared = focal * focal * ((views[n, i, 0] - x) ** 2 + (views[n, i, 1] - y) ** 2)
            total += _CAUCHY**2 * np.log(1.0 + squared / _CAUCHY**2)
    return total


@njit(cache=True, nogil=True)
def equations(rotations, turns, shifts, held, rays, anchors, depths, viewed, views, focal):  # type: ignore[no-untyped-def]
    """Normal matrix and right side of the free poses, those of each depth, and what ties the two."""
    count, size = len(rays), 6 * (len(rotations) - held)
    normal, right, across = np.zeros((size, size)), np.zeros(size), np.zeros((count, size))
    curve, slope = np.zeros(count), np.zeros(count)
    by_x, by_y = np.empty(12), np.empty(12)  # the keyframe that sees it: rotation, centre; then its anchor
    for n in range(count):
        a, u, v, depth = anchors[n], rays[n, 0], rays[n, 1], depths[n]
        for i in range(viewed.shape[1]):
            k = viewed[n, i]
            if k < 0:
                continue
            turn, shift, rotation = turns[k, a], shifts[k, a], rotations[k]
            px = turn[0, 0] * u + turn[0, 1] * v + turn[0, 2] + depth * shift[0]
            py = turn[1, 0] * u + turn[1, 1] * v + turn[1, 2] + depth * shift[1]
            pz = turn[2, 0] * u + turn[2, 1] * v + turn[2, 2] + depth * shift[2]
            if pz <= 1e-6:
                continue
            x, y, f = px / pz, py / pz, focal / pz
            off_x, off_y = focal * (views[n, i, 0] - x), focal * (views[n, i, 1] - y)
            weight = 1.0 / (1.0 + (off_x * off_x + off_y * off_y) / _CAUCHY**2)
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
            curve[n] += weight * (deep_x * deep_x + deep_y * deep_y)
            slope[n] += weight * (deep_x * off_x + deep_y * off_y)
            for one in range(12):
                at = 6 * ((k if one < 6 else a) - held) + one % 6
                if at < 0:
                    continue
                to_x, to_y = weight * by_x[one], weight * by_y[one]
                right[at] += to_x * off_x + to_y * off_y
                across[n, at] += to_x * deep_x + to_y * deep_y
                for other in range(12):
                    to = 6 * ((k if other < 6 else a) - held) + other % 6
                    if to >= 0:
                        normal[at, to] += to_x * by_x[other] + to_y * by_y[other]
    return normal, right, across, curve, slope


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def step(  # type: ignore[no-untyped-def]
    normal: Array, right: Array, across: Array, curve: Array, slope: Array, damping: float
):
    """Steps of poses and of depths, with the depths eliminated."""
    stiff = curve * (1.0 + damping) + 1e-12
    tied = across / stiff.reshape(-1, 1)
    reduced = normal - across.T @ tied
    for i in range(len(right)):
        reduced[i, i] += damping * normal[i, i] + 1e-9
    by_pose = solved(reduced, right - tied.T @ slope)
    return by_pose, slope / stiff - tied @ by_pose
