"""What a memory's file says of the stream as a whole: facts, frames and observations; and a cache of it."""

import json
import math
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix
from situ.memory.file.database import Database, translate
from situ.memory.file.identity_rules import IdentityRules
from situ.memory.file.packing import unpack_free, unpack_seen
from situ.memory.file.tombstones import Tombstones, read_tombstones
from situ.memory.file.wall_clock import WallClock
from situ.memory.reading.frames import Frames, Unpacked

T = TypeVar("T")
WATCHED = "watched"  # what is known of the stream as a whole
PATH_DOUBT = "path doubt"
WALL_CLOCK = "wall clock"
HORIZON = "horizon"  # what is older has been thinned out
GENERATION = "generation"  # changes when rows of the past are rewritten
MOST_RUNS = 256  # of frames whose observations are read, the latest: some hours of a usual stream
_MOST_KEPT = 2048  # answers of small lookups
_MOST_MOMENTS = 8  # a table of 500 objects takes some megabytes
_RUNS_SEEN = (
    "SELECT first_frame, observations, seen FROM chunk WHERE first_frame <= ? "
    "ORDER BY first_frame DESC LIMIT ?"
)
# A single observation: where in the camera's axes, on which track, how sure; `row` counts as they were made.
OBSERVATION = np.dtype(
    [("row", "i8"), ("frame", "i8"), ("number", "i8"), ("track", "i8"), ("at", "f4", 3), ("score", "f4")]
)


class _Kept:
    """What was read over one connection. Runs of frames and identity rules only grow until something is
    forgotten; the rest holds until something is written."""

    def __init__(self, generation: Any) -> None:
        self.generation = generation
        self.version = (-1, -1)
        self.rows: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self.moments: OrderedDict[tuple[float, float], dict[object, Any]] = OrderedDict()
        self.unpacked: Unpacked = {}
        self.observed: dict[tuple[int, int], NDArray[np.void]] = {}
        self.rules = IdentityRules()

    def hold(self, version: tuple[int, int]) -> None:
        """Drop what was read before another version of the file."""
        if self.version != version:
            self.version, self.rows, self.moments = version, OrderedDict(), OrderedDict()


