"""What a memory's file holds of objects: their versions, stays and sightings as of two times; places, words.

Every lookup is one statement, whose rows become columns; what was read is kept until something is written.
"""

import json
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.identity_rules import IdentityRules, Source
from situ.memory.file.packing import last_of
from situ.memory.reading.objects import Decoder
from situ.memory.reading.places import Place
from situ.memory.reading.sightings import Seen
from situ.memory.reading.stays import StayHistory
from situ.memory.reading.stream import Stream
from situ.memory.tables.pending_rows import AS_ATTRIBUTE, AS_LABEL
from situ.memory.tables.row_types import VERSION
from situ.memory.tables.vocabulary import ALL_WORDS, LABEL, PLACE, Words

_FRAME_BITS = 40  # a number and a frame in one

# For each object that was alive as known at :known, the latest version of the stay that holds at :at.
_OBJECTS = """
SELECT o.id, (
    SELECT v.body FROM version v WHERE v.object_id = o.id AND v.stay = (
        SELECT t.stay FROM stay t
        WHERE t.object_id = o.id AND t.known_from <= :known AND t.valid_from <= :at
        ORDER BY t.stay DESC LIMIT 1)
    AND v.known_from <= :known ORDER BY v.known_from DESC LIMIT 1)
FROM object o WHERE o.born <= :known AND o.died > :known ORDER BY o.id
"""
# The stays of some objects as known at :known, each with its latest version, in order.
_STAYS = """
SELECT s.object_id, s.valid_from, o.born <= :known AND o.died > :known, (
    SELECT v.body FROM version v
    WHERE v.object_id = s.object_id AND v.stay = s.stay AND v.known_from <= :known
    ORDER BY v.known_from DESC LIMIT 1)
FROM json_each(:which) j CROSS JOIN object o ON o.id = j.value CROSS JOIN stay s ON s.object_id = o.id
WHERE s.known_from <= :known ORDER BY s.object_id, s.stay
"""
_MOVED = """
SELECT DISTINCT s.object_id FROM stay s JOIN object o ON o.id = s.object_id
WHERE s.stay > 0 AND s.valid_from > :since AND s.valid_from <= :at AND s.known_from <= :known
AND o.died > :at ORDER BY s.object_id
"""
# The last run of frames that holds what was filed under a number, of those that begin by a frame, for many
# such pairs; by the place of each in the list.
_SEEN_BEFORE = f"""
SELECT e.key, s.first_frame, s.body FROM (
    SELECT key, value >> {_FRAME_BITS} AS number, value & {(1 << _FRAME_BITS) - 1} AS frame FROM json_each(?)
) e CROSS JOIN sighting s ON s.object_id = e.number AND s.first_frame = (
    SELECT max(t.first_frame) FROM sighting t WHERE t.object_id = e.number AND t.first_frame <= e.frame)
"""
# The last that was said of each place by a time.
_PLACES = """
SELECT place_id, tag, count, first, last, body FROM place p WHERE known_from = (
    SELECT max(q.known_from) FROM place q WHERE q.place_id = p.place_id AND q.known_from <= ?)
ORDER BY place_id
"""


class Objects(NamedTuple):
    """What was last said of each object as of two times: numbers in order, and rows of the versions."""

    numbers: NDArray[np.int64]
    table: NDArray[np.void]


