"""An object's sightings as a sequence that reads the file only where it is looked at."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from situ.lazy import lazily
from situ.memory.file.identity_rules import Source
from situ.memory.reading.filed_runs import FiledRuns
from situ.memory.reading.history import History
from situ.memory.reading.sighting_book import Shown
from situ.memory.reading.sighting_columns import SightingColumns
from situ.memory.tables.pending_rows import FOREVER
from situ.state.protocol import Sighting
from situ.state.sightings import Indexed

if TYPE_CHECKING:
    from situ.memory.reading.all_sightings import LastSightings

# First sightings up to a clear one: those of one thing, and the things of which they are kept.
_LONGEST_OPENING, _MOST_OPENINGS = 16, 4096
_FEW_WALKS = 8  # they take about as long as to put the times of all sightings at hand
_FIRST_NUMBERS = 8  # of hundreds; a thing is mostly seen clearly long before it is taken for another so often


class Sightings(Sequence[Sighting], Indexed):
    """In the order of frames. The first and the last cost one lookup; walking through all costs all."""

    def __init__(
        self,
        history: History,
        object_id: int,
        known: float,
        last_frame: int,
        lasts: "LastSightings | None" = None,
    ) -> None:
        """Nothing is looked up before it is asked for: of most candidates nobody looks at the sightings, and
        of most others at no more than the last. `lasts` may know it at less cost."""
        self._history = history
        self._id = object_id
        self._known = known
        self._last = last_frame
        self._lasts = lasts
        self._walked = 0

    @lazily
    def _frames(self) -> dict[int, Sighting | None]:
        return {}

    @lazily
    def _since(self) -> "dict[float, _Read]":
        return {}

    @lazily
    def _sources(self) -> Sequence[Source]:
        return self._history.sources(self._id, self._known)

    @lazily
    def _shown(self) -> Shown | None:
        return self._history.shown(self._id, self._known)

    @lazily
    def _oldest_first(self) -> "_Read":
        return _Read(self._walk(newest_first=False))

    @lazily
    def _newest_first(self) -> "_Read":
        return _Read(self._walk(newest_first=True))

    def __iter__(self) -> Iterator[Sighting]:
        yield from self._opening
        yield from islice(iter(self._oldest_first), len(self._opening), None)

    @lazily
    def _opening(self) -> tuple[Sighting, ...]:
        """The first sightings, up to the first clear one: who asks when a thing was first seen looks at
        these, and whatever is seen later does not change them."""
        openings, key = self._history.cached.openings, (self._id, tuple(self._sources))
        known = openings.get(key)
        if known is None:
            known = self._first_few()
            if known and known[-1].clarity == 1.0:
                if len(openings) >= _MOST_OPENINGS:
                    openings.clear()
                openings[key] = known
        return known if not known or known[-1].frame <= self._last else self._until_now(known)

    def _first_few(self) -> tuple[Sighting, ...]:
        """Of many numbers those that were given first will do, if the next was given later than what is
        found."""
        at_hand = self._history.frame_book is not None and self._shown is not None
        if len(self._sources) <= _FIRST_NUMBERS or at_hand:
            return _up_to_clear(self._oldest_first)
        history, sources = self._history, self._sources
        begun = history.first_runs(number for number, _, _ in sources)
        ordered = sorted(sources, key=lambda source: begun[source[0]])
        early, next_begins = ordered[:_FIRST_NUMBERS], begun[ordered[_FIRST_NUMBERS][0]]
        found = history.sightings_in(history.filed_runs(early), 0, self._last)
        known = _up_to_clear(timed_sightings(history, found))
        clear = bool(known) and known[-1].clarity == 1.0 and known[-1].frame < next_begins
        return known if clear else _up_to_clear(self._oldest_first)

    def _until_now(self, known: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
        return tuple(sighting for sighting in known if sighting.frame <= self._last)

    @lazily
    def _first_one(self) -> Sighting | None:
        return next(iter(self), None)

    @lazily
    def _last_one(self) -> Sighting | None:
        """The last sighting; what is filed under other numbers for earlier times need not be read."""
        known = None if self._lasts is None else self._lasts.find(self._id)
        return known or self._before(math.inf) or next(self._walk(newest_first=True), None)

    @property
    def last(self) -> Sighting | None:
        return self._last_one

    def __reversed__(self) -> Iterator[Sighting]:
        last = self._last_one
        if last is not None:
            yield last
            yield from islice(iter(self._newest_first), 1, None)

    def __len__(self) -> int:
        return len(self._everything)

    def __bool__(self) -> bool:
        return self._last_one is not None

    @overload
    def __getitem__(self, index: int) -> Sighting: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Sighting, ...]: ...
    def __getitem__(self, index: int | slice) -> Sighting | tuple[Sighting, ...]:
        if index in (0, -1):
            found = self._last_one if index == -1 else self._first_one
            if found is None:
                raise IndexError("the object has no sightings up to now")
            return found
        return self._everything[index]

    def since(self, time: float) -> Iterator[Sighting]:
        """From a time on, in order."""
        if time not in self._since:
            self._since[time] = _Read(self._walk(False, start=time))
        return iter(self._since[time])

    def before(self, time: float) -> Iterator[Sighting]:
        """Before a time, the latest first."""
        known = None if "_shown" in self.__dict__ else self._before(time)
        if known is not None:
            yield known  # mostly nobody asks for more
        yield from islice(self._walk(True, stop=time), 0 if known is None else 1, None)

    def _before(self, time: float) -> Sighting | None:
        """The last one before a time, where that is soon found."""
        found = self._history.last_before(self._id, self._known, time, self._last)
        return next(timed_sightings(self._history, () if found is None else [found]), None)

    def between(self, start: float, stop: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The frames from one time on and before another, in order, and their times."""
        book = self._history.frame_book
        if self._shown is not None and book is not None:
            frames = self._shown.frames(*self._history.frames_between(start, stop, self._last))
            return frames, book.columns[0][frames]
        found = [(seen.frame, seen.time) for seen in self._walk(False, start, stop)]
        frames, times = np.array(found, float).reshape(-1, 2).T
        return frames.astype(np.int64), times

    def in_frames(self, frames: Sequence[int]) -> tuple[Sighting, ...]:
        """Those in some frames, in order."""
        found = (self._in_frame(frame) for frame in sorted({*frames}))
        return tuple(sighting for sighting in found if sighting is not None)

    def _in_frame(self, frame: int) -> Sighting | None:
        if frame > self._last:  # not yet, or a frame of the recording for which no place was found
            return None
        if frame not in self._frames:
            moment = next(timed_sightings(self._history, [(frame, True)]), None)
            self._frames[frame] = None
            if moment is not None:
                self._frames[frame] = next(self._at(moment.time), None)
        return self._frames[frame]

    def _at(self, time: float) -> Iterator[Sighting]:
        """What was filed at the moment of a frame; of many numbers few had been given by then and counted."""
        after = math.nextafter(time, math.inf)
        if self._shown is not None or len(self._sources) == 1:
            return self._walk(False, time, after)
        history = self._history
        first, last = history.frames_between(time, after, self._last)
        then = [source for source in self._sources if source[1] <= time < source[2]]
        begun = history.first_runs(number for number, _, _ in then)
        runs = history.filed_runs([source for source in then if begun[source[0]] <= last])
        return timed_sightings(history, history.sightings_in(runs, first, last))

    @lazily
    def _everything(self) -> tuple[Sighting, ...]:
        return tuple(self._oldest_first)

    def _walk(self, newest_first: bool, start: float = -FOREVER, stop: float = FOREVER) -> Iterator[Sighting]:
        history, last = self._history, self._last
        self._walked += 1
        if self._walked > _FEW_WALKS and (columns := self._columns) is not None:
            return columns.between(start, stop, newest_first)
        if (shown := self._shown) is not None:
            return timed_sightings(
                history, shown.between(*history.frames_between(start, stop, last), newest_first)
            )
        if len(self._sources) == 1:
            number, begin, end = self._sources[0]
            first, last = history.frames_between(max(begin, start), min(end, stop), last)
            return timed_sightings(history, history.sightings(number, first, last, newest_first))
        first, last = history.frames_between(start, stop, last)
        return timed_sightings(history, history.sightings_in(self._runs(), first, last, newest_first))

    @lazily
    def _columns(self) -> SightingColumns | None:
        """All of them, for who looks at one time after the other, if all sightings and frames are at hand."""
        shown, book = self._shown, self._history.frame_book
        return None if shown is None or book is None else SightingColumns.of(shown, book, self._last)

    def _runs(self) -> FiledRuns:
        """Found anew when something has been written: short runs are made part of longer ones."""
        version, known = self._history.file_version, self._found_runs
        if version not in known:
            known.clear()
            known[version] = self._history.filed_runs(self._sources)
        return known[version]

    @lazily
    def _found_runs(self) -> dict[tuple[int, int], FiledRuns]:
        return {}


