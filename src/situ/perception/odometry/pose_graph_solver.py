"""Pose graph optimisation: keyframes as nodes, measured motions as edges, solved by robust Gauss-Newton.

A node is a similarity: rotation, position and scale of what was measured there. With measured depth all
scales are fixed at one (SE3); without it they are free (Sim3). The translation of an edge is in units of its
first node.

The normal equations are added up in compiled loops, in one block per node and one per edge. For graphs of a
few dozen nodes this is faster than array operations over all edges.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu
from scipy.spatial.transform import Rotation

from situ.compiled import njit
from situ.geometry.pose import Matrix, Vector

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
# Cauchy scales in standard deviations. They shrink: first every loop counts, however far the path has
# drifted; in the end only loops that agree with the rest do.
_CAUCHY_SIGMAS = (1000.0, 100.0, 30.0, 10.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0)
_FIRST_STOP = 4  # step from which on a small step ends the iteration
_SMALL_STEP = 1e-5  # radians, metres or log scale
_DAMPING = 1e-6  # keeps the normal matrix regular
_FIXED, _WEAK = 1e6, 1.0  # information that fixes a quantity, and that only keeps the equations regular


@dataclass(frozen=True, eq=False)
class Edges:
    """Motions `T_first_second` with sigmas of rotation (radians), translation and log scale."""

    first: Numbers
    second: Numbers
    motion: NDArray[np.float64]  # (m, 4, 4)
    log_scale: Vector  # of the second node relative to the first
    sigma: Matrix  # (m, 3)
    loop: NDArray[np.bool_]  # loop edges may be outliers, odometry edges may not


@dataclass(frozen=True, eq=False)
class Priors:
    """Priors of single nodes: up in camera axes, height and log scale. Infinite sigma: no prior."""

    up: Matrix  # (n, 3)
    up_sigma: Vector
    height: Vector
    height_sigma: Vector
    log_scale_sigma: Vector  # around the initial scale of the node


@dataclass(frozen=True, eq=False)
class Nodes:
    """Poses and scales of the graph's nodes."""

    poses: NDArray[np.float64]  # (n, 4, 4)
    scales: Vector


class EdgeArrays(NamedTuple):
    """Edges as the compiled loops read them; `information` (m, 7) is the diagonal."""

    first: Numbers
    second: Numbers
    shifts: Array
    log_scale: Array
    information: Array
    loop: NDArray[np.bool_]


class PriorArrays(NamedTuple):
    """Priors as the compiled loops read them; `information` (n, 3) of up, height and log scale."""

    up: Array
    height: Array
    information: Array


class NodeArrays(NamedTuple):
    """Current estimate of the nodes."""

    rotations: Array
    places: Array
    log_scales: Array


class Blocks(NamedTuple):
    """Normal equations: right side, diagonal blocks of nodes, off-diagonal blocks of edges (first,
    second)."""

    right: Array
    nodes: Array
    pairs: Array


def optimise(nodes: Nodes, edges: Edges, priors: Priors, free_scale: bool) -> Nodes:
    """Most likely poses and scales. The first node keeps its position and heading."""
    estimate = NodeArrays(
        proper(nodes.poses)[:, :3, :3].copy(), nodes.poses[:, :3, 3].copy(), np.log(nodes.scales)
    )
    given = estimate.log_scales
    count, size = len(nodes.poses), 7 if free_scale else 6
    first, second = (np.ascontiguousarray(end, dtype=np.int64) for end in (edges.first, edges.second))
    back = edges.motion[:, :3, :3].transpose(0, 2, 1)
    information = np.repeat(edges.sigma**-2.0, (3, 3, 1), axis=1)
    measured = EdgeArrays(
        first, second, edges.motion[:, :3, 3].copy(), edges.log_scale, information, edges.loop
    )
    known = PriorArrays(
        np.ascontiguousarray(priors.up, dtype=float),
        np.ascontiguousarray(priors.height, dtype=float),
        np.stack([priors.up_sigma, priors.height_sigma, priors.log_scale_sigma], axis=1) ** -2.0,
    )
    pattern = _SparsePattern(first, second, count, size)
    for number, scale in enumerate(_CAUCHY_SIGMAS):
        blocks = Blocks(
            np.zeros((count, size)),
            np.tile(_DAMPING * np.eye(size), (count, 1, 1)),
            np.zeros((len(first), size, size)),
        )
        between = back @ estimate.rotations[first].transpose(0, 2, 1) @ estimate.rotations[second]
        turned = Rotation.from_matrix(between).as_rotvec()
        _add_edges(measured, turned, estimate, scale, blocks)
        _add_priors(known, estimate.log_scales - given, estimate, scale, blocks)
        _fix_first(estimate.rotations[0], blocks.nodes)
        step = pattern.solved(blocks)
        estimate = NodeArrays(
            estimate.rotations @ Rotation.from_rotvec(step[:, :3]).as_matrix(),
            estimate.places + step[:, 3:6],
            estimate.log_scales + step[:, 6] if free_scale else estimate.log_scales,
        )
        if number >= _FIRST_STOP and np.abs(step).max() < _SMALL_STEP:
            break
    poses = nodes.poses.copy()
    poses[:, :3, :3], poses[:, :3, 3] = estimate.rotations, estimate.places
    return Nodes(poses, np.exp(estimate.log_scales))


