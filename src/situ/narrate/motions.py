"""Camera motions: their kinds and thresholds, the signals of a path, and detection of motions in them."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation

from situ.errors import BadInput
from situ.geometry.path import Path

# kind -> (word for positive amounts, word for negative ones, unit)
DIRECTIONS: dict[str, tuple[str, str, str]] = {
    "pan": ("right", "left", "degrees"),
    "tilt": ("up", "down", "degrees"),
    "roll": ("clockwise", "counter-clockwise", "degrees"),
    "dolly": ("forward", "backward", "metres"),
    "truck": ("right", "left", "metres"),
    "pedestal": ("up", "down", "metres"),
    "arc": ("right", "left", "degrees"),
    "tracking": ("right", "left", "degrees"),
    "static": ("", "", ""),
}
KINDS = tuple(DIRECTIONS)
CLASSES = tuple(
    f"{kind} {word}".strip()
    for kind, (positive, negative, _) in DIRECTIONS.items()
    for word in dict.fromkeys((positive, negative))
)
STATIC = "static"


@dataclass(frozen=True)
class Worth:
    """Thresholds of a channel.

    `least`: smallest motion that is described. `back`: return of the signal that ends a motion. `pause`: rate
    below which the signal rests. `unit`: amount that appears as strong as one unit of another channel.
    """

    kind: str
    least: float
    back: float
    pause: float
    unit: float


# By channel of `signals`. A degree of tilt or roll appears stronger than one of pan.
WORTH = {
    "pan": Worth("pan", 13.0, 7.0, 3.0, 30.0),
    "tilt": Worth("tilt", 10.0, 5.0, 2.5, 22.0),
    "roll": Worth("roll", 8.0, 4.5, 2.5, 18.0),
    "ahead": Worth("dolly", 0.35, 0.2, 0.08, 1.0),
    "right": Worth("truck", 0.3, 0.16, 0.08, 0.8),
    "up": Worth("pedestal", 0.2, 0.11, 0.05, 0.5),
}
# Rates below the first are slow, above the second fast: degrees or metres per second.
SPEEDS = {"degrees": (15.0, 50.0), "metres": (0.45, 1.5)}


@dataclass(frozen=True)
class Motion:
    """One camera motion. `amount` is signed: positive is the first direction of `DIRECTIONS`.

    An arc or a tracking motion turns by `amount` degrees while travelling `travel_m` metres. An arc to the
    right moves right around what the camera looks at; a tracking motion to the right follows a bend to the
    right.
    """

    kind: str
    amount: float
    start: float
    end: float
    travel_m: float = 0.0

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def direction(self) -> str:
        positive, negative, _ = DIRECTIONS[self.kind]
        return positive if self.amount >= 0 else negative

    @property
    def name(self) -> str:
        """Class name: "pan right", "static"."""
        return f"{self.kind} {self.direction}".strip()

    @property
    def unit(self) -> str:
        return DIRECTIONS[self.kind][2]

    @property
    def speed(self) -> str:
        """ "slow", "" or "fast"."""
        if not self.unit:
            return ""
        slow, fast = SPEEDS[self.unit]
        rate = abs(self.amount) / max(self.seconds, 1e-6)
        return "slow" if rate < slow else "fast" if rate > fast else ""


CHANNELS = ("pan", "tilt", "roll", "ahead", "right", "up")
TURNS, TRAVELS = CHANNELS[:3], CHANNELS[3:]
SMOOTH_S = 0.3  # shake and steps are faster than this, camera motions slower
RATE_HZ = 10.0
GAP_S = 1.5  # a longer gap between poses splits the path
CLEARLY_LESS = 0.8  # factor of rotation for the camera's own axes to be preferred
_MIN_SIGMA = 1.0  # samples; at lower frame rates shake and motion cannot be separated
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Signals:
    """Smooth signals at a constant rate, and the amount of shake removed.

    `values` (n, 6) start at 0. `ground` (n, 2): horizontal position. `shake_deg`, `shake_m`: root mean square
    of what was smoothed away.
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
    """The path, split at gaps longer than `gap_s` (or five times the usual step)."""
    if len(path) < 2:
        raise BadInput(
            f"camera motion needs at least two poses, got {len(path)}: one frame shows a place, not a motion"
        )
    steps = np.diff(path.times)
    cuts = [0, *(np.flatnonzero(steps > max(gap_s, 5 * float(np.median(steps)))) + 1), len(path)]
    return [Path(path.times[a:b], path.poses[a:b]) for a, b in pairwise(cuts)]


