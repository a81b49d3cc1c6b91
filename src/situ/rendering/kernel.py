"""How every inner loop of the renderer is compiled.

Strict floating point (no fastmath), so the same scene gives the same bytes in every process; kept on disk, so
only the first use of an installation compiles; one thread, as one process per core is how frames are made.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from situ.compiled import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile on first call; to the type checker the function stays what it is."""
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