class _SparsePattern:
    """Positions of all blocks in the sparse normal matrix, which are the same in every step."""

    def __init__(self, first: Numbers, second: Numbers, count: int, size: int) -> None:
        self._size = count * size
        diagonal, inside = np.arange(count), np.arange(size)
        rows, columns = (
            np.concatenate(each) for each in ((diagonal, first, second), (diagonal, second, first))
        )
        row = rows[:, None, None] * size + inside[:, None]
        column = columns[:, None, None] * size + inside
        places, self._which = np.unique(column * self._size + row, return_inverse=True)
        self._rows = places % self._size
        self._begins = np.searchsorted(places, np.arange(self._size + 1) * self._size)

    def solved(self, blocks: Blocks) -> Matrix:
        """The step that solves the equations, one row per node."""
        values = np.concatenate([blocks.nodes, blocks.pairs, blocks.pairs.transpose(0, 2, 1)])
        entries = np.bincount(self._which.reshape(-1), values.reshape(-1), len(self._rows))
        normal = sparse.csc_matrix((entries, self._rows, self._begins), shape=(self._size, self._size))
        step: Matrix = splu(normal).solve(blocks.right.reshape(-1)).reshape(blocks.right.shape)
        return step


def proper(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Poses with orthonormal rotations, without the rounding errors of long chains."""
    made = poses.copy()
    made[..., :3, :3] = Rotation.from_matrix(poses[..., :3, :3]).as_matrix()
    return made


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _add_edges(edges: EdgeArrays, turned: Array, nodes: NodeArrays, cauchy: float, to: Blocks) -> None:
    """Add the residuals of all edges to the equations. `turned` (m, 3): rotation residuals.

    Loop edges get Cauchy weights.
    """
    rotations, places, logs = nodes.rotations, nodes.places, nodes.log_scales
    information, size = edges.information, to.right.shape[1]
    by_first, by_second, off = np.zeros((7, 7)), np.zeros((7, 7)), np.empty(7)
    for e in range(len(edges.first)):
        i, j = edges.first[e], edges.second[e]
        unit = np.exp(-logs[i])
        for a in range(3):
            seen = 0.0
            for b in range(3):
                seen += rotations[i, b, a] * (places[j, b] - places[i, b]) * unit
                by_first[3 + a, 3 + b] = -rotations[i, b, a] * unit
                by_second[3 + a, 3 + b] = rotations[i, b, a] * unit
                product = 0.0
                for c in range(3):
                    product += rotations[j, c, a] * rotations[i, c, b]
                by_first[a, b] = -product
            by_second[a, a] = 1.0
            by_first[3 + a, 6] = -seen
            off[a], off[3 + a] = turned[e, a], seen - edges.shifts[e, a]
        x, y, z = -by_first[3, 6], -by_first[4, 6], -by_first[5, 6]
        by_first[3, 1], by_first[3, 2], by_first[4, 0] = -z, y, z
        by_first[4, 2], by_first[5, 0], by_first[5, 1] = -x, -y, x
        by_first[6, 6], by_second[6, 6] = -1.0, 1.0
        off[6] = logs[j] - logs[i] - edges.log_scale[e]
        robust = 1.0
        if edges.loop[e]:
            squared = 0.0
            for r in range(7):
                squared += off[r] * off[r] * information[e, r]
            robust = 1.0 / (1.0 + squared / cauchy**2)
        for r in range(7):
            weight = robust * information[e, r]
            for s in range(size):
                one, other = weight * by_first[r, s], weight * by_second[r, s]
                to.right[i, s] -= one * off[r]
                to.right[j, s] -= other * off[r]
                for t in range(size):
                    to.nodes[i, s, t] += one * by_first[r, t]
                    to.nodes[j, s, t] += other * by_second[r, t]
                    to.pairs[e, s, t] += one * by_second[r, t]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _add_priors(priors: PriorArrays, rescaled: Array, nodes: NodeArrays, cauchy: float, to: Blocks) -> None:
    """Add the residuals of all priors to the equations. `rescaled`: change of the log scales so far.

    Up gets Cauchy weights, because a ramp may be mistaken for a floor.
    """
    size, information = to.right.shape[1], priors.information
    by, off = np.zeros((3, 3)), np.empty(3)
    for i in range(len(priors.up)):
        rotation = nodes.rotations[i]
        x, y, z = rotation[2, 0], rotation[2, 1], rotation[2, 2]
        by[0, 1], by[0, 2], by[1, 0] = -z, y, z
        by[1, 2], by[2, 0], by[2, 1] = -x, -y, x
        squared = 0.0
        for r in range(3):
            off[r] = rotation[2, r] - priors.up[i, r]
            squared += off[r] * off[r]
        weight = information[i, 0] / (1.0 + squared * information[i, 0] / cauchy**2)
        for s in range(3):
            for r in range(3):
                to.right[i, s] -= weight * by[r, s] * off[r]
                for t in range(3):
                    to.nodes[i, s, t] += weight * by[r, s] * by[r, t]
        to.right[i, 5] -= information[i, 1] * (nodes.places[i, 2] - priors.height[i])
        to.nodes[i, 5, 5] += information[i, 1]
        if size > 6:
            to.right[i, 6] -= information[i, 2] * rescaled[i]
            to.nodes[i, 6, 6] += information[i, 2]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _fix_first(rotation: Array, nodes: Array) -> None:
    """Fix the gauge: position, heading and scale of the first node, and weakly its tilt."""
    for s in range(3):
        for t in range(3):
            nodes[0, s, t] += _FIXED * rotation[2, s] * rotation[2, t]
            nodes[0, s, t] += _WEAK * (rotation[0, s] * rotation[0, t] + rotation[1, s] * rotation[1, t])
    for s in range(3, nodes.shape[1]):
        nodes[0, s, s] += _FIXED
