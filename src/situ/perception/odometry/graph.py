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

Numbers = NDArray[np.int64]
# Standard deviations at which a loop's say is halved. They shrink, so that at first every loop is heard,
# however far the way has drifted, and in the end only those that fit with the rest.
_CAUCHY = (1000.0, 100.0, 30.0, 10.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0)
_FINAL = 4  # of these steps: from here on small steps are the end
_SMALL_STEP = 1e-5
_FIXED = 1e6


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
    rotations, places = proper(nodes.poses)[:, :3, :3], nodes.poses[:, :3, 3].copy()
    logs, given = np.log(nodes.scales), np.log(nodes.scales)
    for number, scale in enumerate(_CAUCHY):
        system = _System(len(places), 7 if free_scale else 6)
        _add_edges(system, edges, rotations, places, logs, scale)
        _add_priors(system, priors, rotations, places, logs - given, scale)
        _hold_first(system, rotations[0])
        step = system.solve()
        rotations = rotations @ Rotation.from_rotvec(step[:, :3]).as_matrix()
        places = places + step[:, 3:6]
        if free_scale:
            logs = logs + step[:, 6]
        if number >= _FINAL and np.abs(step).max() < _SMALL_STEP:
            break
    poses = nodes.poses.copy()
    poses[:, :3, :3], poses[:, :3, 3] = rotations, places
    return Nodes(poses, np.exp(logs))


class _System:
    """Normal equations in blocks, one for each node or pair of nodes."""

    def __init__(self, count: int, size: int) -> None:
        self.count, self.size = count, size
        self._rows: list[NDArray[np.int64]] = []
        self._columns: list[NDArray[np.int64]] = []
        self._values: list[NDArray[np.float64]] = []
        self.right = np.zeros((count, size))

    def add(self, parts: list[tuple[Numbers, NDArray[np.float64]]], residual: Matrix, weight: Matrix) -> None:
        """Residuals (m, r), weights (m, r) and derivatives (m, r, size) by the nodes of each part."""
        for numbers, by in parts:
            weighted = by[:, :, : self.size] * weight[:, :, None]
            np.add.at(self.right, numbers, -np.einsum("mrs,mr->ms", weighted, residual))
            for others, by_other in parts:
                block = np.einsum("mrs,mrt->mst", weighted, by_other[:, :, : self.size])
                self._add_blocks(numbers, others, block)

    def _add_blocks(self, rows: Numbers, columns: Numbers, blocks: NDArray[np.float64]) -> None:
        inside = np.arange(self.size)
        shape = blocks.shape
        self._rows.append(
            np.broadcast_to((rows[:, None] * self.size + inside)[:, :, None], shape).reshape(-1)
        )
        self._columns.append(
            np.broadcast_to((columns[:, None] * self.size + inside)[:, None, :], shape).reshape(-1)
        )
        self._values.append(blocks.reshape(-1))

    def solve(self) -> Matrix:
        size = self.count * self.size
        entries = (
            np.concatenate(self._values),
            (np.concatenate(self._rows), np.concatenate(self._columns)),
        )
        normal = sparse.csc_matrix(entries, shape=(size, size)) + 1e-6 * sparse.identity(size, format="csc")
        step: Matrix = splu(normal).solve(self.right.reshape(-1)).reshape(self.count, self.size)
        return step


def _add_edges(
    system: _System,
    edges: Edges,
    rotations: NDArray[np.float64],
    places: Matrix,
    logs: Vector,
    cauchy: float,
) -> None:
    i, j = edges.first, edges.second
    back = rotations[i].transpose(0, 2, 1)
    unit = np.exp(-logs[i])
    seen = np.einsum("mab,mb->ma", back, places[j] - places[i]) * unit[:, None]
    turned = edges.motion[:, :3, :3].transpose(0, 2, 1) @ back @ rotations[j]
    residual = np.concatenate(
        [
            Rotation.from_matrix(turned).as_rotvec(),
            seen - edges.motion[:, :3, 3],
            (logs[j] - logs[i] - edges.log_scale)[:, None],
        ],
        axis=1,
    )
    count, eye = len(i), np.eye(3)
    by_first, by_second = np.zeros((count, 7, 7)), np.zeros((count, 7, 7))
    by_first[:, :3, :3] = -rotations[j].transpose(0, 2, 1) @ rotations[i]
    by_second[:, :3, :3] = eye
    by_first[:, 3:6, :3] = _cross(seen)
    by_first[:, 3:6, 3:6] = -back * unit[:, None, None]
    by_second[:, 3:6, 3:6] = back * unit[:, None, None]
    by_first[:, 3:6, 6] = -seen
    by_first[:, 6, 6], by_second[:, 6, 6] = -1.0, 1.0
    information = np.repeat(edges.sigma**-2.0, (3, 3, 1), axis=1)
    squared = np.sum(residual**2 * information, axis=1)
    say = np.where(edges.loop, 1.0 / (1.0 + squared / cauchy**2), 1.0)
    system.add([(i, by_first), (j, by_second)], residual, information * say[:, None])


def _add_priors(
    system: _System,
    priors: Priors,
    rotations: NDArray[np.float64],
    places: Matrix,
    rescaled: Vector,
    cauchy: float,
) -> None:
    numbers = np.arange(len(places))
    up = rotations[:, 2, :]  # of the world, in camera axes
    residual = np.concatenate([up - priors.up, (places[:, 2] - priors.height)[:, None], rescaled[:, None]], 1)
    by = np.zeros((len(places), 5, 7))
    by[:, :3, :3] = _cross(up)
    by[:, 3, 5] = by[:, 4, 6] = 1.0
    sigma = np.stack([*[priors.up_sigma] * 3, priors.height_sigma, priors.log_scale_sigma], axis=1)
    information = sigma**-2.0
    tilted = np.sum(residual[:, :3] ** 2, axis=1) * information[:, 0]
    information[:, :3] *= (1.0 / (1.0 + tilted / cauchy**2))[:, None]  # a ramp may pass for a floor
    system.add([(numbers, by)], residual, information)


def _hold_first(system: _System, rotation: Matrix) -> None:
    """Fix what nothing else can: the place, the heading and the unit of the first node, weakly its tilt."""
    by = np.zeros((1, 7, 7))
    by[0, 0, :3] = rotation[2]  # a turn about the world's vertical
    by[0, 1:4, 3:6] = np.eye(3)
    by[0, 4, 6] = 1.0
    by[0, 5, :3], by[0, 6, :3] = rotation[0], rotation[1]
    weight = np.array([[_FIXED] * 5 + [1.0] * 2])
    system.add([(np.zeros(1, np.int64), by)], np.zeros((1, 7)), weight)


def proper(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Poses whose rotations are rotations again, whatever rounding has added in long chains."""
    made = poses.copy()
    made[..., :3, :3] = Rotation.from_matrix(poses[..., :3, :3]).as_matrix()
    return made


def _cross(vectors: Matrix) -> NDArray[np.float64]:
    """Matrices of the cross product with each vector from the left."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
