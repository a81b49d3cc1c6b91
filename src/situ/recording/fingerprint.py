"""Fingerprints that identify a source independent of its name and location."""

import hashlib
import os
from pathlib import Path

from situ.errors import BadInput
from situ.recording.formats.videos.live_stream import address_of
from situ.recording.layout import METADATA

_PIECE = 1 << 20  # bytes per piece of a large file
_SMALL = 1 << 16  # bytes: files of a folder up to this size are hashed completely


def fingerprint(source: Path) -> str:
    """Hash of a video file, a recording or an image folder.

    Small files are hashed completely, large ones by size and three pieces.
    """
    if address := address_of(source):  # a live camera is identified by its address
        return hashlib.sha256(address.encode(errors="surrogateescape")).hexdigest()[:32]
    try:
        if source.is_file():
            return _of_file(source).hexdigest()[:32]
        if (source / METADATA).is_file():  # contains the hashes of all other files
            return _of_file(source / METADATA).hexdigest()[:32]
        total = hashlib.sha256()
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            size = file.stat().st_size
            total.update(f"{file.relative_to(source).as_posix()}\0{size}\0".encode(errors="surrogateescape"))
            if size <= _SMALL:
                total.update(file.read_bytes())
        return total.hexdigest()[:32]
    except OSError as error:
        raise BadInput(f"{source} cannot be read: {error.strerror}") from error


def _of_file(file: Path) -> "hashlib._Hash":
    size = file.stat().st_size
    summed = hashlib.sha256(str(size).encode())
    with open(file, "rb") as opened:
        for start in (0, (size - _PIECE) // 2, size - _PIECE) if size > 3 * _PIECE else (0,):
            opened.seek(start, os.SEEK_SET)
            summed.update(opened.read(_PIECE if size > 3 * _PIECE else size))
    return summed
