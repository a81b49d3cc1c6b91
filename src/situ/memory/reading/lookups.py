"""Single facts of a memory's file, each kept until something is written."""

import json
import math
from typing import Any, Self

from situ.geometry.path_doubt import PathDoubt
from situ.memory.file.database import Database
from situ.memory.file.tombstones import Tombstones, read_tombstones
from situ.memory.file.wall_clock import WallClock
from situ.memory.reading.caches import Caches
from situ.memory.reading.runs_at_hand import RunsAtHand

_CACHED_ROWS = 4096  # answers of small queries, kept from one question to the next
WATCHED = "watched"  # what is known of the stream as a whole
PATH_DOUBT = "path doubt"
WALL_CLOCK = "wall clock"
HORIZON = "horizon"  # what is older has been thinned out
GENERATION = "generation"  # changes when rows of the past are rewritten


class Lookups:
    """Over one open file."""

    def __init__(self, connection: Database) -> None:
        self.connection = connection
        row = connection.one("SELECT body FROM mind WHERE key = ?", (GENERATION,))
        generation = row[0] if row else ""
        self.whole = row is None  # nothing of the past has been rewritten
        if connection.caches is None or connection.caches[0] != generation:
            connection.caches = (generation, Caches())
        self._cached: Caches = connection.caches[1]
        self._rows: dict[tuple[object, ...], Any] = {}
        self._runs = RunsAtHand()
        self._changes = connection.total_changes

    @property
    def cached(self) -> Caches:
        """What has been read so far and is worth keeping."""
        return self._cached

    def drop_cache(self) -> None:
        """After rows of the stream were rewritten."""
        self._cached = Caches()
        if self.connection.caches is not None:
            self.connection.caches = (self.connection.caches[0], self._cached)

    def _one(self, query: str, *values: float | str) -> Any:
        return self.connection.one(query, values)

    def _again(self, query: str, *values: float | str) -> Any:
        """Like `_one`, for what a question looks up many times over; kept until something is written."""
        rows = self._at_hand()._rows
        key = (query, *values)
        if key not in rows:
            rows[key] = self._one(query, *values)
        return rows[key]

    def _at_hand(self) -> Self:
        """Itself, with nothing kept from before the last writing."""
        changes = self.connection.total_changes
        if changes != self._changes or len(self._rows) > _CACHED_ROWS:
            self._rows.clear()
            self._runs = RunsAtHand()
            self._changes = changes
        return self

    @property
    def file_version(self) -> tuple[int, int]:
        """Another one whenever somebody has written into the file: here, or elsewhere before a reader took
        its snapshot; nobody else writes where a writer is at work."""
        return self.connection.total_changes, int(self._again("PRAGMA data_version")[0])

    def facts(self) -> dict[str, str]:
        """What is known of the stream as a whole; nothing if it was not watched by the pipeline."""
        row = self._again("SELECT body FROM mind WHERE key = ?", WATCHED)
        return dict(json.loads(row[0])) if row else {}

    def path_doubt(self) -> PathDoubt | None:
        """How far the poses may be off; None if whoever gave them is believed."""
        row = self._again("SELECT body FROM mind WHERE key = ?", PATH_DOUBT)
        return PathDoubt.from_text(row[0]) if row else None

    def wall_clock(self) -> WallClock | None:
        """What the clock on the wall showed, if somebody said so."""
        row = self._again("SELECT body FROM mind WHERE key = ?", WALL_CLOCK)
        return WallClock.from_json(row[0]) if row else None

    def horizon(self) -> float:
        """The time up to which details have been thinned out; minus infinity if none have."""
        row = self._again("SELECT body FROM mind WHERE key = ?", HORIZON)
        return float(row[0]) if row else -math.inf

    def tombstones(self) -> Tombstones:
        """What was deleted on request."""
        rows, key = self._at_hand()._rows, ("tombstones",)
        if key not in rows:
            rows[key] = read_tombstones(self.connection)
        stones: Tombstones = rows[key]
        return stones

    @property
    def start(self) -> float:
        row = self._again("SELECT first_time FROM chunk ORDER BY first_frame LIMIT 1")
        return float(row[0]) if row else 0.0

    @property
    def end(self) -> float:
        """Time of the last frame."""
        row = self._again("SELECT last_time FROM chunk ORDER BY first_frame DESC LIMIT 1")
        return float(row[0]) if row else 0.0

    @property
    def last_object(self) -> int:
        """The highest number of an object, 0 if there is none."""
        return int(self._again("SELECT coalesce(max(id), 0) FROM object")[0])
