"""`situ lab sns`: the Spatial Narrative Score with everything it has to be read beside, in one report."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.cli.common import JsonFlag, between, console, model_arguments, percent, print_json, progress_bars
from situ.evaluation.captions.scores import CaptionScore
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.models.stages import Prompts
from situ.evaluation.models.strategy import STRATEGIES as WAYS
from situ.evaluation.participants.base import PARTICIPANTS as KINDS
from situ.evaluation.runs.job import Settings
from situ.evaluation.runs.summary import summarise
from situ.evaluation.sns import PARTICIPANTS, STRATEGIES, camera_captions, run_sns
from situ.report.run_report import Panel, write_report
from situ.report.run_tables import Table as Cells

CAPTIONS = (
    "The camera part of every segment against that of a perfect narrator. A narrator that does not beat a "
    "constant caption and its own captions in another order has not looked."
)

ROWS = (
    "Rows without a model's name are a perfect narrator read by the built-in reader (the ceiling), the "
    "truth on all frames, and guessing."
)


def sns(
    dataset: Annotated[Path, typer.Argument(help="A question set, such as one of `situ make narratives`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs and the report.")],
    model: Annotated[str, typer.Option("--model", "-m", help="The narrator, a model of Inspect AI.")] = "",
    proxy: Annotated[str, typer.Option(help="The reader; the narrator itself unless said.")] = "",
    base_url: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model_arg: Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")] = None,
    prompt: Annotated[
        list[str] | None, typer.Option(help="STAGE=FILE: own words for a stage, narrative or answer.")
    ] = None,
    proxy_thinking: Annotated[int, typer.Option(help="Tokens that the reader may think.", min=0)] = 0,
    frames: Annotated[str, typer.Option(help="Frames shown; fps:2 unless said.")] = "",
    limit: Annotated[int, typer.Option(help="Only the first so many questions; 0 means all.")] = 0,
    report: Annotated[Path | None, typer.Option(help="The page; OUT/report.html unless said.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Narrate, read and score, beside the ceiling, the floor, scene-only narratives and longer segments.

    Without --model: what the questions and the built-in reader allow. Interrupted? The same command goes on.
    """
    questions = Dataset.open(dataset)
    settings = Settings(frames, limit=limit)
    prompts, answering = Prompts.read(prompt or ())
    asked = ModelSettings(
        model, proxy=proxy, prompt_file=answering, base_url=base_url,
        model_args=model_arguments(model_arg or []), prompts=prompts, proxy_thinking=proxy_thinking,
    )  # fmt: skip
    with progress_bars() as bars:
        runs = run_sns(questions, out, settings, asked if model else None, bars)
    captions = camera_captions(questions, out, settings, asked if model else None)
    page = report or out / "report.html"
    panels = [caption_panel(captions, model or "the perfect narrator"), meaning_panel(model, proxy)]
    write_report(runs, page, more=panels)
    scores = [(run.name, summarise(run.protocol, run.records, questions.questions).overall) for run in runs]
    if as_json:
        print_json(
            {
                "runs": [{**asdict(score), "name": name} for name, score in scores],
                "captions": [{**asdict(m), "beats": m.beats_controls} for m in captions],
                "report": str(page),
            }
        )
        return
    table = Table()
    for head in ("run", "right", "interval"):
        table.add_column(head, justify="left" if head == "run" else "right")
    for name, score in scores:
        table.add_row(name, percent(score.value), between(score.interval))
    console.print(table)
    console.print(f"report: {page}")


def meaning_panel(model: str, proxy: str) -> Panel:
    """What each row of the page is."""
    rows = [(name, KINDS.about(name)) for name in PARTICIPANTS]
    for strategy in STRATEGIES if model else ():
        name, _, frames = strategy.partition(":")
        longer = f", in segments of {frames} frames" if frames else ""
        rows.append((f"{model}, {strategy}", f"{WAYS.about(name)}{longer}"))
    who = f" Narrator: {model}. Reader: {proxy or model}." if model else ""
    return "What the rows are", Cells(("run", "what it is"), tuple(rows)), ROWS + who


def caption_panel(captions: list[CaptionScore], narrator: str) -> Panel:
    rows = tuple(
        (
            m.metric, f"{m.score:.3f}", f"{m.constant:.3f}", f"{m.shuffled:.3f}",
            "yes" if m.beats_controls else "no", m.formula,
        )
        for m in captions
    )  # fmt: skip
    head = ("metric", "score", "constant caption", "shuffled", "beats both", "formula")
    return f"Camera words as captions: {narrator}", Cells(head, rows), CAPTIONS
