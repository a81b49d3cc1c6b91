"""`situ lab paraphrase`: a question set in a model's words."""

from pathlib import Path
from typing import Annotated

import typer

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, console, model_arguments, print_json
from situ.evaluation.models.paraphrase import paraphrase as reword
from situ.evaluation.models.settings import ModelSettings


def paraphrase(
    folder: Annotated[Path, typer.Argument(help="A DISJOINT question set made by `situ make`.")],
    model: Annotated[str, typer.Option("--model", "-m", help="A model of Inspect AI: openai/gpt-4o.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new set.")],
    base_url: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model_arg: Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")] = None,
    connections: Annotated[int, typer.Option(help="Requests at once; 0 leaves it to the engine.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Let a model reword every question. A rewording that may ask something else is refused and counted."""
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
