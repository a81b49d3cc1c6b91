"""`situ lab windows`: questions before, inside and after the span in which their answers hold."""

import os
from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.ucs.windows import AFTER, BEFORE, INSIDE, write_windows
from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.english import counted


def windows(
    folder: Annotated[Path, typer.Argument(help="A set made by `situ make ucs`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new set.")],
    seed: Annotated[int, typer.Option(help="Same seed, same bytes.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes; 0 takes one per core.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Ask each question before, inside and after the span in which its answer holds.

    The span is exact to a frame. Each row has `valid_from_s`, `valid_to_s`, `recall` (the delay since the
    evidence, in EGOSTREAM's classes) and `window` (before, inside or after).
    """
    processes = jobs or os.cpu_count() or 1
    with progress_bars() as report:
        made = write_windows(
            Dataset.open(folder), out, seed, processes, lambda done, total: report("streams", done, total)
        )
    said = [row.strata["window"] for row in made.questions]
    places = {place: said.count(place) for place in (BEFORE, INSIDE, AFTER)}
    if as_json:
        print_json({"folder": str(out), "questions": len(made.questions), **places})
        return
    told = ", ".join(f"{n} {place}" for place, n in places.items())
    console.print(f"{counted(len(made.questions), 'question')} in {out}: {told} the window of their answers")
