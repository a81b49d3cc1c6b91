"""The options of `situ eval`, with the words that `--help` gives them."""

from pathlib import Path
from typing import Annotated

import typer

from situ.evaluation.models.stages import ANSWER, STAGES
from situ.evaluation.models.strategy import STRATEGIES
from situ.evaluation.participants.base import PARTICIPANTS

Sets = Annotated[list[Path], typer.Argument(help="One question set or more, made by `situ make`.")]
Out = Annotated[
    Path, typer.Option("--out", "-o", help="Folder of the run; the parent folder if there are several runs.")
]
Who = Annotated[
    list[str] | None,
    typer.Option(
        "--participant",
        "-p",
        help=f"One of {', '.join(PARTICIPANTS)}; separate several by commas. all: every one that "
        "applies to the set.",
    ),
]
ModelName = Annotated[str, typer.Option("--model", "-m", help="A model of Inspect AI: openai/gpt-4o.")]
StrategyName = Annotated[
    str, typer.Option(help=f"How a model is asked: {', '.join(STRATEGIES)} (default: direct).")
]
PromptFile = Annotated[
    Path | None,
    typer.Option(help="Your own prompt: a text file with {question}, {options}, {contract} and so on."),
]
StagePrompts = Annotated[
    list[str] | None,
    typer.Option(
        "--prompt",
        help=f"STAGE=FILE: your own prompt for a stage: {', '.join((ANSWER, *STAGES))}.",
    ),
]
Preset = Annotated[
    str,
    typer.Option(
        help="Settings of a published table's row; see `situ lab presets`. Other options override it."
    ),
]
ModelArg = Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")]
Jobs = Annotated[int, typer.Option(help="Processes for participants.", min=1)]
RunnerName = Annotated[str, typer.Option(help="Where participants answer: local, slurm or ray.")]
Part = Annotated[str, typer.Option(help="Answer this part of a run, RUN:NUMBER, in this process.")]
ReportFile = Annotated[Path | None, typer.Option(help="Also write a report of all runs to this file.")]
