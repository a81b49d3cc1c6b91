"""The sightings of an object, in columns that are read when more than the last one is asked for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from situ.state.protocol import Sighting

GLIMPSE = 0.5  # the clarity of a sighting that is not clear


class Seen(NamedTuple):
    """Frames in which an object was seen, their times, and whether it was seen clearly; in order."""

    frames: NDArray[np.int64]
    times: NDArray[np.float64]
    clear: NDArray[np.bool_]

    def until(self, frame: int) -> "Seen":
        """Those up to a frame."""
        count = int(np.searchsorted(self.frames, frame, side="right"))
        return Seen(self.frames[:count], self.times[:count], self.clear[:count])


class Sightings(Sequence[Sighting]):
    """The sightings of one object up to a frame. The last one is known from the start: most questions about
    hundreds of objects ask for no other."""

    def __init__(self, last: Sighting | None, read: Callable[[], Seen]) -> None:
        self.last, self._read = last, read
        self._columns: Seen | None = None

    @property
    def seen(self) -> Seen:
        """All of them as columns."""
        if self._columns is None:
            self._columns = self._read()
        return self._columns

    def __len__(self) -> int:
        return 0 if self.last is None else len(self.seen.frames)

    def __bool__(self) -> bool:
        return self.last is not None

    @overload
    def __getitem__(self, index: int) -> Sighting: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sighting]: ...
    def __getitem__(self, index: int | slice) -> Sighting | Sequence[Sighting]:
        if index == -1 and self.last is not None:
            return self.last
        if isinstance(index, slice):
            return [self._one(k) for k in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"sighting {index} of {len(self)}")
        return self._one(index)

    def _one(self, k: int) -> Sighting:
        frames, times, clear = self.seen
        return Sighting(int(frames[k]), float(times[k]), 1.0 if clear[k] else GLIMPSE)
