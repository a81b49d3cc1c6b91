"""An object's sightings as a sequence that reads the file only where it is looked at."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import overload

import numpy as np
from numpy.typing import NDArray

from situ.lazy import lazily
from situ.memory.file.identity_rules import Source
from situ.memory.reading.filed_runs import FiledRuns
from situ.memory.reading.history import History
from situ.memory.reading.sighting_book import Shown
from situ.memory.tables.pending_rows import FOREVER
from situ.state.protocol import Sighting
from situ.state.sightings import Indexed

# Things of which the last sightings are read together: few at first, for who asks about one.
_AT_ONCE, _MOST_AT_ONCE = 32, 1024
# First sightings up to a clear one: those of one thing, and the things of which they are kept.
_LONGEST_OPENING, _MOST_OPENINGS = 16, 4096
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
        if len(self._sources) <= _FIRST_NUMBERS or self._shown is not None:
            return _up_to_clear(self._oldest_first)
        history, sources = self._history, self._sources
        begun = history.first_runs(number for number, _, _ in sources)
        ordered = sorted(sources, key=lambda source: begun[source[0]])
        early, next_begins = ordered[:_FIRST_NUMBERS], begun[ordered[_FIRST_NUMBERS][0]]
        found = history.sightings_in(history.filed_runs(early), 0, self._last)
        known = _up_to_clear(_timed(history, found))
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
        if self._lasts is None:
            return next(self._walk(newest_first=True), None)
        known = self._lasts.find(self._id)
        if known is None and self._history.sightings_at_hand:
            return self._before(math.inf) or next(self._walk(newest_first=True), None)
        if known is None:
            self._lasts.expect_before([(self._id, FOREVER)])
            known = self._lasts.before(self._id, FOREVER)
        return known

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
        known = self._lasts.before(self._id, time) if self._lasts is not None else None
        if known is None and "_shown" not in self.__dict__:
            known = self._before(time)
        if known is not None:
            yield known  # mostly nobody asks for more
        yield from islice(self._walk(True, stop=time), 0 if known is None else 1, None)

    def _before(self, time: float) -> Sighting | None:
        """The last one before a time, where that is soon found."""
        found = self._history.last_before(self._id, self._known, time, self._last)
        return next(_timed(self._history, () if found is None else [found]), None)

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
            moment = next(_timed(self._history, [(frame, True)]), None)
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
        return _timed(history, history.sightings_in(runs, first, last))

    @lazily
    def _everything(self) -> tuple[Sighting, ...]:
        return tuple(self._oldest_first)

    def _walk(self, newest_first: bool, start: float = -FOREVER, stop: float = FOREVER) -> Iterator[Sighting]:
        history, last = self._history, self._last
        if (shown := self._shown) is not None:
            return _timed(history, shown.between(*history.frames_between(start, stop, last), newest_first))
        if len(self._sources) == 1:
            number, begin, end = self._sources[0]
            first, last = history.frames_between(max(begin, start), min(end, stop), last)
            return _timed(history, history.sightings(number, first, last, newest_first))
        first, last = history.frames_between(start, stop, last)
        return _timed(history, history.sightings_in(self._runs(), first, last, newest_first))

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
        self._before: dict[tuple[int, float], Sighting] = {}
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
        timed = _timed(self._history, [seen[number] for number in in_order])
        for number, sighting in zip(in_order, timed, strict=True):
            if number not in latest or sighting.time >= latest[number][1]:
                self._found[number] = sighting

    def expect_before(self, moments: Iterable[tuple[int, float]]) -> None:
        """Read the last sightings of objects before times together."""
        history, asked = self._history, list(dict.fromkeys(moments))
        if history.sightings_at_hand:
            return  # each is soon found
        waiting: dict[int, NDArray[np.float64]] = {}  # spans of time, the latest last
        for k, (object_id, time) in enumerate(asked):
            spans = history.filed_spans(object_id, self._known)
            # Under a number that was given later nothing had been filed yet.
            spans = spans[(spans[:, 1] < time) & (spans[:, 4] <= self._last_by(time)), :3]
            np.minimum(spans[:, 2], time, out=spans[:, 2])
            waiting[k] = spans[np.argsort(spans[:, 2], kind="stable")]
        best: dict[int, tuple[int, bool]] = {}
        while waiting:  # where the latest does not tell, the one before it is looked at
            filed = {k: spans[-1].tolist() for k, spans in waiting.items() if len(spans)}
            seen = history.last_sightings(
                {k: (int(n), self._last_by(end)) for k, (n, _, end) in filed.items()}
            )
            for k, sighting in seen.items():
                if sighting[0] >= history.frames_between(filed[k][1], FOREVER, self._last)[0]:
                    best[k] = max(sighting, best.get(k, sighting))
            waiting = {
                k: spans[:-1]
                for k, spans in waiting.items()
                if len(spans) > 1 and not (k in best and best[k][0] > self._last_by(float(spans[-2, 2])))
            }
        in_order = sorted(best, key=best.__getitem__)
        timed = _timed(history, [best[k] for k in in_order])
        self._before |= {asked[k]: sighting for k, sighting in zip(in_order, timed, strict=True)}

    def _last_by(self, time: float) -> int:
        """The last frame before a time."""
        return self._history.frames_between(-FOREVER, time, self._last)[1]

    def before(self, object_id: int, time: float) -> Sighting | None:
        """The last sighting before a time, if it was expected; None may as well mean that it was not."""
        return self._before.get((object_id, time))


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


def _timed(history: History, frames: Iterable[tuple[int, bool]]) -> Iterator[Sighting]:
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
        seen: Sighting = object.__new__(Sighting)  # as in `version_records`
        seen.__dict__.update(frame=frame, time=times[k], clarity=1.0 if clear else 0.5)
        yield seen


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
