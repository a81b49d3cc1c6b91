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

# How far the correction can be off, by how much more poses drift than was said, the last step of the wearer
# over the ground; squared metres walked, and how far along them corrections carried the wearer; then as
# options say: metres and radians of drift for each metre, and the share of every turn.
SIGMA_M, SIGMA_RAD, SCALE, WAY_X, WAY_Y, WALKED, PULLED, SHARE, YAW_PER_M, YAW_SHARE = range(10)
_KEPT = (SIGMA_M, SIGMA_RAD, SCALE, WALKED, PULLED)  # in a file


class Drift:
    """The transform from the given poses to the map, and how far it can be off.

    Odometry drifts in proportion to the way; things that stay put tell by how much. With exact poses the
    residuals are zero and so is the correction.
    """

    def __init__(self, options: MemoryOptions) -> None:
        self.correction: Matrix = np.eye(4)
        self.numbers = np.zeros(10)
        self.numbers[SCALE] = 1.0
        self.numbers[SHARE] = options.pose_drift_share
        self.numbers[YAW_PER_M] = math.radians(options.pose_drift_yaw_deg)
        self.numbers[YAW_SHARE] = options.pose_drift_yaw_share
        self.on = options.pose_drift_share > 0 or options.pose_drift_yaw_deg > 0

    @property
    def sigma_m(self) -> float:
        return float(self.numbers[SIGMA_M])

    def take_back(self, motion: NDArray[np.float64], pose: Matrix) -> None:
        """Follow a jump of the given poses: a shift and a turn about where the wearer seems to be."""
        self.correction[:] = shifted(self.correction, pose[:3, 3].copy(), motion)
        off = self.numbers
        off[SIGMA_M] = max(off[SIGMA_M], DRIFT.after_jump_m)
        off[SIGMA_RAD] = max(off[SIGMA_RAD], DRIFT.after_jump_rad)

    def settle(
        self, rows: Table, observed: NDArray[np.void], chosen: NDArray[np.int32], pose: Matrix, bias_m: float
    ) -> float:
        """Shift the correction so that matched things lie where they are remembered; the metres shifted."""
        if not self.on or self.sigma_m <= 0.0:
            return 0.0
        return float(align(rows, observed, chosen, pose[:3, 3].copy(), self.correction, self.numbers, bias_m))

    def to_bytes(self) -> bytes:
        return np.concatenate([self.correction.ravel(), self.numbers[list(_KEPT)]]).tobytes()

    def restore(self, data: bytes) -> None:
        values = np.frombuffer(data)
        self.correction = values[:16].reshape(4, 4).copy()
        self.numbers[list(_KEPT)] = values[16:21]


@njit(cache=True)
def walk(drift: NDArray[np.float64], metres: float, radians: float, way_x: float, way_y: float) -> None:
    """A systematic error grows with the way and the turns, not with their root: sigmas add up."""
    drift[WAY_X], drift[WAY_Y] = way_x, way_y
    drift[SIGMA_M] += drift[SCALE] * drift[SHARE] * metres
    drift[SIGMA_RAD] += drift[SCALE] * (drift[YAW_PER_M] * metres + drift[YAW_SHARE] * radians)


@njit(cache=True)
def align(
    rows: Table,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    position: NDArray[np.float64],
    correction: Matrix,
    drift: NDArray[np.float64],
    bias_m: float,
) -> float:
    """Shift a correction so that matched things lie where they are remembered; the metres shifted."""
    sigma_m, sigma_rad = drift[SIGMA_M], max(drift[SIGMA_RAD], DRIFT.least_rad)
    step, variance_m, variance_rad = solve(rows, observed, chosen, position, sigma_m, sigma_rad, bias_m)
    x, y, metres = step[0], step[1], step[4]
    learn(drift, x, y, metres, sigma_m**2 - variance_m)
    _note_pull(drift, correction, x, y)
    drift[SIGMA_M], drift[SIGMA_RAD] = math.sqrt(variance_m), math.sqrt(variance_rad)
    if metres > 0.0:
        correction[:] = shifted(correction, position, step)
    return float(metres)


@njit(cache=True)
def learn(drift: NDArray[np.float64], x: float, y: float, metres: float, explained: float) -> None:
    """Poses that keep being off by more than was allowed for drift more than was said."""
    if explained <= 0.0 or not metres > 0.0:
        return
    surprise = min((x**2 + y**2) / (2.0 * explained), DRIFT.most_surprise)
    squared = drift[SCALE] ** 2 * (1.0 + DRIFT.learn * (surprise - 1.0))
    drift[SCALE] = min(max(math.sqrt(squared), 1.0), DRIFT.most_scale)


@njit(cache=True)
def pull(drift: NDArray[np.float64]) -> float:
    """The share of the way by which corrections carry the wearer on; they hold back, if negative.
    Depth that is too long shrinks by more than a step ahead, as if the wearer had come farther."""
    share: float = drift[PULLED] / (drift[WALKED] + DEPTH_ERROR.walked_m2)
    return share


@njit(cache=True)
def depth_error(rates: NDArray[np.void], drift: NDArray[np.float64]) -> float:
    """The share by which depth seems to be off, with the sign of what is too short."""
    share = rates[0].dragged / (rates[0].stepped + DEPTH_ERROR.steps_m2) - pull(drift)
    return float(min(max(share / DEPTH_ERROR.shows, -DEPTH_ERROR.most_share), DEPTH_ERROR.most_share))


@njit(cache=True)
def _note_pull(drift: NDArray[np.float64], turn: Matrix, x: float, y: float) -> None:
    ahead = turn[0, 0] * drift[WAY_X] + turn[0, 1] * drift[WAY_Y]
    aside = turn[1, 0] * drift[WAY_X] + turn[1, 1] * drift[WAY_Y]
    if x**2 + y**2 < ahead**2 + aside**2:  # a longer one is no error of the way
        drift[WALKED] = DEPTH_ERROR.fade * drift[WALKED] + ahead**2 + aside**2
        drift[PULLED] = DEPTH_ERROR.fade * drift[PULLED] + (ahead * x + aside * y)


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
