"""`situ publish` and `situ make match`: sets for others, with or without their keys, and recordings."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, print_json, progress_bars, told_of
from situ.english import counted
from situ.errors import BadInput
from situ.publishing.harnesses import HARNESSES
from situ.publishing.parallel_forms import compare_forms, make_matched
from situ.publishing.publish import publish as publish_set
from situ.recording.formats.exports import EXPORTS
from situ.recording.reader import Recording

_FORMATS = "; ".join(f"{name}: {EXPORTS.about(name)}" for name in EXPORTS)


def publish(
    source: Annotated[Path, typer.Argument(help="A question set; with --to, a recording.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder or file to write; must not exist.")],
    to: Annotated[str, typer.Option(help=f"Format of a recording: {_FORMATS}.")] = "",
    hide_keys: Annotated[
        bool, typer.Option("--hide-keys", help="Leave the keys out and write them to --private, for grading.")
    ] = False,
    private: Annotated[Path | None, typer.Option(help="Folder of the keys (default: OUT.private).")] = None,
    frames: Annotated[
        str,
        typer.Option(
            help="Which frames are stored, as in `situ eval` (default: the benchmark's, at most 32)."
        ),
    ] = "",
    licence: Annotated[str, typer.Option(help="Licence on the card, as the hub writes it.")] = "cc-by-4.0",
    as_json: JsonFlag = False,
) -> None:
    """Write a set as one folder that Hugging Face, Croissant, lmms-eval and VLMEvalKit open.

    The folder holds the questions, options and pictures, and no programs, margins, strata or worlds. Nothing
    is uploaded. With --hide-keys, make the set from a --seed that nobody can guess: anyone who knows the seed
    can make the set again.

    With --to, write a recording for another tool: pictures, poses, intrinsics and times.
    """
    if to:
        _publish_recording(source, to, out, as_json)
        return
    with progress_bars() as report:
        done = publish_set(Dataset.open(source), out, hide_keys, private, frames, licence, report)
    if as_json:
        keys = str(done.private) if done.private else None
        print_json({"folder": str(done.folder), "questions": done.questions, "private": keys})
        return
    console.print(f"{counted(done.questions, 'question')} in {done.folder}")
    if done.private:
        console.print(
            f"keys in {done.private}: keep them; `situ score {done.private} REPLIES` grades by them"
        )


def _publish_recording(source: Path, to: str, out: Path, as_json: bool) -> None:
    if (source / "manifest.json").is_file():
        raise BadInput(
            f"{source} is a question set, which is written for all harnesses at once: leave --to {to} out"
        )
    if to.lower().replace("-", "_") in HARNESSES:
        raise BadInput(f"{to} takes question sets, and {source} is a recording; give the set, without --to")
    write = EXPORTS.find(to)
    recording = Recording.open(source)
    write(recording, out)
    if as_json:
        print_json({"out": str(out), "frames": len(recording)})
    else:
        console.print(f"{counted(len(recording), 'frame')} in {out}")


def match(
    dataset: Annotated[Path, typer.Argument(help="A set that `situ make` made.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the twin.")],
    seed: Annotated[int | None, typer.Option(help="Seed of the twin (default: random).")] = None,
    jobs: Annotated[int, typer.Option(help="Processes.")] = 1,
    as_json: JsonFlag = False,
) -> None:
    """Make a twin of a set: the same recipe in other worlds. Then test whether both are equally hard.

    Use it as a private test beside a public one, and publish it with --hide-keys. Its manifest holds the
    seed, so keep the folder private. Exit code 1 if the margins of a task differ.
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
