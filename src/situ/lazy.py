"""Lazy imports and lazy compilation of patterns, so that a command loads only what it needs."""

import importlib
import re
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, Self, TypeVar, cast, overload

T = TypeVar("T")


def exports(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__`. `names` maps names to modules, or to "" for a submodule."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(names[name] or f"{package}.{name}")
        found = getattr(module, name) if names[name] else module
        setattr(sys.modules[package], name, found)
        return found

    return find


class lazily(Generic[T]):
    """`functools.cached_property` without its lock, which in Python 3.11 costs more than small computations.

    Two threads may compute a value twice.
    """

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find, self.__doc__ = find, find.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, one: None, owner: type) -> Self: ...
    @overload
    def __get__(self, one: object, owner: type) -> T: ...
    def __get__(self, one: object | None, owner: type) -> Self | T:
        if one is None:
            return self
        found = one.__dict__[self._name] = self._find(one)
        return found


class _Pattern:
    """Placeholder of a regular expression until its first use."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    @cached_property
    def _compiled(self) -> "re.Pattern[str]":
        return re.compile(self._text, self._flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._compiled, name)
        self.__dict__[name] = found  # later accesses find it directly
        return found


def pattern(text: str, flags: int = 0) -> "re.Pattern[str]":
    """`re.compile` for modules that hold many expressions, of which a program uses few."""
    return cast("re.Pattern[str]", _Pattern(text, flags))
