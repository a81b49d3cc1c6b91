"""Drift of the poses: a small correction of position and yaw that keeps them in step with the map.

How fast given poses drift is learned from what returns: an object that comes into view again lies off by what
the poses drifted in between. Until then nothing is corrected. Poses that are exact therefore stay exact.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options import MemoryOptions
from situ.memory.options.poses import DEPTH_ERROR, DRIFT
from situ.memory.options.scales import SCALE
from situ.memory.options.tracking import MATCHING
from situ.memory.tables.motion import AGENT
from situ.memory.tables.rates import Rates
from situ.memory.tables.tracks import Table
from situ.memory.tracker.recent_window import note_step

RATES_OF_DRIFT = len(DRIFT.rates)
# What is believed of the poses, one record. "At rate one" is the drift that the options state.
DRIFT_STATE = np.dtype(
    [
        ("way", "f8"),  # metres that something 3 m away may seem off since the start, at rate one
        ("grown_m", "f8"),  # drift at rate one since the last correction
        ("grown_rad", "f8"),
        ("left_m2", "f8"),  # variances that the last correction left
        ("left_rad2", "f8"),
        ("log_odds", "f8", RATES_OF_DRIFT),  # of each rate, up to a constant
        ("returns", "i8"),  # corrections so far: without any, nothing is known of the drift
        ("share", "f8"),  # at rate one: metres for each metre, radians for each metre and for each turned
        ("yaw_per_m", "f8"),
        ("yaw_share", "f8"),
    ]
)
_LEARNED = ("way", "grown_m", "grown_rad", "left_m2", "left_rad2", "log_odds", "returns")


class Drift:
    """The transform from the given poses to the map, and what is known of how fast they drift."""

    def __init__(self, options: MemoryOptions) -> None:
        self.correction: Matrix = np.eye(4)
        self.state: NDArray[np.void] = np.zeros(1, DRIFT_STATE)
        self.state["log_odds"] = np.log(DRIFT.prior)
        self.state["share"] = options.pose_drift_share
        self.state["yaw_per_m"] = math.radians(options.pose_drift_yaw_deg)
        self.state["yaw_share"] = options.pose_drift_yaw_share
        self.on = options.pose_drift_share > 0 or options.pose_drift_yaw_deg > 0

    @property
    def share(self) -> float:
        """Metres of drift that are expected for each metre walked."""
        return float(expected_rate(self.state) * self.state["share"][0])

    @property
    def returns(self) -> int:
        """How many corrections the rate was learned from; 0: nothing is known of it."""
        return int(self.state["returns"][0])

    def follow(self, motion: NDArray[np.float64], pose: Matrix, drifted: bool) -> None:
        """Follow a jump of the given poses: a shift and a turn about where the wearer seems to be. One that
        no step of the poses shows is drift that has come to light."""
        self.correction[:] = shifted(self.correction, pose[:3, 3].copy(), motion)
        if drifted:
            learn_from_jump(self.state, math.hypot(motion[0], motion[1]))
        state = self.state[0]
        state["grown_m"] = state["grown_rad"] = 0.0
        state["left_m2"] = max(state["left_m2"], SCALE.shift_m**2)
        state["left_rad2"] = max(state["left_rad2"], DRIFT.after_jump_rad**2)

    def correct(
        self, rows: Table, detections: NDArray[np.void], chosen: NDArray[np.int32], pose: Matrix, rates: Rates
    ) -> float:
        """Shift the correction so that objects that returned lie where they are remembered; the metres
        shifted."""
        if not self.on:
            return 0.0
        eye = pose[:3, 3].copy()
        return float(align(rows, detections, chosen, eye, self.correction, self.state, rates))

    def to_bytes(self) -> bytes:
        learned = [np.ravel(self.state[name][0]).astype(float) for name in _LEARNED]
        return np.concatenate([self.correction.ravel(), *learned]).tobytes()

    def restore(self, data: bytes) -> None:
        values = np.frombuffer(data)
        self.correction = values[:16].reshape(4, 4).copy()
        at = 16
        for name in _LEARNED:
            size = self.state[name][0].size
            self.state[name][0] = values[at : at + size] if size > 1 else values[at]
            at += size


@njit(cache=True)
def grow(drift: NDArray[np.void], metres: float, radians: float) -> None:
    """A systematic error grows with the way and the turns, not with their root: sigmas add up."""
    state = drift[0]
    off_m = state.share * metres
    off_rad = state.yaw_per_m * metres + state.yaw_share * radians
    state.grown_m += off_m
    state.grown_rad += off_rad
    state.way += off_m + SCALE.room_m * off_rad


@njit(cache=True)
def posterior(drift: NDArray[np.void]) -> NDArray[np.float64]:
    """How likely the poses drift at each of the rates."""
    odds = drift[0].log_odds
    chances = np.exp(odds - odds.max())
    shares: NDArray[np.float64] = chances / chances.sum()
    return shares


@njit(cache=True)
def expected_rate(drift: NDArray[np.void]) -> float:
    total, shares = 0.0, posterior(drift)
    for k in range(RATES_OF_DRIFT):
        total += shares[k] * DRIFT.rates[k]
    return total


@njit(cache=True)
def pose_variance(drift: NDArray[np.void], rate: float, since: float) -> float:
    """Square metres by which an object that was last seen at a point of the way may seem off now."""
    state = drift[0]
    own = (rate * (state.way - since)) ** 2
    grown = state.grown_m + SCALE.room_m * state.grown_rad
    shared = state.left_m2 + SCALE.room_m**2 * state.left_rad2 + (rate * grown) ** 2
    least: float = min(own, shared, DRIFT.farthest_m**2)
    return least


@njit(cache=True)
def has_returned(row, way: float) -> bool:  # type: ignore[no-untyped-def]
    """Whether an object was out of view for so long that the poses may have drifted meanwhile, once."""
    return bool(row.returned or way - row.way > DRIFT.return_m)


@njit(cache=True)
def align(
    rows: Table,
    detections: NDArray[np.void],
    chosen: NDArray[np.int32],
    position: NDArray[np.float64],
    correction: Matrix,
    drift: NDArray[np.void],
    rates: NDArray[np.void],
) -> float:
    """Shift a correction so that objects that returned lie where they are remembered, as far as the drift
    explains it; the metres shifted.

    Under each rate of drift the step that fits best is weighed by how well that rate explains what is seen
    (the evidence of a linear model): small rates leave the pose alone, and residuals that are no larger than
    noise speak for small rates.
    """
    state = drift[0]
    weights, turned, across, along, vector, shared, matched = _information(
        rows, detections, chosen, position, drift
    )
    if matched == 0:
        return 0.0
    # What errs alike in all of a frame is no drift.
    common = (max(rates[0].radial, 0.0) + 2.0 * max(rates[0].lateral, 0.0)) * shared
    steps = np.zeros((RATES_OF_DRIFT, 4))  # x, y, z, yaw
    variances = np.zeros((RATES_OF_DRIFT, 2))
    for k in range(RATES_OF_DRIFT):
        own = max(state.left_m2 + (DRIFT.rates[k] * state.grown_m) ** 2, DRIFT.least_m2)
        own_rad = max(state.left_rad2 + (DRIFT.rates[k] * state.grown_rad) ** 2, DRIFT.least_m2)
        prior = own + common
        # Shifts are coupled by the yaw alone: eliminate it (Schur complement).
        weight, crossed = weights + 1.0 / prior, across * across + along * along
        yaw_left = turned + 1.0 / own_rad - crossed / weight
        yaw = (vector[3] - (across * vector[0] + along * vector[1]) / weight) / yaw_left
        x, y = (vector[0] - across * yaw) / weight, (vector[1] - along * yaw) / weight
        explained = vector[0] * x + vector[1] * y + vector[3] * yaw
        state.log_odds[k] += 0.5 * explained - 0.5 * math.log(weight**2 * yaw_left * prior**2 * own_rad)
        steps[k, 0], steps[k, 1], steps[k, 2], steps[k, 3] = x, y, vector[2] / weight, yaw
        steps[k, :3] *= own / prior
        resolved = 1.0 - (1.0 / weight + crossed / (2.0 * weight * weight * yaw_left)) / prior
        variances[k, 0] = max(own - own * own / prior * resolved, 0.0)
        variances[k, 1] = 1.0 / yaw_left
    state.log_odds[:] = np.maximum(state.log_odds - state.log_odds.max(), -DRIFT.most_odds)
    shares, step = posterior(drift), np.zeros(4)
    for k in range(RATES_OF_DRIFT):
        step += shares[k] * steps[k]
    state.left_m2 = state.left_rad2 = state.grown_m = state.grown_rad = 0.0
    for k in range(RATES_OF_DRIFT):
        apart = (steps[k, 0] - step[0]) ** 2 + (steps[k, 1] - step[1]) ** 2
        state.left_m2 += shares[k] * (variances[k, 0] + 0.5 * apart)
        state.left_rad2 += shares[k] * (variances[k, 1] + (steps[k, 3] - step[3]) ** 2)
    state.returns += 1
    correction[:] = shifted(correction, position, step)
    metres = math.sqrt(step[0] ** 2 + step[1] ** 2 + step[2] ** 2) + SCALE.room_m * abs(step[3])
    return float(metres)


@njit(cache=True)
def _information(
    rows: Table,
    detections: NDArray[np.void],
    chosen: NDArray[np.int32],
    position: NDArray[np.float64],
    drift: NDArray[np.void],
) -> tuple[float, float, float, float, NDArray[np.float64], float, int]:
    """What matched objects that returned tell of a shift and of a yaw about the camera: the information of
    each shift, of the yaw, and of the yaw with the shifts along x and y; the vector that goes with it; the
    mean square of their distances, and how many there are."""
    weights, turned, across, along, far2, matched = 0.0, 0.0, 0.0, 0.0, 0.0, 0
    vector, rate, way = np.zeros(4), expected_rate(drift), drift[0].way
    for i in range(detections.shape[0]):
        if chosen[i] < 0:
            continue
        row, seen = rows[chosen[i]], detections[i]
        if row.hits < SCALE.few or row.held != 0 or row.p_here < 0.7 or row.motion == AGENT:
            continue
        if not has_returned(row, way):
            continue
        variance = (
            max(row.covariance[0], row.covariance[3])
            + max(seen.covariance[0], seen.covariance[3])
            + MATCHING.model_sigma_m**2
        )
        residual = row.position - seen.position
        d2 = (residual[0] ** 2 + residual[1] ** 2 + residual[2] ** 2) / (
            variance + pose_variance(drift, rate, row.way)
        )
        weight = 1.0 / (variance * (1.0 + d2 / 3.0))  # objects that were moved should not drag the wearer
        jx, jy = -(seen.position[1] - position[1]), seen.position[0] - position[0]
        for k in range(3):
            vector[k] += weight * residual[k]
        weights += weight
        across += weight * jx
        along += weight * jy
        turned += weight * (jx * jx + jy * jy)
        vector[3] += weight * (jx * residual[0] + jy * residual[1])
        far2 += jx * jx + jy * jy
        matched += 1
    return weights, turned, across, along, vector, far2 / max(matched, 1), matched


@njit(cache=True)
def learn_from_jump(drift: NDArray[np.void], metres: float) -> None:
    """The map lies off by so much, which many objects agree upon."""
    state = drift[0]
    for k in range(RATES_OF_DRIFT):
        variance = state.left_m2 + (DRIFT.rates[k] * state.grown_m) ** 2 + SCALE.shift_m**2
        state.log_odds[k] -= math.log(variance) + metres**2 / (2.0 * variance)
    state.log_odds[:] = np.maximum(state.log_odds - state.log_odds.max(), -DRIFT.most_odds)
    state.returns += 1


@njit(cache=True)
def depth_error(rates: NDArray[np.void]) -> float:
    """The share by which depth seems to be off, with the sign of what is too short."""
    share = rates[0].dragged / (rates[0].stepped + DEPTH_ERROR.steps_m2)
    return float(min(max(share / DEPTH_ERROR.shows, -DEPTH_ERROR.most_share), DEPTH_ERROR.most_share))


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


@njit(cache=True)
def predict(
    drift: NDArray[np.void], seen: NDArray[np.void], window: NDArray[np.void], odometry: NDArray[np.void],
    time: float, correction: Matrix, given: Matrix,
) -> Matrix:  # fmt: skip
    """Where the wearer is after a step of the odometry, as far as the map is known."""
    grow(drift, odometry[0].metres, odometry[0].radians)
    note_step(seen, window, odometry, time)
    return correction @ given
