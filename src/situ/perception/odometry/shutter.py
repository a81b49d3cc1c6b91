"""A rolling shutter: a picture is read line by line, so that while the camera turns each line shows another
moment. How long reading takes is learnt from how landmarks fit; it may be that all is read at once, or, with
a camera that is held the other way round, that the last line is read first.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from situ.compiled import njit
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, Vector
from situ.perception.odometry.pose_equations import normal_equations
from situ.perception.odometry.resection import Fit, Sightings
from situ.perception.odometry.tracks import Pixels, bearings, pixels

_USUAL_S = 0.02  # before anything was seen, either way; phones need 5 to 30 ms
_LONGEST_GAP_S = 0.25  # between frames: the turn over more says little of the moment of one
# So many frames tell as much as one would alone: they share landmarks, and errors with them.
_SHARED = 20.0
# Of an error of the readout a look shows about this share: keyframes and depths were solved for with it.
_SHOWN = 0.2
_SUREST_S = 0.002  # who is surer learns nothing more
_FEWEST = 30
_STEP_S = 0.002
_EVENLY = 1e6  # scale of weights: outliers have been left out


@dataclass(eq=False)
class Shutter:
    """`readout`: seconds from the first line to the last, negative if the last is read first. `rate`: how the
    camera turns in the latest frame (camera axes, radians a second)."""

    camera: Camera
    rate: Vector = field(default_factory=lambda: np.zeros(3))
    readout: float = 0.0
    information: float = _USUAL_S**-2.0
    learns: bool = True  # not through a lens that is not known: its errors look alike

    def turned(self, turn: Matrix, gap: float) -> None:
        """The camera turned by `R_now_last` since the frame before."""
        self.rate = cv2.Rodrigues(turn)[0][:, 0] / gap if gap < _LONGEST_GAP_S else np.zeros(3)

    def bearings(self, points: Pixels) -> Matrix:
        """Image-plane coordinates (n, 2) of tracked points, as all would be in the middle of the reading."""
        flat = bearings(self.camera, points)
        if self.readout and self.rate.any():
            flat += self.readout * self.sway(points)
        return flat

    def steadied(self, points: Pixels) -> Pixels:
        """Pixels of `bearings`."""
        return pixels(self.camera, self.bearings(points))

    def sway(self, points: Pixels) -> Matrix:
        """What each second of reading adds to `bearings`. Lines are along the longer side of a picture: those
        of a camera that is held upright are columns."""
        camera = self.camera
        upright = camera.height > camera.width
        lines = camera.width if upright else camera.height
        line = (points[:, 0 if upright else 1] + 0.5) / lines
        sway: Matrix = _swayed(bearings(camera, points), line, self.rate)
        return sway

    def learn(self, seen: Sightings, swayed: Matrix, sway: Matrix, fit: Fit, focal: float) -> float:
        """How much longer reading has to take for landmarks to fit better, wherever else the camera is then.

        A second of it moves their rays by `swayed` (world axes), and what is seen of them by `sway`.
        """
        if not self.learns or len(seen) < _FEWEST or not self.rate.any():
            return 0.0
        less, now, more = (
            _misfit(replace(seen, rays=seen.rays + by * swayed, seen=seen.seen + by * sway), fit, focal)
            for by in (-_STEP_S, 0.0, _STEP_S)
        )
        about = max(1e-9, (less + more - 2.0 * now) / (2.0 * _STEP_S**2)) / _SHARED
        told = (less - more) / (4.0 * _STEP_S) / _SHARED
        self.information = min(self.information + _SHOWN**2 * about, _SUREST_S**-2.0)
        change = told * min(_SHOWN / self.information, 1.0 / about)
        self.readout += change
        return change


def _misfit(seen: Sightings, fit: Fit, focal: float) -> float:
    """What is left of the squared residuals, in deviations, if the pose is solved anew, to first order."""
    squared = np.empty(len(seen))
    given = (np.ascontiguousarray(column, dtype=float) for column in vars(seen).values())
    normal, right = normal_equations(
        *given,
        fit.R_camera_world,
        fit.centre,
        focal,
        fit.noise_px,
        _EVENLY,
        squared,
        seen.inverse_depth.copy(),
        False,
    )
    return float(squared.sum() - right @ np.linalg.solve(normal, right))


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _swayed(flat: Matrix, line: Vector, rate: Vector) -> Matrix:
    """How image-plane coordinates move while the camera turns, by how early each was read."""
    made = np.empty_like(flat)
    for k in range(len(flat)):
        x, y = flat[k]
        towards = rate[0] * y - rate[1] * x
        early = 0.5 - line[k]
        made[k, 0] = early * (rate[1] - rate[2] * y - x * towards)
        made[k, 1] = early * (rate[2] * x - rate[0] - y * towards)
    return made
