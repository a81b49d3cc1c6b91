"""Deprecation of public names: they keep working and warn with the replacement."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def deprecated(instead: str, gone_in: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a public function as deprecated; callers are warned once per location."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        message = f"{function.__qualname__} goes away in situ {gone_in}; use {instead}"

        @wraps(function)
        def called(*arguments: P.args, **options: P.kwargs) -> R:
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return function(*arguments, **options)

        return called

    return decorate
