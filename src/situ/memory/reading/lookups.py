"""Single facts of a memory's file, each kept until something is written."""

import json
import math
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from situ.geometry.path_doubt import PathDoubt
from situ.memory.file.database import Database, translate
from situ.memory.file.tombstones import Tombstones, read_tombstones
from situ.memory.file.wall_clock import WallClock
from situ.memory.reading.caches import Caches
from situ.memory.reading.moments import moments_at_hand
from situ.memory.reading.runs_at_hand import blocks_at_hand

T = TypeVar("T")
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
        self._changes = connection.total_changes
        # Who reads takes one snapshot after the other, mostly of a file that nobody has written into.
        self._keep(self._changes, int(connection.one("PRAGMA data_version")[0]))

    @property
    def cached(self) -> Caches:
        """What has been read so far and is worth keeping."""
        return self._cached

    def drop_cache(self) -> None:
        """After rows of the stream were rewritten."""
        version, self._cached = self._cached.version, Caches()
        self._cached.version = version
        if self.connection.caches is not None:
            self.connection.caches = (self.connection.caches[0], self._cached)

    def _one(self, query: str, *values: float | str) -> Any:
        return self.connection.one(query, values)

    def _again(self, query: str, *values: float | str) -> Any:
        """Like `_one`, for what a question looks up many times over; kept until something is written."""
        rows, key = self._at_hand().rows, (query, *values)
        if key not in rows:
            rows[key] = self._one(query, *values)
        return rows[key]

    def _kept(self, key: tuple[object, ...], find: Callable[[], T]) -> T:
        """What is looked up once between two writings."""
        rows = self._at_hand().rows
        if key not in rows:
            rows[key] = find()
        found: T = rows[key]
        return found

    def _at_hand(self) -> Caches:
        """What is kept, with nothing from before the last writing."""
        cached = self._cached
        try:
            changes = self.connection.total_changes
        except sqlite3.Error as error:  # it has been closed
            translate(self.connection, error)
        if changes != self._changes:
            self._changes = changes
            self._keep(changes, cached.version[1])
        elif len(cached.rows) > _CACHED_ROWS:
            cached.rows = {}
        return cached

    def _keep(self, changes: int, data_version: int) -> None:
        """Keep what was looked up for as long as the file stays as it is."""
        cached, version = self._cached, (changes, data_version)
        if cached.version != version:
            cached.version, cached.rows, cached.nodes = version, {}, {}
            cached.filed, cached.first_runs, cached.spans = {}, {}, {}
            cached.sources, cached.joined = {}, {}
            cached.runs, cached.moments = blocks_at_hand(), moments_at_hand()

    @property
    def file_version(self) -> tuple[int, int]:
        """Another one whenever somebody has written into the file: here, or elsewhere before a reader took
        its snapshot; nobody else writes where a writer is at work."""
        return self._at_hand().version

    def _told(self, key: str, read: Callable[[Any], T], otherwise: T) -> T:
        """What was written down under a key, if anything was."""

        def find() -> T:
            row = self._one("SELECT body FROM mind WHERE key = ?", key)
            return read(row[0]) if row else otherwise

        return self._kept(("mind", key), find)

    def facts(self) -> Mapping[str, Any]:
        """What is known of the stream as a whole; nothing if it was not watched by the pipeline."""
        return self._told(WATCHED, json.loads, {})

    def path_doubt(self) -> PathDoubt | None:
        """How far the poses may be off; None if whoever gave them is believed."""
        return self._told(PATH_DOUBT, PathDoubt.from_text, None)

    def wall_clock(self) -> WallClock | None:
        """What the clock on the wall showed, if somebody said so."""
        return self._told(WALL_CLOCK, WallClock.from_json, None)

    def horizon(self) -> float:
        """The time up to which details have been thinned out; minus infinity if none have."""
        return self._told(HORIZON, float, -math.inf)

    def tombstones(self) -> Tombstones:
        """What was deleted on request."""
        return self._kept(("tombstones",), lambda: read_tombstones(self.connection))

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
