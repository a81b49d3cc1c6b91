"""Where a run of frames led, in short: enough to see that it never came near a spot, or never left it."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.packing import PoseBlock, first_of_each_cell

_THINNED_M = 0.6  # no spot of a run is farther than this from one that is kept of it


class Trace(NamedTuple):
    """Where a run of frames led: its spots, thinned, and the box around them."""

    spots: NDArray[np.float64]
    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def of(cls, block: PoseBlock) -> "Trace":
        ground = block.positions[:, :2]
        spots = ground[first_of_each_cell(ground, np.zeros(len(ground), np.int64))]
        (x, y), (u, v) = ground.min(axis=0).tolist(), ground.max(axis=0).tolist()
        return cls(spots, (x, y), (u, v))

    def least_m(self, x: float, y: float, wanted_m: float) -> float:
        """No frame of the run was nearer to a spot than this; worked out no better than it takes to see that
        none was as near as wanted."""
        aside = max(self.low[0] - x, x - self.high[0], 0.0), max(self.low[1] - y, y - self.high[1], 0.0)
        least = math.hypot(*aside)
        if least > wanted_m:
            return least
        gaps = np.hypot(self.spots[:, 0] - x, self.spots[:, 1] - y)
        return max(least, float(gaps.min()) - _THINNED_M)

    def most_m(self, x: float, y: float) -> float:
        """No frame of the run was farther from a spot than this."""
        aside = max(x - self.low[0], self.high[0] - x), max(y - self.low[1], self.high[1] - y)
        return math.hypot(*aside)
