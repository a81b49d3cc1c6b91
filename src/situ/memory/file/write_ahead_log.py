"""The write-ahead log beside a memory: whether it is there, whether it fits, and folding it into the file."""

import atexit
import gc
import os
import struct
from contextlib import suppress
from weakref import WeakSet

from situ.errors import BadFormat, SituError, StorageFailed
from situ.memory.file.database import Database, be_patient, connect
from situ.memory.file.lock import WriterLock
from situ.memory.file.seal import HANDLES, inode_of, is_sealed, raw, seal, seal_of

_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
HOME = "home"  # the inode under which a log was written
BASE = "base"  # the seal of the file that the log goes on from


def log_size(real: str) -> int:
    """Bytes in the log; 0 if there is none."""
    try:
        return os.path.getsize(real + "-wal")
    except OSError:
        return 0


def check_rest(name: str, handle: int) -> None:
    """Raise BadFormat if a file without a log is not, to the bit, as its last writer left it."""
    if not is_sealed(handle):
        raise BadFormat(
            f"{name} is damaged, or was copied without its log while it was being written: its seal does not "
            f"hold. Restore it from a copy that was made when it was closed (`situ memory copy` makes one at "
            f"any time), or keep what can be read with `situ memory repair {name} --out NEW`"
        )


def check_log(real: str, name: str, handle: int) -> None:
    """Raise BadFormat if a log was copied along with its file, which then need not fit."""
    try:
        connection = connect(real, name, "ro")  # one that cannot fold the log when it is closed
    except StorageFailed as error:
        raise StorageFailed(
            f"{name} has a log ({os.path.basename(real)}-wal) that can only be read where its folder can be "
            "written; copy both files to such a folder and run `situ memory repair` there"
        ) from error
    try:
        rows = connection.execute("SELECT key, body FROM mind WHERE key IN (?, ?)", (HOME, BASE)).fetchall()
    finally:
        connection.close()
    facts = dict(rows)
    if facts.get(HOME) == str(inode_of(real)[1]):
        if not _goes_on(real, handle, facts.get(BASE)):
            raise BadFormat(
                f"{name} was replaced while the log of the file before it lay beside it, and the two do not "
                f"fit. Move {os.path.basename(real)}-wal and -shm away to use the file as it is now"
            )
        return
    if is_sealed(handle) and not _has_commit(real):
        return
    raise BadFormat(
        f"{name} and its log were copied while it was being written, so the two need not fit. Copy it when "
        f"it is closed (`situ memory copy` makes a copy at any time), or keep what can be read with "
        f"`situ memory repair {name} --out NEW`"
    )


def _goes_on(real: str, handle: int, base: str | None) -> bool:
    """Whether a log belongs to the file as it is. One that is being written is not sealed; a sealed one is
    what the log started from, or holds all of the log already: its writer was killed while folding it."""
    if base is None or seal_of(handle) == base or not is_sealed(handle):
        return True
    with raw(real + "-wal") as log:
        return all(
            os.pread(log, size, at) == os.pread(handle, size, (number - 1) * size)
            for number, (at, size) in _committed(log).items()
        )


def _has_commit(real: str) -> bool:
    """Whether any frame of the log's present round ends a transaction."""
    with raw(real + "-wal") as log:
        return bool(_committed(log))


def _committed(log: int) -> dict[int, tuple[int, int]]:
    """Where the log holds each page as of the last transaction of its present round, and its size."""
    done: dict[int, tuple[int, int]] = {}
    fresh: dict[int, tuple[int, int]] = {}
    head = os.pread(log, _HEADER.size, 0)
    if len(head) < _HEADER.size:
        return done
    _, _, page, _, salt_1, salt_2, _, _ = _HEADER.unpack(head)
    at = _HEADER.size
    while len(frame := os.pread(log, _FRAME.size, at)) == _FRAME.size:
        number, pages, one, two, _, _ = _FRAME.unpack(frame)
        if (one, two) != (salt_1, salt_2):
            break
        fresh[number] = (at + _FRAME.size, page)
        if pages:
            done |= fresh
            fresh.clear()
        at += _FRAME.size + page
    return done


def fold(connection: Database, real: str) -> bool:
    """All of the log into the file, then the seal, then the log is emptied; a kill between any two of these
    loses nothing. False if a reader still needs the log. Only for whoever holds the writer's lock."""
    if not log_size(real):
        return True
    busy, length, done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if busy or length != done:
        return False
    with raw(real, write=True) as handle:
        seal(handle)
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        be_patient(connection)
    return not log_size(real)


def close_folded(connection: Database, real: str) -> None:
    """Close a connection that may write, the log folded if that is possible at all."""
    folded, guard = False, None
    connection.stop_reading()
    try:
        with suppress(SituError):  # the log holds all that was committed; the next to open the file folds it
            folded = fold(connection, real)
            if not folded:
                gc.collect()  # a state that nobody looks at any more may still hold its snapshot
                folded = fold(connection, real)
    finally:  # also when interrupted
        try:
            if not folded and os.path.exists(real):
                # The last to leave would fold the log without a seal; one that only reads cannot.
                guard = connect(real, connection.name, "ro")
                guard.execute("SELECT count(*) FROM mind").fetchone()
        finally:
            connection.close()
            if guard is not None:
                guard.close()


_WRITERS: WeakSet[Database] = WeakSet()


def close_when_abandoned(connection: Database, real: str, lock: WriterLock) -> None:
    """A writer that is let go, or still open when the interpreter ends, is closed as if by `close`: SQLite
    alone would fold the log without a seal."""
    process, inode = os.getpid(), inode_of(real)

    def close(connection: Database) -> None:
        if os.getpid() != process:
            return  # a child of the process that writes
        with suppress(SituError):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        try:
            with suppress(SituError):
                close_folded(connection, real)
        finally:
            lock.drop()
            HANDLES.leave(inode)

    connection.abandoned = close
    _WRITERS.add(connection)


@atexit.register
def _close_writers() -> None:
    for connection in list(_WRITERS):
        connection.settle()


def tidy(real: str, name: str) -> None:
    """Fold a log that its writer left behind, and remove the empty files that readers leave. Does nothing
    where somebody writes, where the folder cannot be written, or where the log does not fit."""
    if not (os.path.exists(real + "-wal") or os.path.exists(real + "-shm")):
        return
    lock, inode = WriterLock(real), inode_of(real)
    HANDLES.enter(inode)
    try:
        if lock.try_take(name):
            if log_size(real):
                with raw(real) as handle:
                    check_log(real, name, handle)
            close_folded(connect(real, name), real)
    except SituError:
        pass  # whoever opens the file is told
    finally:
        lock.drop()
        HANDLES.leave(inode)
