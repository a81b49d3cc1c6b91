"""Frames on their way to the file, column by column: what a frame adds is written in place, not made anew."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.tables.row_types import OBSERVED

FRAME = np.dtype(
    [
        ("frame", "i8"),
        ("time", "f8"),
        ("known", "f8"),
        ("given", "f8", (4, 4)),  # the pose as it was given, and what takes it into the map
        ("correction", "f8", (4, 4)),
        ("place", "i8"),
        ("camera", "i8"),
        ("seen", "i8"),  # how many observations it has
    ]
)
_FRAMES, _SEEN = 256, 4096  # room at first, for a usual run of frames; it grows as needed


class FrameFacts(NamedTuple):
    """What is known of a frame from the start."""

    number: int
    time: float
    known: float  # when it was known
    place: int  # number of the place, 0 for none
    camera: int  # number of the camera, 0 for none
    seen: int  # how many detections it has


@dataclass(eq=False, slots=True)
class FrameRun:
    """Some frames one after the other, and the observations of all of them."""

    frames: NDArray[np.void]
    observed: NDArray[np.void]
    object_ids: NDArray[np.int64]
    codes: list[NDArray[np.uint8] | None]  # how far the view is clear, by frame

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def first(self) -> int:
        return int(self.frames["frame"][0])

    @property
    def offsets(self) -> NDArray[np.int64]:
        """For each observation how many frames after the first it was made."""
        numbers: NDArray[np.int64] = self.frames["frame"] - self.frames["frame"][0]
        return np.repeat(numbers, self.frames["seen"])

    def followed_by(self, later: "FrameRun") -> "FrameRun":
        return FrameRun(
            np.concatenate([self.frames, later.frames]),
            np.concatenate([self.observed, later.observed]),
            np.concatenate([self.object_ids, later.object_ids]),
            self.codes + later.codes,
        )


class FrameLog:
    """The frames since the last write. What lies beyond the last one is scratch."""

    def __init__(self) -> None:
        self.frames: NDArray[np.void] = np.zeros(_FRAMES, FRAME)
        self._observed: NDArray[np.void] = np.zeros(_SEEN, OBSERVED)
        self.ids: NDArray[np.int64] = np.zeros(_SEEN, np.int64)
        self.seen = 0  # how many observations are in it
        self._codes: list[NDArray[np.uint8] | None] = []

    def __len__(self) -> int:
        return len(self._codes)

    def __getstate__(self) -> FrameRun:
        return self.run()

    @property
    def start(self) -> tuple[int, float]:
        """Number and time of the first frame."""
        return int(self.frames["frame"][0]), float(self.frames["time"][0])

    def observations(self, count: int) -> NDArray[np.void]:
        """Rows for those of the next frame, to be filled."""
        stop = self.seen + count
        if stop > len(self.ids):
            self._observed = _grown(self._observed, 2 * stop)
            self.ids = np.concatenate([self.ids, np.zeros(2 * stop - len(self.ids), np.int64)])
        return self._observed[self.seen : stop]

    def object_ids(self, count: int) -> NDArray[np.int64]:
        """Likewise for the numbers of the objects that these are of."""
        return self.ids[self.seen : self.seen + count]

    def make_room(self) -> None:
        """For one more frame, whose row is to be filled; `add` makes it one of the log."""
        if len(self._codes) == len(self.frames):
            self.frames = _grown(self.frames, 2 * len(self.frames))

    def add(self, count: int, codes: NDArray[np.uint8] | None) -> None:
        """The next frame has been filled in, and so many observations of it."""
        self._codes.append(codes)
        self.seen += count

    def run(self) -> FrameRun:
        """What is in the log, as it is now."""
        return FrameRun(
            self.frames[: len(self)].copy(),
            self._observed[: self.seen].copy(),
            self.ids[: self.seen].copy(),
            list(self._codes),
        )

    def clear(self) -> None:
        self._codes.clear()
        self.seen = 0


def _grown(table: NDArray[np.void], room: int) -> NDArray[np.void]:
    larger = np.zeros(room, table.dtype)
    larger[: len(table)] = table
    return larger


@njit(cache=True)
def fill_frame(entry, facts: FrameFacts, given: Matrix, correction: Matrix) -> None:  # type: ignore[no-untyped-def]
    """Fill in the row of a frame."""
    entry[0].frame, entry[0].time, entry[0].known = facts.number, facts.time, facts.known
    entry[0].place, entry[0].camera, entry[0].seen = facts.place, facts.camera, facts.seen
    entry[0].given[:] = given
    entry[0].correction[:] = correction