class History(Stream):
    """Lookups of objects, their sightings, places and words over one open file."""

    def versions(self, at: float, known: float) -> list[tuple[int, bytes]]:
        """Number and version of each object as of two times; what had not come anywhere yet is left out."""
        rows = self.connection.all(_OBJECTS, {"at": at, "known": known})
        return [(number, body) for number, body in rows if body is not None]

    def objects(self, at: float, known: float) -> Objects:
        """The same as columns."""
        rows = self.versions(at, known)
        return Objects(np.array([n for n, _ in rows], np.int64), table_of([body for _, body in rows]))

    def stays(self, numbers: Iterable[int], known: float) -> dict[int, StayHistory]:
        """Where some objects stayed, one place after the other, as known at a time."""
        kept: dict[int, StayHistory] = self.kept(("stays", known), dict)
        wanted = {*numbers}
        if missing := sorted(wanted - kept.keys()):
            parts: dict[int, list[tuple[float, bool, bytes | None]]] = {number: [] for number in missing}
            rows = self.connection.all(_STAYS, {"which": json.dumps(missing), "known": known})
            for number, began, alive, body in rows:
                parts[number].append((began, bool(alive), body))
            kept |= {number: StayHistory(number, part) for number, part in parts.items()}
        return {number: kept[number] for number in wanted}

    def moved_since(self, since: float, at: float, known: float) -> list[int]:
        """Objects that began another stay after a time."""
        rows = self.connection.all(_MOVED, {"since": since, "at": at, "known": known})
        return [row[0] for row in rows]

    def called(self, known: float) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """The names and the attributes by which some object had been called by a time."""

        def find() -> list[tuple[int, int, float]]:
            query = "SELECT kind, word, min(known_from) FROM called WHERE word > 0 GROUP BY kind, word"
            return self.connection.all(query)

        rows, words = self.kept(("called",), find), self.words
        labels = frozenset(
            words.text(LABEL, n) for kind, n, since in rows if kind == AS_LABEL and since <= known
        )
        pairs = (n for kind, n, since in rows if kind == AS_ATTRIBUTE and since <= known)
        return labels, frozenset(item for n in pairs for item in words.attributes((n,)).items())

    # ------------------------------------------------------------------ identity
    @property
    def rules(self) -> IdentityRules:
        latest = self.kept(("rules",), lambda: self.connection.one("SELECT max(rowid) FROM identity")[0])
        if latest is not None:
            self._cache.rules.update(self.connection, latest)
        return self._cache.rules

    @property
    def renamed(self) -> Container[int]:
        """The numbers that have to do with another; all others are filed under themselves for all time."""
        return self.rules.named

    def sources(self, object_id: int, known: float) -> Sequence[Source]:
        """Under which numbers, and between which times, an object's sightings are filed."""
        return self.rules.sources(object_id, known)

    def owner(self, number: int, known: float) -> int:
        """The object that what was filed under a number last belongs to now."""
        return self.rules.owner(number, known)

    def heirs(self, number: int, known: float) -> set[int]:
        """The objects that some of what was filed under a number may belong to now."""
        return self.rules.heirs(number, known)

    # ------------------------------------------------------------------ sightings
    def seen(self, object_id: int, known: float) -> Seen:
        """All sightings of an object."""
        sources = tuple(self.sources(object_id, known))
        return self.kept(("seen", sources), lambda: self._read_seen(sources))

    def _read_seen(self, sources: Sequence[Source]) -> Seen:
        parts, frames = [np.zeros(0, np.int64)], self.frames
        for number, start, stop in sources:
            rows = self.connection.all(
                "SELECT first_frame, body FROM sighting WHERE object_id = ? ORDER BY first_frame", (number,)
            )
            firsts = np.repeat([first for first, _ in rows], [len(body) // 2 for _, body in rows])
            codes = np.frombuffer(b"".join(body for _, body in rows), "<u2") + 2 * firsts.astype(np.int64)
            first, last = frames.within(start, stop)
            parts.append(codes[(codes >= 2 * first) & (codes < 2 * last + 2)])
        codes = np.concatenate(parts)
        if len(sources) > 1:
            codes.sort()
        return Seen(codes >> 1, frames.times_of(codes >> 1), (codes & 1) == 1)

    def last_seen(self, numbers: NDArray[np.int64], last_frame: int, known: float) -> Seen:
        """The last sighting of each of some objects up to a frame; frame -1 at minus infinity if none."""
        rules, filed = self.rules, numbers.copy()
        begun = np.full(len(numbers), -np.inf)  # before which something else is filed under that number
        for k, number in enumerate(numbers.tolist()):
            if number in rules.named:
                filed[k], begun[k] = rules.latest_source(number, known)
        last = self._last_filed(filed.tolist(), last_frame)
        frames, clear = np.full(len(numbers), -1), np.zeros(len(numbers), bool)
        for k, (frame, is_clear) in last.items():
            frames[k], clear[k] = frame, is_clear
        times = np.where(frames >= 0, self.frames.times_of(frames), -np.inf) if len(frames) else begun
        for k in np.flatnonzero(~(times >= begun) | ((begun > -np.inf) & (frames < 0))).tolist():
            seen = self.seen(int(numbers[k]), known).until(last_frame)
            found = len(seen.frames) > 0
            frames[k], times[k] = (seen.frames[-1], seen.times[-1]) if found else (-1, -np.inf)
            clear[k] = found and seen.clear[-1]
        return Seen(frames, times, clear)

    def _last_filed(self, filed: Sequence[int], last_frame: int) -> dict[int, tuple[int, bool]]:
        """The last frame up to one in which what was filed under each of some numbers was seen, and whether
        clearly; by the place of each number in the list."""
        found: dict[int, tuple[int, bool]] = {}
        left = dict.fromkeys(range(len(filed)), last_frame) if last_frame >= 0 else {}
        while left:
            order = list(left)
            asked = json.dumps([filed[k] << _FRAME_BITS | left[k] for k in order])
            rows = [(order[k], first, body) for k, first, body in self.connection.all(_SEEN_BEFORE, (asked,))]
            found |= last_of(rows, dict.fromkeys(left, last_frame))
            # Where a run shows it later only, the one before is looked at.
            left = {k: first - 1 for k, first, _ in rows if k not in found and first > 0}
        return found

    # ------------------------------------------------------------------ places, words, pictures
    def places(self, known: float) -> tuple[Place, ...]:
        """The last that was said of each place by a time."""

        def find() -> tuple[Place, ...]:
            rows = self.connection.all(_PLACES, (known,))
            return tuple(Place.of(row, self.words.text(PLACE, row[1])) for row in rows)

        return self.kept(("places", known), find)

    @property
    def words(self) -> Words:
        """The vocabulary as it is."""
        return self.decoder.words

    @property
    def decoder(self) -> Decoder:
        """Of versions, by the vocabulary as it is."""

        def find() -> Decoder:
            words = Words()
            words.restore(self.connection.all(ALL_WORDS))
            return Decoder(words)

        return self.kept(("words",), find)

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
        row = self.connection.one("SELECT image FROM thumbnail WHERE frame = ?", (frame,))
        return row[0] if row else None


def table_of(bodies: Sequence[bytes]) -> NDArray[np.void]:
    """Versions as rows of one width; zeros at the end are not stored."""
    width = VERSION.itemsize
    return np.frombuffer(b"".join(body.ljust(width, b"\0") for body in bodies), VERSION)
