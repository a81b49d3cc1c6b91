"""What compiled steps take: what is known, and a frame that is looked at."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.memory.options import Limits
from situ.memory.tables.tracks import Heads, Table


class Known(NamedTuple):
    """The tables of the working memory."""

    rows: Table
    heads: Heads
    key_of: NDArray[np.int32]
    motion: NDArray[np.void]
    rates: NDArray[np.void]
    limits: Limits


class Look(NamedTuple):
    """A frame, as far as it is known before its observations are."""

    number: int
    time: float
    way: float  # of the wearer so far, as the drift of poses counts it
    poses: NDArray[np.float64]  # of the camera in the map, and its inverse
    lens: NDArray[np.float64]  # fx fy cx cy width height; empty where no camera is known: nothing is missed
    codes: NDArray[np.uint8]  # how far the view is clear; 0 x 0 without depth
    metres: NDArray[np.float64]  # by code
