"""What numbers on the command line must be: finite, and not below zero unless an option says so."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from situ.errors import BadInput

SIGNED = {"at", "start", "stop", "max_steps"}  # times on a clock that may start anywhere; -1: no limit


def with_checked_numbers(verb: Callable[..., Any]) -> Callable[..., Any]:
    """The same verb, whose numbers are checked before it is called."""

    @wraps(verb)
    def called(*arguments: Any, **options: Any) -> Any:
        for name, value in options.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                _check(name, value)
        return verb(*arguments, **options)

    return called


def check_group(group: typer.Typer) -> typer.Typer:
    """Check the numbers of every verb of a group."""
    for command in group.registered_commands:
        if command.callback is not None and not hasattr(command.callback, "__wrapped__"):
            command.callback = with_checked_numbers(command.callback)
    return group


def _check(name: str, number: float) -> None:
    words = f"--{name.replace('_', '-')}"
    if not math.isfinite(number):
        raise BadInput(f"{words} must be a finite number, got {number}")
    if number < 0 and name not in SIGNED:
        raise BadInput(f"{words} must be 0 or more, got {number:g}")
