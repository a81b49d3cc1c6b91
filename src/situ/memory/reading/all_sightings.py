"""The sightings of all objects, and the last ones of many, read together."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.memory.reading.history import History
from situ.memory.reading.sightings import Sightings, timed_sightings
from situ.state.protocol import Sighting

# Things of which the last sightings are read together: few at first, for who asks about one.
_AT_ONCE, _MOST_AT_ONCE = 32, 1024


class LastSightings:
    """The last sightings of many objects, read together when the first of them is asked for: who ranks
    candidates asks for all of them, one after the other."""

    def __init__(self, history: History, known: float, last_frame: int) -> None:
        self._history = history
        self._known = known
        self._last = last_frame
        self._expected: set[int] = set()
        self._waiting: dict[int, None] = {}
        self._found: dict[int, Sighting] = {}
        self._at_once = _AT_ONCE

    def expect(self, object_id: int) -> None:
        if object_id not in self._expected:
            self._expected.add(object_id)
            self._waiting[object_id] = None

    def expect_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self.expect(number)

    def find(self, object_id: int) -> Sighting | None:
        """None where it takes more than one look: seen later on, or filed under another number then."""
        if object_id in self._waiting:
            self._read(object_id)
        return self._found.get(object_id)

    def _read(self, object_id: int) -> None:
        """The one that is asked for, and more of those that wait the more have been asked for already."""
        waiting = [object_id]
        del self._waiting[object_id]
        while self._waiting and len(waiting) < self._at_once:
            waiting.append(self._waiting.popitem()[0])
        self._at_once = min(4 * self._at_once, _MOST_AT_ONCE)
        latest = self._history.latest_sources(waiting, self._known)
        ends = {n: (latest[n][0] if n in latest else n, self._last) for n in waiting}
        seen = self._history.last_sightings(ends)
        in_order = sorted(seen, key=seen.__getitem__)  # so that a run of frames is looked up once
        timed = timed_sightings(self._history, [seen[number] for number in in_order])
        for number, sighting in zip(in_order, timed, strict=True):
            if number not in latest or sighting.time >= latest[number][1]:
                self._found[number] = sighting


class AllSightings:
    """The sightings of all objects up to a frame, as known at a time; each looked up when it is asked for."""

    def __init__(self, history: History, known: float, last_frame: int) -> None:
        self._history = history
        self._known = known
        self._last_frame = last_frame
        self._of: dict[int, Sightings] = {}
        self.ends = LastSightings(history, known, last_frame)

    def of(self, object_id: int) -> Sightings:
        found = self._of.get(object_id)
        if found is None:
            self.ends.expect(object_id)
            found = Sightings(self._history, object_id, self._known, self._last_frame, self.ends)
            self._of[object_id] = found
        return found

    def last(self, object_id: int) -> Sighting | None:
        """The last of an object, if there is one."""
        return self.ends.find(object_id) or self.of(object_id).last

    def lasts(self, numbers: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The last frames of some objects (n,), -1 where there is none, and their times."""
        history = self._history
        latest = history.latest_sources(numbers, self._known)
        filed = np.array([latest[number][0] if number in latest else number for number in numbers], np.int64)
        frames, book = history.last_frames(filed, self._last_frame), history.frame_book
        if frames is None or book is None:
            self.ends.expect_all(numbers)
            return _columns([self.last(number) for number in numbers])
        times = np.where(frames >= 0, book.columns[0][frames], -np.inf)
        begun = np.array([latest[number][1] if number in latest else -np.inf for number in numbers])
        # As in `LastSightings`: seen later on, or filed under another number then.
        unclear = np.flatnonzero(np.array([number in latest for number in numbers], bool) & ~(times >= begun))
        frames[unclear], times[unclear] = _columns([self.of(numbers[k]).last for k in unclear.tolist()])
        return frames, times


def _columns(lasts: Sequence[Sighting | None]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    frames = [-1 if last is None else last.frame for last in lasts]
    return np.array(frames, np.int64), np.array([-np.inf if last is None else last.time for last in lasts])
