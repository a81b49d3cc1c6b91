"""The options of `situ make NAME`: parameters of the function that gives its recipe, and shared ones."""

import inspect
import os
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

import typer

from situ.benchmarks.make import Recipe
from situ.cli.common import JsonFlag
from situ.cli.record_options import KEYWORD, as_option
from situ.errors import BadInput

Out = Annotated[
    Path, typer.Option("--out", "-o", help="Folder to write; must be empty or an unfinished set.")
]
Scale = Annotated[float, typer.Option(help="Multiplies the published number of items; 1 is the full set.")]
Seed = Annotated[int, typer.Option(help="Same seed, same bytes.")]
Size = Annotated[str, typer.Option(help="Width and height of the frames.")]
Jobs = Annotated[int, typer.Option(help="Processes; 0 takes one per core.")]
Force = Annotated[bool, typer.Option("--force", help="Delete a question set that is already in the folder.")]
Renderer = Annotated[
    str, typer.Option(help="situ, or blender: the same worlds and keys with ray-traced light, far slower.")
]
Samples = Annotated[int, typer.Option(help="Light paths per pixel, with --renderer blender.")]
Shards = Annotated[int, typer.Option(help="Number of shards of a large set; 0 makes one folder.")]
Shard = Annotated[
    int | None, typer.Option(help="Make only this shard (from 0); without it, all that are missing.")
]
RunnerName = Annotated[str, typer.Option("--runner", help="Where the shards are made: local, slurm or ray.")]
RunnerOptions = Annotated[
    list[str] | None,
    typer.Option("--runner-option", help="KEY=VALUE for the runner, such as partition=cpu; may be repeated."),
]


@dataclass(frozen=True)
class Making:
    """The options that all benchmarks share."""

    out: Out
    jobs: Jobs = 0
    force: Force = False
    as_json: JsonFlag = False
    shards: Shards = 0
    shard: Shard = None
    runner: RunnerName = "local"
    runner_options: RunnerOptions = None

    @property
    def processes(self) -> int:
        return self.jobs or os.cpu_count() or 1

    def refuse_shards(self) -> None:
        """Options that say nothing of a set in one folder."""
        if self.shard is not None or self.runner != "local" or self.runner_options:
            raise BadInput(
                "--shard, --runner and --runner-option are about sets in shards: give --shards, too"
            )


Run = Callable[..., None]  # (recipe, Making, **own options)


def command_of(make: Callable[..., Recipe], run: Run) -> Callable[..., None]:
    """A command with the options of `make` and those that all benchmarks share."""
    hints = get_type_hints(make, include_extras=True)
    own = [
        inspect.Parameter(name, KEYWORD, default=given.default, annotation=_option(name, hints[name]))
        for name, given in inspect.signature(make).parameters.items()
    ]
    about = get_type_hints(Making, include_extras=True)
    shared = [
        inspect.Parameter(
            field.name,
            KEYWORD,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=about[field.name],
        )
        for field in fields(Making)
    ]

    def command(**options: Any) -> None:
        making = Making(**{field.name: options.pop(field.name) for field in fields(Making)})
        run(make(**options), making, **options)

    command.__doc__ = inspect.getdoc(make)
    signature = inspect.Signature([*own, *shared])
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {name: p.annotation for name, p in signature.parameters.items()}
    return command


def _option(name: str, hint: Any) -> Any:
    known = {"scale": Scale, "seed": Seed}
    return known[name] if name in known and get_origin(hint) is not Annotated else as_option(hint)
