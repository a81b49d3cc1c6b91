"""Copies of a memory that is in use, and of a file that is not as its last writer left it."""

import os
from contextlib import suppress
from pathlib import Path

from situ.errors import BadFormat, Refused, StorageFailed
from situ.memory.file.database import connect
from situ.memory.file.seal import raw, real_path, seal
from situ.memory.file.store import publish
from situ.memory.memory import SpatialMemory
from situ.memory.upkeep.inspection import inspect
from situ.private_files import claim


def copy(memory: str | Path, out: str | Path) -> None:
    """A copy at any moment, also while somebody writes: whole or not at all, and never over another file."""
    with SpatialMemory.open(memory, read_only=True) as opened:
        _write_copy(opened, out)


def _write_copy(opened: SpatialMemory, out: str | Path) -> None:
    final = real_path(out)
    part = f"{final}-new-{os.getpid()}"
    if os.path.exists(final):
        raise Refused(f"{out} is already there; choose another name, or delete it first")
    try:
        claim(part)
        target = connect(part, str(out), "rwc")
        opened.history.connection.backup(target)
        target.close()
        with raw(part, write=True) as handle:
            seal(handle)
        publish(part, final)
    except FileExistsError:
        raise Refused(f"{out} is already there; choose another name, or delete it first") from None
    except OSError as error:
        raise StorageFailed(f"{out} cannot be written: {error.strerror}") from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                os.unlink(part + ending)


def repair(path: str | Path, out: str | Path) -> None:
    """A sound copy of a file that was copied while it was written, with its log if that lies beside it.
    Raises BadFormat unless all of it can be read and fits together; the file itself is left alone."""
    with SpatialMemory.open(path, read_only=True, checked=False) as opened:
        faults = inspect(opened)
        if faults:
            raise BadFormat(f"{path} cannot be repaired: {faults[0]}")
        _write_copy(opened, out)
