"""`situ lab author`: give questions their options."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.authoring.adapters import Adapters
from situ.authoring.author import Authored, Settings, author
from situ.authoring.items import read_items
from situ.authoring.review import ReviewQueue
from situ.benchmarks.dataset import write_atomically
from situ.benchmarks.official.collection import Problem
from situ.cli.common import JsonFlag, console, errors, percent, print_json
from situ.errors import BadInput, Refused


def author_file(
    file: Annotated[Path, typer.Argument(help="Questions with answers: JSON, or JSON lines.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write: the questions with options.")],
    options: Annotated[
        int, typer.Option(help="Options of a question that is neither binary nor a count.")
    ] = 5,
    compat: Annotated[
        bool, typer.Option("--compat", help="Counts by the published rule, which gives answers away.")
    ] = False,
    adapters: Annotated[
        str, typer.Option(help=f"What judges likeness and entailment: {', '.join(Adapters.KNOWN)}.")
    ] = "lexical",
    writer: Annotated[str, typer.Option(help="A model of Inspect AI that fills up distractors.")] = "",
    fps: Annotated[float, typer.Option(help="Frames per second, for times given as frames; 0: none.")] = 0.0,
    limit: Annotated[int, typer.Option(help="Only the first so many questions; 0 means all.")] = 0,
    review: Annotated[Path | None, typer.Option(help="Also make a review queue in this folder.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same options.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Give every question of a file options that a blind guesser cannot see through.

    Yes or no gets its opposite, counts their neighbours with the truth at any rank, all others distractors
    from questions like them that are wrong by rule. What cannot be done is listed per question.
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
