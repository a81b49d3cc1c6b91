"""The seal of a memory at rest: a digest of all its bytes behind the last page, and the bytes themselves.

SQLite ignores what follows the last page that its header names. A file whose seal holds is exactly the file
that a writer closed; one bit less and it is known to be damaged, or copied while it was being written.
"""

import hashlib
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from situ.errors import BadFormat, BadInput, StorageFailed

APPLICATION_ID = 0x53495455  # "SITU"
HEADER_BYTES = 100  # SQLite's own header
_MAGIC = b"situ-seal-1\n"
_DIGEST_BYTES = 16  # chance finds no two alike in 2**64 files
_LAYOUT = struct.Struct(f"<{len(_MAGIC)}sQ{_DIGEST_BYTES}s")
_BLOCK = 1 << 20  # read at once, so that a large file is never in memory as a whole
_SQLITE = b"SQLite format 3\0"

Inode = tuple[int, int]


class _Handles:
    """Open handles by inode. Closing any handle of a file drops the locks that SQLite holds on it in this
    process, so handles stay open, and are used again, until no memory in this process uses the file."""

    def __init__(self) -> None:
        self._users: dict[Inode, int] = {}
        self._idle: dict[Inode, list[tuple[int, bool]]] = {}
        self._guard = threading.RLock()

    def enter(self, inode: Inode) -> None:
        with self._guard:
            self._users[inode] = self._users.get(inode, 0) + 1

    def leave(self, inode: Inode) -> None:
        with self._guard:
            self._users[inode] -= 1
            if self._users[inode] == 0:
                del self._users[inode]
                for handle, _ in self._idle.pop(inode, ()):
                    os.close(handle)

    def take(self, path: str, write: bool) -> int:
        with self._guard:
            idle = self._idle.get(inode_of(path), [])
            for k, (handle, writable) in enumerate(idle):
                if writable or not write:
                    del idle[k]
                    return handle
        return os.open(path, os.O_RDWR if write else os.O_RDONLY)

    def give_back(self, handle: int, write: bool) -> None:
        facts = os.fstat(handle)
        inode = (facts.st_dev, facts.st_ino)
        with self._guard:
            if inode in self._users:
                self._idle.setdefault(inode, []).append((handle, write))
            else:
                os.close(handle)


HANDLES = _Handles()


def inode_of(path: str) -> Inode:
    facts = os.stat(path)
    return facts.st_dev, facts.st_ino


@contextmanager
def raw(path: str, write: bool = False) -> Iterator[int]:
    """A handle on the bytes of a memory."""
    try:
        handle = HANDLES.take(path, write)
    except OSError as error:
        raise StorageFailed(f"{path} cannot be opened: {error.strerror}") from error
    try:
        yield handle
    except OSError as error:
        raise StorageFailed(f"{path} cannot be read or sealed: {error.strerror}") from error
    finally:
        HANDLES.give_back(handle, write)


def check_header(path: str, handle: int, schema: int) -> None:
    """Raise BadFormat for a file that is not a spatial memory of this schema; nothing has touched it then."""
    head = os.pread(handle, HEADER_BYTES, 0)
    if not head:
        raise BadFormat(f"{path} is empty, not a spatial memory; delete it or give a .situ file")
    if len(head) < HEADER_BYTES or head[:16] != _SQLITE:
        raise BadFormat(f"{path} is not a spatial memory, or its first bytes are damaged; give a .situ file")
    version, owner = (int.from_bytes(head[at : at + 4], "big") for at in (60, 68))
    if owner != APPLICATION_ID:
        raise BadFormat(f"{path} is an SQLite file of another program, not a spatial memory")
    if version > schema:
        raise BadFormat(
            f"{path} has schema {version}, this version of situ knows up to {schema}; update situ to open it"
        )
    if version < schema:
        raise BadFormat(
            f"{path} has schema {version}, made by an older situ; this one needs {schema}: watch it again"
        )


def is_sealed(handle: int) -> bool:
    """Whether the file is, to the bit, as a writer left it."""
    size = os.fstat(handle).st_size - _LAYOUT.size
    if size <= 0:
        return False
    magic, length, digest = _LAYOUT.unpack(os.pread(handle, _LAYOUT.size, size))
    return bool(magic == _MAGIC and length == size and digest == _digest(handle, size))


def seal_of(handle: int) -> str:
    """The digest that the seal of a file states, whether it holds or not; empty if there is none."""
    size = os.fstat(handle).st_size - _LAYOUT.size
    if size <= 0:
        return ""
    magic, _, digest = _LAYOUT.unpack(os.pread(handle, _LAYOUT.size, size))
    return str(digest.hex()) if magic == _MAGIC else ""


def seal(handle: int) -> None:
    """Put the seal behind the last page."""
    head = os.pread(handle, HEADER_BYTES, 0)
    page = int.from_bytes(head[16:18], "big")
    size = int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page)
    os.pwrite(handle, _LAYOUT.pack(_MAGIC, size, _digest(handle, size)), size)
    os.ftruncate(handle, size + _LAYOUT.size)
    os.fsync(handle)


def _digest(handle: int, size: int) -> bytes:
    summed = hashlib.sha256()
    for at in range(0, size, _BLOCK):
        summed.update(os.pread(handle, min(_BLOCK, size - at), at))
    return summed.digest()[:_DIGEST_BYTES]


def real_path(path: str | Path) -> str:
    """The file itself, whatever links lead to it."""
    if "\0" in str(path):
        raise BadInput("a path cannot hold a null character")
    return os.path.realpath(path)
