"""The file: opening, locking, writing what the journal holds, and taking up the working memory again."""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from situ.errors import BadInput, Refused
from situ.memory.journal import SEGMENT_M, FrameEntry, Journal
from situ.memory.packing import pack_free, pack_poses, pack_seen, pack_sightings
from situ.memory.schema import migrate, schema_of

_CACHE_KB = 16 * 1024
_NO_END = 1e12  # seconds since the start
_MOST_FRAMES = 32767  # a sighting's offset in its chunk has fifteen bits


class Store:
    """One connection to a `.situ` file. A writer holds a lock that goes with the process, however it ends."""

    def __init__(self, path: str | Path, writer: bool, create: bool = False) -> None:
        self.path = str(path)
        self.writer = writer
        self._lock: int | None = None
        self._tail: list[list[FrameEntry]] = []
        in_memory = self.path == ":memory:"
        if not in_memory:
            self._check_file(create)
            if writer:
                self._lock = _lock(self.path)
        try:
            self.connection = self._connect(in_memory)
            # Questions about the past touch one page for each object; with these they stay at hand.
            self.connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        except BaseException:
            self._unlock()
            raise

    def _check_file(self, create: bool) -> None:
        exists = Path(self.path).exists()
        if create and exists:
            raise Refused(f"{self.path} is already there; open it to go on with it, or delete it first")
        if not create and not exists:
            raise BadInput(f"there is no memory at {self.path}; create one first")
        if create and not Path(self.path).parent.is_dir():
            raise BadInput(f"the folder of {self.path} does not exist; create it first")

    def _connect(self, in_memory: bool) -> sqlite3.Connection:
        if self.writer:
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            schema_of(connection, self.path)
            if not in_memory:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
            migrate(connection, self.path)
            return connection
        address = Path(self.path).absolute().as_uri() + "?mode=ro"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        if schema_of(connection, self.path) == 0:
            connection.close()
            raise BadInput(f"{self.path} holds no memory yet; open it for writing once")
        return connection

    def begin(self) -> None:
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("COMMIT")
        self._tail = [run for run in self._tail if len(run) < _MOST_FRAMES]

    def close(self) -> None:
        self.connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def write(self, journal: Journal, start: float, chunk_frames: int) -> None:
        """Put the journal's rows into the open transaction and clear it."""
        self.begin()
        run = self.connection.executemany
        if journal.frames:
            self._write_chunk(journal.frames, min(chunk_frames, _MOST_FRAMES))
        run("INSERT INTO object(id, born) VALUES(?, ?)", journal.births)
        run("UPDATE object SET died = ? WHERE id = ?", journal.deaths)
        run("INSERT OR IGNORE INTO stay VALUES(?, ?, ?, ?)", journal.stays)
        run("INSERT OR REPLACE INTO version VALUES(?, ?, ?, ?)", journal.versions)
        called = [(*key, known) for key, known in journal.called.items()]
        run("INSERT OR IGNORE INTO called VALUES(?, ?, ?, ?)", called)
        run(
            "INSERT OR REPLACE INTO segment VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    key,
                    x - SEGMENT_M,
                    x + SEGMENT_M,
                    y - SEGMENT_M,
                    y + SEGMENT_M,
                    since - start,
                    _NO_END,
                    number,
                    stay,
                )
                for key, x, y, since, number, stay in journal.segments
            ],
        )
        run(
            "UPDATE segment SET max_time = ? WHERE id = ?",
            [(known - start, key) for known, key in journal.closings],
        )
        run("INSERT INTO identity VALUES(?, ?, ?, ?, ?)", journal.identities)
        run("INSERT OR REPLACE INTO keyframe VALUES(?, ?, ?, ?)", journal.keyframes)
        run("INSERT OR REPLACE INTO thumbnail VALUES(?, ?)", journal.thumbnails)
        run("INSERT OR REPLACE INTO place VALUES(?, ?, ?, ?, ?, ?, ?)", journal.places)
        run("INSERT OR IGNORE INTO near_pair VALUES(?, ?)", journal.near_pairs)
        journal.clear()

    def _write_chunk(self, frames: Sequence[FrameEntry], chunk_frames: int) -> None:
        """Small runs are joined with the one before while it is no longer than they are: few rewrites,
        and few rows even if every frame is written on its own."""
        run = list(frames)
        while (
            self._tail and len(self._tail[-1]) <= len(run) and len(self._tail[-1]) + len(run) <= chunk_frames
        ):
            before = self._tail.pop()
            self._delete_chunk(before)
            run = before + run
        observations = sum(len(entry.observed) for entry in run)
        first = run[0].frame
        self.connection.execute(
            "INSERT INTO chunk VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            (
                first,
                len(run),
                run[0].time,
                run[-1].time,
                observations,
                pack_poses(run),
                pack_seen(run) if observations else None,
                pack_free(run),
            ),
        )
        if observations:
            rows = [(object_id, first, body) for object_id, body in pack_sightings(run).items()]
            self.connection.executemany("INSERT INTO sighting VALUES(?, ?, ?)", rows)
        self._tail.append(run)
        if len(run) > chunk_frames // 2:
            self._tail.clear()

    def _delete_chunk(self, run: Sequence[FrameEntry]) -> None:
        first = run[0].frame
        rows = {(int(number), first) for entry in run for number in entry.object_ids}
        self.connection.execute("DELETE FROM chunk WHERE first_frame = ?", (first,))
        self.connection.executemany("DELETE FROM sighting WHERE object_id = ? AND first_frame = ?", rows)

    def put(self, key: str, body: bytes | str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO mind VALUES(?, ?)", (key, body))

    def get(self, key: str) -> bytes | str | None:
        row = self.connection.execute("SELECT body FROM mind WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None


def _lock(path: str) -> int:
    """An advisory lock beside the file; the system drops it when the process ends, even by kill -9."""
    handle = os.open(path + "-writer", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise Refused(
            f"{path} is being written by another process; open it read-only, or wait until it is closed"
        ) from None
    return handle
