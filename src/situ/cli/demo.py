"""`situ demo`: the main job, small."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli import make
from situ.cli.audit import audit_table
from situ.cli.common import console, percent, progress_bars
from situ.evaluate import memory_participant  # noqa: F401  (registers itself)
from situ.evaluate.audit import audit as run_audit
from situ.evaluate.check import check_dataset
from situ.evaluate.run import Settings, run_participant
from situ.evaluate.run_folder import Run
from situ.evaluate.summary import summarise
from situ.report.item_page import write_item_page
from situ.report.run_report import write_report

ANSWERERS = {
    "random": "guesses",
    "memory": "sees the pictures, remembers where things are, runs the question on that",
    "truth": "runs the question on the world itself",
}


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the demo's files.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Another seed makes other worlds.")] = 0,
) -> None:
    """Make a small REM benchmark, prove its keys, attack it blindly, answer it from pixels, and draw it.

    Takes two minutes or so on two cores. Run it again and it continues where it stopped.
    """
    folder = out / f"rem-mini-{seed}"
    console.rule("1. Generate: walks through worlds whose truth is exact")
    make.run(RemRecipe("mini", seed=seed), folder, jobs=0, force=False, as_json=False)
    dataset = Dataset.open(folder)
    console.rule("2. Prove: derive every key again from the stored pictures, by other code")
    with progress_bars() as report:
        checked = check_dataset(dataset, lambda done, total: report("checking", done, total))
    console.print(f"{checked.questions} keys derived again, {len(checked.disagreements)} disagreements")
    console.rule("3. Attack: answer without looking")
    console.print(audit_table(run_audit(dataset)))
    console.rule("4. Answer: from pixels, without any model")
    runs = _answer(dataset, out)
    console.rule("5. Look")
    item = max(dataset.items, key=lambda name: len(dataset.recording(name)))
    write_item_page(dataset, item, out / "item.html")
    write_report(runs, out / "report.html")
    console.print(f"{out / 'item.html'}: frames, map, questions and the frames that decide them")
    console.print(f"{out / 'report.html'}: who scored what, with intervals and worst items")
    if checked.disagreements:
        raise typer.Exit(1)


def _answer(dataset: Dataset, out: Path) -> list[Run]:
    """Let the participants answer, and print their scores beside people's."""
    runs = []
    with progress_bars() as report:
        for name in ANSWERERS:
            runs.append(
                run_participant(
                    dataset,
                    name,
                    Settings(),
                    out / "runs" / f"{dataset.folder.name}-{name}",
                    lambda done, total, name=name: report(name, done, total),  # type: ignore[misc]
                )
            )
    table = Table(box=SIMPLE_HEAD)
    for heading in ("who", "right %", "95 % interval", ""):
        table.add_column(heading, justify="left" if heading in ("who", "") else "right")
    for run in runs:
        overall = summarise(run.protocol, run.records, dataset.questions).overall
        interval = f"{percent(overall.interval.low)} – {percent(overall.interval.high)}"
        table.add_row(run.name, percent(overall.value), interval, ANSWERERS[run.name])
    table.add_row("people", "97.8", "", "published, other data")
    table.add_row("o3", "80.1", "", "published, other data")
    console.print(table)
    return runs
