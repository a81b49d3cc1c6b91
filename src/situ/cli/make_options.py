"""The options of `situ make NAME` for a benchmark that a plugin brings: the parameters of its `make`."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from situ.benchmarks.make import Recipe
from situ.cli.common import JsonFlag

Out = Annotated[
    Path, typer.Option("--out", "-o", help="Folder to write; must be empty or an unfinished set.")
]
Scale = Annotated[float, typer.Option(help="Multiplies the published number of items; 1 is the full set.")]
Seed = Annotated[int, typer.Option(help="Same seed, same bytes.")]
Jobs = Annotated[int, typer.Option(help="Processes; 0 takes one per core.")]
Force = Annotated[bool, typer.Option("--force", help="Delete a question set that is already in the folder.")]
Renderer = Annotated[
    str, typer.Option(help="situ, or blender: the same worlds, walks and keys in traced light, far slower.")
]
Samples = Annotated[int, typer.Option(help="Light paths per pixel, with --renderer blender.")]
Run = Callable[[Recipe, Path, int, bool, bool], None]
KEYWORD = inspect.Parameter.KEYWORD_ONLY


def command_of(make: Callable[..., Recipe], run: Run) -> Callable[..., None]:
    """A command with the options of `make` and those that all benchmarks share."""
    hints = get_type_hints(make, include_extras=True)
    own = [
        inspect.Parameter(name, KEYWORD, default=given.default, annotation=_option(name, hints[name]))
        for name, given in inspect.signature(make).parameters.items()
    ]
    shared = [
        inspect.Parameter("out", KEYWORD, annotation=Out),
        inspect.Parameter("jobs", KEYWORD, default=0, annotation=Jobs),
        inspect.Parameter("force", KEYWORD, default=False, annotation=Force),
        inspect.Parameter("as_json", KEYWORD, default=False, annotation=JsonFlag),
    ]

    def command(*, out: Path, jobs: int, force: bool, as_json: bool, **options: Any) -> None:
        run(make(**options), out, jobs, force, as_json)

    command.__doc__ = inspect.getdoc(make)
    signature = inspect.Signature([*own, *shared])
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {name: p.annotation for name, p in signature.parameters.items()}
    return command


def _option(name: str, hint: Any) -> Any:
    """`Annotated[float, "Frames per second."]` as an option with that help."""
    known = {"scale": Scale, "seed": Seed}
    if name in known and get_origin(hint) is not Annotated:
        return known[name]
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    words = " ".join(note for note in notes if isinstance(note, str))
    return Annotated[kind, typer.Option(help=words)]
