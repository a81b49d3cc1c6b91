"""`situ report --causes`: why the answers of a run were wrong."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.benchmarks.published import table as published_table
from situ.cli.common import console, print_json, progress_bars
from situ.evaluation.attribution.attribute import ATTRIBUTABLE, Attribution, attribute_run
from situ.evaluation.attribution.error_types import ErrorTypes, error_types
from situ.evaluation.runs.run_folder import Run


def print_causes(runs: Sequence[Run], as_json: bool) -> None:
    """Why the answers of each run were wrong."""
    found = [_of_run(run) for run in runs]
    if as_json:
        print_json(
            [
                {**(why.to_json() if why else {"who": kinds.who}), "kinds": kinds.to_json()}
                for kinds, why in found
            ]
        )
        return
    for kinds, why in found:
        console.print(_kinds_table(kinds))
        if why is None:
            console.print(
                f"{len(kinds.kinds)} wrong of {kinds.questions} answers by {kinds.who}. Causes can be found "
                f"for runs of {', '.join(ATTRIBUTABLE)}"
            )
            continue
        console.print(_table(why))
        console.print(
            f"{len(why.failures)} wrong of {why.questions} answers by {why.who}; "
            "published: causes of 500 failures of another system, found by hand"
        )


def _of_run(run: Run) -> tuple[ErrorTypes, Attribution | None]:
    kinds = error_types(run)
    if str(run.card["who"]) not in ATTRIBUTABLE:
        return kinds, None
    with progress_bars() as report:
        return kinds, attribute_run(run, lambda done, total: report("failures", done, total))


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
        published = published_table("ucs", "Table 4").column("share").get(cause)
        table.add_row(cause, f"{share:.1f}", *cells, "" if published is None else f"{published:.1f}")
    return table
