"""`situ watch-many`: a list of recordings into memories."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.api.watching import Eyes
from situ.api.watching_many import read_list, watch_many, watch_one
from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars
from situ.cli.make_options import Jobs, RunnerName, RunnerOptions
from situ.cli.make_shards import command_of_this_call
from situ.errors import BadInput
from situ.private_files import make_private_folder
from situ.tasks import runner_of


def watch_list(
    listed: Annotated[
        Path, typer.Argument(metavar="LIST", help="A path a line, or CSV with the columns source and name.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the memories and the report.")],
    eyes: Annotated[Eyes, typer.Option(help="Who looks, as in `situ watch`.")] = Eyes.AUTO,
    fps: Annotated[float | None, typer.Option(help="Frames of a video that are looked at a second.")] = None,
    models: Annotated[str, typer.Option(help="Models that detect, as in `situ watch`.")] = "",
    only: Annotated[str, typer.Option(help="Watch this one of the list, in this process.")] = "",
    jobs: Jobs = 0,
    runner: RunnerName = "local",
    runner_options: RunnerOptions = None,
    as_json: JsonFlag = False,
) -> None:
    """Watch thousands of recordings, each into a memory of its own, and report on all of them.

    Interrupted? Run the same command again: what is done is kept, and a recording that was begun goes on. One
    that failed three times is set aside and named; delete its .tries file to try it again.
    """
    entries = read_list(listed)
    options: dict[str, Any] = {"eyes": eyes.value}
    options |= {"fps": fps} if fps else {}
    options |= {"models": tuple(m.strip() for m in models.split(",") if m.strip())} if models else {}
    if only:
        entry = next((entry for entry in entries if entry.name == only), None)
        if entry is None:
            raise BadInput(f"{listed} has no recording called '{only}'")
        make_private_folder(out)
        watch_one((entry, out, options))
        return
    given = list(runner_options or [])
    if runner == "slurm" and not any(option.startswith("folder=") for option in given):
        given.append(f"folder={out.absolute()}.slurm")
    with progress_bars() as bars:
        outcome, found = watch_many(
            entries,
            out,
            runner_of(runner, jobs or os.cpu_count() or 1, given),
            options,
            command_of_this_call(sys.argv),
            lambda done, total: bars("recordings", done, total),
        )
    if as_json:
        print_json({**found, "queued": outcome.queued, "note": outcome.note})
    else:
        told = f"{found['done']} of {len(entries)} recordings are done ({found['frames']} frames) in {out}"
        console.print(told if not outcome.queued else f"{told}; {outcome.note}")
        for name, why in found["set_aside"].items():
            errors.print(f"set aside: {name}: {why}")
        for name, why in outcome.failed.items():
            if name not in found["set_aside"]:
                errors.print(f"failed: {name}: {why}. Run the same command to try again")
    if found["set_aside"] or outcome.failed:
        raise typer.Exit(1)
