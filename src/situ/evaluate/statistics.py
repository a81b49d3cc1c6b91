"""Intervals for shares of right answers."""

import math
from typing import NamedTuple

Z_95 = 1.959963984540054


class Interval(NamedTuple):
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def wilson(right: int, total: int, z: float = Z_95) -> Interval:
    """Wilson score interval of a share: honest for small samples and near 0 and 1."""
    if total == 0:
        return Interval(0.0, 1.0)
    share = right / total
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    middle = share + z * z / (2 * total)
    scale = 1 + z * z / total
    return Interval(max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))
