"""`situ lab reproduce`: published figures beside ours, as a page."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.english import counted
from situ.evaluation.runs.run_folder import find_runs
from situ.report.run_report import write_file
from situ.report.verification import DIFFERS, as_page, verification


def reproduce(
    data: Annotated[
        Path | None, typer.Option(help="Folder with published answers, marks or boxes to score again.")
    ] = None,
    runs: Annotated[
        list[Path] | None, typer.Option(help="Folder of runs on imported sets; may be given again.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Markdown file to write.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compute published figures again and write the verification table.

    Exit code 1 if a figure that was computed again differs from the published one, unless the published files
    contradict each other there and the difference is what follows from that.
    """
    lines = verification(data, find_runs(runs) if runs else ())
    told = " ".join(
        ["situ lab reproduce", *(["--data DIR"] if data else []), *(["--runs DIR"] if runs else []),
         *(["--out FILE"] if out else [])]
    )  # fmt: skip
    if out:
        write_file(out, as_page(lines, told).encode())
    if as_json:
        print_json([{**asdict(line), "difference": line.difference} for line in lines])
    elif out:
        console.print(f"{counted(len(lines), 'figure')}: {out}", soft_wrap=True)
    else:
        console.print(as_page(lines, told), soft_wrap=True)
    if any(line.status == DIFFERS for line in lines):
        raise typer.Exit(1)
