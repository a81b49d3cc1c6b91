"""`situ compare`: is the difference between two runs more than chance?"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.cli.common import JsonFlag, console, errors, print_json
from situ.evaluation.runs.compare import NOTE, compare_runs, wrong_answers
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.stats.intervals import TOO_FEW
from situ.evaluation.stats.paired import Comparison

COLUMNS = ("task", "n", "A %", "B %", "B − A", "95 % interval", "only A", "only B", "test", "p", "Holm p")


def compare(
    run_a: Annotated[Path, typer.Argument(help="A run.")],
    run_b: Annotated[Path, typer.Argument(help="Another run on the same question set.")],
    as_json: JsonFlag = False,
) -> None:
    """Compare two runs question by question, with a paired test over recordings."""
    a, b = Run.open(run_a), Run.open(run_b)
    result, wrong = compare_runs(a, b), wrong_answers(a, b)
    if as_json:
        parts = {
            name: {**asdict(c), "difference": c.difference, "p_holm": p} for name, (c, p) in result.items()
        }
        print_json(
            {
                "a": a.name,
                "b": b.name,
                "formula": a.protocol.formula,
                "comparisons": parts,
                "wrong_answers_of_b": wrong._asdict(),
                "note": NOTE,
            }
        )
        return
    table = Table(title=f"A: {a.name}   B: {b.name}")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "task" else "right")
    for name, (comparison, p_holm) in result.items():
        table.add_row(name, *_cells(comparison, p_holm))
    console.print(table)
    for name, run in (("A", a), ("B", b)):
        if run.unfinished:
            errors.print(f"{name} is {run.unfinished}; only questions that both have are compared")
    console.print(a.protocol.formula)
    console.print(
        f"Of B's wrong answers {wrong.as_before} are what A said, too, and {wrong.others} are others: "
        "if B was shown more than A, it ignored that in the first and misread it or failed anew in the rest."
    )
    console.print(NOTE)


def _cells(c: Comparison, p_holm: float | None) -> list[str]:
    return [
        str(c.questions),
        f"{100 * c.score_a:.1f}",
        f"{100 * c.score_b:.1f}",
        f"{100 * c.difference:+.1f}",
        TOO_FEW if c.interval is None else " – ".join(f"{100 * bound:+.1f}" for bound in c.interval),
        str(c.only_a),
        str(c.only_b),
        c.test,
        *("–" if p is None else f"{p:.2g}" for p in (c.p, p_holm)),
    ]
