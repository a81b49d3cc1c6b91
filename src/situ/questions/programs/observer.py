"""Who looks: the wearer, or somebody else at a place."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.heading import Heading


@dataclass(frozen=True)
class Observer:
    """Who stands where and faces which way in each world (n,); yaw counter-clockwise from +x in radians."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]
    yaw: NDArray[np.float64] | None

    @classmethod
    def of(cls, here: Heading, worlds: int) -> "Observer":
        x, y, z, yaw = (np.full(worlds, v) for v in (here.x, here.y, here.z, math.radians(here.yaw_deg)))
        return cls(x, y, z, yaw)
