"""Lazily compiled functions: importing them needs no compiler.

Loading the compiler would take most of the time of a command that only reads a memory.
"""

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from types import FunctionType
from typing import Any, cast

__all__ = ["instructions", "njit", "plain"]

_COMPILING = RLock()  # compilation replaces names in modules, so one thread at a time


class Kernel:
    """A function with its compile options; `situ.kernels` decides where the result is cached."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._options = options
        self._compiled: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        run = self._compiled  # called a dozen times per frame, so without extra steps
        return run(*arguments) if run is not None else self.compiled()(*arguments)

    def compiled(self) -> Callable[..., Any]:
        """The compiled function; functions of its module that it calls are compiled, too."""
        with _COMPILING:
            if self._compiled is None:
                from situ.kernels import njit as compile_

                made = compile_(**self._options)(self._function)
                scope = self._function.__globals__
                for name in (self._function.__name__, *self._function.__code__.co_names):
                    called = scope.get(name)
                    if isinstance(called, Kernel):
                        scope[name] = made if called is self else called.compiled()
                self._compiled = made  # last, because other threads may call it from now on
        return cast(Callable[..., Any], self._compiled)


def plain(kernel: Any) -> Callable[..., Any]:
    """The uncompiled function, with those it calls, for rare calls that do not justify compilation."""
    function = kernel._function if isinstance(kernel, Kernel) else getattr(kernel, "py_func", None)
    if function is None:
        return cast(Callable[..., Any], kernel)
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        if isinstance(scope.get(name), Kernel) or hasattr(scope.get(name), "py_func"):
            scope[name] = plain(scope[name])
    return FunctionType(function.__code__, scope, function.__name__, function.__defaults__)


def njit(**options: Any) -> Any:
    """Like numba's `njit`, deferred to the first call."""
    return lambda function: Kernel(function, options)


class Instructions(Kernel):
    """A function that returns instructions for calls of its name, like numba's `intrinsic`."""

    def compiled(self) -> Callable[..., Any]:
        from numba.extending import intrinsic

        with _COMPILING:
            if self._compiled is None:
                self._compiled = intrinsic(self._function)
        return cast(Callable[..., Any], self._compiled)


def instructions(function: Any) -> Any:
    """Decorator for inner loops written as instructions, loaded when first compiled. Only kernels can call
    them."""
    return Instructions(function, {})
