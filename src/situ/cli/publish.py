"""`situ publish`, `situ match` and `situ score-submission`: sets for others, with or without their keys."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli import score
from situ.cli.common import JsonFlag, console, print_json, progress_bars, told_of
from situ.english import counted
from situ.errors import BadInput
from situ.publishing.matched import compare_forms, make_matched
from situ.publishing.publish import publish as publish_set


def publish(
    dataset: Annotated[Path, typer.Argument(help="A question set.")],
    to: Annotated[Path, typer.Option("--to", help="Folder to write; must not exist.")],
    hide_keys: Annotated[
        bool, typer.Option("--hide-keys", help="Without answers; they go to --private, for whoever grades.")
    ] = False,
    private: Annotated[Path | None, typer.Option(help="Folder of the keys; TO.private unless said.")] = None,
    frames: Annotated[
        str, typer.Option(help="Which frames are shown, as in `situ eval`; the usual ones, 32 at most.")
    ] = "",
    licence: Annotated[str, typer.Option(help="Licence on the card, as the hub writes it.")] = "cc-by-4.0",
    as_json: JsonFlag = False,
) -> None:
    """A set as a folder that Hugging Face, Croissant, lmms-eval and VLMEvalKit open, pictures included.

    Only words, options and pictures leave, never programs, margins, strata or worlds. Nothing is uploaded.
    With --hide-keys make the set from a --seed that nobody guesses: who knows it can make the set again.
    """
    with progress_bars() as report:
        done = publish_set(Dataset.open(dataset), to, hide_keys, private, frames, licence, report)
    if as_json:
        keys = str(done.private) if done.private else None
        print_json({"folder": str(done.folder), "questions": done.questions, "private": keys})
        return
    console.print(f"{counted(done.questions, 'question')} in {done.folder}")
    if done.private:
        console.print(f"keys in {done.private}: keep that folder; `situ score-submission` grades by it")


def match(
    dataset: Annotated[Path, typer.Argument(help="A set that `situ make` made.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the second form.")],
    seed: Annotated[int | None, typer.Option(help="Its seed; one that nobody guesses unless said.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes.")] = 1,
    as_json: JsonFlag = False,
) -> None:
    """A second form of a set: same recipe, same mix, other worlds; and whether it is as hard.

    For a private test beside a public one: publish the second form with --hide-keys. Its manifest holds the
    seed, so keep the folder to yourself. Exit code 1 where the margins of some task differ.
    """
    first = Dataset.open(dataset)
    with progress_bars() as report:
        second = make_matched(first, out, seed, jobs, report)
    tasks = compare_forms(first.questions, second.questions)
    if as_json:
        print_json({"set": str(out), "questions": len(second.questions), "tasks": [asdict(t) for t in tasks]})
    else:
        console.print(f"{out}: {told_of(second)}")
        for one in tasks:
            (here, there), (mine, theirs) = one.questions, one.median_margin
            verdict = "alike" if one.alike else "NOT ALIKE"
            told = f"{here} and {counted(there, 'question')}, median margins {mine:.2f} and {theirs:.2f}"
            console.print(f"  {one.task:28} {told}: {verdict} (p = {one.p:.2f})")
    if not all(one.alike for one in tasks):
        raise typer.Exit(1)


def score_submission(
    private: Annotated[Path, typer.Argument(help="Folder of keys that `situ publish --hide-keys` wrote.")],
    replies: Annotated[
        Path, typer.Argument(help="JSON, JSON lines, CSV or Parquet: an id and a reply each.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the run.")],
    who: Annotated[str, typer.Option(help="Who gave the replies; the file's name unless said.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Grade replies to a set whose keys were kept back. The score is that of `situ score` on the set."""
    if "keys_of" not in Dataset.open(private).manifest:
        raise BadInput(f"{private} is no folder of keys; `situ publish SET --to TO --hide-keys` writes one")
    score.score(private, replies, out, who, None, "", "", "", "", as_json)
