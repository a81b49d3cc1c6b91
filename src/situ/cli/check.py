"""`situ check`: derive every key anew."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, print_json, progress_bars
from situ.english import counted
from situ.evaluation.check import check_dataset


def check(
    folder: Annotated[Path, typer.Argument(help="A question set made by `situ make`.")],
    as_json: JsonFlag = False,
) -> None:
    """Derive every key again from the stored pictures and annotations, and list disagreements.

    The check shares no code with the generator: it reads the words of the question, counts pixels in the
    instance masks and projects positions. Exit code 1 if anything disagrees.
    """
    with progress_bars() as report:
        result = check_dataset(Dataset.open(folder), lambda done, total: report("checking", done, total))
    if as_json:
        print_json(
            {
                "items": result.items,
                "questions": result.questions,
                "disagreements": list(result.disagreements),
            }
        )
    else:
        for line in result.disagreements:
            console.print(line)
        console.print(
            f"{counted(result.questions, 'question')} over {counted(result.items, 'recording')}: "
            f"{counted(len(result.disagreements), 'disagreement')}"
        )
    if result.disagreements:
        raise typer.Exit(1)
