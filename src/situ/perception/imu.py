"""A gyroscope and an accelerometer beside the camera: which way is down, and whether the head only turned."""

import csv
import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput
from situ.geometry.pose import Matrix, Vector, rigid
from situ.perception.odometry.ground_plane import turn_between
from situ.perception.odometry.rotation import exp_rotation
from situ.text_files import read_text

_GRAVITY = 9.81
_STILL_M_S2 = 0.6  # how far the length of the acceleration may be from gravity while it is trusted
_PULL_PER_S = 0.5  # how fast the tilt of the gyroscope is drawn towards the accelerometer's
_UP = np.array([0.0, 0.0, 1.0])
_NAMES = {
    "time": ("timestamp_ns", "timestamp_us", "timestamp", "time", "t"),
    "acc": (("ax", "ay", "az"), ("accel_x", "accel_y", "accel_z")),
    "gyro": (("gx", "gy", "gz"), ("gyro_x", "gyro_y", "gyro_z")),
}


@dataclass(frozen=True, eq=False)
class ImuStream:
    """Times (s), accelerations (n, 3) in m/s² with gravity in them, and turning rates (n, 3) in rad/s.

    Both in the camera's axes (OpenCV). `rates` is None where there was no gyroscope.
    """

    times: NDArray[np.float64]
    accelerations: NDArray[np.float64]
    rates: NDArray[np.float64] | None

    def __post_init__(self) -> None:
        if len(self.times) == 0 or np.any(np.diff(self.times) < 0):
            raise BadInput("an IMU stream needs samples in order of time")

    def turned(self, R_camera_imu: Matrix) -> "ImuStream":
        """The stream of a sensor that is mounted turned, in the camera's axes."""
        rates = None if self.rates is None else self.rates @ R_camera_imu.T
        return ImuStream(self.times, self.accelerations @ R_camera_imu.T, rates)

    def up_at(self, time: float) -> Vector:
        """The up direction in camera axes: a gyroscope's tilt, slowly drawn to the accelerometer's."""
        last = int(np.searchsorted(self.times, time, side="right"))
        up = _unit(np.median(self.accelerations[: max(1, min(last, 20))], axis=0))
        if self.rates is None:
            recent = self.accelerations[max(0, last - 50) : max(1, last)]
            return _unit(np.median(recent, axis=0))
        for i in range(1, last):
            gap = float(self.times[i] - self.times[i - 1])
            up = exp_rotation(-self.rates[i] * gap) @ up
            pull = self.accelerations[i]
            if abs(float(np.linalg.norm(pull)) - _GRAVITY) < _STILL_M_S2:
                up = _unit(up + min(1.0, _PULL_PER_S * gap) * (_unit(pull) - up))
        return up

    def turn_between(self, start: float, stop: float) -> Matrix:
        """`R_stop_start` of the camera from the gyroscope alone."""
        if self.rates is None:
            raise BadInput("this IMU stream has no gyroscope")
        turn = np.eye(3)
        first, last = np.searchsorted(self.times, [start, stop])
        moments = np.concatenate([[start], self.times[first:last], [stop]])
        for a, b in itertools.pairwise(moments):
            rate = self.rates[min(int(np.searchsorted(self.times, b)), len(self.times) - 1)]
            turn = exp_rotation(-rate * (b - a)) @ turn
        return turn

    def covers(self, start: float, stop: float) -> bool:
        """Whether there are samples of a gyroscope from `start` to `stop`."""
        return self.rates is not None and self.times[0] <= start and stop <= self.times[-1]

    def on_clock(self, start: float, seconds: float) -> "ImuStream":
        """On the clock of frames from `start` on: as it is if it overlaps them, else both begin together."""
        if self.times[-1] > start and self.times[0] < start + max(seconds, 1.0):
            return self
        return ImuStream(self.times - self.times[0] + start, self.accelerations, self.rates)

    def standing(self, start: float, stop: float, most_m_s2: float = 0.35) -> bool:
        """Whether nothing but gravity was felt: no step was taken, however the head turned."""
        first, last = np.searchsorted(self.times, [start, stop])
        felt = np.linalg.norm(self.accelerations[first : max(last, first + 1)], axis=1)
        return bool(np.sqrt(np.mean((felt - np.median(felt)) ** 2)) < most_m_s2)


def level_pose(up: Vector) -> Matrix:
    """`T_world_camera` of a camera at the origin, looking along +x, in whose axes up is as stated."""
    level = turn_between(up, _UP)
    ahead = level @ np.array([0.0, 0.0, 1.0])
    yaw = np.arctan2(ahead[1], ahead[0])
    return rigid(exp_rotation(-yaw * _UP) @ level, np.zeros(3))


def read_imu(file: Path, R_camera_imu: Matrix | None = None) -> ImuStream:
    """From CSV with named columns (Aria, phones) or TUM's accelerometer.txt; axes as `R_camera_imu` says."""
    lines = [line for line in read_text(file).splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadFormat(f"{file} holds no samples")
    stream = _named(file, lines) if "," in lines[0] else _bare(file, lines)
    return stream if R_camera_imu is None else stream.turned(R_camera_imu)


def _named(file: Path, lines: list[str]) -> ImuStream:
    rows = list(csv.DictReader(lines))
    columns = set(rows[0]) if rows else set()
    clock = next((name for name in _NAMES["time"] if name in columns), None)
    acc = next((names for names in _NAMES["acc"] if set(names) <= columns), None)
    gyro = next((names for names in _NAMES["gyro"] if set(names) <= columns), None)
    if clock is None or acc is None:
        raise BadFormat(f"{file} needs columns for time and ax, ay, az (gx, gy, gz are optional)")
    unit = {"ns": 1e-9, "us": 1e-6}.get(str(clock)[-2:], 1.0)
    try:
        times = np.array([float(row[str(clock)]) for row in rows]) * unit
        accelerations = np.array([[float(row[name]) for name in acc] for row in rows])
        rates = None if gyro is None else np.array([[float(row[name]) for name in gyro] for row in rows])
    except (TypeError, ValueError) as error:
        raise BadFormat(f"{file} must hold numbers ({error})") from error
    return ImuStream(times, accelerations, rates)


def _bare(file: Path, lines: list[str]) -> ImuStream:
    try:
        rows = np.array([[float(v) for v in line.split()] for line in lines])
    except ValueError as error:
        raise BadFormat(f"{file} must hold numbers ({error})") from error
    if rows.ndim != 2 or rows.shape[1] not in (4, 7):
        raise BadFormat(f"{file} must hold 'time ax ay az' or 'time ax ay az gx gy gz' in each line")
    return ImuStream(rows[:, 0], rows[:, 1:4], rows[:, 4:] if rows.shape[1] == 7 else None)


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    if length < 1e-6:
        raise BadInput("the accelerometer feels nothing: it is falling, or its units are not m/s²")
    return vector / length
