"""`situ attribute`: why the answers of a run were wrong."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.benchmarks.ucs.published import ROOT_CAUSES
from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.evaluate.attribute import Attribution, attribute_run
from situ.evaluate.run_folder import Run


def attribute(
    run: Annotated[Path, typer.Argument(help="A run of `situ eval` by a participant memory-….")],
    as_json: JsonFlag = False,
) -> None:
    """Lay every wrong answer of a memory to one of its stages: poses, tracks, retrieval or reasoning.

    Each stage in turn is replaced by the truth; the first whose replacement repairs the answer is the cause.
    """
    with progress_bars() as report:
        found = attribute_run(Run.open(run), lambda done, total: report("failures", done, total))
    if as_json:
        print_json(found.to_json())
        return
    console.print(_table(found))
    console.print(
        f"{len(found.failures)} failures of {found.questions} answers by {found.who}; "
        "published: 500 failures of another system, laid to causes by hand"
    )


def _table(found: Attribution) -> Table:
    table = Table(title="Why answers were wrong (% of failures)", box=SIMPLE_HEAD)
    shares = found.shares()
    tasks = sorted({failure.task for failure in found.failures})
    table.add_column("cause")
    for name in ("all", *tasks, "published"):
        table.add_column(name, justify="right")
    for cause, share in shares.items():
        cells = [f"{found.shares(task).get(cause, 0.0):.1f}" for task in tasks]
        published = ROOT_CAUSES.get(cause)
        table.add_row(cause, f"{share:.1f}", *cells, "" if published is None else f"{published:.1f}")
    return table
