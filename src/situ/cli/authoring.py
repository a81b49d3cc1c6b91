"""`situ lab author`, `paraphrase` and `review`: options, other wordings and decisions for questions."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from situ.authoring.adapters import Adapters
from situ.authoring.author import Authored, Settings, author
from situ.authoring.items import Item, read_items
from situ.authoring.review import STATUSES, ReviewQueue
from situ.benchmarks.dataset import Dataset, write_atomically
from situ.benchmarks.official.collection import Problem
from situ.cli.common import JsonFlag, console, errors, model_arguments, percent, print_json
from situ.errors import BadInput, Refused
from situ.evaluation.models.paraphrase import paraphrase as reword
from situ.evaluation.models.settings import ModelSettings


def author_file(
    file: Annotated[Path, typer.Argument(help="Questions with answers: JSON, or JSON lines.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write: the questions with options.")],
    options: Annotated[
        int, typer.Option(help="Options of a question that is neither binary nor a count.")
    ] = 5,
    compat: Annotated[
        bool, typer.Option("--compat", help="Use the published rule for counts, which gives answers away.")
    ] = False,
    adapters: Annotated[
        str, typer.Option(help=f"What judges likeness and entailment: {', '.join(Adapters.KNOWN)}.")
    ] = "lexical",
    writer: Annotated[
        str, typer.Option(help="A model that writes missing distractors, such as openai/gpt-4o.")
    ] = "",
    fps: Annotated[float, typer.Option(help="Frames per second, for times given as frames; 0: none.")] = 0.0,
    limit: Annotated[int, typer.Option(help="Only the first N questions; 0 means all.")] = 0,
    review: Annotated[Path | None, typer.Option(help="Also make a review queue in this folder.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same options.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write answer options that a blind guesser cannot exploit.

    Yes-or-no questions get the opposite, counts get neighbouring numbers, and other questions get answers of
    similar questions that a rule shows to be wrong. Questions without enough options are listed.
    """
    if adapters not in Adapters.KNOWN:
        raise BadInput(f"--adapters must be one of {', '.join(Adapters.KNOWN)}, got '{adapters}'")
    if out.exists() and not force:
        raise Refused(f"{out} exists; choose another --out or give --force")
    items, unreadable = read_items(file, fps or None)
    items = items[:limit] if limit else items
    if not items:
        raise BadInput(f"{file} holds no question that can be used: {_list(unreadable[:3])}")
    made = author(items, Settings(options, seed, compat, adapters=Adapters.named(adapters, writer)))
    problems = [*unreadable, *made.problems]
    write_atomically(out, "".join(json.dumps(asdict(item)) + "\n" for item in made.items).encode())
    if review is not None:
        ReviewQueue.create(review, made.items)
    for problem in problems:
        errors.print(f"{problem.id}: {problem.what}")
    summary = _summary(out, made, problems)
    if as_json:
        print_json(summary)
        return
    console.print(f"{len(made.items)} questions with options in {out}; {len(problems)} left out (see above)")
    console.print(
        f"blind guesser: {percent(made.before.accuracy)} % before, {percent(made.after.accuracy)} % after "
        f"{made.rounds} rounds of rewriting; chance {percent(made.after.chance)} %"
    )


def _summary(out: Path, made: Authored, problems: list[Problem]) -> dict[str, Any]:
    longest = [len(i.answer) >= max(map(len, i.options)) for i in made.items if len(i.options) > 2]
    return {
        "file": str(out),
        "questions": len(made.items),
        "problems": [asdict(problem) for problem in problems],
        "blind_before": made.before.accuracy,
        "blind_after": made.after.accuracy,
        "chance": made.after.chance,
        "rounds": made.rounds,
        "truth_is_longest": sum(longest) / len(longest) if longest else None,
    }


def _list(problems: list[Problem]) -> str:
    return "; ".join(f"{p.id}: {p.what}" for p in problems) or "it is empty"


def paraphrase(
    folder: Annotated[Path, typer.Argument(help="A DISJOINT question set made by `situ make`.")],
    model: Annotated[str, typer.Option("--model", "-m", help="A model of Inspect AI: openai/gpt-4o.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new set.")],
    base_url: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model_arg: Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")] = None,
    connections: Annotated[int, typer.Option(help="Parallel requests; 0 leaves it to Inspect AI.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Let a model reword every question. Rewordings that may change the meaning are discarded."""
    asked = ModelSettings(
        model, base_url=base_url, model_args=model_arguments(model_arg or []), connections=connections
    )
    done = reword(Dataset.open(folder), asked, out)
    total = len(done.dataset.questions)
    if as_json:
        print_json(
            {"folder": str(out), "questions": total, "reworded": done.reworded, "refused": dict(done.refused)}
        )
        return
    console.print(f"{done.reworded} of {total} questions reworded in {out}; the others keep their words")
    for reason, count in sorted(done.refused.items(), key=lambda pair: -pair[1]):
        console.print(f"{count} refused: {reason}")


app = typer.Typer(
    add_completion=False,
    help="Review questions one by one: accept, edit or reject them; then export the accepted ones.",
    no_args_is_help=True,
)
Queue = Annotated[Path, typer.Argument(help="A review queue: a folder made by `situ lab author --review`.")]
Id = Annotated[str, typer.Argument(help="The question's id, as `situ lab review list` shows it.")]
By = Annotated[str, typer.Option(help="Name of the reviewer.")]
Seen = Annotated[
    int | None,
    typer.Option(help="The version that `show` printed; the command fails if somebody decided since."),
]
Reason = Annotated[str, typer.Option(help="The reason; it is stored.")]


@app.command("list")
def list_questions(
    queue: Queue,
    status: Annotated[str, typer.Option(help=f"One of {', '.join((*STATUSES, 'all'))}.")] = "pending",
    limit: Annotated[int, typer.Option(help="Only the first so many; 0 means all.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """List the pending questions, or the accepted or rejected ones."""
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
    """Show a question and every decision about it."""
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
    """Accept questions unchanged."""
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
    reason: Annotated[str, typer.Option(help="The reason; it is stored.")],
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
    """Undo the last decision about a question."""
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