class Stream:
    """Lookups over one open file, each kept until something is written."""

    def __init__(self, connection: Database) -> None:
        self.connection = connection
        row = connection.one("SELECT body FROM mind WHERE key = ?", (GENERATION,))
        generation = row[0] if row else ""
        self.whole = row is None  # nothing of the past has been rewritten
        if connection.caches is None or connection.caches.generation != generation:
            connection.caches = _Kept(generation)
        self._cache: _Kept = connection.caches
        self._data_version = int(connection.one("PRAGMA data_version")[0])
        self._cache.hold(self.file_version)

    @property
    def file_version(self) -> tuple[int, int]:
        """Another one whenever somebody has written into the file: here, or elsewhere before a reader took
        its snapshot; nobody else writes where a writer is at work."""
        try:
            return self.connection.total_changes, self._data_version
        except sqlite3.Error as error:  # it has been closed
            translate(self.connection, error)

    def drop_cache(self) -> None:
        """After rows of the stream were rewritten."""
        self._cache = self.connection.caches = _Kept(self._cache.generation)

    def kept(self, key: tuple[object, ...], find: Callable[[], T]) -> T:
        """What is looked up once between two writings."""
        self._cache.hold(self.file_version)
        rows = self._cache.rows
        if key in rows:
            rows.move_to_end(key)
            found: T = rows[key]
            return found
        found = rows[key] = find()
        if len(rows) > _MOST_KEPT:
            rows.popitem(last=False)
        return found

    def moment(self, at: float, known: float) -> dict[object, Any]:
        """What states of one moment share, of the last few moments that were asked about. Nothing in it may
        hold a state or a history: the snapshot of the file would stay open."""
        self._cache.hold(self.file_version)
        moments = self._cache.moments
        found = moments.pop((at, known), None)
        if found is None:
            found = {}
            if len(moments) >= _MOST_MOMENTS:
                moments.popitem(last=False)
        moments[at, known] = found
        return found

    # ------------------------------------------------------------------ facts
    def _fact(self, key: str, read: Callable[[Any], T], otherwise: T) -> T:
        """What was written down under a key, if anything was."""

        def find() -> T:
            row = self.connection.one("SELECT body FROM mind WHERE key = ?", (key,))
            return read(row[0]) if row else otherwise

        return self.kept(("mind", key), find)

    def facts(self) -> Mapping[str, Any]:
        """What is known of the stream as a whole; nothing if it was not watched by the pipeline."""
        return self._fact(WATCHED, json.loads, {})

    def path_doubt(self) -> PathUncertainty | None:
        """How far the poses may be off; None if whoever gave them is believed."""
        return self._fact(PATH_DOUBT, PathUncertainty.from_text, None)

    def wall_clock(self) -> WallClock | None:
        """What the clock on the wall showed, if somebody said so."""
        return self._fact(WALL_CLOCK, WallClock.from_json, None)

    def horizon(self) -> float:
        """The time up to which details have been thinned out; minus infinity if none have."""
        return self._fact(HORIZON, float, -math.inf)

    def tombstones(self) -> Tombstones:
        """What was deleted on request."""
        return self.kept(("tombstones",), lambda: read_tombstones(self.connection))

    @property
    def start(self) -> float:
        return self.frames.start

    @property
    def end(self) -> float:
        """Time of the last frame."""
        return self.frames.end

    # ------------------------------------------------------------------ frames
    @property
    def frames(self) -> Frames:
        return self.kept(("frames",), lambda: Frames(self.connection, self._cache.unpacked))

    def last_frame(self, at: float, known: float) -> int:
        """The last frame at or before a time that was known by another; -1 if there is none."""
        return self.frames.last_frame(at, known)

    def observations(self, first_frame: int) -> NDArray[np.void]:
        """The packed observations of the run that starts at a frame."""
        row = self.connection.one(
            "SELECT observations, seen FROM chunk WHERE first_frame = ?", (first_frame,)
        )
        return unpack_seen(row[1] if row else None, row[0] if row else 0)

    def observed(self, last_frame: int) -> NDArray[np.void]:
        """The single observations up to a frame, of the last runs."""
        rows = self.connection.all(_RUNS_SEEN, (last_frame, MOST_RUNS))
        runs = [self._observed_in(*row) for row in rows]
        table = np.concatenate(runs[::-1]) if runs else np.zeros(0, OBSERVATION)
        table["row"] = np.arange(len(table))
        return table[table["frame"] <= last_frame]

    def _observed_in(self, first_frame: int, count: int, seen: bytes | None) -> NDArray[np.void]:
        kept, key = self._cache.observed, (first_frame, count)
        if key not in kept:
            packed = unpack_seen(seen, count)
            rows = np.zeros(len(packed), OBSERVATION)
            rows["frame"] = packed["frame"].astype(np.int64) + first_frame
            rows["number"], rows["track"] = packed["object_id"], packed["track_id"]
            rows["at"], rows["score"] = packed["in_camera"], packed["score"]
            kept[key] = rows
            if len(kept) > 2 * MOST_RUNS:
                kept.pop(next(iter(kept)))
        return kept[key]

    def filed_in(self, frame: int) -> set[int]:
        """The numbers under which the observations of a frame were filed."""
        k = self.frames.run_of(frame)
        if k < 0:
            return set()
        first = int(self.frames.first_frames[k])
        table = self.observations(first)
        return set(table["object_id"][table["frame"] == frame - first].tolist())

    def free_space(self, first_frame: int) -> NDArray[np.uint8] | None:
        """How far the view was clear in the frames of the run that starts at one; None if that is unknown."""
        row = self.connection.one("SELECT free FROM chunk WHERE first_frame = ?", (first_frame,))
        return None if row is None or row[0] is None else unpack_free(row[0])

    def camera(self, number: int) -> Camera | None:
        row = self.connection.one("SELECT body FROM camera WHERE id = ?", (number,))
        return Camera(**json.loads(row[0])) if row else None

    def revised_poses(self, last_frame: int, known: float) -> Mapping[int, Matrix]:
        """Poses that were corrected from outside, up to a frame; the last correction that was known."""

        def find() -> Mapping[int, Matrix]:
            rows = self.connection.all(
                "SELECT frame, body FROM pose_revision WHERE frame <= ? AND known_from <= ? "
                "ORDER BY known_from",
                (last_frame, known),
            )
            return {frame: np.frombuffer(body).reshape(4, 4) for frame, body in rows}

        any_revised = self.kept(
            ("revised",), lambda: self.connection.one("SELECT 1 FROM pose_revision LIMIT 1")
        )
        return self.kept(("revised", last_frame, known), find) if any_revised else {}
