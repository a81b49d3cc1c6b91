"""`situ watch LIST.csv --into FOLDER`: a list of recordings, a memory of each."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from situ.api.watching_many import read_list, watch_many, watch_one
from situ.cli.common import console, errors, print_json, progress_bars
from situ.cli.make_shards import command_of_this_call
from situ.errors import BadInput
from situ.private_files import make_private_folder
from situ.tasks import runner_of

LISTS = (".csv", ".txt")


@dataclass(frozen=True)
class Running:
    """Where the recordings of a list are watched. `only` is one of them, to watch in this process."""

    jobs: int = 0
    runner: str = "local"
    options: tuple[str, ...] = ()
    only: str = ""


def watch_list(listed: Path, into: Path, chosen: Mapping[str, Any], running: Running, as_json: bool) -> None:
    """Watch each recording with the same options, and report on all of them."""
    if into.suffix == ".situ":
        raise BadInput(
            f"{listed} is a list of recordings: give --into a folder for their memories, not {into}"
        )
    entries = read_list(listed)
    options = dict(chosen)
    if running.only:
        entry = next((entry for entry in entries if entry.name == running.only), None)
        if entry is None:
            raise BadInput(f"{listed} has no recording called '{running.only}'")
        make_private_folder(into)
        watch_one((entry, into, options))
        return
    given = list(running.options)
    if running.runner == "slurm" and not any(option.startswith("folder=") for option in given):
        given.append(f"folder={into.absolute()}.slurm")
    with progress_bars() as bars:
        outcome, found = watch_many(
            entries,
            into,
            runner_of(running.runner, running.jobs or os.cpu_count() or 1, given),
            options,
            command_of_this_call(sys.argv),
            lambda done, total: bars("recordings", done, total),
        )
    if as_json:
        print_json({**found, "queued": outcome.queued, "note": outcome.note})
    else:
        told = f"{found['done']} of {len(entries)} recordings are done ({found['frames']} frames) in {into}"
        console.print(told if not outcome.queued else f"{told}; {outcome.note}")
        for name, why in found["set_aside"].items():
            errors.print(f"set aside: {name}: {why}")
        for name, why in outcome.failed.items():
            if name not in found["set_aside"]:
                errors.print(f"failed: {name}: {why}. Run the same command to try again")
    if found["set_aside"] or outcome.failed:
        raise typer.Exit(1)
