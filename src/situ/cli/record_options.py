"""Options from records: what a field of a dataclass is called, means and holds by default is said there."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import partial, wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

KEYWORD = inspect.Parameter.KEYWORD_ONLY


def fills(**records: type[Any] | tuple[Any, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that shows the fields of some records as options, and gets each record half made, as a
    `partial` with what was chosen: `recipe()` makes it, `recipe.keywords` are the options.

    A field is an option if its annotation says what it means, as in `Annotated[float, "Highest learning
    rate."]`; it has another name on the command line if that comes first, as in `Annotated[int, "--lora",
    "Rank of low-rank adapters."]`. A record with names after it, `(TrainRecipe, "fps")`, shows these alone.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command).parameters
        parts = {name: _options(record) for name, record in records.items()}

        @wraps(command)
        def unfolded(**given: Any) -> None:
            for name, (record, options) in parts.items():
                given[name] = partial(record, **{option.name: given.pop(option.name) for option in options})
            command(**given)

        told: list[inspect.Parameter] = []
        for name, parameter in own.items():
            told += parts[name][1] if name in parts else [parameter.replace(kind=KEYWORD)]
        hints = get_type_hints(command, include_extras=True)
        unfolded.__annotations__ = {p.name: hints.get(p.name, p.annotation) for p in told}
        told = [p.replace(annotation=unfolded.__annotations__[p.name]) for p in told]
        unfolded.__signature__ = inspect.Signature(told)  # type: ignore[attr-defined]
        return unfolded

    return decorate


def _options(shown: Any) -> tuple[Callable[..., Any], list[inspect.Parameter]]:
    record, *names = shown if isinstance(shown, tuple) else (shown,)
    hints = get_type_hints(record, include_extras=True)
    options = [
        inspect.Parameter(
            field.name, KEYWORD, default=_default(field), annotation=as_option(hints[field.name])
        )
        for field in fields(record)
        if get_origin(hints[field.name]) is Annotated and (not names or field.name in names)
    ]
    return record, options


def _default(field: "Field[Any]") -> Any:
    return inspect.Parameter.empty if field.default is MISSING else field.default


def as_option(hint: Any) -> Any:
    """`Annotated[float, "Frames per second."]` as an option with that help; what is an option stays so."""
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if any(not isinstance(note, str) for note in notes):
        return hint
    names = [note for note in notes if note.startswith("-")]
    words = " ".join(note for note in notes if not note.startswith("-"))
    return Annotated[kind, typer.Option(*names, help=words)]
