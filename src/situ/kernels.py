"""Cache of compiled kernels in the user's cache folder, keyed by the content of their package.

Importing never writes, because a shared installation may be read-only. A kernel includes the code of kernels
that it calls in other files of its package, so the key is a hash of all files with kernels and of what they
import from the package. Without a writable folder, kernels last for the process and its workers.
"""

import atexit
import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TextIO

import numba
from numba.core import caching, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.types.misc import unliteral

from situ.file_locks import fcntl

__all__ = ["compiling_beside", "kernels_folder", "njit"]

_PACKAGE = Path(__file__).parent
_HOME = "SITU_CACHE"  # the folder to use instead of the user's cache
_KERNELS = "from situ.compiled import"  # present in every file with kernels
_IMPORT = re.compile(r"^\s*(?:from|import) ([\w.]+)(?: import (\([^)]*\)|[^\n]*))?", re.MULTILINE)
_KEPT_VERSIONS = 4  # per package, so that switching between branches does not recompile
_ROOMS: set[Path] = set()  # packages with kernels
_log = logging.getLogger(__name__)


def njit(**options: Any) -> Callable[[FunctionType], Any]:
    """Like numba's `njit`, but a constant argument such as 3 compiles one version for all integers."""
    compile_ = numba.njit(**options)

    def decorate(function: FunctionType) -> Any:
        dispatcher = compile_(function)
        if hasattr(dispatcher, "compile"):  # not where numba is switched off
            dispatcher.compile = _by_one_process(function, dispatcher.compile)
        template_of = getattr(dispatcher, "get_call_template", None)  # none where numba is switched off
        if template_of is not None:
            dispatcher.get_call_template = lambda args, kws: template_of(
                tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()}
            )
        return dispatcher

    return decorate


@cache
def kernels_folder() -> Path:
    """The folder of all kernels; a private one that goes with this process where no other can be written."""
    named = os.environ.get(_HOME)
    try:
        home = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # no home directory
        home = Path("/nonexistent")
    folder = home / "kernels" if named else home / "situ" / "kernels"
    if _writable(folder):
        return folder
    # Kernels are unpickled, so a folder that others can write to, or predict, is unsafe.
    private = Path(tempfile.mkdtemp(prefix="situ-"))
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    os.environ[_HOME] = str(private)  # workers share it
    return private / "kernels"


@contextmanager
def compiling_beside(module: str) -> Iterator[None]:
    """Run `module` in another process meanwhile, which compiles kernels that are not cached yet.

    It halves the time of the first use on two cores.
    """
    room = _PACKAGE / module.split(".")[1]
    if (os.cpu_count() or 1) < 2 or (kernels_folder() / f"{room.name}-{_room_hash(room)}").exists():
        yield
        return
    _LOCK.claim()  # this process reports compilation, not the other one
    command = [sys.executable, "-m", module]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as other:
        try:
            yield
        finally:
            other.terminate()  # finished kernels stay in the cache


def _writable(folder: Path) -> bool:
    """Whether a folder is writable or can be created."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


@cache
def _room_hash(room: Path) -> str:
    digest = hashlib.sha256()
    for source, text in sorted(_sources_of_kernels(room).items()):
        digest.update(source.relative_to(room).as_posix().encode() + b"\0" + text.encode() + b"\0")
    return digest.hexdigest()[:16]


def _sources_of_kernels(room: Path) -> dict[Path, str]:
    """Source text of a package's files with kernels, and of the files in the package that they import."""
    texts = {source: source.read_text("utf-8") for source in room.rglob("*.py")}
    found: dict[Path, str] = {}
    left = [source for source, text in texts.items() if _KERNELS in text]
    while left:
        source = left.pop()
        if source in texts and source not in found:
            found[source] = texts[source]
            left += _imported(texts[source], room)
    return found


def _imported(text: str, room: Path) -> Iterator[Path]:
    """Files of the package that a text may import: each imported name may be a module or be defined in
    one."""
    for module, names in _IMPORT.findall(text):
        if f"{module}.".startswith(f"{room.parent.name}.{room.name}."):
            base = room.parent.parent.joinpath(*module.split("."))
            yield from (base.with_suffix(".py"), base / "__init__.py")
            yield from (base / f"{name}.py" for name in re.findall(r"\w+", names))


