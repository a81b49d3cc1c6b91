"""All or nothing: a folder that appears complete under its name, or not at all.

Work happens in a hidden sibling, `.NAME.partial-<pid>-<random>`, that is renamed at the end. The writer
holds a lock on the sibling while it lives. The lock dies with the process, even on kill -9, so the next
writer of the same folder can tell rubbish from work in progress, and clears only rubbish.
"""

import errno
import os
import pathlib
import secrets
import shutil

from situ.errors import BadInput, Refused
from situ.file_locks import fcntl


class StagedFolder:
    """Make `path`'s future content under `work`, then `commit()` or `discard()` it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.path = folder
        refuse_existing(folder)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _clear_abandoned(folder)
            self.work, self._lock = _claim(folder)
        except OSError as error:
            raise BadInput(f"{folder} cannot be written: {error.strerror} ({error.filename})") from error

    def commit(self) -> None:
        """Bring every file to the disk, then give the folder its name in one step."""
        try:
            for file in self.work.iterdir():
                _sync(file)
            _sync(self.work)
            refuse_existing(self.path)
            self.work.rename(self.path)
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
        """Leave nothing behind."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.close(self._lock)


def refuse_existing(folder: pathlib.Path) -> None:
    if os.path.lexists(folder):
        raise Refused(f"{folder} already exists and is left as it is. Choose another name or remove it first")


def _claim(folder: pathlib.Path) -> tuple[pathlib.Path, int]:
    while True:
        work = folder.parent / f".{folder.name}.partial-{os.getpid()}-{secrets.token_hex(4)}"
        work.mkdir()
        lock = _try_lock(work)
        # Another writer may have taken it for abandoned between mkdir and lock; then start over.
        if lock is not None and work.exists():
            return work, lock
        if lock is not None:
            os.close(lock)


def _clear_abandoned(folder: pathlib.Path) -> None:
    prefix = f".{folder.name}.partial-"
    # Names first: a benchmark's folder holds thousands of recordings, and each new one comes by here.
    for name in os.listdir(folder.parent):
        if name.startswith(prefix) and (sibling := folder.parent / name).is_dir():
            lock = _try_lock(sibling)
            if lock is not None:
                shutil.rmtree(sibling, ignore_errors=True)
                os.close(lock)


def _try_lock(folder: pathlib.Path) -> int | None:
    """A descriptor that holds the folder's lock, or None if another process holds it or it is gone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _sync(path: pathlib.Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
