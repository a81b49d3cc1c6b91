"""`situ eval`: let participants or a model answer question sets."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.cli.common import (
    JsonFlag,
    between,
    console,
    errors,
    model_arguments,
    percent,
    print_json,
    progress_bars,
)
from situ.cli.eval_queue import Queue
from situ.cli.make_options import RunnerOptions
from situ.errors import BadInput, Stopped
from situ.evaluation.models.presets import find_preset, with_preset
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import TIMEOUT_S, ModelSettings
from situ.evaluation.models.strategies import find_strategy
from situ.evaluation.models.strategy import STRATEGIES
from situ.evaluation.participants.base import PARTICIPANTS, applicable
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings, check_participants, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Summary, summarise

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


def evaluate(
    sets: Sets,
    out: Out,
    participant: Who = None,
    model: ModelName = "",
    strategy: StrategyName = "",
    preset: Annotated[
        str, typer.Option(help="Settings of a published table's row: see `situ presets`. Other options win.")
    ] = "",
    frames: Frames = "",
    protocol: Annotated[str, typer.Option(help="Score as another benchmark does, such as sns.")] = "",
    parser: Annotated[str, typer.Option(help="Which of the protocol's parsers reads replies.")] = "",
    prompt_file: PromptFile = None,
    proxy: Annotated[str, typer.Option(help="Model that answers from narratives or captions.")] = "",
    judge: Annotated[str, typer.Option(help="Model that grades open answers from 1 to 5.")] = "",
    grade_again: Annotated[
        float, typer.Option(help="Share of answers graded twice, to tell how stable the judge is.")
    ] = 0.1,
    extractor: Annotated[str, typer.Option(help="Model that reads replies which no rule can read.")] = "",
    base_url: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model_arg: Annotated[list[str] | None, typer.Option(help="key=value for the model's provider.")] = None,
    max_tokens: Annotated[int, typer.Option(help="Longest reply; 0 leaves it to the provider.")] = 0,
    connections: Annotated[int, typer.Option(help="Requests at once; 0 leaves it to the engine.")] = 0,
    retries: Annotated[int, typer.Option(help="How often a question that failed is asked again.")] = 2,
    temperature: Annotated[
        float | None, typer.Option(help="Of the model asked; 0 unless said.", min=0.0)
    ] = None,
    top_p: Annotated[
        float | None, typer.Option(help="Of the model asked; the provider's unless said.", min=0.0, max=1.0)
    ] = None,
    reasoning_effort: Annotated[str, typer.Option(help="Of models that reason: low, medium, high.")] = "",
    timeout: Annotated[float, typer.Option(help="Seconds that one request may take.", min=1)] = TIMEOUT_S,
    max_retries: Annotated[
        int, typer.Option(help="How often a request that failed on its way is sent again.", min=0)
    ] = 5,
    price_in: Annotated[
        float | None, typer.Option(help="Dollars for a million tokens in, where the provider tells no cost.")
    ] = None,
    price_out: Annotated[float | None, typer.Option(help="Dollars for a million tokens out.")] = None,
    limit: Annotated[
        int, typer.Option(help="Only the first so many questions; 0 means all. Can be raised later.")
    ] = 0,
    jobs: Annotated[int, typer.Option(help="Processes that participants run on.", min=1)] = 1,
    runner: Annotated[str, typer.Option(help="Where participants answer: local, slurm or ray.")] = "local",
    runner_options: RunnerOptions = None,
    part: Annotated[str, typer.Option(help="Answer this part of a run, RUN:NUMBER, in this process.")] = "",
    again: Annotated[
        bool, typer.Option("--ask-failed-again", help="Ask once more what failed in a finished run.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of participants that draw.")] = 0,
    memories: Annotated[
        Path | None,
        typer.Option(
            help="Folder with a memory of each recording, ITEM.situ: for memory strategies and ask."
        ),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Also write a report of all runs to this file.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask every question of a set, read the answers, and score them as the benchmark does.

    Interrupted? Run the same command again: what was answered is kept.
    """
    if strategy:
        find_strategy(strategy)
    if model and (runner != "local" or part):
        raise BadInput("--runner is for participants; a model is asked from here, see --connections")
    if bool(participant) == bool(model):
        raise BadInput("say who answers: either --model NAME or --participant NAME (or several of them)")
    settings = Settings(frames, protocol, parser, seed, limit, memories=memories)
    asked = ModelSettings(
        model, strategy, proxy, judge, grade_again, extractor, prompt_file, base_url,
        model_arguments(model_arg or []), max_tokens, connections, retries, again,
    )  # fmt: skip
    asked = replace(
        asked, temperature=temperature, top_p=top_p, reasoning_effort=reasoning_effort, timeout=timeout,
        max_retries=max_retries, price_in=price_in, price_out=price_out,
    )  # fmt: skip
    datasets = [Dataset.open(folder) for folder in sets]
    if preset:
        chosen = find_preset(preset)
        for dataset in datasets:
            chosen.check(dataset.manifest, asked.roles if model else {chosen.needs: "none"})
        settings, asked = with_preset(chosen, settings, asked)
    asked = replace(asked, strategy=asked.strategy or "direct")
    names = [_names(participant, dataset) for dataset in datasets]
    for dataset, mine in zip(datasets, names, strict=True):
        if participant:
            check_participants(dataset, mine, settings)
    runs: list[tuple[Run, Summary]] = []
    queue = Queue(out, runner, jobs, runner_options)
    try:
        with progress_bars() as bars:
            for dataset, mine in zip(datasets, names, strict=True):
                for name in mine:
                    alone = sum(map(len, names)) == 1
                    folder = out if alone else out / f"{_set_name(dataset, datasets)}-{name or 'model'}"
                    if part:
                        queue.answer(part, dataset, name, settings, folder)
                        continue
                    label = name or model.split("/")[-1]

                    def tell(done: int, total: int, label: str = f"{dataset.folder.name} {label}") -> None:
                        bars(label, done, total)

                    run: Run | None
                    if runner != "local":
                        run = queue.run(dataset, name, settings, folder, tell)
                    elif name:
                        run = run_participant(dataset, name, settings, folder, tell, jobs)
                    else:
                        run = run_model(dataset, asked, settings, folder, tell)
                    if run is None:
                        continue
                    runs.append((run, summarise(run.protocol, run.records, dataset.questions)))
    except KeyboardInterrupt:
        raise Stopped("stopped. What was answered is kept; run the same command to go on.") from None
    if part:
        if not queue.answered:
            raise BadInput(f"--part {part}: this call has no such run")
        return
    if queue.notes:
        queue.tell(as_json)
        return
    if report:
        from situ.report.run_report import write_report  # loaded when needed: it is slow to import

        with progress_bars() as bars:
            write_report([run for run, _ in runs], report, progress=lambda *at: bars("report", *at))
    _print(runs, report, as_json)
    if any(failed_altogether(run) for run, _ in runs):
        raise typer.Exit(1)


