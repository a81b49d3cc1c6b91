"""Names that are on their way out: they still work, and say what to use instead."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def deprecated(instead: str, gone_in: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a public function that goes away: callers are told what to use instead, once for each place."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        message = f"{function.__qualname__} goes away in situ {gone_in}; use {instead}"

        @wraps(function)
        def called(*arguments: P.args, **options: P.kwargs) -> R:
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return function(*arguments, **options)

        return called

    return decorate
