"""What is given on the command line, before a verb sees it: numbers are finite, and not below zero unless an
option says so; nothing is written to a file called `-`."""

import math
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import typer

from situ.errors import BadInput

SIGNED = {"at", "start", "stop", "max_steps"}  # times on a clock that may start anywhere; -1: no limit
WRITTEN = {"out", "figures", "report", "into", "export"}  # options that name what is written
PRINTING = {"report"}  # verbs that take `--out -` for standard output


def with_checked_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """The same verb, whose options are checked before it is called."""

    @wraps(verb)
    def called(*arguments: Any, **options: Any) -> Any:
        for name, value in options.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                _check(name, value)
            if name in WRITTEN and value == Path("-") and not (name == "out" and verb.__name__ in PRINTING):
                raise BadInput(f"--{name} - would be a file of that name; name a file or a folder")
        return verb(*arguments, **options)

    return called


def check_group(group: typer.Typer) -> typer.Typer:
    """Check the options of every verb of a group."""
    for command in group.registered_commands:
        if command.callback is not None and not hasattr(command.callback, "__wrapped__"):
            command.callback = with_checked_options(command.callback)
    return group


def _check(name: str, number: float) -> None:
    words = f"--{name.replace('_', '-')}"
    if not math.isfinite(number):
        raise BadInput(f"{words} must be a finite number, got {number}")
    if number < 0 and name not in SIGNED:
        raise BadInput(f"{words} must be 0 or more, got {number:g}")
