"""Compilation options of all kernels of the renderer.

Strict floating point (no fastmath), so a scene gives the same bytes in every process; cached on disk, so only
the first use of an installation compiles; single-threaded, because frames are rendered by one process per
core.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from situ.compiled import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile on the first call. Type checkers see the original function."""
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
