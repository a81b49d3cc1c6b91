"""`situ make demo`: the main job, small, for each of the five benchmarks."""

import sys
from collections import Counter
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from situ.benchmarks.dataset import Dataset, write_atomically
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.make import Recipe
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.cli import make
from situ.cli.audit import audit_table, strongest
from situ.cli.common import JsonFlag, between, console, percent, print_json, progress_bars
from situ.cli.make_options import Making
from situ.english import counted
from situ.evaluation.audit import audit as run_audit
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.check import check_dataset
from situ.evaluation.protocols import Protocol
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise
from situ.report.item_page import write_item_page
from situ.report.run_report import write_report

_PROCESSES = 2  # more would spend more time on starting than on sets of this size


@dataclass(frozen=True)
class Chapter:
    """A small set of one benchmark, and the participant that answers it beside a guesser and the truth."""

    name: str
    about: str
    recipe: Recipe
    answerer: str = ""
    how: str = ""

    @property
    def answerers(self) -> dict[str, str]:
        own = {self.answerer: self.how} if self.answerer else {}
        return {"random": "guesses", **own, "truth": "runs the question on the true world"}


def chapters(seed: int) -> tuple[Chapter, ...]:
    """Enough recordings for intervals: four, or four of each task if the score is a mean of tasks."""
    return (
        Chapter(
            f"rem-mini-{seed}",
            "walks among coloured solids",
            RemRecipe("mini", seed=seed, width=360, height=240),
            "memory",
            "sees the pictures, builds a memory, runs the question on it",
        ),
        Chapter(
            f"saw-{seed}",
            "videos filmed while walking; direction, shape of the path, way back",
            SawRecipe(0.004, seed, "routes", 320, 240, fps=5.0),
            "odometry",
            "sees the pictures and estimates its path from them",
        ),
        Chapter(
            f"disjoint-{seed}",
            "tours of homes; relations between objects that are never in view together",
            DisjointRecipe(0.003, seed, 200, 150),
        ),
        Chapter(
            f"ucs-{seed}",
            "minutes of daily life; objects that move",
            UcsRecipe(0.0095, seed, hours=0.1),
            "memory-noisy",
            "gets the output of a faulty detector, builds a memory, runs the question on it",
        ),
        Chapter(
            f"narratives-{seed}",
            "tours of homes, described in words",
            NarrativeRecipe(0.1, seed, 200, 150),
            "narrative",
            "reads a perfect narrative and nothing else",
        ),
    )


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the demo's files.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Another seed makes other worlds.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Make small sets of five benchmarks; check, audit, answer and draw them.

    Takes two to three minutes. Run it again and it continues where it stopped.
    """
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        pages, disagreements = _show(chapters(seed), out)
    if as_json:
        print_json({"pages": [str(page) for page in pages], "disagreements": disagreements})
    if disagreements:
        raise typer.Exit(1)


def _show(shown: tuple[Chapter, ...], out: Path) -> tuple[list[Path], int]:
    """The pages that were written, and how many keys two derivations disagree on."""
    console.rule("1. Generate recordings and questions with exact answers")
    for chapter in shown:
        console.print(Text.assemble((chapter.name, "bold"), f": {chapter.about}"))
        make.run(chapter.recipe, Making(out / chapter.name, jobs=_PROCESSES))
    sets = {chapter: Dataset.open(out / chapter.name) for chapter in shown}
    console.rule("2. Check: derive every key again with independent code")
    disagreements = sum(_prove(dataset) for dataset in sets.values())
    console.rule("3. Audit: answer REM's questions without looking")
    console.print(audit_table(strongest(run_audit(sets[shown[0]]), most=2)))
    console.rule("4. Evaluate: answer without any model")
    runs = [run for chapter, dataset in sets.items() for run in _answer(chapter, dataset, out)]
    console.rule("5. Look")
    pages = []
    for chapter, dataset in sets.items():
        item = Counter(row.item for row in dataset.questions).most_common(1)[0][0]
        pages.append(out / f"{chapter.recipe.benchmark}.html")
        write_item_page(dataset, item, pages[-1])
        console.print(f"{pages[-1]}: {chapter.about}")
    write_report(runs, out / "report.html")
    console.print(f"{out / 'report.html'}: the scores, with intervals and the worst items")
    pages.append(out / "report.html")
    _write_index(sets, out / "index.html")
    console.print(f"open {out / 'index.html'} to see all of them")
    return [out / "index.html", *pages], disagreements


def _write_index(sets: dict[Chapter, Dataset], out: Path) -> None:
    """A page with a line and a link for each set, and a link to the report."""
    rows = ""
    for chapter, dataset in sets.items():
        name = chapter.recipe.benchmark
        cells = (chapter.about, len(dataset.items), len(dataset.questions), dataset.folder.name)
        link = f'<a href="{name}.html">{escape(protocol_of(name).title)}</a>'
        rows += f"<tr><td>{link}</td>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"
    style = files("situ.report").joinpath("page.css").read_text()
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>situ demo</title><style>{style}</style></head>
<body><header><h1>situ demo</h1><p class="facts">Small sets of five benchmarks, generated, checked and
answered on this machine. Each page shows one recording with its questions.</p></header><main>
<section class="panel"><div class="wide"><table><thead><tr><th>Benchmark</th><th>What it shows</th>
<th>Recordings</th><th>Questions</th><th>Folder</th></tr></thead><tbody>{rows}</tbody></table></div></section>
<section class="panel"><h2><a href="report.html">Report</a></h2><p class="facts">The scores of guessing, of
situ's participants and of the true world, with intervals and the worst items.</p></section>
</main></body></html>
"""
    write_atomically(out, page.encode())


def _prove(dataset: Dataset) -> int:
    with progress_bars() as report:
        checked = check_dataset(dataset, lambda done, total: report("checking", done, total))
    found = len(checked.disagreements)
    console.print(
        f"{dataset.folder.name}: {checked.questions} keys derived again, {counted(found, 'disagreement')}"
    )
    return found


def _answer(chapter: Chapter, dataset: Dataset, out: Path) -> list[Run]:
    """Let the participants answer, and print their scores beside people's."""
    runs = []
    with progress_bars() as report:
        for name in chapter.answerers:
            runs.append(
                run_participant(
                    dataset,
                    name,
                    Settings(),
                    out / "runs" / f"{chapter.name}-{name}",
                    lambda done, total, name=name: report(name, done, total),  # type: ignore[misc]
                )
            )
    console.print(_score_table(chapter, dataset, runs))
    return runs


def _score_table(chapter: Chapter, dataset: Dataset, runs: list[Run]) -> Table:
    protocol = runs[0].protocol
    table = Table(box=SIMPLE_HEAD, title=f"{protocol.title}: {chapter.about}", title_justify="left")
    for heading in ("who", "right %", "95 % interval", ""):
        table.add_column(heading, justify="left" if heading in ("who", "") else "right")
    for run in runs:
        overall = summarise(run.protocol, run.records, dataset.questions).overall
        interval = between(overall.interval)
        table.add_row(run.name, percent(overall.value), interval, chapter.answerers[run.name])
    for name, score in _published(protocol):
        table.add_row(name, f"{score:.1f}", "", "published, other data")
    return table


def _published(protocol: Protocol) -> list[tuple[str, float]]:
    """People, and the best system of the benchmark's paper."""
    people = [("people", row.overall) for row in protocol.published if row.system == "human"]
    systems = [(row.system, row.overall) for row in protocol.published if row.system != "human"]
    return people + sorted(systems, key=lambda row: -row[1])[:1]
