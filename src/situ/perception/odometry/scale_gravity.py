"""Filter of the map's scale and gravity from ground observations, and evidence that the ground is the
floor."""

import math
from dataclasses import dataclass, field

import numpy as np

from situ.geometry.pose import Vector
from situ.perception.odometry.ground_plane import GroundPlane

# Random add_motion per frame, and noise of one ground observation. Planes of successive frames share points,
# and eyes bob, so observations never count as precise.
_SCALE_DRIFT, _TILT_DRIFT = 0.01, float(np.radians(0.03))
_HEIGHT_NOISE, _TILT_NOISE = 0.03, float(np.radians(1.0))
_UNKNOWN_SCALE = 0.5
_MAX_START_TILT_SIGMA = float(np.radians(1.2))  # of a plane that starts a map


@dataclass(frozen=True, eq=False)
class Correction:
    """Correction of the map: factor on distances, and the corrected up direction in camera axes."""

    scale: float
    up: Vector


@dataclass(eq=False)
class ScaleGravityFilter:
    """Standard deviations of tilt (roll and pitch, radians) and of scale (relative).

    The initial values assume a level head: within 4 degrees of roll and 12 degrees of pitch.
    """

    tilt_sigma: Vector = field(default_factory=lambda: np.radians([4.0, 12.0]))
    scale_sigma: float = _UNKNOWN_SCALE

    def expected(self, up: Vector, height: float) -> GroundPlane:
        """Expected ground plane, with the noise of one observation included."""
        tilt = np.hypot(self.tilt_sigma, _TILT_NOISE)
        return GroundPlane(up, height, tilt, float(np.hypot(self.scale_sigma, _HEIGHT_NOISE)))

    def reset(self, plane: GroundPlane | None) -> None:
        """Reset for a new map, whose scale comes from `plane`, or is unknown without one."""
        self.scale_sigma = _UNKNOWN_SCALE
        if plane is not None:
            self.tilt_sigma, self.scale_sigma = plane.tilt_sigma, plane.height_sigma

    def inflate_tilt(self) -> None:
        self.tilt_sigma = np.hypot(self.tilt_sigma, _TILT_NOISE)

    def predict(self) -> None:
        """Predict: add one frame of drift."""
        self.scale_sigma = float(np.hypot(self.scale_sigma, _SCALE_DRIFT))
        self.tilt_sigma = np.hypot(self.tilt_sigma, _TILT_DRIFT)

    def update(self, plane: GroundPlane, up: Vector, height: float) -> Correction:
        """Update with an observed plane; returns the correction to apply."""
        noise = plane.height_sigma**2 + _HEIGHT_NOISE**2
        trust = self.scale_sigma**2 / (self.scale_sigma**2 + noise)
        tilt_trust = float(np.mean(self.tilt_sigma**2 / (self.tilt_sigma**2 + _TILT_NOISE**2)))
        towards = up + tilt_trust * (plane.up - up)
        self.scale_sigma *= float(np.sqrt(1 - trust))
        # The plane was fitted with the expected one as prior: only its additional information counts.
        expected = np.hypot(self.tilt_sigma, _TILT_NOISE)
        news = np.clip(1 - (plane.tilt_sigma / expected) ** 2, 0.0, 1.0)
        self.tilt_sigma = self.tilt_sigma * np.sqrt(1 - tilt_trust * news)
        return Correction(float((height / plane.height) ** trust), towards / np.linalg.norm(towards))


def fixes_gravity(plane: GroundPlane) -> bool:
    """Whether a plane determines gravity well enough to reset a map."""
    return bool(plane.tilt_sigma.max() < _MAX_START_TILT_SIGMA)


# A level surface may be a table: log scale error until enough metres were walked over it. Walking beside a
# table can look like that for a metre or two, or twice as much in the wrong scale.
_OTHER_PLANE, _CONFIRMED_M = 0.6, 4.5
_MAX_STEP_M = 0.7  # path between two ground observations that counts as walked over the ground
# Climbing by more than a share of this distance: the camera may be above another surface now.
_LEVEL_PATH_M, _MAX_CLIMB_SHARE = 2.0, 0.15


@dataclass(eq=False)
class FloorEvidence:
    """Distance walked, and how much of it over the surface that is taken for the floor (metres).

    `level_height` and `level_since` are the height and the distance walked at the last check for climbing.
    """

    level_height: float
    walked: float = 0.0
    confirmed: float = 0.0
    observed_at: float = 0.0  # distance walked at the last ground observation
    level_since: float = 0.0

    @property
    def log_scale_sigma(self) -> float:
        """Standard deviation of the log scale in case the surface is not the floor.

        A desk in front of a standing wearer gives a third of the height; walking on it rules that out.
        """
        return _OTHER_PLANE * math.exp(-self.confirmed / _CONFIRMED_M)

    def reset(self, height: float) -> None:
        """Reset for a new map."""
        self.confirmed = 0.0
        self.level_since, self.level_height = self.walked, height

    def add_motion(self, metres: float, height: float) -> None:
        """Add a step; evidence is lost if the camera climbs."""
        self.walked += metres
        walked = self.walked - self.level_since
        if walked > _LEVEL_PATH_M:
            if abs(height - self.level_height) > _MAX_CLIMB_SHARE * walked:
                self.confirmed = 0.0
            self.level_since, self.level_height = self.walked, height

    def add_observation(self) -> None:
        """The ground was observed: the path since the last observation was walked over it."""
        self.confirmed += min(self.walked - self.observed_at, _MAX_STEP_M)
        self.observed_at = self.walked
