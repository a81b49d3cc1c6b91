"""Registries of named parts from this package and from installed plugins.

A plugin is a package with an entry point of the group `situ.plugins`, which names a module:

    [project.entry-points."situ.plugins"]
    mine = "my_package"

Importing that module registers its parts, like the modules of this package. It is imported when an unknown
name is looked up, or when names are listed. A single file needs no package: the environment variable
SITU_PLUGINS names it, and every command imports it at once.
"""

import importlib
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

from situ.errors import BadInput, unknown

GROUP = "situ.plugins"
FILES = "SITU_PLUGINS"  # Python files, separated like PATH
T = TypeVar("T")
Part = TypeVar("Part")
_log = logging.getLogger(__name__)


class Registry(Mapping[str, T], Generic[T]):
    """Parts of one kind by name.

    `kind`: name for messages. `modules`: modules of this package that register parts when imported; with the
    names of their parts, a part is found without importing the other modules.
    """

    def __init__(self, kind: str, modules: Mapping[str, Sequence[str]] | Sequence[str] = ()) -> None:
        self._kind = kind
        self._modules = dict(modules) if isinstance(modules, Mapping) else dict.fromkeys(modules, ())
        self._parts: dict[str, T] = {}
        self._about: dict[str, str] = {}

    def register(self, name: str, about: str = "") -> Callable[[Part], Part]:
        """Decorator that registers a part, with a one-line description."""

        def decorate(part: Part) -> Part:
            self.add(name, part, about)  # type: ignore[arg-type]  # a class stays the class that it is
            return part

        return decorate

    def add(self, name: str, part: T, about: str = "") -> None:
        if name in self._parts:
            raise ValueError(f"two parts of the kind '{self._kind}' share the name '{name}'")
        self._parts[name], self._about[name] = part, about

    def find(self, name: str) -> T:
        """The part of that name; BadInput names the known ones."""
        if name in self:
            return self[name]
        raise unknown(self._kind, name, self)

    def about(self, name: str) -> str:
        """Description of a part."""
        self.find(name)
        return self._about[name]

    def __getitem__(self, name: str) -> T:
        if name not in self._parts:
            _import([module for module, names in self._modules.items() if not names or name in names])
        if name not in self._parts:
            load_plugins()
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        declared = [name for names in self._modules.values() for name in names]
        _import([module for module, names in self._modules.items() if not names])
        load_plugins()
        return iter(tuple(dict.fromkeys((*self._parts, *declared))))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _import(modules: Sequence[str]) -> None:
    """Import modules; those that another thread is importing are waited for."""
    for module in modules:
        importlib.import_module(module)


@cache
def load_plugins() -> tuple[str, ...]:
    """Import installed plugins, once; returns the names of those that were imported.

    A broken plugin is reported in a warning and skipped, so that it does not affect the others.
    """
    from importlib.metadata import entry_points  # takes some milliseconds that most commands do not need

    loaded = []
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:  # a plugin may raise anything
            _log.warning("the plugin '%s' (%s) is left out: %s", point.name, point.value, error)
        else:
            loaded.append(point.name)
    return (*loaded, *load_files())


@cache
def load_files() -> tuple[str, ...]:
    """Import the files in SITU_PLUGINS, once.

    Every command calls it, so a mistake in a name is always reported, not only if the file is needed.
    """
    return tuple(_load_file(Path(name)) for name in os.environ.get(FILES, "").split(os.pathsep) if name)


def _load_file(file: Path) -> str:
    """Import one file by its own name. It was requested explicitly, so a failure is an error."""
    if not file.is_file():
        raise BadInput(f"{FILES} names {file}, and there is no such file")
    folder = str(file.absolute().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # so that child processes find it
    try:
        module = importlib.import_module(file.stem)
    except Exception as error:
        raise BadInput(f"{FILES} names {file}, which cannot be imported: {error}") from error
    if Path(module.__file__ or "").absolute() != file.absolute():
        raise BadInput(f"{FILES} names {file}, but Python has another module '{file.stem}'; rename the file")
    return file.stem
