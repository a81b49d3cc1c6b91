"""`situ compare`: is the difference between two runs more than chance?"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.cli.common import JsonFlag, console, print_json
from situ.evaluate.compare_runs import NOTE, compare_runs
from situ.evaluate.run_folder import Run
from situ.evaluate.stats.paired import Comparison

COLUMNS = ("task", "n", "A %", "B %", "B − A", "95 % interval", "only A", "only B", "McNemar p", "Holm p")


def compare(
    run_a: Annotated[Path, typer.Argument(help="A run.")],
    run_b: Annotated[Path, typer.Argument(help="Another run on the same question set.")],
    as_json: JsonFlag = False,
) -> None:
    """Compare two runs question by question: exact McNemar test, and a bootstrap over recordings."""
    a, b = Run.open(run_a), Run.open(run_b)
    result = compare_runs(a, b)
    if as_json:
        parts = {
            name: {**asdict(c), "difference": c.difference, "p_holm": p} for name, (c, p) in result.items()
        }
        print_json(
            {"a": a.name, "b": b.name, "formula": a.protocol.formula, "comparisons": parts, "note": NOTE}
        )
        return
    table = Table(title=f"A: {a.name}   B: {b.name}")
    for name in (
        "task",
        "n",
        "A %",
        "B %",
        "B − A",
        "95 % interval",
        "only A",
        "only B",
        "McNemar p",
        "Holm p",
    ):
        table.add_column(name, justify="left" if name == "task" else "right")
    for name, (comparison, p_holm) in result.items():
        table.add_row(name, *_cells(comparison, p_holm))
    console.print(table)
    console.print(a.protocol.formula, highlight=False)
    console.print(NOTE, highlight=False)


def _cells(c: Comparison, p_holm: float) -> list[str]:
    low, high = (100 * bound for bound in c.interval)
    return [
        str(c.questions),
        f"{100 * c.score_a:.1f}",
        f"{100 * c.score_b:.1f}",
        f"{100 * c.difference:+.1f}",
        f"{low:+.1f} – {high:+.1f}",
        str(c.only_a),
        str(c.only_b),
        f"{c.p_mcnemar:.2g}",
        f"{p_holm:.2g}",
    ]