def signals_of(path: Path, smooth_s: float = SMOOTH_S) -> Signals:
    """The six signals of an unbroken path of at least two poses."""
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

    Rotations are about the vertical and the horizon (a wearer turning), or about the camera's axes (a
    hand-held camera pointing down), whichever needs clearly less rotation.
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
    """Root mean square of what smoothing removed, without the slow part from smooth starts; NaN at low
    rates."""
    fast = rest - np.stack([_smooth(rest[:, i], sigma) for i in range(rest.shape[1])], axis=1)
    return float(np.sqrt(np.mean(np.sum(fast**2, axis=1)))) if sigma >= _MIN_SIGMA else math.nan


def _effort(angles: Floats) -> float:
    """Total rotation of three angles, without shake."""
    spread = np.ptp(angles, axis=0)
    return float(np.maximum(spread - 3.0, 0.0).sum())


def _travel(pan_deg: Floats, places: Floats) -> Floats:
    """Travel ahead, right and up, accumulated in the heading of each moment."""
    heading = -np.radians((pan_deg[1:] + pan_deg[:-1]) / 2)
    step = np.diff(places, axis=0)
    ahead = step[:, 0] * np.cos(heading) + step[:, 1] * np.sin(heading)
    right = step[:, 0] * np.sin(heading) - step[:, 1] * np.cos(heading)
    added = np.cumsum(np.stack([ahead, right, step[:, 2]], axis=1), axis=0)
    return np.concatenate([np.zeros((1, 3)), added])


def _smooth(values: Floats, sigma: float) -> Floats:
    """Gaussian smoothing that preserves a trend at both ends."""
    if sigma < _MIN_SIGMA or len(values) < 4:
        return values
    margin = min(len(values) - 1, int(4 * sigma) + 1)
    padded = np.pad(values, margin, mode="reflect", reflect_type="odd")
    smooth: Floats = gaussian_filter1d(padded, sigma)[margin:-margin]
    return smooth


PAUSE_S = 0.8  # a longer rest separates two motions in the same direction
SHAKE_FACTOR = 2.5  # factor on the thresholds for a shaky camera


class Event(NamedTuple):
    """Motion of a channel between two samples of the signals."""

    channel: str
    start: int
    end: int
    amount: float


def events_of(signals: Signals) -> list[Event]:
    """Motions of all channels above their thresholds, in order of start."""
    found: list[Event] = []
    for channel in CHANNELS:
        worth = WORTH[channel]
        shake = float(np.nan_to_num(signals.shake_deg if channel in TURNS else signals.shake_m))
        back = max(worth.back, SHAKE_FACTOR * shake)
        least = max(worth.least, 1.5 * back)
        values = signals.channel(channel)
        for start, end in _legs(values, back):
            for a, b in _parts(values, start, end, worth, signals.rate_hz, least):
                if abs(values[b] - values[a]) >= least:
                    found.append(Event(channel, a, b, float(values[b] - values[a])))
    return sorted(found, key=lambda event: (event.start, event.end))


def _legs(values: Floats, back: float) -> list[tuple[int, int]]:
    """Monotonic intervals; one ends when the signal has returned by `back` (amplitude hysteresis)."""
    low = high = extreme = heading = 0
    turning: list[int] = []
    for i, value in enumerate(values):
        if heading == 0:
            low, high = (i if value < values[low] else low), (i if value > values[high] else high)
            if values[high] - values[low] >= back:
                heading, extreme = (1, high) if high > low else (-1, low)
                turning = [min(low, high)]
        elif (value - values[extreme]) * heading >= 0:
            extreme = i
        elif (values[extreme] - value) * heading >= back:
            turning.append(extreme)
            heading, extreme = -heading, i
    return list(pairwise([*turning, extreme])) if turning else []


def _parts(
    values: Floats, start: int, end: int, worth: Worth, rate_hz: float, least: float
) -> list[tuple[int, int]]:
    """A leg without its resting ends, cut at long rests; short parts are merged with their neighbour."""
    speed = np.abs(np.diff(values[start : end + 1])) * rate_hz
    moving = np.flatnonzero(speed > worth.pause)
    if not len(moving):
        return [(start, end)]
    rests = np.flatnonzero(np.diff(moving) > max(PAUSE_S * rate_hz, 1.0))
    firsts = [moving[0], *moving[rests + 1]]
    lasts = [*moving[rests], moving[-1]]
    parts = [(start + int(a), start + int(b) + 1) for a, b in zip(firsts, lasts, strict=True)]
    large = [part for part in parts if abs(values[part[1]] - values[part[0]]) >= least]
    return large or [(parts[0][0], parts[-1][1])]
