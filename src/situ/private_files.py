"""Files and folders for their owner alone: what somebody saw, said or may do is nobody else's."""

import os
from pathlib import Path
from typing import IO

__all__ = ["claim", "make_private_folder", "open_new"]

_FILE, _FOLDER = 0o600, 0o700


def open_new(path: str | Path) -> IO[bytes]:
    """A new file to write, that only its owner can read; FileExistsError where there is one."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE), "wb")


def claim(path: str | Path) -> None:
    """An empty file for a library that makes files for everybody; one that is there stays as it is, since its
    owner may have opened it to others."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, _FILE))


def make_private_folder(folder: Path) -> None:
    """The folder, and those above that are missing; those that are there stay as they are."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        part.mkdir(mode=_FOLDER, exist_ok=True)
    folder.mkdir(exist_ok=True)  # so that a file in its place is an error, as with `mkdir`
