"""An object's sightings as a sequence that reads the file only where it is looked at."""

import heapq
from collections.abc import Iterator, Sequence
from typing import overload

from situ.memory.history import History
from situ.state.protocol import Sighting


class Sightings(Sequence[Sighting]):
    """In the order of frames. The first and the last cost one lookup; walking through all costs all."""

    def __init__(
        self,
        history: History,
        sources: Sequence[tuple[int, float, float]],
        last_frame: int,
    ) -> None:
        self._history = history
        self._sources = sources
        self._last = last_frame
        self._all: tuple[Sighting, ...] | None = None

    def __iter__(self) -> Iterator[Sighting]:
        return self._walk(newest_first=False)

    def __reversed__(self) -> Iterator[Sighting]:
        return self._walk(newest_first=True)

    def __len__(self) -> int:
        return len(self._everything())

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    @overload
    def __getitem__(self, index: int) -> Sighting: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Sighting, ...]: ...
    def __getitem__(self, index: int | slice) -> Sighting | tuple[Sighting, ...]:
        if index in (0, -1):
            found = next(self._walk(newest_first=index == -1), None)
            if found is None:
                raise IndexError("the object has no sightings up to now")
            return found
        return self._everything()[index]

    def _everything(self) -> tuple[Sighting, ...]:
        if self._all is None:
            self._all = tuple(self._walk(newest_first=False))
        return self._all

    def _walk(self, newest_first: bool) -> Iterator[Sighting]:
        walks = [self._of(source, newest_first) for source in self._sources]
        if len(walks) == 1:
            return walks[0]
        return heapq.merge(*walks, key=lambda s: -s.frame if newest_first else s.frame)

    def _of(self, source: tuple[int, float, float], newest_first: bool) -> Iterator[Sighting]:
        number, start, stop = source
        first, last = self._history.frames_between(start, stop, self._last)
        for frames, times, clear in self._history.sightings(number, first, last, newest_first):
            rows = list(zip(frames.tolist(), times.tolist(), clear.tolist(), strict=True))
            for frame, time, is_clear in reversed(rows) if newest_first else rows:
                yield Sighting(frame, time, 1.0 if is_clear else 0.5)
