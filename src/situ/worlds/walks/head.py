"""Head motion relative to the body: slow wandering, glances aside, and looking into turns."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

QUIET_S = 0.8  # the head rests at both ends, so that the first and last view are meaningful
RAMP_S = 0.7  # from ahead to aside
LEAD_S = 0.3  # the eyes turn before the body


@dataclass(frozen=True)
class Head:
    """Habits: wandering in degrees, glances per second, and the angle of a glance."""

    wander_deg: float
    glances_per_s: float
    glance_deg: tuple[float, float] = (20.0, 45.0)


STEADY = Head(1.0, 0.0)
NATURAL = Head(3.0, 0.1)  # glances about every 10 s
RESTLESS = Head(3.0, 0.42, (35.0, 65.0))  # frequent, wide glances


class HeadMotion(NamedTuple):
    """Angles relative to the body: yaw positive to the left, pitch positive up, in degrees."""

    yaw_deg: NDArray[np.float64]
    pitch_deg: NDArray[np.float64]


def head_motion(times: NDArray[np.float64], head: Head, rng: np.random.Generator) -> HeadMotion:
    rest = _rest(times)
    yaw = head.wander_deg * _wander(times, rng)
    pitch = 0.6 * max(head.wander_deg, 1.0) * _wander(times, rng)
    for middle, hold, aside, up in _glances(times, head, rng):
        shape = _plateau(times, middle, hold)
        yaw, pitch = yaw + aside * shape, pitch + up * shape
    return HeadMotion(yaw * rest, pitch)


def _glances(
    times: NDArray[np.float64], head: Head, rng: np.random.Generator
) -> list[tuple[float, float, float, float]]:
    """Middle, hold, yaw and pitch of each glance; they never overlap, and sides mostly alternate."""
    glances: list[tuple[float, float, float, float]] = []
    if head.glances_per_s == 0:
        return []
    now, side = float(times[0]) + QUIET_S, float(rng.choice([-1.0, 1.0]))
    while True:
        now += float(rng.exponential(0.5 / head.glances_per_s) + 0.3 / head.glances_per_s)
        hold = float(rng.uniform(0.2, 0.7))
        middle = now + RAMP_S + hold / 2
        now = middle + hold / 2 + RAMP_S
        if now > times[-1] - QUIET_S:
            return glances
        glances.append((middle, hold, side * float(rng.uniform(*head.glance_deg)), float(rng.normal(0, 4))))
        side = -side if rng.random() < 0.8 else side


def _plateau(times: NDArray[np.float64], middle: float, hold: float) -> NDArray[np.float64]:
    """1 during the hold, 0 elsewhere, with smooth flanks."""
    away = np.clip((np.abs(times - middle) - hold / 2) / RAMP_S, 0.0, 1.0)
    return 0.5 + 0.5 * np.cos(np.pi * away)


def _wander(times: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Slow noise of unit amplitude: three sine waves with periods of 2.5 to 12 seconds."""
    periods, phases = rng.uniform(2.5, 12.0, 3), rng.uniform(0.0, 2 * np.pi, 3)
    waves = np.sin(2 * np.pi * times[:, None] / periods + phases)
    total: NDArray[np.float64] = waves.sum(axis=1) / np.sqrt(3)
    return total


def _rest(times: NDArray[np.float64]) -> NDArray[np.float64]:
    """0 at both ends of the recording, 1 between."""
    from_ends = np.minimum(times - times[0], times[-1] - times)
    share = np.clip(from_ends / QUIET_S - 0.25, 0.0, 1.0)
    soft: NDArray[np.float64] = share * share * (3 - 2 * share)
    return soft
