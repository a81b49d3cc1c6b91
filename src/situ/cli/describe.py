"""`situ lab describe`: the statistics of a set."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput
from situ.evaluation.describe import describe as statistics_of
from situ.report.set_page import write_set_page


def describe(
    folder: Annotated[Path, typer.Argument(help="A question set made by `situ make`.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Also write a page with figures: .html."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Print the statistics of a set beside the published ones: recordings, tasks, answers, strata.

    `--out page.html` draws the distributions of lengths, tasks, answers and strata, and the commonest words.
    """
    if out is not None and out.suffix.lower() != ".html":
        raise BadInput(f"--out must end in .html, got '{out.name}'")
    dataset = Dataset.open(folder)
    found = statistics_of(dataset)
    if out is not None:
        write_set_page(dataset, found, out)
    if as_json:
        print_json({"statistics": [statistic._asdict() for statistic in found]})
        return
    table = Table(box=SIMPLE_HEAD)
    for name in ("about", "statistic", "this set", "published"):
        table.add_column(name)
    for statistic in found:
        table.add_row(*statistic)
    console.print(table)
