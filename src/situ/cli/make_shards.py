"""`situ make … --shards N` and `situ make gather`: sets that are made in pieces."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.deleting import delete_set
from situ.benchmarks.gather import Gathered
from situ.benchmarks.gather import gather as gather_shards
from situ.benchmarks.make import Recipe
from situ.benchmarks.making_shards import make_one, make_shards
from situ.benchmarks.remote import gather_remote
from situ.benchmarks.shards import make_shard, shard_folder
from situ.cli.common import JsonFlag, console, errors, print_json, progress_bars
from situ.cli.make_options import Making
from situ.english import counted
from situ.errors import BadInput
from situ.stores import url_of
from situ.tasks import runner_of

_OF_THIS_CALL = {"--runner": 1, "--runner-option": 1, "--jobs": 1, "--json": 0, "--force": 0}


def run_shards(recipe: Recipe, making: Making) -> None:
    """Make the shard that was asked for, or all that are missing."""
    if making.shard is not None:
        if making.force:
            raise BadInput("--force deletes a whole set; to make a shard again, delete its folder")
        if url_of(making.out):
            make_one((recipe, making.out, making.shard, making.shards))
            console.print(f"shard {making.shard} is in {url_of(making.out)}")
            return
        made = make_shard(recipe, making.out, making.shard, making.shards)
        tell(made, making.as_json, shard_folder(making.out, making.shard))
        return
    if making.force and making.out.exists():
        delete_set(making.out)
    options = list(making.runner_options or [])
    if making.runner == "slurm" and not any(option.startswith("folder=") for option in options):
        options.append(f"folder={making.out.absolute()}.slurm")
    runner = runner_of(making.runner, making.processes, options)
    with progress_bars() as report:
        outcome, gathered = make_shards(
            recipe, making.out, making.shards, runner, command_of_this_call(sys.argv), report
        )
    if gathered is None:
        then = f"situ make gather {making.out}"
        if making.as_json:
            print_json(
                {"folder": str(making.out), "queued": outcome.queued, "note": outcome.note, "then": then}
            )
        else:
            console.print(f"{counted(outcome.queued, 'shard')}: {outcome.note}\nWhen they are done: {then}")
        return
    _warn(gathered)
    tell(gathered.dataset, making.as_json)


def command_of_this_call(argv: list[str]) -> tuple[str, ...]:
    """The same command, less what is about this call alone; a shard's number is to follow."""
    kept, skip = [], 0
    for word in argv[1:]:
        name, equals, _ = word.partition("=")
        if skip:
            skip -= 1
        elif name in _OF_THIS_CALL:
            skip = 0 if equals else _OF_THIS_CALL[name]
        else:
            kept.append(word)
    return (sys.executable, "-m", "situ", *kept)


def gather(
    folder: Annotated[Path, typer.Argument(help="Folder that `situ make … --shards` wrote.")],
    as_json: JsonFlag = False,
) -> None:
    """Join the shards of a set: one table of questions, one index of recordings.

    Shards that are missing or were changed are listed.
    """
    with progress_bars() as report:
        url = url_of(folder)
        gathered = gather_remote(url) if url else gather_shards(folder, report)
    _warn(gathered)
    tell(gathered.dataset, as_json)


def _warn(gathered: Gathered) -> None:
    for even in gathered.uneven:
        errors.print(
            f"situ: of {sum(even.places)} questions of {even.task} with {even.options} options, the right "
            f"one stands {max(even.places)} times in one place ({even.deviation:.1f} standard deviations "
            "from even). If the task does not mean that, see `situ audit`"
        )


def tell(dataset: Dataset, as_json: bool, where: Path | None = None) -> None:
    """What a set holds."""
    tasks: dict[str, int] = {}
    for row in dataset.questions:
        tasks[row.task] = tasks.get(row.task, 0) + 1
    summary: dict[str, Any] = {
        "folder": str(where or dataset.folder),
        "items": len(dataset.items),
        "questions": tasks,
        "content_hash": dataset.manifest["content_hash"],
    }
    if as_json:
        print_json(summary)
        return
    asked = ", ".join(f"{count} {task}" for task, count in sorted(tasks.items()))
    console.print(
        f"{counted(summary['items'], 'recording')} and {counted(sum(tasks.values()), 'question')} "
        f"({asked}) in {summary['folder']}"
    )
    console.print(f"content hash {summary['content_hash']}")
