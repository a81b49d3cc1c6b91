"""`situ attribute`: why the answers of a run were wrong."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.benchmarks.ucs.published import ROOT_CAUSES
from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.evaluation.attribution.attribute import ATTRIBUTABLE, Attribution, attribute_run
from situ.evaluation.attribution.error_types import ErrorTypes, error_types
from situ.evaluation.runs.run_folder import Run


def attribute(
    run: Annotated[Path, typer.Argument(help="A run of `situ eval`.")],
    as_json: JsonFlag = False,
) -> None:
    """Why answers were wrong: of which kind each error is, and which stage of a memory caused it.

    Kinds, of any run: spatial reasoning, temporal state tracking (the answer was right earlier), visual
    memory (the evidence had left the frames shown). Causes, of a participant memory-…: poses, tracks,
    retrieval or reasoning; of one that sees: poses, naming, inventing, placing, finding or tracking. Each
    stage in turn is replaced by the truth, and the first whose replacement repairs the answer is the cause.
    """
    opened = Run.open(run)
    kinds = error_types(opened)
    if str(opened.card["who"]) not in ATTRIBUTABLE:
        _print_kinds(kinds, as_json)
        return
    with progress_bars() as report:
        found = attribute_run(opened, lambda done, total: report("failures", done, total))
    if as_json:
        print_json({**found.to_json(), "kinds": kinds.to_json()})
        return
    console.print(_kinds_table(kinds))
    console.print(_table(found))
    console.print(
        f"{len(found.failures)} failures of {found.questions} answers by {found.who}; "
        "published: 500 failures of another system, laid to causes by hand"
    )


def _print_kinds(kinds: ErrorTypes, as_json: bool) -> None:
    if as_json:
        print_json({"who": kinds.who, "kinds": kinds.to_json()})
        return
    console.print(_kinds_table(kinds))
    console.print(
        f"{len(kinds.kinds)} wrong of {kinds.questions} answers by {kinds.who}. Causes are found for runs by "
        f"{', '.join(ATTRIBUTABLE)}"
    )


def _kinds_table(kinds: ErrorTypes) -> Table:
    table = Table(title="Kinds of error (% of wrong answers)", box=SIMPLE_HEAD)
    tasks = sorted({task for task, _ in kinds.kinds})
    table.add_column("kind")
    for name in ("all", *tasks):
        table.add_column(name, justify="right")
    for kind, share in kinds.shares().items():
        table.add_row(kind, f"{share:.1f}", *(f"{kinds.shares(task).get(kind, 0.0):.1f}" for task in tasks))
    return table


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
