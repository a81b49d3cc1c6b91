"""`situ report`: runs as a page."""

from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json
from situ.evaluate.run_folder import find_runs
from situ.report.run_report import write_report


def report(
    folders: Annotated[list[Path], typer.Argument(help="Runs, or folders that hold runs.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write; .md gives Markdown.")] = Path(
        "report.html"
    ),
    worst: Annotated[int, typer.Option(help="How many wrong answers are shown with their frames.")] = 6,
    as_json: JsonFlag = False,
) -> None:
    """Write one self-contained page: scores with intervals, analyses, controls, worst items, run cards."""
    runs = find_runs(folders)
    write_report(runs, out, worst)
    if as_json:
        print_json({"report": str(out), "runs": [str(run.folder) for run in runs]})
    else:
        console.print(f"{len(runs)} runs: {out}")
