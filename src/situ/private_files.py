"""Files and folders that only their owner can access."""

import os
from pathlib import Path
from typing import IO

__all__ = ["claim", "make_private_folder", "open_new"]

_FILE, _FOLDER = 0o600, 0o700  # permissions: owner only


def open_new(path: str | Path) -> IO[bytes]:
    """Create a file readable by its owner only; FileExistsError if it exists."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE), "wb")


def claim(path: str | Path) -> None:
    """Create an empty private file for a library that would create a public one; an existing file is
    unchanged."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, _FILE))


def make_private_folder(folder: Path) -> None:
    """Create a private folder and missing parents; existing folders are unchanged."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        part.mkdir(mode=_FOLDER, exist_ok=True)
    folder.mkdir(exist_ok=True)  # raises if a file has this name
