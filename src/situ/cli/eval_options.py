"""The options of `situ eval`, with the words that `--help` gives them."""

from pathlib import Path
from typing import Annotated

import typer

from situ.evaluation.models.stages import ANSWER, STAGES
from situ.evaluation.models.strategy import STRATEGIES
from situ.evaluation.participants.base import PARTICIPANTS

Sets = Annotated[list[Path], typer.Argument(help="One question set or more, made by `situ make`.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="Folder of the run; of several runs, their parent.")]
Who = Annotated[
    list[str] | None,
    typer.Option(
        "--participant",
        "-p",
        help=f"One of {', '.join(PARTICIPANTS)}; several by commas, or by giving it again. "
        "all: the controls and every system that applies to the set.",
    ),
]
ModelName = Annotated[str, typer.Option("--model", "-m", help="A model of Inspect AI: openai/gpt-4o.")]
StrategyName = Annotated[
    str, typer.Option(help=f"How a model is asked: {', '.join(STRATEGIES)}. direct unless said.")
]
Frames = Annotated[
    str, typer.Option(help="Frames shown, such as all, fps:2, uniform:32, recent:64@512, first, shuffled.")
]
PromptFile = Annotated[
    Path | None, typer.Option(help="Own words: a text with {question}, {options}, {contract} and so on.")
]
StagePrompts = Annotated[
    list[str] | None,
    typer.Option(
        "--prompt",
        help=f"STAGE=FILE: own words for a stage: {', '.join((ANSWER, *STAGES))}.",
    ),
]
Preset = Annotated[
    str, typer.Option(help="Settings of a published table's row: see `situ lab presets`. Other options win.")
]
ProtocolName = Annotated[str, typer.Option(help="Score as another benchmark does, such as sns.")]
Parser = Annotated[str, typer.Option(help="Which of the protocol's parsers reads replies.")]
Proxy = Annotated[str, typer.Option(help="Model that answers from narratives or captions.")]
ProxyThinking = Annotated[
    int, typer.Option(help="Tokens that the proxy may think; 0 leaves it to its provider.", min=0)
]
Judge = Annotated[str, typer.Option(help="Model that grades open answers from 1 to 5.")]
GradeAgain = Annotated[
    float, typer.Option(help="Share of answers graded twice, to tell how stable the judge is.")
]
Extractor = Annotated[str, typer.Option(help="Model that reads replies which no rule can read.")]
BaseUrl = Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")]
ModelArg = Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")]
MaxTokens = Annotated[int, typer.Option(help="Longest reply; 0 leaves it to the provider.")]
Connections = Annotated[int, typer.Option(help="Requests at once; 0 leaves it to the engine.")]
Retries = Annotated[int, typer.Option(help="How often a question that failed is asked again.")]
Temperature = Annotated[float | None, typer.Option(help="Of the model asked; 0 unless said.", min=0.0)]
TopP = Annotated[
    float | None, typer.Option(help="Of the model asked; the provider's unless said.", min=0.0, max=1.0)
]
ReasoningEffort = Annotated[str, typer.Option(help="Of models that reason: low, medium, high.")]
Timeout = Annotated[float, typer.Option(help="Seconds that one request may take.", min=1)]
MaxRetries = Annotated[
    int, typer.Option(help="How often a request that failed on its way is sent again.", min=0)
]
PriceIn = Annotated[
    float | None, typer.Option(help="Dollars for a million tokens in, where the provider tells no cost.")
]
PriceOut = Annotated[float | None, typer.Option(help="Dollars for a million tokens out.")]
Limit = Annotated[
    int, typer.Option(help="Only the first so many questions; 0 means all. Can be raised later.")
]
Jobs = Annotated[int, typer.Option(help="Processes that participants run on.", min=1)]
RunnerName = Annotated[str, typer.Option(help="Where participants answer: local, slurm or ray.")]
Part = Annotated[str, typer.Option(help="Answer this part of a run, RUN:NUMBER, in this process.")]
AskFailedAgain = Annotated[
    bool, typer.Option("--ask-failed-again", help="Ask once more what failed in a finished run.")
]
Seed = Annotated[int, typer.Option(help="Seed of participants that draw.")]
MemoryFolder = Annotated[
    Path | None,
    typer.Option(
        help="Folder with a memory of each recording, ITEM.situ: for memory strategies and ask. Or `pixels`, "
        "to make them of the pictures, or `detections`, of annotations with a detector's faults."
    ),
]
ReportFile = Annotated[Path | None, typer.Option(help="Also write a report of all runs to this file.")]
