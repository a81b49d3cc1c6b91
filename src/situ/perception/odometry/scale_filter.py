"""The scale of a map whose depths were estimated from pictures.

Each estimated depth image may be off by a common factor. The map may be off too, and it drifts: where near
points are estimated too far, each step is measured too long and new points are triangulated too far. Only
the disagreement between an image and the map can be measured. A Kalman filter over keyframes separates the
two: errors of images have the stated size and are forgotten as the view changes, the map's error adds up.
"""

from dataclasses import dataclass

import numpy as np

from situ.geometry.pose import Matrix, Vector

_KEPT = 0.8  # correlation of an image's error with that at the next keyframe, which shows much of the same
# Logs of a scale, per keyframe: drift of the map, change of that drift, random step; and the noise of the
# measured disagreement.
_DRIFT, _DRIFT_CHANGE, _STEP, _NOISE = 0.02, 0.002, 0.01, 0.02
_MEASURED = np.array([-1.0, 0.0, 1.0])  # what is measured, by the columns of the state


@dataclass(eq=False)
class ScaleFilter:
    """State: log scale error of the map, its drift per keyframe, log scale error of the latest image."""

    state: Vector
    covariance: Matrix

    @classmethod
    def started(cls, image_sigma: float) -> "ScaleFilter":
        """A map that starts from one image shares its error."""
        shared = np.array([image_sigma, 0.0, image_sigma])
        covariance = np.outer(shared, shared)
        covariance[1, 1] = _DRIFT**2
        return cls(np.zeros(3), covariance)

    def correction(self, off: float, image_sigma: float, keyframes: int = 1) -> float:
        """The factor by which the map is to be rescaled, so many keyframes after the last call; the filter
        assumes that it is. `off` is the log of the image's depths over those of the map.
        """
        kept = _KEPT**keyframes
        move = np.array([[1.0, keyframes, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, kept]])
        fresh = image_sigma**2 * (1.0 - kept**2)
        self.state = move @ self.state
        self.covariance = move @ self.covariance @ move.T
        self.covariance += np.diag([keyframes * _STEP**2, keyframes * _DRIFT_CHANGE**2, fresh])
        gain = self.covariance @ _MEASURED / (_MEASURED @ self.covariance @ _MEASURED + _NOISE**2)
        self.covariance -= np.outer(gain, _MEASURED @ self.covariance)
        self.state += gain * (off - _MEASURED @ self.state)
        factor = float(np.exp(-self.state[0]))
        self.state[0] = 0.0
        return factor
