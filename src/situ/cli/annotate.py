"""`situ annotate`: queues of questions that people write and refine in the browser."""

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.annotate.agreement import agreement as agreement_of
from situ.annotate.annotation import STATUSES
from situ.annotate.exporting import export_log, export_public, export_set
from situ.annotate.make import make_queue
from situ.annotate.sources import sources_of
from situ.annotate.store import Store
from situ.annotate.training import scores
from situ.cli.common import JsonFlag, between, console, errors, percent, print_json, progress_bars
from situ.english import counted
from situ.errors import BadInput
from situ.evaluation.stats.intervals import Interval

app = typer.Typer(
    add_completion=False,
    help="Let people write and review questions: make a queue, serve it with `situ serve --annotate QUEUE`, "
    "export the validated items.",
    no_args_is_help=True,
)
Queue = Annotated[Path, typer.Argument(help="A queue, as `situ annotate make` writes it.")]
MOST_TOLD = 20


class Kind(StrEnum):
    """What is exported."""

    UCS = "ucs"
    SET = "set"
    LOG = "log"


@app.command()
def make(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Videos, recordings, files of questions (JSON, JSON lines, CSV), folders of these, or sets."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The queue: one file.")],
    memory: Annotated[
        list[str] | None,
        typer.Option(help="A memory that proposes answers: FILE for all sources, or SOURCE=FILE."),
    ] = None,
    training: Annotated[
        bool,
        typer.Option("--training", help="For generated sets: people answer, see the truth, and get a score."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make an annotation queue.

    Media are not copied: the queue stores their relative paths and hashes. Exit code 1 if a record could not
    be used.
    """
    memories = dict(_memory(text) for text in memory or ())
    with progress_bars() as report:
        store, problems = make_queue(sources, out, memories, training, report)
    found, questions = sources_of(store), len(store.all())
    store.close()
    if as_json:
        told = [{"id": problem.id, "broke": problem.what} for problem in problems]
        print_json({"queue": str(out), "sources": list(found), "questions": questions, "left_out": told})
    else:
        console.print(
            f"{out}: {counted(len(found), 'source')}, {counted(questions, 'question')}; "
            f"serve it: situ serve --annotate {out}"
        )
        for problem in problems[:MOST_TOLD]:
            errors.print(f"left out {problem.id}: {problem.what}", markup=False)
    if problems:
        raise typer.Exit(1)


@app.command("list")
def list_items(
    queue: Queue,
    status: Annotated[str, typer.Option(help=f"One of {', '.join((*STATUSES, 'all'))}.")] = "all",
    as_json: JsonFlag = False,
) -> None:
    """List the questions of a queue, and count them by status."""
    if status not in (*STATUSES, "all"):
        raise BadInput(f"--status must be one of {', '.join((*STATUSES, 'all'))}, got '{status}'")
    store = Store.open(queue)
    everything = [(s.annotation, s.version) for s in store.all()]
    counts = Counter(item.status for item, _ in everything)
    shown = [(item, version) for item, version in everything if status in ("all", item.status)]
    if as_json:
        print_json({"counts": counts, "questions": [{**i.to_json(), "version": v} for i, v in shown]})
        return
    table = Table("id", "status", "label", "question", "answer", box=SIMPLE_HEAD)
    for item, _ in shown:
        table.add_row(item.id, item.status, item.label, item.question, item.answer)
    console.print(table)
    console.print(", ".join(f"{counts[name]} {name}" for name in STATUSES))


@app.command()
def export(
    queue: Queue,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write; a file for --to log.")],
    kind: Annotated[
        Kind,
        typer.Option(
            "--to", help="ucs: the public schema; set: a set to evaluate; log: every change, JSON lines."
        ),
    ] = Kind.UCS,
    media: Annotated[
        bool,
        typer.Option(
            "--media", help="With --to ucs: copy the videos too, so that `situ import ucs` takes the folder."
        ),
    ] = False,
    fps: Annotated[
        float, typer.Option(min=0.0, help="With --to set: frames per second to keep of videos; 0 keeps all.")
    ] = 1.0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Export the validated items, or the log of every change."""
    store = Store.open(queue)
    if kind is Kind.LOG:
        lines = export_log(store, out, force)
        told = {"file": str(out), "lines": lines, "agreement": agreement_of(store)}
        words = f"{counted(lines, 'line')} in {out}"
    elif kind is Kind.SET:
        with progress_bars() as report:
            made = export_set(store, out, fps or None, force, report)
        questions, items = len(made.questions), len(made.items)
        told = {"set": str(out), "questions": questions, "items": items}
        words = f"{out}: {counted(questions, 'question')} about {counted(items, 'recording')}"
    else:
        files = export_public(store, out, media, force)
        told = {"folder": str(out), "files": [file.relative_to(out).as_posix() for file in files]}
        words = f"{counted(len(files), 'file')} in {out}"
    if as_json:
        print_json(told)
    else:
        console.print(words)


@app.command()
def agreement(queue: Queue, as_json: JsonFlag = False) -> None:
    """Compute agreement: Krippendorff's alpha over verdicts and labels that two or more people gave."""
    found = agreement_of(Store.open(queue))
    if as_json:
        print_json(found)
        return
    for name in ("verdicts", "labels"):
        alpha, items = found[name]["alpha"], found[name]["items"]
        told = (
            "no alpha: nothing that two people judged differs, or nobody judged twice"
            if alpha is None
            else (f"alpha {alpha:.3f}")
        )
        console.print(f"{name}: {told} ({items} items with two or more)")


@app.command()
def score(queue: Queue, as_json: JsonFlag = False) -> None:
    """Training queues: score each person's first answers and the evidence they marked."""
    found = scores(Store.open(queue))
    if as_json:
        print_json({"people": found})
        return
    if not found:
        raise BadInput(f"nobody has answered in {queue} yet")
    table = Table("person", "answered", "right %", "interval %", "evidence %", box=SIMPLE_HEAD)
    for one in found:
        interval = between(Interval(*one["interval"]))
        table.add_row(
            one["person"], str(one["answered"]), percent(one["right"]), interval, percent(one["evidence"])
        )
    console.print(table)


def _memory(text: str) -> tuple[str, Path]:
    name, equals, file = text.rpartition("=")
    return (name, Path(file)) if equals else ("", Path(text))
