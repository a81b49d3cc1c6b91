"""`situ audit`: answer every question without looking."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.saw.protocol import PUBLISHED_TABLE, contradictions
from situ.cli.common import JsonFlag, console, percent, print_json
from situ.errors import BadInput
from situ.evaluate.audit import AttackResult
from situ.evaluate.audit import audit as run_audit


def audit(
    folder: Annotated[Path | None, typer.Argument(help="A question set made by `situ make`.")] = None,
    labels: Annotated[
        bool, typer.Option("--labels", help="Audit the published answer table of SAW-Bench instead of a set.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Answer every question without looking at a single frame, and compare with chance.

    Each attack learns from some recordings and guesses for the others. A leak is an attack that beats chance
    by more than 3 points, with chance below an interval that holds for all attacks together with 95 %.
    Exit code 1 if anything leaks.
    """
    if labels:
        audit_labels(as_json)
        return
    if folder is None:
        raise BadInput("give the folder of a question set, or --labels")
    results = run_audit(Dataset.open(folder))
    leaks = [result for result in results if result.leaks]
    if as_json:
        print_json({"attacks": [result.to_json() for result in results], "leaks": len(leaks)})
    else:
        console.print(audit_table(results))
        console.print("chance: 1 / number of options; for numbers, the share of the most common one")
        console.print(f"{len(leaks)} leaks" if leaks else "no attack beats chance")
    if leaks:
        raise typer.Exit(1)


def audit_labels(as_json: bool) -> None:
    """Rows of the published answer table that no walk of their shape can have."""
    found = contradictions(PUBLISHED_TABLE)
    if as_json:
        print_json({"rows": len(PUBLISHED_TABLE), "contradictions": [row._asdict() for row in found]})
        return
    for row in found:
        console.print(f"id {row.video_id}: {row.reason}", highlight=False)
    console.print(f"{len(PUBLISHED_TABLE)} rows, {len(found)} contradict their own geometry")


def audit_table(results: list[AttackResult]) -> Table:
    table = Table(title="Answering without looking", box=SIMPLE_HEAD)
    for name, justify in (("task", "left"), ("attack", "left"), ("n", "right"), ("right %", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for name in ("95 % interval", "chance %", ""):
        table.add_column(name, justify="right")
    for r in results:
        interval = f"{percent(r.interval.low)} – {percent(r.interval.high)}"
        mark = "[bold red]LEAK[/]" if r.leaks else ""
        table.add_row(
            r.task, r.attack, str(r.questions), percent(r.accuracy), interval, percent(r.chance), mark
        )
    return table
