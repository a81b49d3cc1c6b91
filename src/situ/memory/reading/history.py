"""Reading the past from the file: each lookup touches a few rows, however long the stream. Here are those of
things, what was filed under their numbers, places and words; see `frame_lookups` for those of frames."""

import json
import math
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.memory.file.identity_rules import IdentityRules, Source
from situ.memory.file.packing import last_of, unpack_sightings
from situ.memory.reading import queries
from situ.memory.reading.called_by import CalledBy
from situ.memory.reading.filed_runs import FiledRuns
from situ.memory.reading.frame_lookups import NO_END, FrameLookups
from situ.memory.reading.place_book import Place
from situ.memory.reading.sighting_book import Shown, SightingBook
from situ.memory.reading.stay_book import StayBook
from situ.memory.reading.version_book import LastSaid, VersionBook
from situ.memory.reading.version_records import Decoder
from situ.memory.tables.pending_rows import AS_ATTRIBUTE, AS_LABEL
from situ.memory.tables.vocabulary import ALL_WORDS, PLACE, Words

_RUNS = "SELECT first_frame FROM sighting WHERE object_id = ? ORDER BY first_frame"
_BODY = "SELECT body FROM sighting WHERE object_id = ? AND first_frame = ?"
_MOST_SPANS = 2048  # lists of sources: mostly of one; of a thing that is taken for others all the time 20 KB
_SINGLE_LOOKUPS = 4  # of sightings: they take so many times as long as a run takes to read, each
_SHARE = 0.05  # of the time that all objects take, for those of one name or some others


