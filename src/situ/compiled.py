"""Functions that are compiled when they are first called: importing them needs no compiler.

A command that only reads a memory would otherwise spend most of its time on loading one.
"""

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from types import FunctionType
from typing import Any, cast

__all__ = ["instructions", "njit", "plain"]

_COMPILING = RLock()  # what a kernel calls by name is found while it is compiled: one thread at a time


class Kernel:
    """A function and how it is to be compiled; `situ.kernels` says where the result is kept."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._options = options
        self._compiled: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        run = self._compiled  # the memory calls a dozen kernels for every frame: no step more than needed
        return run(*arguments) if run is not None else self.compiled()(*arguments)

    def compiled(self) -> Callable[..., Any]:
        """The compiled function. What it calls by name in its module is compiled with it."""
        with _COMPILING:
            if self._compiled is None:
                from situ.kernels import njit as compile_

                made = compile_(**self._options)(self._function)
                scope = self._function.__globals__
                for name in (self._function.__name__, *self._function.__code__.co_names):
                    called = scope.get(name)
                    if isinstance(called, Kernel):
                        scope[name] = made if called is self else called.compiled()
                self._compiled = made  # last: other threads may call it from now on
        return cast(Callable[..., Any], self._compiled)


def plain(kernel: Any) -> Callable[..., Any]:
    """A kernel as it is written, with those that it calls: for the odd call that is not worth a compiler."""
    function = kernel._function if isinstance(kernel, Kernel) else getattr(kernel, "py_func", None)
    if function is None:
        return cast(Callable[..., Any], kernel)
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        if isinstance(scope.get(name), Kernel) or hasattr(scope.get(name), "py_func"):
            scope[name] = plain(scope[name])
    return FunctionType(function.__code__, scope, function.__name__, function.__defaults__)


def njit(**options: Any) -> Any:
    """Like that of numba, put off until the function is called."""
    return lambda function: Kernel(function, options)


class Instructions(Kernel):
    """A function that tells numba which instructions stand for a call by its name, as an `intrinsic` does."""

    def compiled(self) -> Callable[..., Any]:
        from numba.extending import intrinsic

        with _COMPILING:
            if self._compiled is None:
                self._compiled = intrinsic(self._function)
        return cast(Callable[..., Any], self._compiled)


def instructions(function: Any) -> Any:
    """For the few loops that no compiler makes fast: they are written by hand, and read when they are first
    compiled. Only kernels can call them."""
    return Instructions(function, {})
