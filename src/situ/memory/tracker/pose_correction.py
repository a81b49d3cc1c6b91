"""Keeping the wearer's pose in step with the remembered things: a small correction of position and yaw."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options import MemoryOptions
from situ.memory.options.poses import DEPTH_ERROR, DRIFT
from situ.memory.tables.motion import AGENT
from situ.memory.tables.tracks import Table


class Drift:
    """The transform from the given poses to the map, and how far it can be off.

    Odometry drifts in proportion to the way; things that stay put tell by how much. With exact poses the
    residuals are zero and so is the correction.
    """

    def __init__(self, options: MemoryOptions) -> None:
        self.correction: Matrix = np.eye(4)
        self.sigma_m = 0.0
        self.sigma_rad = 0.0
        self.scale = 1.0
        self._way = (0.0, 0.0)
        self._walked = self._pulled = 0.0
        self._share = options.pose_drift_share
        self._yaw_per_m = math.radians(options.pose_drift_yaw_deg)
        self._yaw_share = options.pose_drift_yaw_share

    @property
    def on(self) -> bool:
        return self._share > 0 or self._yaw_per_m > 0

    def walk(self, metres: float, radians: float, way: tuple[float, float]) -> None:
        """A systematic error grows with the way and the turns, not with their root: sigmas add up."""
        self._way = way
        self.sigma_m += self.scale * self._share * metres
        self.sigma_rad += self.scale * (self._yaw_per_m * metres + self._yaw_share * radians)

    def take_back(self, motion: NDArray[np.float64], pose: Matrix) -> None:
        """Follow a jump of the given poses: a shift and a turn about where the wearer seems to be."""
        self.correction = shifted(self.correction, pose[:3, 3].copy(), motion)
        self.sigma_m, self.sigma_rad = (
            max(self.sigma_m, DRIFT.after_jump_m),
            max(self.sigma_rad, DRIFT.after_jump_rad),
        )

    def settle(
        self,
        rows: Table,
        observed: NDArray[np.void],
        chosen: NDArray[np.int32],
        position: NDArray[np.float64],
        bias_m: float,
    ) -> float:
        """Shift the correction so that matched things lie where they are remembered; the metres shifted."""
        if not self.on or self.sigma_m <= 0.0:
            return 0.0
        step, variance_m, variance_rad = solve(
            rows, observed, chosen, position, self.sigma_m, max(self.sigma_rad, DRIFT.least_rad), bias_m
        )
        moved = float(step[4]) > 0.0
        correction = shifted(self.correction, position, step) if moved else self.correction
        self.adopt(correction, [*step.tolist(), variance_m, variance_rad])
        return float(step[4]) if moved else 0.0

    def adopt(self, correction: Matrix, step: list[float]) -> None:
        """Take over a step that was solved for: shifts and yaw, and the variances after it."""
        x, y, _, _, metres, variance_m, variance_rad = step
        self._learn(x, y, metres, self.sigma_m**2 - variance_m)
        self._note_pull(x, y)
        self.sigma_m, self.sigma_rad = math.sqrt(variance_m), math.sqrt(variance_rad)
        self.correction = correction

    def _learn(self, x: float, y: float, metres: float, explained: float) -> None:
        """Poses that keep being off by more than was allowed for drift more than was said."""
        if explained <= 0.0 or not metres > 0.0:
            return
        surprise = min((x**2 + y**2) / (2.0 * explained), DRIFT.most_surprise)
        squared = self.scale**2 * (1.0 + DRIFT.learn * (surprise - 1.0))
        self.scale = min(max(math.sqrt(squared), 1.0), DRIFT.most_scale)

    @property
    def pull(self) -> float:
        """The share of the way by which corrections carry the wearer on; they hold back, if negative.
        Depth that is too long shrinks by more than a step ahead, as if the wearer had come farther."""
        return self._pulled / (self._walked + DEPTH_ERROR.walked_m2)

    def _note_pull(self, x: float, y: float) -> None:
        turn = self.correction
        ahead = turn[0, 0] * self._way[0] + turn[0, 1] * self._way[1]
        aside = turn[1, 0] * self._way[0] + turn[1, 1] * self._way[1]
        if x**2 + y**2 < ahead**2 + aside**2:  # a longer one is no error of the way
            self._walked = DEPTH_ERROR.fade * self._walked + float(ahead**2 + aside**2)
            self._pulled = DEPTH_ERROR.fade * self._pulled + float(ahead * x + aside * y)

    def to_bytes(self) -> bytes:
        numbers = [self.sigma_m, self.sigma_rad, self.scale, self._walked, self._pulled]
        return np.concatenate([self.correction.ravel(), numbers]).tobytes()

    def restore(self, data: bytes) -> None:
        values = np.frombuffer(data)
        self.correction = values[:16].reshape(4, 4).copy()
        self.sigma_m, self.sigma_rad, self.scale, self._walked, self._pulled = values[16:21].tolist()


def way_of(before: Matrix | None, now: Matrix) -> tuple[float, float]:
    """The way over the ground from one pose to the next."""
    if before is None:
        return 0.0, 0.0
    return float(now[0, 3] - before[0, 3]), float(now[1, 3] - before[1, 3])


@njit(cache=True)
def turn_between(one: Matrix, two: Matrix) -> float:
    """The angle between two headings, in radians."""
    cross, dot = one[0, 2] * two[1, 2] - one[1, 2] * two[0, 2], one[0, 2] * two[0, 2] + one[1, 2] * two[1, 2]
    return abs(math.atan2(cross, dot))


@njit(cache=True)
def invert(pose: Matrix, inverse: Matrix) -> None:
    """Fill in the inverse of a rigid pose; see `situ.geometry.pose.inverse`."""
    inverse[:] = 0.0
    inverse[3, 3] = 1.0
    for i in range(3):
        for j in range(3):
            inverse[i, j] = pose[j, i]
            inverse[i, 3] -= pose[j, i] * pose[j, 3]


@njit(cache=True)
def solve(
    rows: Table,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    position: NDArray[np.float64],
    sigma_m: float,
    sigma_rad: float,
    bias_m: float,
) -> tuple[NDArray[np.float64], float, float]:
    """Shift and yaw about the camera that bring observations to their objects, against a prior of none."""
    # The information matrix: of each shift, of the yaw, and of the yaw with the shifts along x and y.
    weights, turned, across, along = 1.0 / sigma_m**2, 1.0 / sigma_rad**2, 0.0, 0.0
    vector = np.zeros(4)
    matched = 0
    for i in range(observed.shape[0]):
        if chosen[i] < 0:
            continue
        row, seen = rows[chosen[i]], observed[i]
        if row.hits < DRIFT.enough_hits or row.held != 0 or row.p_here < 0.7 or row.motion == AGENT:
            continue
        variance = (
            max(row.covariance[0], row.covariance[3])
            + max(seen.covariance[0], seen.covariance[3])
            + bias_m**2
        )
        residual = row.position - seen.position
        d2 = (residual[0] ** 2 + residual[1] ** 2 + residual[2] ** 2) / (variance + sigma_m**2)
        weight = 1.0 / (variance * (1.0 + d2 / 3.0))  # things that were moved should not drag the wearer
        jx, jy = -(seen.position[1] - position[1]), seen.position[0] - position[0]
        for k in range(3):
            vector[k] += weight * residual[k]
        weights += weight
        across += weight * jx
        along += weight * jy
        turned += weight * (jx * jx + jy * jy)
        vector[3] += weight * (jx * residual[0] + jy * residual[1])
        matched += 1
    if matched == 0:
        return np.zeros(5), sigma_m**2, sigma_rad**2
    step = np.zeros(5)  # x, y, z, yaw, and how far a thing three metres away shifts
    # Shifts are coupled by the yaw alone: eliminate it (Schur complement).
    yaw_left = turned - (across * across + along * along) / weights
    step[3] = (vector[3] - (across * vector[0] + along * vector[1]) / weights) / yaw_left
    step[0] = (vector[0] - across * step[3]) / weights
    step[1] = (vector[1] - along * step[3]) / weights
    step[2] = vector[2] / weights
    step[4] = math.sqrt(step[0] ** 2 + step[1] ** 2 + step[2] ** 2) + 3.0 * abs(step[3])
    coupled = (across * across + along * along) / (2.0 * weights * weights * yaw_left)
    return step, 1.0 / weights + coupled, 1.0 / yaw_left


@njit(cache=True)
def shifted(
    correction: NDArray[np.float64], position: NDArray[np.float64], step: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A correction after a further turn about a position and a shift."""
    delta = np.eye(4)
    c, s = math.cos(step[3]), math.sin(step[3])
    delta[0, 0], delta[0, 1], delta[1, 0], delta[1, 1] = c, -s, s, c
    x, y = position[0], position[1]
    delta[0, 3] = x + step[0] - (c * x - s * y)
    delta[1, 3] = y + step[1] - (s * x + c * y)
    delta[2, 3] = step[2]
    return delta @ correction