def _set_name(dataset: Dataset, datasets: list[Dataset]) -> str:
    """The name of a set's folder, with that of the folder around it where several sets share one."""
    folder = dataset.folder.resolve()
    shared = sum(other.folder.resolve().name == folder.name for other in datasets) > 1
    return f"{folder.parent.name}-{folder.name}" if shared else folder.name


def failed_altogether(run: Run) -> str:
    """Why every question failed; empty where some were answered."""
    if not run.records or any(record.status is not Status.FAILED for record in run.records):
        return ""
    (reason, count), *_ = Counter(record.reason for record in run.records).most_common(1)
    return f"every question failed, {count} of {len(run.records)} with: {reason}"


def _names(wanted: list[str] | None, dataset: Dataset) -> list[str]:
    """Who answers a set; a model has no name here."""
    if not wanted:
        return [""]
    asked = [one.strip() for given in wanted for one in given.split(",")]
    found = [name for one in asked for name in (applicable(dataset) if one == "all" else [one])]
    return list(dict.fromkeys(found))


def _print(runs: list[tuple[Run, Summary]], report: Path | None, as_json: bool) -> None:
    if as_json:
        print_json([{"run": str(run.folder), "name": run.name, **summary.to_json()} for run, summary in runs])
        return
    for run, summary in runs:
        failure = failed_altogether(run)
        if failure:
            errors.print(f"{run.name}: {failure}")
            continue
        console.print(score_table(run, summary))
        console.print(summary.formula)
        lost = {status: n for status, n in summary.statuses.items() if status != "answered"}
        if lost:
            words = ", ".join(f"{n} {status}" for status, n in lost.items())
            errors.print(f"{words}: see {run.folder / 'answers.jsonl'}")
        if summary.stops:
            words = ", ".join(f"{n} by {stop}" for stop, n in summary.stops.items())
            errors.print(f"replies that were cut off or held back: {words}")
    if report:
        console.print(f"report: {report}")


def score_table(run: Run, summary: Summary) -> Table:
    table = Table(title=f"{run.protocol.title}: {run.name}")
    for name, justify in (("task", "left"), ("n", "right"), ("score %", "right"), ("95 % interval", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for score in (*summary.tasks, summary.overall):
        table.add_row(score.name, str(score.questions), percent(score.value), between(score.interval))
    return table
