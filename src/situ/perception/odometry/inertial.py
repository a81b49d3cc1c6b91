"""What a gyroscope and an accelerometer add to what is seen, once they have proved to agree with it."""

from dataclasses import dataclass
from typing import Protocol

from situ.geometry.pose import Matrix
from situ.perception.odometry.turning import angle_deg

_TRUSTED = 3  # turns on which eyes and gyroscope must have agreed, more than disagreed
_TELLING_DEG = 1.0  # smaller turns prove nothing
_ALIKE_DEG, _ALIKE_SHARE = 0.5, 0.2
_BEFORE_S = 0.3  # a step takes about twice as long: who stood before and stands now did not take one


class Inertial(Protocol):
    """An IMU in the camera's axes, on the frames' clock."""

    def covers(self, start: float, stop: float) -> bool: ...

    def turn_between(self, start: float, stop: float) -> Matrix: ...

    def standing(self, start: float, stop: float) -> bool: ...


@dataclass
class Felt:
    """What was felt since the last usable frame: the turn `R_now_last`, and whether no step was taken."""

    turn: Matrix | None = None
    standing: bool = False
    agreed: int = 0  # turns on which eyes and gyroscope agreed, less those on which they did not

    def feel(self, imu: Inertial | None, start: float, stop: float) -> None:
        known = imu is not None and imu.covers(start - _BEFORE_S, stop)
        self.turn = imu.turn_between(start, stop) if imu is not None and known else None
        self.standing = imu is not None and known and imu.standing(start - _BEFORE_S, stop)

    @property
    def trusted_turn(self) -> Matrix | None:
        return self.turn if self.agreed >= _TRUSTED else None

    @property
    def on_the_spot(self) -> bool:
        return self.standing and self.agreed >= _TRUSTED

    def judge(self, seen: Matrix) -> None:
        """Compare a turn that was seen with what was felt. Axes that are not the camera's never agree."""
        angle = angle_deg(seen)
        if self.turn is None or angle < _TELLING_DEG:
            return
        alike = angle_deg(self.turn.T @ seen) < _ALIKE_DEG + _ALIKE_SHARE * angle
        self.agreed = min(self.agreed + 1, 4 * _TRUSTED) if alike else max(self.agreed - 2, -2 * _TRUSTED)
