"""Camera poses of a walk, from the wearer's head."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.geometry.rounding import stable_floor
from situ.worlds.walks.body import Motion, body_motion
from situ.worlds.walks.head import LEAD_S, NATURAL, Head, head_motion
from situ.worlds.walks.route import Route

BOB_M, SWAY_M, SURGE_M = 0.018, 0.018, 0.006
BALANCE_M = 0.008  # sway while standing
ROLL_DEG, NOD_DEG = 0.8, 0.4


@dataclass(frozen=True)
class Style:
    """Manner of walking. `look_aside_deg` keeps the head turned left by an angle for the whole walk."""

    speed: float = 1.15
    eye_height: float = 1.62
    head: Head = NATURAL
    look_aside_deg: float = 0.0
    resting_pitch_deg: float = -7.0


def film(route: Route, style: Style, fps: float, rng: np.random.Generator, start_time: float = 0.0) -> Path:
    """Camera poses at a constant frame rate."""
    return film_motion(body_motion(route, style.speed), style, fps, rng, start_time)


def film_motion(
    motion: Motion, style: Style, fps: float, rng: np.random.Generator, start_time: float = 0.0
) -> Path:
    """The same for a given body motion."""
    times = np.arange(stable_floor(float(motion.times[-1]) * fps) + 1) / fps
    body = motion.at(times)
    look = head_motion(times, style.head, rng)
    # The head leads into turns of the body, averaged because it has inertia.
    ahead = np.mean([motion.at(times + LEAD_S * share).yaw_deg for share in (0.0, 0.5, 1.0)], axis=0)
    yaw = ahead + look.yaw_deg + style.look_aside_deg
    phase = _gait_phase(motion, times)
    effort = body.speed / 1.3
    height = style.eye_height + BOB_M * effort * np.cos(phase)
    ground = body.ground + _sway(times, body, phase, effort, rng)
    pitch = style.resting_pitch_deg + look.pitch_deg + NOD_DEG * effort * np.cos(phase + 0.8)
    roll = ROLL_DEG * effort * np.sin(phase / 2)
    poses = [
        camera_pose((x, y, z), a, b, c)
        for (x, y), z, a, b, c in zip(ground, height, yaw, pitch, roll, strict=True)
    ]
    return Path(start_time + times, np.stack(poses))


def _gait_phase(motion: Motion, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Phase of the steps: about 1.8 steps per second at 1.2 m/s, none while standing."""
    rate = np.where(motion.speed > 0.05, 1.0 + 0.7 * motion.speed, 0.0)
    steps = np.concatenate([[0.0], np.cumsum(np.diff(motion.times) * (rate[1:] + rate[:-1]) / 2)])
    phase: NDArray[np.float64] = 2 * np.pi * np.interp(times, motion.times, steps)
    return phase


def _sway(
    times: NDArray[np.float64],
    body: Motion,
    phase: NDArray[np.float64],
    effort: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Lateral sway once per stride, a small surge once per step, and slow balancing."""
    yaw = np.radians(body.yaw_deg)
    left = np.stack([-np.sin(yaw), np.cos(yaw)], axis=1)
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    side = (SWAY_M * effort * np.sin(phase / 2))[:, None]
    surge = (SURGE_M * effort * np.sin(phase))[:, None]
    periods, phases = rng.uniform(1.5, 5.0, (2, 2)), rng.uniform(0, 2 * np.pi, (2, 2))
    balance = np.sin(2 * np.pi * times[:, None, None] / periods + phases).mean(axis=2)
    total: NDArray[np.float64] = side * left + surge * ahead + BALANCE_M * balance
    return total