class _KernelCache(caching._CacheLocator):  # type: ignore[misc]
    """Cache locator for numba: where a function of this package is cached, and for which sources."""

    def __init__(self, function: FunctionType, room: Path) -> None:
        self._line = function.__code__.co_firstlineno
        self._room = room

    def get_cache_path(self) -> str:
        return str(kernels_folder() / f"{self._room.name}-{_room_hash(self._room)}")

    def ensure_cache_path(self) -> None:
        folder = Path(self.get_cache_path())
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _drop_old_versions(folder.parent, self._room.name)

    def get_source_stamp(self) -> str:
        return _room_hash(self._room)

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> "_KernelCache | None":
        file = Path(py_file)
        if not file.is_relative_to(_PACKAGE):
            return None
        room = _PACKAGE / file.relative_to(_PACKAGE).parts[0]
        _ROOMS.add(room)
        return cls(py_func, room)


def _drop_old_versions(folder: Path, room: str) -> None:
    versions = sorted(folder.glob(f"{room}-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in versions[_KEPT_VERSIONS:]:
        shutil.rmtree(old, ignore_errors=True)


def _by_one_process(function: FunctionType, compile_: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compile while no other process compiles the same function; waiting processes load it from the cache."""
    name = f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"
    place = 1 + zlib.crc32(name.encode())

    def compile_alone(signature: Any) -> Any:
        with global_compiler_lock, _LOCK.held(place):  # same order as nested compilations, to avoid deadlock
            return compile_(signature)

    return compile_alone


class _ProcessLock:
    """Locks between processes, one per byte of a file. Numba's lock separates threads."""

    def __init__(self) -> None:
        self._held: set[int] = set()

    @cached_property
    def _handle(self) -> int | None:
        """The lock file, or None if it cannot be written; then every process compiles for itself."""
        try:
            kernels_folder().mkdir(parents=True, exist_ok=True)
            return os.open(kernels_folder() / "compiling", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return None

    @contextmanager
    def held(self, place: int) -> Iterator[None]:
        if self._handle is None or place in self._held:
            yield
            return
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX, 1, place)
        except OSError:  # file systems without locks
            yield
            return
        self._held.add(place)
        try:
            yield
        finally:
            self._held.discard(place)
            fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, place)

    def claim(self) -> bool:
        """Whether this process reports compilation; it keeps that role until it ends."""
        if self._handle is None:
            return True
        with suppress(OSError):
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
            return True
        return False


_LOCK = _ProcessLock()


class _Announcer(event.Listener):  # type: ignore[misc]
    """Reports compilation of kernels, because it delays the first command.

    On a terminal it updates a count on one line, elsewhere it logs once. One process reports, and counts the
    kernels of all.
    """

    def __init__(self) -> None:
        self._speaks: bool | None = None
        self._depth = 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        function = getattr(event.data["dispatcher"], "py_func", None)
        if not getattr(function, "__module__", "").startswith("situ."):
            return
        if self._speaks is None:
            self._speaks = _LOCK.claim()
            if self._speaks and _terminal() is None:
                # A warning, so that it is shown without logging configuration, for instance in scripts.
                _log.warning("situ: compiling kernels, once for this version, a minute or two")
        if self._speaks and (terminal := _terminal()) is not None:
            terminal.write(f"\r\x1b[Ksitu: compiling kernels, once for this version: {_finished()} done")
            terminal.flush()

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._speaks and not self._depth and (terminal := _terminal()) is not None:
            terminal.write("\r\x1b[K")
            terminal.flush()


def _terminal() -> TextIO | None:
    """The terminal for messages, bypassing progress bars."""
    found = sys.__stderr__
    return found if found is not None and not found.closed and found.isatty() else None


def _finished() -> int:
    """Number of cached kernels of this version."""
    rooms = (kernels_folder() / f"{room.name}-{_room_hash(room)}" for room in _ROOMS)
    return sum(entry.name.endswith(".nbi") for room in rooms if room.is_dir() for entry in os.scandir(room))


caching.CacheImpl._locator_classes.insert(0, _KernelCache)
event.register("numba:compile", _Announcer())
