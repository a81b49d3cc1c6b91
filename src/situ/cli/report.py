"""`situ report`: runs as a page, as tables for a paper, and as figures."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.english import counted
from situ.errors import BadInput
from situ.evaluation.runs.run_folder import find_runs
from situ.report.easi import EASI, write_easi
from situ.report.run_report import FORMATS, format_of, report_text, write_figures, write_file


def report(
    folders: Annotated[list[Path], typer.Argument(help="Runs, or folders that hold runs at any depth.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File to write; its ending decides the format. -: standard output."),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--to",
            help=f"Format: one of {', '.join(FORMATS)}; easi: a folder of files for that leaderboard.",
        ),
    ] = "",
    figures: Annotated[Path | None, typer.Option(help="Folder for every figure as SVG and as PDF.")] = None,
    worst: Annotated[int, typer.Option(help="How many wrong answers are shown with their frames.")] = 6,
    causes: Annotated[
        bool,
        typer.Option("--causes", help="Print why answers were wrong, by kind and by stage."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write scores with intervals and ranks, analyses, controls, worst items and run cards.

    The page is one HTML file. `--to leaderboard` ranks only runs with the same set, frames and protocol, and
    says why it leaves the others out.

    --causes sorts wrong answers into kinds, for any run: spatial reasoning, temporal state tracking (the
    answer was right earlier), visual memory (the evidence had left the frames shown). For participants with a
    memory it also finds the cause: it replaces one stage after the other by the truth, and the first stage
    whose replacement repairs the answer is the cause.
    """
    if causes:
        from situ.cli.causes import print_causes  # it loads the memory

        print_causes(find_runs(folders), as_json)
        return
    if form == EASI:
        written = write_easi(find_runs(folders), out or Path(EASI))
        if as_json:
            print_json({"files": [str(path) for path in written]})
        else:
            console.print(f"{counted(len(written), 'file')} in {out or EASI}", soft_wrap=True, markup=False)
        return
    if form and form not in FORMATS:
        raise BadInput(f"unknown format '{form}'; choose one of {', '.join((*FORMATS, EASI))}")
    printed = out == Path("-")
    if printed and as_json:
        raise BadInput("--out - prints the report and --json prints the names of files; choose one of them")
    name = "leaderboard" if form == "leaderboard" else "report"
    target = out or Path(f"{name}{FORMATS[form or 'html']}")
    form = form or ("markdown" if printed else format_of(target))
    runs = find_runs(folders)
    with progress_bars() as bars:
        text = report_text(runs, worst, form, progress=lambda *at: bars("sets", *at))
    drawn = write_figures(runs, figures) if figures else []
    if printed:
        sys.stdout.write(text)
        return
    write_file(target, text.encode())
    if as_json:
        print_json(
            {"report": str(target), "runs": [str(r.folder) for r in runs], "figures": [str(f) for f in drawn]}
        )
        return
    console.print(f"{counted(len(runs), 'run')}: {target}", soft_wrap=True, markup=False)
    if drawn:
        console.print(f"{counted(len(drawn), 'figure')}: {figures}", soft_wrap=True, markup=False)
