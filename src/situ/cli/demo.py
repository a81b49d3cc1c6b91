"""`situ demo`: the main job, small."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli import make
from situ.cli.audit import audit_table
from situ.cli.common import console, progress_bars
from situ.evaluate.audit import audit as run_audit
from situ.evaluate.check import check_dataset
from situ.report.item_page import write_item_page


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the demo's files.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Another seed makes other worlds.")] = 0,
) -> None:
    """Make a small REM benchmark, prove its keys, attack it blindly, and draw one item.

    Takes a minute or two on two cores. Run it again and it continues where it stopped.
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
    console.rule("4. Look")
    page = out / "item.html"
    item = max(dataset.items, key=lambda name: len(dataset.recording(name)))
    write_item_page(dataset, item, page)
    console.print(f"Open {page} in a browser: frames, map, questions and the frames that decide them.")
    if checked.disagreements:
        raise typer.Exit(1)
