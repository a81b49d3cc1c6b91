"""How far the wearer walked in a run of frames."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Spot = tuple[float, float]


class Walk(NamedTuple):
    """Metres over the ground, and where it began and ended; None where there is no frame."""

    metres: float
    start: Spot | None
    end: Spot | None

    @classmethod
    def along(cls, ground: NDArray[np.float64], least_m: float) -> "Walk":
        """Of positions (n, 2); steps up to a length are swaying."""
        if not len(ground):
            return cls(0.0, None, None)
        steps = np.hypot(*np.diff(ground, axis=0).T)
        (x, y), (u, v) = ground[[0, -1]].tolist()
        return cls(float(steps[steps > least_m].sum()), (x, y), (u, v))


class WholeRun(NamedTuple):
    """The last frame of a run, when it began, and how far the wearer walked in it."""

    last: int
    began: float
    walk: Walk
