"""One writer for each file, whatever name it is opened by; the lock goes with the process."""

import os
import time
from contextlib import suppress

from situ.errors import Refused, StorageFailed
from situ.file_locks import fcntl

_SUFFIX = "-lock"
_PATIENCE_S = 2.0  # others hold the lock for a moment to fold the log


class WriterLock:
    """A lock file beside the real file; it is gone when nobody writes."""

    def __init__(self, real: str) -> None:
        self._path = real + _SUFFIX
        self._handle: int | None = None

    def take(self, name: str) -> None:
        """Wait a moment for others that only tidy up; raise Refused if somebody writes."""
        deadline = time.monotonic() + _PATIENCE_S
        while not self.try_take(name):
            if time.monotonic() > deadline:
                raise Refused(
                    f"{name} is being written by another process; open it read-only, or wait "
                    "until it is closed"
                )
            time.sleep(0.01)

    def try_take(self, name: str) -> bool:
        """Whether the lock is ours now."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StorageFailed(
                f"{name} cannot be opened for writing: {error.strerror}. Open it read-only, or copy it "
                "to a folder where you may write"
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it before may have removed the file that we hold: then it locks nothing.
            if os.stat(self._path).st_ino == os.fstat(handle).st_ino:
                self._handle = handle
                return True
        except OSError:
            pass
        os.close(handle)
        return False

    def drop(self) -> None:
        if self._handle is not None:
            with suppress(FileNotFoundError):  # with its folder
                os.unlink(self._path)
            os.close(self._handle)
            self._handle = None

    @property
    def held_by_other(self) -> bool:
        """Whether somebody writes at this moment; what cannot be looked into is taken as held."""
        try:
            handle = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(handle)
        return False
