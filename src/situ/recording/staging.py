"""Atomic folders: a folder appears complete under its name, or not at all.

Content is written to a hidden sibling, `.NAME.partial-<number>`, which is renamed at the end. The writer
holds a file lock on the sibling. The lock is released when the process dies, even by kill -9, so the next
writer of the same folder can distinguish abandoned siblings from active ones and deletes only the former.
Siblings are numbered, so they are found without listing the parent folder.
"""

import errno
import itertools
import os
import pathlib
import shutil

from situ.errors import BadInput, Refused
from situ.file_locks import fcntl

_MARK = ".partial-"
_LOOKED_AT = 8  # numbers that are checked for abandoned siblings


class StagedFolder:
    """Write the content of `path` to `work`, then `commit()` or `discard()` it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.path = folder
        # Parts of a larger staged folder are synced together with that folder.
        self._inside_another = any(_MARK in part for part in folder.parent.parts)
        refuse_existing(folder)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _clear_abandoned(folder)
            self.work, self._lock = _claim(folder)
        except OSError as error:
            raise BadInput(f"{folder} cannot be written: {error.strerror} ({error.filename})") from error

    def commit(self) -> None:
        """Sync all files to disk, then rename the folder in one step."""
        try:
            if not self._inside_another:
                for file in (path for path in self.work.rglob("*") if path.is_file()):
                    _sync(file)
                _sync(self.work)
            refuse_existing(self.path)
            self.work.rename(self.path)
            if not self._inside_another:
                _sync(self.path.parent)
        except OSError as error:
            self.discard()
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                refuse_existing(self.path)
            raise BadInput(f"{self.path} cannot be written: {error.strerror}") from error
        except BaseException:
            self.discard()
            raise
        os.close(self._lock)

    def discard(self) -> None:
        """Delete everything that was written."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.close(self._lock)


def refuse_existing(folder: pathlib.Path) -> None:
    if os.path.lexists(folder):
        raise Refused(f"{folder} already exists and is left as it is. Choose another name or remove it first")


def _claim(folder: pathlib.Path) -> tuple[pathlib.Path, int]:
    """Create and lock a sibling with the first free number."""
    for number in itertools.count():
        work = _sibling(folder, number)
        try:
            work.mkdir()
        except FileExistsError:
            continue
        # Another writer may have deleted it as abandoned between mkdir and lock; then try the next number.
        if (lock := _try_lock(work)) is not None:
            return work, lock
    raise AssertionError  # unreachable: `count` does not end


def _clear_abandoned(folder: pathlib.Path) -> None:
    for number in range(_LOOKED_AT):
        sibling = _sibling(folder, number)
        if (lock := _try_lock(sibling)) is not None:
            shutil.rmtree(sibling, ignore_errors=True)
            os.close(lock)


def _sibling(folder: pathlib.Path, number: int) -> pathlib.Path:
    return folder.parent / f".{folder.name}{_MARK}{number}"


def _try_lock(folder: pathlib.Path) -> int | None:
    """A descriptor that holds the folder's lock, or None if another process holds it or the folder is
    gone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The folder may have been deleted and recreated by another writer before the lock was acquired.
        if os.path.samestat(os.fstat(descriptor), os.stat(folder)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None


def _sync(path: pathlib.Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
