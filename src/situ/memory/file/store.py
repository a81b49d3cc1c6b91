"""The file: opening, one transaction at a time, closing with the log folded, and snapshots for readers."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from situ.errors import BadInput, Refused, SituError, StorageFailed
from situ.memory.file.database import Database, connect
from situ.memory.file.lock import WriterLock
from situ.memory.file.row_writer import RowWriter
from situ.memory.file.schema import SCHEMA, blank, check_layout, create_tables
from situ.memory.file.seal import HANDLES, Inode, check_header, inode_of, raw, real_path, seal, seal_of
from situ.memory.file.write_ahead_log import (
    BASE,
    HOME,
    check_log,
    check_rest,
    close_folded,
    close_when_abandoned,
    fold,
    log_size,
    tidy,
)
from situ.private_files import open_new

IN_RAM = ":memory:"


class Store:
    """One `.situ` file. Whoever writes holds a lock; whoever reads gets snapshots."""

    def __init__(self, path: str | Path, writer: bool, checked: bool = True) -> None:
        """Unless it is not to be `checked`, a file must be as its last writer left it."""
        self.path = str(path)
        self._checked = checked
        self.writer = writer
        self.in_ram = self.path == IN_RAM
        self.real = self.path if self.in_ram else real_path(path)
        self._lock = WriterLock(self.real)
        self._failed = ""
        self._closed = False
        self._at_home = self.in_ram
        self._base = ""  # the seal of the file that a new log goes on from
        self._idle: list[Database] = []
        self._watcher: Database | None = None  # reads outside of transactions, and so sees every commit
        self._all: list[Database] = []
        self._guard = threading.RLock()  # a state may be let go in the middle of taking another
        self._immutable = False
        self._inode: Inode | None = None
        try:
            self.connection = self._open_in_ram() if self.in_ram else self._open()
        except BaseException:
            try:
                self._close_connections()
            finally:
                self._leave()
            raise
        self.rows = RowWriter(self.connection)

    def _open_in_ram(self) -> Database:
        connection = connect(IN_RAM, IN_RAM)
        self._all.append(connection)
        create_tables(connection)
        return connection

    def _open(self) -> Database:
        if not os.path.exists(self.real):
            raise BadInput(f"there is no memory at {self.path}; make one with situ watch")
        if not os.path.isfile(self.real):
            raise BadInput(f"{self.path} is a folder or a device, not a memory; give a .situ file")
        self._inode = inode_of(self.real)
        HANDLES.enter(self._inode)
        with raw(self.real) as handle:
            check_header(self.path, handle, SCHEMA)
        return self._open_to_write() if self.writer else self._open_to_read()

    def _open_to_write(self) -> Database:
        if os.stat(self.real).st_nlink > 1:
            raise Refused(
                f"{self.path} has several names (hard links), and a log beside one is not seen by the other; "
                "remove all names but one to write to it"
            )
        self._lock.take(self.path)
        self._check_bytes()
        connection = connect(self.real, self.path)
        self._all.append(connection)
        check_layout(connection, self.path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        close_when_abandoned(connection, self.real, self._lock)
        return connection

    def _open_to_read(self) -> Database:
        if self._checked and not self._lock.held_by_other:
            if log_size(self.real):
                tidy(self.real, self.path)
            self._check_bytes_at_rest()
        connection = self._connect_to_read()
        check_layout(connection, self.path)
        self._idle.append(connection)
        return connection

    def _check_bytes_at_rest(self) -> None:
        """A writer that began or closed while the bytes were read is no damage."""
        while True:
            before = self._stamps()
            try:
                self._check_bytes()
                break
            except SituError:
                if self._lock.held_by_other:
                    break
                if before == self._stamps():
                    raise

    def _stamps(self) -> list[tuple[int, int, int] | None]:
        """Of the file and its log; they change whenever somebody writes."""
        stamps: list[tuple[int, int, int] | None] = []
        for name in (self.real, self.real + "-wal"):
            try:
                facts = os.stat(name)
                stamps.append((facts.st_ino, facts.st_size, facts.st_mtime_ns))
            except FileNotFoundError:
                stamps.append(None)
        return stamps

    def _check_bytes(self) -> None:
        with raw(self.real) as handle:
            if log_size(self.real):
                check_log(self.real, self.path, handle)
            else:
                check_rest(self.path, handle)
                self._base = seal_of(handle)

    def _connect_to_read(self) -> Database:
        try:
            connection = connect(self.real, self.path, "ro", self._immutable)
        except StorageFailed:
            if self._immutable or log_size(self.real) or self._lock.held_by_other:
                raise
            self._immutable = True  # a medium that nobody can write needs no locks
            return self._connect_to_read()
        self._all.append(connection)
        return connection

    @contextmanager
    def transaction(self, durable: bool = True) -> Iterator[Database]:
        """The only way to write. What a transaction that is not `durable` wrote is seen by this process alone
        until a durable one ends. If anything fails, all since the last commit is undone and the store is of
        no more use: what working memory holds is not what the file holds."""
        self.check_usable()
        connection = self.connection
        try:
            if not connection.in_transaction:
                connection.execute("BEGIN IMMEDIATE")
            if not self._at_home and self._inode is not None:
                self.put(HOME, str(self._inode[1]))
                if self._base:
                    self.put(BASE, self._base)
                self._at_home = True
            yield connection
            if durable:
                connection.execute("COMMIT")
        except BaseException as error:
            self.give_up(error)
            if isinstance(error, SituError):
                raise StorageFailed(self._failed) from error
            raise

    def give_up(self, error: BaseException) -> None:
        """Undo what is not committed, and refuse everything from now on."""
        self._failed = (
            f"{self.path} could not be written ({error or type(error).__name__}); all that was committed "
            "before is kept. Close it, and open it again to go on after the last commit"
        )
        with suppress(SituError):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def check_usable(self) -> None:
        if self._failed:
            raise StorageFailed(self._failed)
        if self._closed:
            raise BadInput(f"{self.path} has been closed; open it again")

    def put(self, key: str, body: bytes | str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO mind VALUES(?, ?)", (key, body))

    def get(self, key: str) -> bytes | str | None:
        row = self.connection.execute("SELECT body FROM mind WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def snapshot(self) -> Database:
        """A connection that sees the file as it is now, until it is given to `release`."""
        self.check_usable()
        with self._guard:
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._connect_to_read()
        connection.execute("BEGIN")
        return connection

    def version(self) -> int:
        """Another number after every commit of another connection."""
        self.check_usable()
        with self._guard:
            if self._watcher is None:
                self._watcher = self._connect_to_read()
            return int(self._watcher.one("PRAGMA data_version")[0])

    def release(self, connection: Database) -> None:
        with self._guard, suppress(SituError):
            if not self._closed:
                connection.execute("ROLLBACK")
                self._idle.append(connection)

    def shrink(self) -> bool:
        """Write the file anew, so that nothing of what was deleted is left in it; whether that goes for its
        log as well, which a reader may hold on to until it closes."""
        self.check_usable()
        self.rows = RowWriter(self.connection)
        with self.connection.unhurried():
            self.connection.execute("VACUUM")
        self.fold()
        return self.in_ram or not log_size(self.real)

    def fold(self) -> None:
        """The log into the file, as far as readers allow; outside of a transaction."""
        self.check_usable()
        if self.writer and not self.in_ram and fold(self.connection, self.real):
            with raw(self.real) as handle:
                self._base, self._at_home = seal_of(handle), False

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self._close_connections()
        finally:
            self._leave()
        if self._checked and not (self.writer or self._immutable):
            tidy(self.real, self.path)

    def _close_connections(self) -> None:
        for connection in self._all:
            connection.abandoned = None
            with suppress(SituError):
                if self.writer and connection.in_transaction:
                    connection.execute("ROLLBACK")
            if self.writer and not self.in_ram:
                close_folded(connection, self.real)
            else:
                connection.close()

    def _leave(self) -> None:
        self._lock.drop()
        if self._inode is not None:
            HANDLES.leave(self._inode)
            self._inode = None


def create_file(path: str | Path) -> None:
    """A new file that holds nothing yet, whole or not at all; never over one that is there."""
    real = real_path(path)
    if os.path.exists(real):
        raise Refused(f"{path} is already there; open it to go on with it, or delete it first")
    if not os.path.isdir(os.path.dirname(real)):
        raise BadInput(f"the folder of {path} does not exist; create it first")
    if log_size(real):
        raise Refused(
            f"{path}-wal is the log of a memory that is no longer there, and would be taken for the new "
            "one's; move it away or delete it first"
        )
    part = f"{real}-new-{os.getpid()}"
    try:
        with open_new(part) as file:
            file.write(blank())
        handle = os.open(part, os.O_RDWR)
        try:
            seal(handle)
        finally:
            os.close(handle)
        publish(part, real)
    except FileExistsError:
        raise Refused(f"{path} is already there; open it to go on with it, or delete it first") from None
    except OSError as error:
        raise StorageFailed(f"{path} cannot be created: {error.strerror}") from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)


def publish(part: str, final: str) -> None:
    """Give a finished file its name; raises FileExistsError rather than replace one."""
    try:
        os.link(part, final)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.exists(final):
            raise FileExistsError(final) from None
        os.rename(part, final)