class History(FrameLookups):
    """Lookups over one open file."""

    def view(self, at: float, known: float, object_id: int) -> list[tuple[int, bytes]]:
        """Number and version of an object as of two times, if there was one."""
        return self._views(queries.ONE, {"at": at, "known": known, "which": object_id})

    def views(self, at: float, known: float) -> LastSaid:
        """The versions of all objects as of two times, by number."""
        if (book := self._versions(1.0)) is not None:
            return book.views(at, known)
        return LastSaid.of(self._views(queries.ALL, {"at": at, "known": known}))

    def _versions(self, share: float = 0.0) -> VersionBook | None:
        """All versions, if they have been read; `share` of them is going to be looked up otherwise."""
        return self._cached.versions.of(self.file_version, self.connection, share)

    @property
    def versions_at_hand(self) -> bool:
        """Whether all versions have been read, so that those of all objects are soon found."""
        return self._versions() is not None

    @property
    def stay_book(self) -> StayBook | None:
        """The stays of all objects, where all versions have been read."""
        return self.stay_book_for(0.0)

    def stay_book_for(self, share: float) -> StayBook | None:
        """The same for who does what takes as long as a share of a lookup of all objects."""
        book = self._versions(share)
        return None if book is None else self._kept(("stays",), lambda: StayBook(book, self.decoder.resting))

    def views_of(self, at: float, known: float, numbers: Sequence[int]) -> list[tuple[int, bytes]]:
        """Like `views`, of some objects."""
        if (book := self._versions(_SHARE)) is not None:
            return book.some(at, known, numbers)
        return self._views(queries.SOME, {"at": at, "known": known, "which": json.dumps(list(numbers))})

    def _views(self, query: str, given: dict[str, Any]) -> list[tuple[int, bytes]]:
        """What had not come anywhere yet is left out."""
        return [row for row in self.connection.all(query, given) if row[1] is not None]

    def stays(self, object_id: int, known: float) -> tuple[Sequence[float], Sequence[bytes | None]]:
        """When each stay of an object began, and what was said of it by a time, in order."""
        if (book := self.stay_book_for(_SHARE)) is not None:
            return book.told_by(object_id, known)
        rows = self.connection.all(queries.STAYS, {"which": object_id, "known": known})
        return [began for began, _ in rows], [body for _, body in rows]

    def views_called(self, at: float, known: float, label: int) -> list[tuple[int, bytes]]:
        """Like `views`, of at least the objects that go under a label."""
        if (book := self._versions(_SHARE)) is not None:
            return book.called(at, known, label)
        return self._views(queries.CALLED, {"at": at, "known": known, "which": label})

    def views_near(
        self, at: float, known: float, x: float, y: float, radius: float
    ) -> list[tuple[int, bytes]]:
        """Like `views`, of the objects that may have stayed within a square around a point; a superset."""
        given = {"at": at, "known": known, "x": x, "y": y, "radius": radius, "start": self.start}
        return self._views(queries.NEAR, given)

    def called(self, kind: int, known: float) -> Sequence[int]:
        """The words of a kind by which some object had been called by a time. The list of all is read anew
        when it has grown: words are only ever added."""
        count = int(self._again("SELECT count(*) FROM called")[0])
        if count != self._cached.called_read:
            self._cached.called = {
                each: CalledBy(self.connection.all(queries.FIRST_CALLED, (each,)))
                for each in (AS_LABEL, AS_ATTRIBUTE)
            }
            self._cached.called_read = count
        return self._cached.called[kind].by(known)

    @property
    def _rules(self) -> IdentityRules:
        latest = self._again("SELECT max(rowid) FROM identity")[0]
        if latest is not None:
            self._cached.rules.update(self.connection, latest)
        return self._cached.rules

    @property
    def renamed(self) -> Container[int]:
        """The numbers that have to do with another; all others are filed under themselves for all time."""
        return self._rules.named

    def sources(self, object_id: int, known: float) -> Sequence[Source]:
        """Under which numbers, and between which times, an object's sightings are filed."""
        return self._rules.sources(object_id, known)

    def latest_sources(self, numbers: Iterable[int], known: float) -> dict[int, tuple[int, float]]:
        """Of those of some objects that were taken for others: the number under which sightings are filed
        now, and up to when others may be later."""
        rules = self._rules
        return {number: rules.latest_source(number, known) for number in numbers if number in rules.named}

    def owner(self, number: int, known: float) -> int:
        """The object that what was filed under a number last belongs to now."""
        return self._rules.owner(number, known)

    def heirs(self, number: int, known: float) -> set[int]:
        """The objects that some of what was filed under a number may belong to now."""
        return self._rules.heirs(number, known)

    def sightings(
        self, number: int, first: int, last: int, newest_first: bool = False
    ) -> Iterator[tuple[int, bool]]:
        """Frames from one to another in which what was filed under a number was seen, and whether clearly."""
        order = "DESC" if newest_first else "ASC"
        rows = self.connection.execute(
            "SELECT first_frame, body FROM sighting WHERE object_id = ? AND first_frame BETWEEN ? AND ? "
            f"ORDER BY first_frame {order}",
            (number, self._run_of(first), last),
        )
        for first_frame, body in rows:
            found = _within(first_frame, body, first, last)
            yield from reversed(found) if newest_first else found

    def sightings_in(
        self, runs: FiledRuns, first: int, last: int, newest_first: bool = False
    ) -> Iterator[tuple[int, bool]]:
        """The same of what was filed under several numbers, of which it is known which run holds which."""
        for run, sources in runs.between(self._run_of(first), last, newest_first):
            found: list[tuple[int, bool]] = []
            for number, start, stop in sources:
                row = self._one(_BODY, number, run)
                if row is not None:  # else it was made part of a longer run meanwhile
                    begin, end = self.frames_between(start, stop, last)
                    found += _within(run, row[0], max(begin, first), end)
            yield from sorted(found, reverse=newest_first)

    @property
    def sightings_at_hand(self) -> bool:
        """Whether all sightings have been read, so that those of an object before a time are soon found."""
        return self._sighting_book is not None

    def shown(self, object_id: int, known: float) -> Shown | None:
        """In which frames an object was seen, if all sightings have been read. What was filed under many
        numbers is put in order once for all times."""
        book = self._sighting_book
        if book is None:
            return None
        sources, count = self._rules.growing_sources(object_id, known)
        if count == 1:
            number, start, stop = sources[0]
            return book.filed(number, *self.frames_between(start, stop, NO_END))
        kept = self._at_hand().joined
        found = kept.get(id(sources))
        if found is None or found[0] is not sources or found[1] < count:
            if len(kept) >= _MOST_SPANS:
                kept.clear()
            spans = self.frames_of_spans(self._source_rows(sources))
            found = kept[id(sources)] = sources, len(spans), *book.joined(spans)
        _, all_, codes, owners = found
        return Shown((codes if count == all_ else codes[owners < count]).data)

    def last_before(
        self, object_id: int, known: float, time: float, last_frame: int
    ) -> tuple[int, bool] | None:
        """The last frame before a time that shows an object, and whether clearly, if all sightings have been
        read; of many numbers those that were given last mostly tell."""
        book, frames = self._sighting_book, self._frames(self._share_of_runs)
        if book is None or frames is None:
            return None
        sources, count = self._rules.growing_sources(object_id, known)
        best, latest = -1, -math.inf
        for number, start, stop in sorted(sources[:count], key=lambda source: -min(source[2], time)):
            end = min(stop, time)
            if latest > end:
                break
            if start < time:
                first, last = self.frames_between(start, end, last_frame)
                code = book.last_code(number, last)
                if code >= 2 * first and code > best:
                    best, latest = code, frames.moments.times[code >> 1]
        return None if best < 0 else (best >> 1, best & 1 == 1)

    def _source_rows(self, sources: Sequence[Source]) -> NDArray[np.float64]:
        """Sources as rows (n, 3); those of a thing that was taken for more and more others are read once."""
        return _grown(self._at_hand().sources, sources, lambda: np.array([*sources], float).reshape(-1, 3))

    def _runs_of(self, number: int) -> "array[int]":
        """The first frames of the runs that hold what was filed under a number, in order."""
        known = self._at_hand().filed
        if number not in known:
            rows = self.connection.all(_RUNS, (number,))
            _ = self._sighting_book  # one lookup more: of a thing with hundreds of numbers there are as many
            known[number] = array("q", [row[0] for row in rows])
        return known[number]

    def filed_runs(self, sources: Sequence[Source]) -> FiledRuns:
        """Which runs hold what was filed under some numbers."""
        return FiledRuns(sources, self._runs_of, self._starts)

    def first_runs(self, numbers: Iterable[int]) -> Mapping[int, float]:
        """The first run that holds what was filed under each of some numbers, and perhaps of others; of what
        is filed nowhere it is endlessly far off."""
        known = self._at_hand().first_runs
        if missing := [number for number in numbers if number not in known]:
            rows = self.connection.all(queries.FIRST_RUNS, (json.dumps(missing),))
            known.update((number, math.inf if first is None else first) for number, first in rows)
        return known

    def filed_spans(self, object_id: int, known: float) -> NDArray[np.float64]:
        """The sources of an object (n, 5), each with the time and the first frame of the first run that holds
        any of it. Those of a thing that was taken for more and more others are found once for all times."""
        sources, count = self._rules.growing_sources(object_id, known)
        return _grown(self._at_hand().spans, sources, lambda: self._begun_spans(sources))[:count]

    def _begun_spans(self, sources: Sequence[Source]) -> NDArray[np.float64]:
        begun = self.first_runs(number for number, _, _ in sources)
        frames = np.array([begun[number] for number, _, _ in sources])
        return np.column_stack([self._source_rows(sources), self._starts.begun(frames), frames])

    def last_sightings(self, ends: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, bool]]:
        """The last frame in which what was filed under a number was seen up to a frame, and whether clearly;
        each such end goes by a number of its own."""
        if (book := self._sighting_book) is not None:
            return book.last_by(ends)
        found: dict[int, tuple[int, bool]] = {}
        left = {key: end for key, end in ends.items() if end[1] >= 0}
        while left:
            order = list(left)
            asked = json.dumps([number << queries.FRAME_BITS | frame for number, frame in left.values()])
            rows = self.connection.all(queries.SEEN_BEFORE, (asked,))
            filed = [(order[k], first, body) for k, first, body in rows]
            found |= last_of(filed, {key: frame for key, (_, frame) in left.items()})
            # Where a run of frames shows it later only, an earlier one is looked at.
            late = ((key, first - 1) for key, first, _ in filed if key not in found)
            left = {key: (left[key][0], frame) for key, frame in late if frame >= 0}
        return found

    def last_frames(self, numbers: NDArray[np.int64], frame: int) -> NDArray[np.int64] | None:
        """The frames of these alone, -1 for what was not seen; None where the file has too many to keep."""
        book = self._sighting_book
        return None if book is None or frame < 0 else book.last_frames(numbers, frame)

    @property
    def _sighting_book(self) -> SightingBook | None:
        share = min(1.0, _SINGLE_LOOKUPS * self._share_of_runs)
        return self._cached.sightings.of(self.file_version, self.connection, share)

    def keyframes(
        self, number: int, first: int, last: int, known: float, most: int
    ) -> list[tuple[int, float]]:
        """The best frames filed under a number between two frames, best first."""
        return self.connection.all(
            "SELECT frame, quality FROM keyframe WHERE object_id = ? AND frame BETWEEN ? AND ? "
            "AND known_from <= ? ORDER BY quality DESC, frame LIMIT ?",
            (number, first, last, known, most),
        )

    def thumbnail(self, frame: int) -> bytes | None:
        row = self._one("SELECT image FROM thumbnail WHERE frame = ?", frame)
        return row[0] if row else None

    def places(self, known: float) -> tuple[Place, ...]:
        """The last that was said of each place by a time."""
        book = self._cached.places.of(self.file_version, self.connection)
        rows = self.connection.all(queries.PLACES, (known,)) if book is None else book.by(known)
        nodes = self._at_hand().nodes
        for row in rows:
            if row not in nodes:
                nodes[row] = Place.of(row, self.words.text(PLACE, row[1]))
        return tuple(nodes[row] for row in rows)

    @property
    def words(self) -> Words:
        """The vocabulary as it is."""
        return self.decoder.words

    @property
    def decoder(self) -> Decoder:
        """Of versions, by the vocabulary as it is."""
        self._read_words()
        return self._cached.decoder

    def _read_words(self) -> None:
        """Words are only ever added, so their number tells whether there are new ones."""
        count = int(self._again("SELECT count(*) FROM word")[0])
        if count != self._cached.words_read:
            words = Words()
            words.restore(self.connection.execute(ALL_WORDS))
            self._cached.decoder = Decoder(words)
            self._cached.words_read = count

    def camera(self, number: int) -> Camera | None:
        row = self._one("SELECT body FROM camera WHERE id = ?", number)
        return Camera(**json.loads(row[0])) if row else None


def _grown(
    kept: dict[int, tuple[Sequence[Source], NDArray[np.float64]]],
    sources: Sequence[Source],
    read: Callable[[], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """What was read of sources; anew where more have been added since."""
    found = kept.get(id(sources))
    if found is None or found[0] is not sources or len(found[1]) < len(sources):
        if len(kept) >= _MOST_SPANS:
            kept.clear()
        found = kept[id(sources)] = sources, read()
    return found[1]


def _within(first_frame: int, body: bytes, first: int, last: int) -> list[tuple[int, bool]]:
    """The sightings of a run from one frame to another."""
    frames, clear = unpack_sightings(first_frame, body)
    keep = (frames >= first) & (frames <= last)
    return list(zip(frames[keep].tolist(), clear[keep].tolist(), strict=True))
