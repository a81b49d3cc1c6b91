"""Body motion on a route: smooth starts and stops, slower corners."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.geometry.rounding import stable_round
from situ.worlds.walks.route import Route, advanced

ACCELERATION = 0.9  # m/s^2, when starting and stopping
SIDEWAYS = 1.1  # m/s^2, largest lateral acceleration in a corner
SPACING_M = 0.02
SPACING_S = 0.02


class Motion(NamedTuple):
    """Dense samples of body motion: yaw is unwrapped, speed is over the ground."""

    times: NDArray[np.float64]
    ground: Matrix
    yaw_deg: NDArray[np.float64]
    speed: NDArray[np.float64]

    def at(self, times: NDArray[np.float64]) -> "Motion":
        """Motion at other times, at rest before its start and after its end."""
        ground = np.stack([np.interp(times, self.times, self.ground[:, axis]) for axis in (0, 1)], axis=1)
        yaw, speed = (np.interp(times, self.times, values) for values in (self.yaw_deg, self.speed))
        return Motion(times, ground, yaw, speed)


def body_motion(route: Route, speed: float) -> Motion:
    """Motion along a route at a cruising speed."""
    here, yaw = route.start, route.start.yaw_deg
    times, ground, yaws, speeds = [0.0], [(here.x, here.y)], [yaw], [0.0]
    steps: list[tuple[float, float]] = []  # length and turn of the steps since the last stop

    def walk_steps() -> None:
        nonlocal here, yaw
        if not steps:
            return
        lengths, turns = np.array(steps).T
        profile = _speed_profile(lengths, turns, speed)
        durations = 2 * lengths / (profile[:-1] + profile[1:])
        for (length, right), duration, now in zip(steps, durations, profile[1:], strict=True):
            here, yaw = advanced(here, length, right), yaw - right
            times.append(times[-1] + float(duration))
            ground.append((here.x, here.y))
            yaws.append(yaw)
            speeds.append(float(now))
        steps.clear()

    for piece in route.pieces:
        if piece.length > 0:
            count = max(1, stable_round(piece.length / SPACING_M))
            steps += [(piece.length / count, piece.turn_right_deg / count)] * count
            continue
        walk_steps()
        count = max(1, stable_round(piece.seconds / SPACING_S))
        for i in range(1, count + 1):
            times.append(times[-1] + piece.seconds / count)
            ground.append((here.x, here.y))
            yaws.append(yaw - piece.turn_right_deg * _soft(i / count))
            speeds.append(0.0)
        here, yaw = here.turned(piece.turn_right_deg), yaw - piece.turn_right_deg
    walk_steps()
    return Motion(np.array(times), np.array(ground), np.array(yaws), np.array(speeds))


def _speed_profile(
    lengths: NDArray[np.float64], turns: NDArray[np.float64], cruise: float
) -> NDArray[np.float64]:
    """Speed at the ends of each step: zero at both ends of the walk, limited in corners."""
    curvature = np.abs(np.radians(turns)) / lengths
    limit = np.minimum(cruise, np.sqrt(SIDEWAYS / np.maximum(curvature, 1e-6)))
    squared = np.concatenate([[0.0], np.minimum(limit[:-1], limit[1:]) ** 2, [0.0]])
    gain = 2 * ACCELERATION * lengths
    for i in range(1, len(squared)):
        squared[i] = min(squared[i], squared[i - 1] + gain[i - 1])
    for i in range(len(squared) - 2, -1, -1):
        squared[i] = min(squared[i], squared[i + 1] + gain[i])
    profile: NDArray[np.float64] = np.sqrt(squared)
    return profile


def _soft(share: float) -> float:
    """Minimum-jerk transition from 0 to 1."""
    return share**3 * (10 - 15 * share + 6 * share**2)
