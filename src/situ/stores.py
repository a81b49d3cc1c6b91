"""Folders in object stores (s3://, gs://, …) through fsspec: commits that one writer wins, reads of ranges.

A store has no rename. So a folder is uploaded under an attempt of its own, and then a file COMMIT that names
the attempt is created, if there is none: of any number of writers exactly one wins, and readers see all or
nothing.
"""

import json
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, BadInput, MissingExtra, StorageFailed

COMMIT = "COMMIT"
_URL = re.compile(r"([a-z][a-z0-9+.-]+):/{1,2}([^/].*)")


def url_of(where: object) -> str | None:
    """The address that is meant, also where a path lost one of its slashes; None of a plain path."""
    found = _URL.fullmatch(str(where))
    return f"{found.group(1)}://{found.group(2)}" if found else None


class Store:
    """A folder of an object store, by its address."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec
        except ImportError as error:
            raise MissingExtra("stores", "object stores") from error
        try:
            self._files, root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise BadInput(f"{url} cannot be opened: {error}") from error
        self.url, self._root = url.rstrip("/"), str(root).rstrip("/")

    def create(self, name: str, content: bytes) -> bool:
        """Write a file unless there is one; whether it was this call that wrote it."""
        try:
            self._files.pipe_file(self._at(name), content, mode="create")
        except FileExistsError:
            return False
        except OSError as error:
            raise StorageFailed(f"{self.url}/{name} could not be written: {error}") from error
        return True

    def write(self, name: str, content: bytes) -> None:
        try:
            self._files.pipe_file(self._at(name), content)
        except OSError as error:
            raise StorageFailed(f"{self.url}/{name} could not be written: {error}") from error

    def read(self, name: str) -> bytes:
        try:
            return bytes(self._files.cat_file(self._at(name)))
        except OSError as error:
            raise BadInput(f"{self.url}/{name} cannot be read: {error}") from error

    def read_range(self, name: str, start: int, count: int) -> bytes:
        try:
            return bytes(self._files.cat_file(self._at(name), start=start, end=start + count))
        except OSError as error:
            raise BadInput(f"{self.url}/{name} cannot be read: {error}") from error

    def has(self, name: str) -> bool:
        self._files.invalidate_cache()
        return bool(self._files.exists(self._at(name)))

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}"

    def committed(self, folder: str) -> str | None:
        """The attempt that a folder's COMMIT names, or None while there is none."""
        if not self.has(f"{folder}/{COMMIT}"):
            return None
        try:
            attempt = str(json.loads(self.read(f"{folder}/{COMMIT}"))["attempt"])
        except (ValueError, KeyError, TypeError) as error:
            raise BadFormat(f"{self.url}/{folder}/{COMMIT} is damaged ({error}); delete it") from error
        if not re.fullmatch(r"[0-9a-f]{16}", attempt):
            raise BadFormat(f"{self.url}/{folder}/{COMMIT} names no attempt; delete it")
        return attempt

    def commit(self, folder: str, files: Mapping[str, Path], about: Mapping[str, Any] | None = None) -> bool:
        """Upload files and commit them under a folder; False where another writer had done so before."""
        if self.committed(folder) is not None:
            return False
        attempt = secrets.token_hex(8)
        for name, path in files.items():
            self._upload(path, f"{folder}/{attempt}/{name}")
        said = json.dumps({"attempt": attempt, **(about or {})}).encode()
        if self.create(f"{folder}/{COMMIT}", said):
            return True
        self._files.rm(self._at(f"{folder}/{attempt}"), recursive=True)  # nobody will read it
        return False

    def _upload(self, path: Path, name: str) -> None:
        try:
            self._files.put_file(str(path), self._at(name))
        except OSError as error:
            raise StorageFailed(f"{self.url}/{name} could not be written: {error}") from error
