"""IMU cues for odometry: gyroscope rotation and standstill, used once they have agreed with vision."""

from dataclasses import dataclass
from typing import Protocol

from situ.geometry.pose import Matrix
from situ.perception.odometry.rotation import angle_deg

_TRUSTED = 3  # agreements, minus disagreements, before the gyroscope is trusted
_MIN_TURN_DEG = 1.0  # smaller rotations are no test
_ALIKE_DEG, _ALIKE_SHARE = 0.5, 0.2  # tolerance: degrees, plus a share of the angle
_BEFORE_S = 0.3  # a step takes about 0.6 s: standing 0.3 s before and standing now excludes a step


class Inertial(Protocol):
    """IMU measurements in camera axes, on the clock of the frames."""

    def covers(self, start: float, stop: float) -> bool: ...

    def turn_between(self, start: float, stop: float) -> Matrix: ...

    def standing(self, start: float, stop: float) -> bool: ...


@dataclass
class ImuPreintegration:
    """IMU measurements since the last usable frame: rotation `R_now_last`, and whether the wearer stood."""

    turn: Matrix | None = None
    standing: bool = False
    agreed: int = 0  # rotations on which vision and gyroscope agreed, minus twice those on which they did not

    def integrate(self, imu: Inertial | None, start: float, stop: float) -> None:
        known = imu is not None and imu.covers(start - _BEFORE_S, stop)
        self.turn = imu.turn_between(start, stop) if imu is not None and known else None
        self.standing = imu is not None and known and imu.standing(start - _BEFORE_S, stop)

    @property
    def trusted_turn(self) -> Matrix | None:
        return self.turn if self.agreed >= _TRUSTED else None

    @property
    def on_the_spot(self) -> bool:
        return self.standing and self.agreed >= _TRUSTED

    def compare_with_vision(self, seen: Matrix) -> None:
        """Count whether a visual rotation agrees with the gyroscope. Wrong IMU axes never agree."""
        angle = angle_deg(seen)
        if self.turn is None or angle < _MIN_TURN_DEG:
            return
        alike = angle_deg(self.turn.T @ seen) < _ALIKE_DEG + _ALIKE_SHARE * angle
        self.agreed = min(self.agreed + 1, 4 * _TRUSTED) if alike else max(self.agreed - 2, -2 * _TRUSTED)
