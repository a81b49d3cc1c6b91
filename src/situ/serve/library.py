"""The memories that are served, by name: the only way from a name in a request to a file."""

import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from situ.errors import BadInput, Refused
from situ.serve.failure import not_found

if TYPE_CHECKING:
    from situ.memory.memory import SpatialMemory

_NAME = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")


class Served:
    """One memory: many readers at a time on one open handle, and at most one writer."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.live: bytes | None = None  # the last picture of a stream that is being watched
        self._changed = threading.Condition()
        self._reader: SpatialMemory | None = None
        self._readers = 0
        self._closed_to_readers = False
        self._writing = threading.Lock()

    @property
    def writing(self) -> bool:
        """Whether this server writes to it at the moment."""
        return self._writing.locked()

    @property
    def hidden(self) -> dict[str, str]:
        """What an error about the file must not say, and what it says instead."""
        return {str(self.path): self.name, str(self.path.absolute()): self.name}

    @contextmanager
    def reading(self) -> Iterator["SpatialMemory"]:
        """The open memory, from any thread. Each state that is taken from it is a snapshot of its own."""
        with self._changed:
            self._changed.wait_for(lambda: not self._closed_to_readers)
            if self._reader is None:
                from situ.memory.memory import SpatialMemory

                self._reader = SpatialMemory.open(self.path, read_only=True)
            self._readers += 1
            reader = self._reader
        try:
            yield reader
        finally:
            with self._changed:
                self._readers -= 1
                if self._closed_to_readers:  # somebody waits for the last one to leave
                    self._changed.notify_all()

    def check_free(self) -> None:
        """Raise if this server writes to it already."""
        if self.writing:
            raise Refused(f"{self.name} is being written by another stream; wait until that has ended")

    def take_writing(self) -> None:
        """Become the one writer within this server; between processes the file's own lock decides."""
        if not self._writing.acquire(blocking=False):
            self.check_free()
            self.take_writing()

    def leave_writing(self) -> None:
        self._writing.release()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """As the one writer and with no reader, for deleting: a reader would hold on to the log."""
        self.take_writing()
        try:
            with self._changed:
                self._closed_to_readers = True
                self._changed.wait_for(lambda: self._readers == 0)
                self._close_reader()
            yield
        finally:
            with self._changed:
                self._closed_to_readers = False
                self._changed.notify_all()
            self.leave_writing()

    def close(self) -> None:
        with self._changed:
            self._close_reader()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


class Library:
    """A fixed map from names to memories, made before the first request."""

    def __init__(
        self, paths: Iterable[Path] = (), served: Iterable[Served] = (), may_be_empty: bool = False
    ) -> None:
        """Of files, and of what is served already."""
        self._served: dict[str, Served] = {one.name: one for one in served}
        for path in paths:
            name = path.name.removesuffix(".situ")
            if not _NAME.match(name):
                raise BadInput(
                    f"{path.name} cannot be served: a name is made of letters, digits, '_', '-', '.'"
                )
            if name in self._served:
                raise BadInput(f"two memories are called {name}; rename one of the files")
            self._served[name] = Served(name, path)
        if not self._served and not may_be_empty:
            raise BadInput("which memory is to be served? For instance: situ serve walk.situ")

    def __iter__(self) -> Iterator[Served]:
        return iter(self._served.values())

    def __len__(self) -> int:
        return len(self._served)

    def get(self, name: str) -> Served:
        found = self._served.get(name)
        if found is None:
            raise not_found("there is no such memory", "GET /v1/memories lists those that there are")
        return found

    def only(self) -> Served | None:
        """The memory that is meant when none is named: there must be just one."""
        return next(iter(self)) if len(self) == 1 else None

    def check(self, create: bool) -> None:
        """Open each memory once, so that a wrong file is told before anybody asks; make those that are not
        there yet, if streams are to fill them."""
        from situ.memory.memory import SpatialMemory

        for served in self:
            if create and not served.path.exists():
                SpatialMemory.create(served.path).close()
            with served.reading():
                pass

    def close(self) -> None:
        for served in self:
            served.close()
