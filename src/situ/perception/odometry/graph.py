"""Pose graph: keyframes as nodes, measured motions between them as edges, solved by robust Gauss-Newton.

A node is a similarity: rotation, position and the scale of what was measured there. Where depth is measured
all scales stay at one (SE3); where it is not, they are free (Sim3). Translations of an edge are in the units
of its first node.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu
from scipy.spatial.transform import Rotation

from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.blocks import Numbers, add_edges, add_priors, hold_first

# Standard deviations at which a loop's say is halved. They shrink, so that at first every loop is heard,
# however far the way has drifted, and in the end only those that fit with the rest.
_CAUCHY = (1000.0, 100.0, 30.0, 10.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0)
_FINAL = 4  # of these steps: from here on small steps are the end
_SMALL_STEP = 1e-5
_DAMPING = 1e-6


@dataclass(frozen=True, eq=False)
class Edges:
    """Motions `T_first_second` and how sure they are: rotation (radians), translation, log of the scale."""

    first: Numbers
    second: Numbers
    motion: NDArray[np.float64]  # (m, 4, 4)
    log_scale: Vector  # of the second node over the first
    sigma: Matrix  # (m, 3)
    loop: NDArray[np.bool_]  # loops may be mistaken, motions that were followed are not


@dataclass(frozen=True, eq=False)
class Priors:
    """What is known of single nodes: up in camera axes, height and log scale; infinite sigma says nothing."""

    up: Matrix  # (n, 3)
    up_sigma: Vector
    height: Vector
    height_sigma: Vector
    log_scale_sigma: Vector  # about the scale that the node has


@dataclass(frozen=True, eq=False)
class Nodes:
    poses: NDArray[np.float64]  # (n, 4, 4)
    scales: Vector


def optimise(nodes: Nodes, edges: Edges, priors: Priors, free_scale: bool) -> Nodes:
    """The most likely nodes. The first keeps its place and its heading."""
    rotations, places = proper(nodes.poses)[:, :3, :3].copy(), nodes.poses[:, :3, 3].copy()
    logs, given = np.log(nodes.scales), np.log(nodes.scales)
    count, size = len(places), 7 if free_scale else 6
    first, second = (np.ascontiguousarray(end, dtype=np.int64) for end in (edges.first, edges.second))
    back = edges.motion[:, :3, :3].transpose(0, 2, 1)
    shifts, sure = edges.motion[:, :3, 3].copy(), np.repeat(edges.sigma**-2.0, (3, 3, 1), axis=1)
    known = np.stack([priors.up_sigma, priors.height_sigma, priors.log_scale_sigma], axis=1) ** -2.0
    up, height = (np.ascontiguousarray(told, dtype=float) for told in (priors.up, priors.height))
    pattern = _Pattern(first, second, count, size)
    for number, scale in enumerate(_CAUCHY):
        right, own = np.zeros((count, size)), np.tile(_DAMPING * np.eye(size), (count, 1, 1))
        shared = np.zeros((len(shifts), size, size))
        between = back @ rotations[first].transpose(0, 2, 1) @ rotations[second]
        turned = Rotation.from_matrix(between).as_rotvec()
        add_edges(
            first, second, turned, shifts, edges.log_scale, sure, edges.loop, rotations, places, logs, scale,
            right, own, shared,
        )  # fmt: skip
        add_priors(up, height, known, rotations, places, logs - given, scale, right, own)
        hold_first(rotations[0], own)
        step = pattern.solved(own, shared, right)
        rotations = rotations @ Rotation.from_rotvec(step[:, :3]).as_matrix()
        places = places + step[:, 3:6]
        if free_scale:
            logs = logs + step[:, 6]
        if number >= _FINAL and np.abs(step).max() < _SMALL_STEP:
            break
    poses = nodes.poses.copy()
    poses[:, :3, :3], poses[:, :3, 3] = rotations, places
    return Nodes(poses, np.exp(logs))


class _Pattern:
    """Where the entries of all blocks are in the matrix of the equations: the same in every step."""

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

    def solved(self, own: NDArray[np.float64], shared: NDArray[np.float64], right: Matrix) -> Matrix:
        values = np.concatenate([own, shared, shared.transpose(0, 2, 1)])
        entries = np.bincount(self._which.reshape(-1), values.reshape(-1), len(self._rows))
        normal = sparse.csc_matrix((entries, self._rows, self._begins), shape=(self._size, self._size))
        step: Matrix = splu(normal).solve(right.reshape(-1)).reshape(right.shape)
        return step


def proper(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Poses whose rotations are rotations again, whatever rounding has added in long chains."""
    made = poses.copy()
    made[..., :3, :3] = Rotation.from_matrix(poses[..., :3, :3]).as_matrix()
    return made
