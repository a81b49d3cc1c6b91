"""In which frames every object was seen, from one column that is read once; see `version_book`."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.lazy import lazily
from situ.memory.file.database import Database
from situ.memory.file.packing import sightings_of_runs

_LENGTH = "SELECT coalesce(sum(length(body)), 0) FROM sighting"
_ROWS = (
    "SELECT object_id, first_frame, body FROM sighting WHERE (object_id, first_frame) > (?, ?) "
    "ORDER BY object_id, first_frame LIMIT ?"
)
_CODE_BYTES = 2  # of a sighting in the file
# Sightings of eight bytes each; every connection keeps its own. A week of a house has 6.5 million.
_MOST, _AT_ONCE = 12_000_000, 20_000
_BITS = 34  # of a key that tell the frame and whether it shows the thing clearly
_LAST = (1 << _BITS) - 1


@dataclass(frozen=True, eq=False)
class SightingBook:
    """Number, frame and clarity of each sighting in one number (n,), in order."""

    keys: NDArray[np.int64]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep."""
        count = int(connection.one(_LENGTH)[0]) // _CODE_BYTES
        if count > _MOST:
            return None
        keys, known, last = np.empty(count, np.int64), 0, (-1, -1)
        while rows := connection.all(_ROWS, (*last, _AT_ONCE)):
            last = rows[-1][:2]
            numbers, frames, clear = sightings_of_runs(rows)
            keys[known : known + len(frames)] = numbers << _BITS | frames << 1 | clear
            known += len(frames)
        return cls(keys) if (keys[1:] >= keys[:-1]).all() else None

    def __len__(self) -> int:
        return len(self.keys)

    def last_by(self, ends: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, bool]]:
        """The last frame up to a frame in which what was filed under a number was seen, and whether clearly,
        where there is one; each such end goes by a number of its own."""
        numbers, frames = np.array(list(ends.values()), np.int64).reshape(-1, 2).T
        seen = zip(ends, self.last_codes(numbers, frames).tolist(), strict=True)
        return {key: (code >> 1, bool(code & 1)) for key, code in seen if code >= 0}

    def last_code(self, number: int, frame: int) -> int:
        """The last up to a frame: twice its number, plus one if it is clear; -1 if there is none."""
        keys = self.keys.data
        place = bisect_left(keys, number << _BITS | frame + 1 << 1) - 1
        return keys[place] & _LAST if place >= 0 and keys[place] >> _BITS == number else -1

    def last_frames(self, numbers: NDArray[np.int64], frame: int) -> NDArray[np.int64]:
        """The last frame up to a frame in which what was filed under each number was seen, -1 if none."""
        return self.last_codes(numbers, np.array(frame)) >> 1

    def last_codes(self, numbers: NDArray[np.int64], frames: NDArray[np.int64]) -> NDArray[np.int64]:
        """The last up to some frames, -1 where there is none."""
        if not len(self.keys):
            return np.full(len(numbers), -1)
        place = np.searchsorted(self.keys, numbers << _BITS | frames + 1 << 1) - 1
        found = self.keys[place]
        return np.where((place >= 0) & (frames >= 0) & (found >> _BITS == numbers), found & _LAST, -1)

    def filed(self, number: int, first: int, last: int) -> "Shown":
        """What was filed under a number from a frame to another."""
        base = number << _BITS
        start, stop = np.searchsorted(self.keys, (base | first << 1, base | last + 1 << 1)).tolist()
        return Shown(self.keys.data[start:stop], base)

    def _spans(
        self, numbers: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where what was filed under some numbers from a frame to another begins and ends. Mostly all of it
        counts, and to see that takes less time than a search among millions."""
        known = np.minimum(numbers, len(self._edges) - 2)
        begin, end = self._edges[known], self._edges[known + 1]
        late, early = first > self._ends[0][known] >> 1, last < self._ends[1][known] >> 1
        begin[late] = np.searchsorted(self.keys, numbers[late] << _BITS | first[late] << 1)
        end[early] = np.searchsorted(self.keys, numbers[early] << _BITS | last[early] + 1 << 1)
        return begin, end

    @lazily
    def _edges(self) -> NDArray[np.int64]:
        """Where each number begins; after the last one there is another that has nothing."""
        most = int(self.keys[-1] >> _BITS) if len(self.keys) else 0
        return np.searchsorted(self.keys, np.arange(most + 3) << _BITS)

    @lazily
    def _ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What was filed first and last under each number, -1 where nothing was."""
        begin, end = self._edges[:-1], self._edges[1:]
        keys = np.append(self.keys, -1)
        first, last = (np.where(begin < end, keys[rows] & _LAST, -1) for rows in (begin, end - 1))
        return first, last

    def joined(self, spans: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The same of several numbers, each with its frames (n, 3), without a base; and to which of them each
        belongs, by its place in the list."""
        numbers, first, last = spans.T
        begin, end = self._spans(numbers, first, last)
        counts = np.maximum(end - begin, 0)
        owners = np.arange(len(numbers), dtype=np.int32).repeat(counts)
        codes = self.keys[np.arange(len(owners)) + (begin - counts.cumsum() + counts)[owners]] & _LAST
        order = np.argsort(codes, kind="stable")
        return codes[order], owners[order]


class Shown(NamedTuple):
    """Frames in which something was seen, in order: twice the frame, plus one if it is clear, plus a base;
    as a view, whose numbers are plain ones."""

    codes: memoryview
    base: int = 0

    def between(self, first: int, last: int, newest_first: bool) -> Iterator[tuple[int, bool]]:
        """From a frame to another, each with whether it is clear."""
        codes, base = self.codes, self.base
        low, high = self._places(first, last)
        for k in range(high - 1, low - 1, -1) if newest_first else range(low, high):
            code = codes[k] - base
            yield code >> 1, code & 1 == 1

    def frames(self, first: int, last: int) -> NDArray[np.int64]:
        """The same without clarity."""
        low, high = self._places(first, last)
        return np.asarray(self.codes[low:high]) - self.base >> 1

    def codes_until(self, last: int) -> NDArray[np.int64]:
        """All up to a frame, without the base."""
        return np.asarray(self.codes[: self._places(0, last)[1]]) - self.base

    def _places(self, first: int, last: int) -> tuple[int, int]:
        codes, base = self.codes, self.base
        return bisect_left(codes, base + 2 * first), bisect_left(codes, base + 2 * last + 2)
