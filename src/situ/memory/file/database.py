"""Connections to a memory's SQLite file whose failures are errors of this package."""

import math
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from weakref import WeakSet

from situ.errors import BadFormat, BadInput, Refused, StorageFailed
from situ.memory.file.schema import check_tables

_CACHE_KB = 16 * 1024  # of pages at hand for each connection: many readers of one file still fit
_BUSY_MS = 5000  # others write for milliseconds; who waits longer than this waits for something that hangs
_STATEMENT_S = 30.0  # a day's memory is read whole in less than one; a slow disk takes ten times that
_STEPS = 100_000  # of SQLite between two looks at the clock: about a millisecond
_DISK = ("disk is full", "disk I/O", "readonly", "unable to open", "too big", "out of memory")


class _Clock:
    """Apart from its connection, which would otherwise hold on to itself and never be let go."""

    def __init__(self) -> None:
        self.seconds, self._end = _STATEMENT_S, math.inf

    def start(self) -> None:
        self._end = time.monotonic() + self.seconds

    def has_run_out(self) -> bool:
        return time.monotonic() > self._end


class _Cursor(sqlite3.Cursor):
    connection: "Database"

    def execute(self, sql: str, parameters: Any = ()) -> "_Cursor":
        self.connection.start_clock()
        try:
            super().execute(sql, parameters)
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)
        return self

    def executemany(self, sql: str, parameters: Iterable[Any]) -> "_Cursor":
        """Without a deadline: the rows are our own, and as many as there are."""
        try:
            with self.connection.unhurried():
                super().executemany(sql, parameters)
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)
        return self

    def fetchone(self) -> Any:
        self.connection.start_clock()
        try:
            return super().fetchone()
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)

    def fetchall(self) -> list[Any]:
        self.connection.start_clock()
        try:
            return super().fetchall()
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)

    def __next__(self) -> Any:
        self.connection.start_clock()
        try:
            return super().__next__()
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)


class Database(sqlite3.Connection):
    """A connection that knows the name of its file."""

    name = ":memory:"
    caches: Any = None  # what `History` has read
    abandoned: "Callable[[Database], None] | None" = None  # for one that was let go without being closed

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cursors: WeakSet[_Cursor] = WeakSet()
        self._clock = _Clock()
        self.set_progress_handler(self._clock.has_run_out, _STEPS)

    def start_clock(self) -> None:
        """A statement, or its next row, begins: it is stopped when it takes longer than any should."""
        self._clock.start()

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """For statements that may take as long as the file is large."""
        before, self._clock.seconds = self._clock.seconds, math.inf
        self._clock.start()
        try:
            yield
        finally:
            self._clock.seconds = before

    def __del__(self) -> None:
        self.settle()

    def settle(self) -> None:
        """Do what is due before SQLite closes a connection that nobody closed."""
        abandoned, self.abandoned = self.abandoned, None
        if abandoned is not None:
            abandoned(self)

    def cursor(self, factory: Any = None) -> Any:
        cursor = self._cursor(factory)
        self._cursors.add(cursor)
        return cursor

    def _cursor(self, factory: Any = None) -> Any:
        try:
            return super().cursor(factory or _Cursor)
        except sqlite3.Error as error:
            translate(self, error)

    def stop_reading(self) -> None:
        """End what is half read, such as sightings of a state that somebody holds on to: SQLite would keep a
        closed connection open until then, and fold the log in the end, without a seal."""
        for cursor in list(self._cursors):
            cursor.close()

    def close(self) -> None:
        self.stop_reading()
        super().close()

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.execute(sql, parameters)

    def one(self, sql: str, parameters: Any = ()) -> Any:
        """The first row, None if there is none. Of `one` and `all` nothing is left half read, so that nobody
        need watch their cursors, which takes as long as a short lookup."""
        return self._cursor().execute(sql, parameters).fetchone()

    def all(self, sql: str, parameters: Any = ()) -> list[Any]:
        """All rows."""
        found: list[Any] = self._cursor().execute(sql, parameters).fetchall()
        return found

    def executemany(self, sql: str, parameters: Iterable[Any]) -> sqlite3.Cursor:
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.executemany(sql, parameters)


def translate(connection: Any, error: Exception) -> NoReturn:
    """Raise what an error of SQLite means for whoever uses a memory."""
    said, name = str(error), getattr(connection, "name", "the memory")
    if isinstance(error, sqlite3.ProgrammingError):
        if "closed" in said:
            raise BadInput(f"{name} has been closed; open it again") from error
        raise error
    if "locked" in said or "busy" in said:
        raise Refused(f"{name} is locked by another process ({said}); try again") from error
    if said == "interrupted":
        raise StorageFailed(
            f"{name} was read for more than {_STATEMENT_S:g} s in one place, so that was stopped; copy "
            "it to a faster disk, or do not trust it"
        ) from error
    if isinstance(error, sqlite3.OperationalError) and any(part in said for part in _DISK):
        raise StorageFailed(f"{name} could not be read or written ({said})") from error
    raise BadFormat(
        f"{name} is damaged ({said}); `situ memory verify` says more, restore it from a copy"
    ) from error


def be_patient(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")


def connect(path: str, name: str, mode: str = "rw", immutable: bool = False) -> Database:
    """The one way to open a memory. `path` is the real file; `name` is what the user calls it. A file that is
    there must have the tables that situ makes and nothing else: a file may come from anybody."""
    address = path
    if path != ":memory:":
        address = f"{Path(path).as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}"
    try:
        connection = sqlite3.connect(
            address, uri=path != ":memory:", isolation_level=None, check_same_thread=False, factory=Database,
            cached_statements=256,
        )  # fmt: skip
    except sqlite3.Error as error:
        raise StorageFailed(f"{name} cannot be opened ({error})") from error
    connection.name = name
    try:
        be_patient(connection)
        connection.execute("PRAGMA trusted_schema = OFF")
        # Questions about the past touch one page for each object; with these they stay at hand.
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        made = connection.all("SELECT type, name, tbl_name, sql FROM sqlite_master")  # only now it is opened
        if path != ":memory:" and mode != "rwc":  # those are filled by us, after this
            check_tables(made, name)
    except BaseException:
        connection.close()
        raise
    return connection
