"""Names of a package that are imported when they are first used: a command loads only what it needs."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def exports(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__`: `names` says in which module each name is, or "" for a module of its own."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(names[name] or f"{package}.{name}")
        found = getattr(module, name) if names[name] else module
        setattr(sys.modules[package], name, found)
        return found

    return find
