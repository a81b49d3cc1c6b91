"""In which frames every object was seen, from one column that is read once; see `version_book`."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database
from situ.memory.file.packing import sightings_of_runs
from situ.memory.reading.queries import FRAME_BITS

_ROWS = "SELECT object_id, first_frame, body FROM sighting ORDER BY object_id, first_frame LIMIT ?"
_MOST = 20_000  # runs of frames in which a thing was seen
_MOST_SIGHTINGS = 500_000  # of nine bytes each; every connection keeps its own


class SightingBook(NamedTuple):
    """Number and frame of each sighting in one number (n,), in order, and whether it is clear (n,)."""

    keys: NDArray[np.int64]
    clear: NDArray[np.bool_]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep."""
        rows = connection.all(_ROWS, (_MOST + 1,))
        if len(rows) > _MOST or sum(len(row[2]) for row in rows) > 2 * _MOST_SIGHTINGS:
            return None
        numbers, frames, clear = sightings_of_runs(rows)
        keys = numbers << FRAME_BITS | frames
        return cls(keys, clear) if (keys[1:] >= keys[:-1]).all() else None

    def last_by(self, ends: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, bool]]:
        """The last frame up to a frame in which what was filed under a number was seen, and whether clearly,
        where there is one; each such end goes by a number of its own."""
        if not len(self.keys):
            return {}
        asked = np.array([number << FRAME_BITS | frame for number, frame in ends.values()], np.int64)
        place = np.searchsorted(self.keys, asked, side="right") - 1
        found = self.keys[place]  # the last of all where there is none before, which is another's or later
        fits = (place >= 0) & (found >> FRAME_BITS == asked >> FRAME_BITS)
        frames, clear = (found & (1 << FRAME_BITS) - 1).tolist(), self.clear[place].tolist()
        seen = zip(ends, fits.tolist(), frames, clear, strict=True)
        return {key: (frame, is_clear) for key, fit, frame, is_clear in seen if fit}

    def last_frames(self, numbers: NDArray[np.int64], frame: int) -> NDArray[np.int64]:
        """The last frame up to a frame in which what was filed under each number was seen, -1 if none."""
        if not len(self.keys):
            return np.full(len(numbers), -1)
        found = self.keys[np.searchsorted(self.keys, numbers << FRAME_BITS | frame, side="right") - 1]
        fits = (found >> FRAME_BITS == numbers) & (found & (1 << FRAME_BITS) - 1 <= frame)
        return np.where(fits, found & (1 << FRAME_BITS) - 1, -1)

    def between(self, number: int, first: int, last: int, newest_first: bool) -> Iterator[tuple[int, bool]]:
        """The frames from one to another in which what was filed under a number was seen."""
        start, stop = np.searchsorted(
            self.keys, (number << FRAME_BITS | first, number << FRAME_BITS | last + 1)
        )
        frames = (self.keys[start:stop] & (1 << FRAME_BITS) - 1).tolist()
        found = zip(frames, self.clear[start:stop].tolist(), strict=True)
        return reversed(list(found)) if newest_first else iter(found)
