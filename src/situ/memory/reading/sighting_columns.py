"""The sightings of one object with their times, for who looks at one time after the other."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple, Self

from situ.memory.reading.frame_book import FrameBook
from situ.memory.reading.sighting_book import Shown
from situ.state.protocol import Sighting


class SightingColumns(NamedTuple):
    """Twice the frame, plus one if it is clear, and its time, in order; as views, whose numbers are plain."""

    codes: memoryview
    times: memoryview

    @classmethod
    def of(cls, shown: Shown, frames: FrameBook, last_frame: int) -> Self:
        """Those up to a frame."""
        codes = shown.codes_until(last_frame)
        return cls(codes.data, frames.columns[0][codes >> 1].data)

    def between(self, start: float, stop: float, newest_first: bool) -> Iterator[Sighting]:
        """From one time on and before another."""
        codes, times = self
        low, high = bisect_left(times, start), bisect_left(times, stop)
        for k in range(high - 1, low - 1, -1) if newest_first else range(low, high):
            yield Sighting(codes[k] >> 1, times[k], 1.0 if codes[k] & 1 else 0.5)
