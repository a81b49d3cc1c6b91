"""How sure the odometer is of scale and gravity, and what a look at the ground changes about them."""

from dataclasses import dataclass, field

import numpy as np

from situ.geometry.pose import Vector
from situ.perception.odometry.ground import Plane

# Random walk of the map's scale and gravity per frame, and what one look at the ground can tell of them:
# planes of successive frames share points, hence errors, and eyes bob, so they never count as precise.
_SCALE_DRIFT, _TILT_DRIFT = 0.01, float(np.radians(0.03))
_HEIGHT_NOISE, _TILT_NOISE = 0.03, float(np.radians(1.0))
_UNKNOWN_SCALE = 0.5
_SURE_TILT = float(np.radians(1.2))


@dataclass(frozen=True, eq=False)
class Verdict:
    """Multiply distances by `scale`; `up` (camera axes) is the better vertical."""

    scale: float
    up: Vector


@dataclass(eq=False)
class Belief:
    """Standard deviations: of the tilt (roll and pitch, radians) and of the scale (relative).

    Before anything was seen, heads are taken to be level within 4 degrees sideways and 12 up or down.
    """

    tilt_sigma: Vector = field(default_factory=lambda: np.radians([4.0, 12.0]))
    scale_sigma: float = _UNKNOWN_SCALE

    def expected(self, up: Vector, height: float) -> Plane:
        """Where the ground should be, with room for the noise of one look."""
        tilt = np.hypot(self.tilt_sigma, _TILT_NOISE)
        return Plane(up, height, tilt, float(np.hypot(self.scale_sigma, _HEIGHT_NOISE)))

    def start(self, plane: Plane | None) -> None:
        """A new map: its scale is as good as the plane that gave it, or not known at all."""
        self.scale_sigma = _UNKNOWN_SCALE
        if plane is not None:
            self.tilt_sigma, self.scale_sigma = plane.tilt_sigma, plane.height_sigma

    def lose_map(self) -> None:
        self.tilt_sigma = np.hypot(self.tilt_sigma, _TILT_NOISE)

    def age(self) -> None:
        """One frame of walking adds a little drift."""
        self.scale_sigma = float(np.hypot(self.scale_sigma, _SCALE_DRIFT))
        self.tilt_sigma = np.hypot(self.tilt_sigma, _TILT_DRIFT)

    def weigh(self, plane: Plane, up: Vector, height: float) -> Verdict:
        """How far to follow a plane that was seen, and be surer afterwards."""
        noise = plane.height_sigma**2 + _HEIGHT_NOISE**2
        trust = self.scale_sigma**2 / (self.scale_sigma**2 + noise)
        tilt_trust = float(np.mean(self.tilt_sigma**2 / (self.tilt_sigma**2 + _TILT_NOISE**2)))
        towards = up + tilt_trust * (plane.up - up)
        self.scale_sigma *= float(np.sqrt(1 - trust))
        # The plane was pulled towards what was expected: only what it is surer of than that is news.
        expected = np.hypot(self.tilt_sigma, _TILT_NOISE)
        news = np.clip(1 - (plane.tilt_sigma / expected) ** 2, 0.0, 1.0)
        self.tilt_sigma = self.tilt_sigma * np.sqrt(1 - tilt_trust * news)
        return Verdict(float((height / plane.height) ** trust), towards / np.linalg.norm(towards))


def is_sure(plane: Plane) -> bool:
    """Whether a plane fixes gravity well enough to start a map with it."""
    return bool(plane.tilt_sigma.max() < _SURE_TILT)
