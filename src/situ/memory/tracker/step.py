"""What the steps of a frame share: tables of tracks, the view of the camera, and what was found so far."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.options import Limits
from situ.memory.tables.tracks import Heads, Table
from situ.perception.observation import ObservedFrame

# Of each detection: how good a view it is if it is one of the best of its object, and whether it is within
# the wearer's reach.
MATCH = np.dtype([("quality", "f8"), ("near", "?")])
# A detection and a track that may match, how they would, and what that costs.
CANDIDATE = np.dtype([("detection", "i4"), ("row", "i4"), ("how", "i4"), ("cost", "f8")])
# Two objects that stand close and share a frame, by their numbers, and whether that is news.
PAIR = np.dtype([("elder", "i8"), ("younger", "i8"), ("fresh", "?")])
# A track that should be in view and was not detected: depth of its place, up to where the view is clear there
# (negative without depth), its distance, and how likely it is hidden, and found if it is not.
MISSED = np.dtype(
    [("row", "i4"), ("depth", "f8"), ("clear", "f8"), ("distance", "f8"), ("hidden", "f8"), ("found", "f8")]
)


class TrackTables(NamedTuple):
    """The tables of the working memory, as compiled code takes them."""

    rows: Table
    heads: Heads
    key_of: NDArray[np.int32]
    motion: NDArray[np.void]
    rates: NDArray[np.void]
    limits: Limits


class View(NamedTuple):
    """What a camera sees of the map in a frame, as compiled code takes it."""

    number: int
    time: float
    seconds: float  # since the frame before
    way: float  # of the wearer so far, as the drift of poses counts it
    poses: NDArray[np.float64]  # of the camera in the map, and its inverse
    lens: NDArray[np.float64]  # fx fy cx cy width height; empty where no camera is known: nothing is missed
    codes: NDArray[np.uint8]  # how far the view is clear; 0 x 0 without depth
    metres: NDArray[np.float64]  # by code


@dataclass(slots=True, eq=False)
class Step:
    """A frame on its way into the memory."""

    frame: ObservedFrame
    number: int
    seconds: float  # since the frame before
    detections: NDArray[np.void]
    codes: NDArray[np.uint8]  # how far the view is clear; 0 x 0 without depth
    poses: NDArray[np.float64]  # of the camera in the map, and its inverse
    rows: NDArray[np.int32]  # for each detection its track, -1 if it has none
    how: NDArray[np.int32]  # and how it was matched, see `association`
    matches: NDArray[np.void]  # and more, see MATCH
    in_hand: NDArray[np.int32]  # tracks that may be in the wearer's hands,
    in_hand_at: NDArray[np.float64]  # and where they would be
    missed: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))  # tracks not detected

    @classmethod
    def of(cls, frame: ObservedFrame, number: int, seconds: float, detections: NDArray[np.void]) -> "Step":
        count = len(detections)
        return cls(
            frame, number, seconds, detections, np.zeros((0, 0), np.uint8), np.empty((2, 4, 4)),
            np.empty(count, np.int32), np.empty(count, np.int32), np.zeros(count, MATCH),
            np.zeros(0, np.int32), np.zeros((0, 3)),
        )  # fmt: skip

    @property
    def time(self) -> float:
        return self.frame.time

    @property
    def pose(self) -> Matrix:
        """Of the camera in the map."""
        pose: Matrix = self.poses[0]
        return pose

    @property
    def camera_from_world(self) -> Matrix:
        inverse: Matrix = self.poses[1]
        return inverse
