"""How every inner loop of the renderer is compiled.

Strict floating point (no fastmath), so the same scene gives the same bytes in every process; kept on disk, so
only the first use of an installation compiles; one thread, as one process per core is how frames are made.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile on first call; to the type checker the function stays what it is."""
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))


def _forget_stale_kernels() -> None:
    """Drop compiled kernels that are older than any source file of the renderer.

    A kernel holds the code of those it calls in other files, but on disk it is only checked against its own.
    """
    folder = Path(__file__).parent
    newest = max(source.stat().st_mtime for source in folder.glob("*.py"))
    for index in (folder / "__pycache__").glob("*.nbi"):
        try:
            if index.stat().st_mtime < newest:
                index.unlink()
        except FileNotFoundError:
            continue  # another process was faster


_forget_stale_kernels()
