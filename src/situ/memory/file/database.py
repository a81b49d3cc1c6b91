"""Connections to a memory's SQLite file whose failures are errors of this package."""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn
from weakref import WeakSet

from situ.errors import BadFormat, BadInput, Refused, StorageFailed

_CACHE_KB = 16 * 1024  # of pages at hand for each connection: many readers of one file still fit
_BUSY_MS = 5000  # others write for milliseconds; who waits longer than this waits for something that hangs
_DISK = ("disk is full", "disk I/O", "readonly", "unable to open", "too big", "out of memory")


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, parameters: Any = ()) -> "_Cursor":
        try:
            super().execute(sql, parameters)
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)
        return self

    def executemany(self, sql: str, parameters: Iterable[Any]) -> "_Cursor":
        try:
            super().executemany(sql, parameters)
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)
        return self

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except (sqlite3.Error, UnicodeError) as error:
            translate(self.connection, error)


class Database(sqlite3.Connection):
    """A connection that knows the name of its file."""

    name = ":memory:"
    caches: tuple[Any, Any] | None = None  # what `History` has read, and of which generation
    abandoned: "Callable[[Database], None] | None" = None  # for one that was let go without being closed

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cursors: WeakSet[_Cursor] = WeakSet()

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
    if isinstance(error, sqlite3.OperationalError) and any(part in said for part in _DISK):
        raise StorageFailed(f"{name} could not be read or written ({said})") from error
    raise BadFormat(
        f"{name} is damaged ({said}); `situ memory verify` says more, restore it from a copy"
    ) from error


def be_patient(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")


def connect(path: str, name: str, mode: str = "rw", immutable: bool = False) -> Database:
    """`path` is the real file; `name` is what the user calls it."""
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
        # Questions about the past touch one page for each object; with these they stay at hand.
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # only now is the file opened
    except BaseException:
        connection.close()
        raise
    return connection