def _up_to_clear(sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """The first few, up to one that is clear if it comes soon."""
    found: list[Sighting] = []
    for sighting in islice(sightings, _LONGEST_OPENING):
        found.append(sighting)
        if sighting.clarity == 1.0:
            break
    return tuple(found)


def timed_sightings(history: History, frames: Iterable[tuple[int, bool]]) -> Iterator[Sighting]:
    """Of no object that keeps the walk: a circle of references would keep a reader's snapshot of the file."""
    numbers: Sequence[int] = (0,)
    times: Sequence[float] = (0.0,)
    first, last = 0, -1  # of no run of frames
    for frame, clear in frames:
        if not first <= frame <= last:
            run = history.moments_of(frame)
            if run is None:
                continue
            numbers, times = run
            first, last = numbers[0], numbers[-1]
        k = frame - first  # where no frame of the run was forgotten
        if not 0 <= k < len(numbers) or numbers[k] != frame:
            k = bisect_left(numbers, frame)
        yield Sighting(frame, times[k], 1.0 if clear else 0.5)


class _Read:
    """What has been read of a walk is kept: samples of belief look at the same sightings again and again."""

    def __init__(self, walk: Iterator[Sighting]) -> None:
        self._walk = walk
        self._done: list[Sighting] = []

    def __iter__(self) -> Iterator[Sighting]:
        k = 0
        while True:
            while k < len(self._done):
                yield self._done[k]
                k += 1
            found = next(self._walk, None)
            if found is None:
                return
            self._done.append(found)
