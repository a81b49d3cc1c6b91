"""A path as six signals that an eye would follow: three turns and three ways to travel, without the shake.

Turns are pan (positive right), tilt (positive up) and roll (positive clockwise, the head to the right
shoulder), in degrees. Travel is measured in the heading frame: ahead, right and up, in metres.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation

from situ.errors import BadInput
from situ.geometry.path import Path

CHANNELS = ("pan", "tilt", "roll", "ahead", "right", "up")
TURNS, TRAVELS = CHANNELS[:3], CHANNELS[3:]
SMOOTH_S = 0.3  # a head's shake and a walker's steps are faster than this, camera moves slower
RATE_HZ = 10.0
GAP_S = 1.5  # a path without a pose for longer is broken there
CLEARLY_LESS = 0.8
_LEAST_SIGMA = 1.0  # samples; a slower clock cannot tell shake from motion
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Signals:
    """Smooth signals on an even clock, and how much shake was taken out.

    `values` (n, 6) start at 0. `ground` (n, 2) is where the camera was over the ground, `shake_deg` and
    `shake_m` are root mean squares of what was smoothed away.
    """

    times: Floats
    values: Floats
    ground: Floats
    shake_deg: float
    shake_m: float

    @property
    def rate_hz(self) -> float:
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0]))

    def channel(self, name: str) -> Floats:
        return self.values[:, CHANNELS.index(name)]

    def index(self, time: float) -> int:
        return int(np.clip(np.searchsorted(self.times, time), 0, len(self.times) - 1))

    def change(self, name: str, start: float, end: float) -> float:
        """Net change of a channel between two times."""
        values = self.channel(name)
        return float(values[self.index(end)] - values[self.index(start)])


def unbroken(path: Path, gap_s: float = GAP_S) -> list[Path]:
    """The path cut wherever no pose is known for longer than `gap_s` (or five times the usual step)."""
    if len(path) < 2:
        raise BadInput(
            f"camera motion needs at least two poses, got {len(path)}: one frame shows a place, not a motion"
        )
    steps = np.diff(path.times)
    cuts = [0, *(np.flatnonzero(steps > max(gap_s, 5 * float(np.median(steps)))) + 1), len(path)]
    return [Path(path.times[a:b], path.poses[a:b]) for a, b in pairwise(cuts)]


def signals_of(path: Path, smooth_s: float = SMOOTH_S) -> Signals:
    """The six signals of an unbroken path of two poses or more."""
    times = path.times
    usual = float(np.median(np.diff(times)))
    step = max(usual, 1 / RATE_HZ)
    count = max(2, round((times[-1] - times[0]) / step) + 1)
    clock = np.linspace(times[0], times[-1], count)
    angles, places = _angles(path), path.positions
    sigma = smooth_s / usual
    soft_angles = np.stack([_smooth(angles[:, i], sigma) for i in range(3)], axis=1)
    soft_places = np.stack([_smooth(places[:, i], sigma) for i in range(3)], axis=1)
    even = np.stack([np.interp(clock, times, soft_angles[:, i]) for i in range(3)], axis=1)
    spots = np.stack([np.interp(clock, times, soft_places[:, i]) for i in range(3)], axis=1)
    heading = np.interp(clock, times, _smooth(_upright(path)[:, 0], sigma))
    values = np.concatenate([even - even[0], _travel(heading, spots)], axis=1)
    shakes = [_shake(hard - soft, sigma) for hard, soft in ((angles, soft_angles), (places, soft_places))]
    return Signals(clock, values, spots[:, :2], *shakes)


def _angles(path: Path) -> Floats:
    """Pan, tilt and roll of every pose, unwrapped, in degrees.

    Turns are told about the upright axis and the horizon (how a wearer turns), or about the camera's own axes
    (how someone turns a camera that points down): the latter where that needs clearly less turning.
    """
    upright = _upright(path)
    turns = path.poses[:, :3, :3]
    steps = Rotation.from_matrix(np.swapaxes(turns[:-1], 1, 2) @ turns[1:]).as_rotvec(degrees=True)
    own = np.concatenate([np.zeros((1, 3)), np.cumsum(steps[:, [1, 0, 2]], axis=0)])
    return own if _effort(own) < CLEARLY_LESS * _effort(upright) else upright


def _upright(path: Path) -> Floats:
    ahead = path.poses[:, :3, 2]
    pan = -np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    tilt = np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
    roll = np.unwrap(np.arctan2(-path.poses[:, 2, 0], -path.poses[:, 2, 1]))
    angles: Floats = np.degrees(np.stack([pan, tilt, roll], axis=1))
    return angles


def _shake(rest: Floats, sigma: float) -> float:
    """Root mean square of what smoothing took away, without the slow part of it that soft starts leave.

    Not a number where the clock is too slow to tell.
    """
    fast = rest - np.stack([_smooth(rest[:, i], sigma) for i in range(rest.shape[1])], axis=1)
    return float(np.sqrt(np.mean(np.sum(fast**2, axis=1)))) if sigma >= _LEAST_SIGMA else math.nan


def _effort(angles: Floats) -> float:
    """How far three angles go in all, beyond what shake does to them."""
    spread = np.ptp(angles, axis=0)
    return float(np.maximum(spread - 3.0, 0.0).sum())


def _travel(pan_deg: Floats, places: Floats) -> Floats:
    """Travel ahead, to the right and up, added up along the way in the heading of each moment."""
    heading = -np.radians((pan_deg[1:] + pan_deg[:-1]) / 2)
    step = np.diff(places, axis=0)
    ahead = step[:, 0] * np.cos(heading) + step[:, 1] * np.sin(heading)
    right = step[:, 0] * np.sin(heading) - step[:, 1] * np.cos(heading)
    added = np.cumsum(np.stack([ahead, right, step[:, 2]], axis=1), axis=0)
    return np.concatenate([np.zeros((1, 3)), added])


def _smooth(values: Floats, sigma: float) -> Floats:
    """Gaussian smoothing that keeps a trend right up to both ends."""
    if sigma < _LEAST_SIGMA or len(values) < 4:
        return values
    margin = min(len(values) - 1, int(4 * sigma) + 1)
    padded = np.pad(values, margin, mode="reflect", reflect_type="odd")
    smooth: Floats = gaussian_filter1d(padded, sigma)[margin:-margin]
    return smooth
