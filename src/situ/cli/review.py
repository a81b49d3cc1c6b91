"""`situ lab review`: questions that people look at before they are used."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.authoring.items import Item
from situ.authoring.review import STATUSES, ReviewQueue
from situ.benchmarks.dataset import write_atomically
from situ.cli.common import JsonFlag, console, print_json
from situ.errors import BadInput, Refused

app = typer.Typer(
    add_completion=False,
    help="Look at questions one by one: accept, edit, reject, take back; then export those accepted.",
    no_args_is_help=True,
)
Queue = Annotated[Path, typer.Argument(help="A review queue: a folder made by `situ lab author --review`.")]
Id = Annotated[str, typer.Argument(help="The question's id, as `situ lab review list` shows it.")]
By = Annotated[str, typer.Option(help="Who decides.")]
Seen = Annotated[
    int | None, typer.Option(help="The version that `show` told; refused if somebody decided since.")
]
Reason = Annotated[str, typer.Option(help="Why; kept with the decision.")]


@app.command("list")
def list_questions(
    queue: Queue,
    status: Annotated[str, typer.Option(help=f"One of {', '.join((*STATUSES, 'all'))}.")] = "pending",
    limit: Annotated[int, typer.Option(help="Only the first so many; 0 means all.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """The questions that wait, or those that were accepted or rejected."""
    if status not in (*STATUSES, "all"):
        raise BadInput(f"--status must be one of {', '.join((*STATUSES, 'all'))}, got '{status}'")
    opened = ReviewQueue.open(queue)
    found = [i for i in opened.ids() if status in ("all", opened.status(i))]
    shown = [opened.current(i) for i in (found[:limit] if limit else found)]
    counts = Counter(opened.status(i) for i in opened.ids())
    if as_json:
        print_json({"counts": counts, "questions": [_facts(opened, item) for item in shown]})
        return
    table = Table("id", "status", "question", "answer", box=SIMPLE_HEAD)
    for item in shown:
        table.add_row(item.id, opened.status(item.id), item.question, item.answer)
    console.print(table)
    console.print(", ".join(f"{counts[name]} {name}" for name in STATUSES))


@app.command()
def show(queue: Queue, question: Id, as_json: JsonFlag = False) -> None:
    """One question as it stands, and everything that was decided about it."""
    opened = ReviewQueue.open(queue)
    facts = _facts(opened, opened.current(question))
    if as_json:
        print_json({**facts, "history": [asdict(decision) for decision in opened.history(question)]})
        return
    for name, value in facts.items():
        if value not in (None, "", (), []):
            console.print(f"{name:>12}: {' / '.join(map(str, value)) if name == 'options' else value}")
    for decision in opened.history(question):
        change = f" {json.dumps(dict(decision.change))}" if decision.change else ""
        who, why = decision.by or "somebody", f" ({decision.reason})" if decision.reason else ""
        console.print(f"{decision.action:>12}{change} by {who}{why}")


@app.command()
def accept(
    queue: Queue,
    questions: Annotated[list[str], typer.Argument(help="One or more ids.")],
    by: By = "",
    reason: Reason = "",
    as_json: JsonFlag = False,
) -> None:
    """Accept questions as they stand."""
    opened = ReviewQueue.open(queue)
    for name in questions:
        opened.current(name)  # an unknown id stops here, before anything is decided
    for name in questions:
        opened.accept(name, by, reason)
    _decided(opened, questions, as_json)


@app.command()
def reject(
    queue: Queue,
    question: Id,
    reason: Annotated[str, typer.Option(help="Why; somebody may want to learn from it.")],
    by: By = "",
    as_json: JsonFlag = False,
) -> None:
    """Reject a question, with a reason."""
    opened = ReviewQueue.open(queue)
    opened.reject(question, reason, by)
    _decided(opened, [question], as_json)


@app.command()
def edit(
    queue: Queue,
    question: Id,
    change: Annotated[
        list[str],
        typer.Option("--set", help="FIELD=VALUE, such as --set answer=left; lists and times as JSON."),
    ],
    by: By = "",
    reason: Reason = "",
    seen: Seen = None,
    as_json: JsonFlag = False,
) -> None:
    """Change a question. An edit that breaks a rule, such as evidence after the question, is refused."""
    opened = ReviewQueue.open(queue)
    opened.edit(question, dict(map(_field, change)), by, reason, seen)
    _decided(opened, [question], as_json)


@app.command()
def undo(queue: Queue, question: Id, by: By = "", reason: Reason = "", as_json: JsonFlag = False) -> None:
    """Take back the last decision about a question."""
    opened = ReviewQueue.open(queue)
    opened.undo(question, by, reason)
    _decided(opened, [question], as_json)


@app.command()
def export(
    queue: Queue,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write: JSON lines.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write the accepted questions, edits included, as `situ lab author` writes its questions."""
    if out.exists() and not force:
        raise Refused(f"{out} exists; choose another --out or give --force")
    accepted = ReviewQueue.open(queue).accepted()
    if not accepted:
        raise BadInput(f"nothing in {queue} is accepted yet; see `situ lab review list {queue}`")
    write_atomically(out, "".join(json.dumps(asdict(item)) + "\n" for item in accepted).encode())
    if as_json:
        print_json({"file": str(out), "questions": len(accepted)})
    else:
        console.print(f"{len(accepted)} accepted questions in {out}")


def _field(text: str) -> tuple[str, Any]:
    """A field and its value: JSON where the field holds times or lists, the words as they are elsewhere."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInput(f"--set takes FIELD=VALUE, got '{text}'")
    if name not in ("time", "spans", "options"):
        return name, value
    try:
        return name, json.loads(value)
    except ValueError as error:
        raise BadInput(f'--set {name}=... takes JSON, such as 12.5 or ["a", "b"], got \'{value}\'') from error


def _facts(queue: ReviewQueue, item: Item) -> dict[str, Any]:
    return {**asdict(item), "status": queue.status(item.id), "version": queue.version(item.id)}


def _decided(queue: ReviewQueue, questions: list[str], as_json: bool) -> None:
    left = len(queue.pending())
    if as_json:
        print_json({"questions": {name: queue.status(name) for name in questions}, "pending": left})
    else:
        console.print(f"{', '.join(f'{name}: {queue.status(name)}' for name in questions)}; {left} pending")
