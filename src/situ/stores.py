"""Object stores (s3://, hf://, https://, ...) through fsspec: atomic commits and range reads.

A store has no rename. A folder is uploaded under a unique attempt name; then a file COMMIT with that name is
created if it does not exist. Exactly one of several writers wins, and readers see all or nothing.
"""

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, BadInput, MissingExtra, StorageFailed

COMMIT = "COMMIT"
_URL = re.compile(r"([a-z][a-z0-9+.-]+):/{1,2}([^/].*)")


def url_of(where: object) -> str | None:
    """The URL of a location, even if a Path has lost one of its slashes; None for local paths."""
    found = _URL.fullmatch(str(where))
    return f"{found.group(1)}://{found.group(2)}" if found else None


class Store:
    """A folder of an object store."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec
        except ImportError as error:
            raise MissingExtra("stores", "object stores") from error
        try:
            self._files, root = fsspec.core.url_to_fs(url)
        except Exception as error:  # some stores connect at once, with errors of their own
            raise BadInput(f"{url} cannot be opened: {str(error) or type(error).__name__}") from error
        self.url, self._root = url.rstrip("/"), str(root).rstrip("/")

    def create(self, name: str, content: bytes) -> bool:
        """Create a file; False if it exists."""
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
        with self._reading(name):
            return bytes(self._files.cat_file(self._at(name)))

    def read_range(self, name: str, start: int, count: int) -> bytes:
        with self._reading(name):
            found = bytes(self._files.cat_file(self._at(name), start=start, end=start + count))
        if len(found) != count:
            raise BadInput(
                f"{self.url}/{name} gave {len(found)} bytes where {count} were asked for: it was cut short, "
                "or its server does not serve parts of files (Range). Serve it by another, or copy it here"
            )
        return found

    def fetch(self, name: str, to: Path) -> None:
        """Download a file atomically."""
        partial = to.with_name(f".{to.name}.partial")
        with self._reading(name):
            self._files.get_file(self._at(name), str(partial))
        partial.replace(to)

    def files(self) -> dict[str, int]:
        """All files below with their sizes; empty for plain web servers."""
        try:
            found = self._files.find(self._root, detail=True)
        except (FileNotFoundError, NotImplementedError):
            return {}
        except Exception as error:
            raise BadInput(f"{self.url} cannot be listed: {str(error) or type(error).__name__}") from error
        return {
            name[len(self._root) + 1 :]: int(about.get("size") or 0)
            for name, about in found.items()
            if name.startswith(f"{self._root}/")
        }

    @contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # stores raise errors of their own, not only OSError
            raise BadInput(
                f"{self.url}/{name} cannot be read: {str(error) or type(error).__name__}"
            ) from error

    def has(self, name: str) -> bool:
        self._files.invalidate_cache()
        with self._reading(name):
            return bool(self._files.exists(self._at(name)))

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}"

    def committed(self, folder: str) -> str | None:
        """Attempt that a folder's COMMIT names, or None."""
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
        """Upload files and commit them as a folder; False if another writer was first."""
        if self.committed(folder) is not None:
            return False
        attempt = secrets.token_hex(8)
        for name, path in files.items():
            self._upload(path, f"{folder}/{attempt}/{name}")
        said = json.dumps({"attempt": attempt, **(about or {})}).encode()
        if self.create(f"{folder}/{COMMIT}", said):
            return True
        self._files.rm(self._at(f"{folder}/{attempt}"), recursive=True)  # it will never be read
        return False

    def _upload(self, path: Path, name: str) -> None:
        try:
            self._files.put_file(str(path), self._at(name))
        except OSError as error:
            raise StorageFailed(f"{self.url}/{name} could not be written: {error}") from error
