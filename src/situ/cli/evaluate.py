"""`situ eval`: let participants or a model answer question sets."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import typer
from rich.table import Table

from situ.benchmarks.dataset import Dataset
from situ.cli import eval_options as given
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
from situ.cli.eval_queue import Queue, answer_part
from situ.cli.make_options import RunnerOptions
from situ.cli.record_options import fills
from situ.errors import BadInput, Stopped
from situ.evaluation.models.presets import find_preset, with_preset
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.models.stages import Prompts
from situ.evaluation.models.strategies import find_strategy
from situ.evaluation.participants.base import applicable
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Progress, Settings, check_participants, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Summary, summarise


@fills(asked=ModelSettings, settings=Settings)
def evaluate(
    sets: given.Sets,
    out: given.Out,
    asked: "partial[ModelSettings]",
    settings: "partial[Settings]",
    participant: given.Who = None,
    model: given.ModelName = "",
    strategy: given.StrategyName = "",
    preset: given.Preset = "",
    prompt_file: given.PromptFile = None,
    prompt: given.StagePrompts = None,
    model_arg: given.ModelArg = None,
    jobs: given.Jobs = 1,
    runner: given.RunnerName = "local",
    runner_options: RunnerOptions = None,
    part: given.Part = "",
    report: given.ReportFile = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask every question of a set, read the answers, and score them as the benchmark does.

    Interrupted? Run the same command again: what was answered is kept.
    """
    if strategy:
        find_strategy(strategy)  # before any set is read
    if model and (runner != "local" or part):
        raise BadInput("--runner is for participants; for a model, --connections sends requests in parallel")
    if bool(participant) == bool(model):
        raise BadInput("say who answers: either --model NAME or --participant NAME (or several of them)")
    datasets = [Dataset.open(folder) for folder in sets]
    prompts, answering = Prompts.read(prompt or ())
    arguments = model_arguments(model_arg or [])
    how, asking = _with_preset(
        preset, datasets, settings(),
        asked(model, strategy, prompt_file=answering or prompt_file, model_args=arguments, prompts=prompts),
    )  # fmt: skip
    runs = _planned(datasets, participant, how, out)
    if part:
        answer_part(part, runs, how)
        return
    queue = Queue(out, runner, jobs, runner_options)

    def answer(dataset: Dataset, name: str, folder: Path, tell: Progress) -> Run | None:
        if runner != "local":
            return queue.run(dataset, name, how, folder, tell)
        if name:
            return run_participant(dataset, name, how, folder, tell, jobs)
        return run_model(dataset, asking, how, folder, tell)

    done = _answered(runs, model, answer)
    if queue.notes:
        queue.tell(as_json)
        return
    if report:
        _write_report([run for run, _ in done], report)
    _print(done, report, as_json)
    if any(failed_altogether(run) for run, _ in done):
        raise typer.Exit(1)


def _planned(
    datasets: Sequence[Dataset], participants: list[str] | None, settings: Settings, out: Path
) -> list[tuple[Dataset, str, Path]]:
    """The runs: set, participant ("" for a model) and folder of each."""
    who = [(dataset, name) for dataset in datasets for name in _names(participants, dataset)]
    for dataset in datasets if participants else ():
        check_participants(dataset, [name for other, name in who if other is dataset], settings)
    return [(dataset, name, folder) for (dataset, name), folder in zip(who, _folders(out, who), strict=True)]


def _answered(
    runs: Sequence[tuple[Dataset, str, Path]],
    model: str,
    answer: Callable[[Dataset, str, Path, Progress], Run | None],
) -> list[tuple[Run, Summary]]:
    """The finished runs with their scores; a run that waits in a queue is left out."""
    done: list[tuple[Run, Summary]] = []
    try:
        with progress_bars() as bars:
            for dataset, name, folder in runs:
                tell = partial(bars, f"{dataset.folder.name} {name or model.split('/')[-1]}")
                run = answer(dataset, name, folder, tell)
                if run is not None:
                    done.append((run, summarise(run.protocol, run.records, dataset.questions)))
    except KeyboardInterrupt:
        raise Stopped("stopped. What was answered is kept; run the same command to go on.") from None
    return done


def _with_preset(
    name: str, datasets: Sequence[Dataset], settings: Settings, asked: ModelSettings
) -> tuple[Settings, ModelSettings]:
    """The settings, completed by a preset if one is named; the strategy is never empty."""
    if name:
        chosen = find_preset(name)
        for dataset in datasets:
            chosen.check(dataset.manifest, asked.roles if asked.model else {chosen.needs: "none"})
        settings, asked = with_preset(chosen, settings, asked)
    return settings, replace(asked, strategy=asked.strategy or "direct")


def _folders(out: Path, who: Sequence[tuple[Dataset, str]]) -> list[Path]:
    """Where each run goes: one alone to the folder itself, of several each to a folder in it."""
    if len(who) == 1:
        return [out]
    datasets = list({id(dataset): dataset for dataset, _ in who}.values())
    return [out / f"{_set_name(dataset, datasets)}-{name or 'model'}" for dataset, name in who]


def _write_report(runs: list[Run], path: Path) -> None:
    from situ.report.run_report import write_report  # loaded when needed: it is slow to import

    with progress_bars() as bars:
        write_report(runs, path, progress=lambda *at: bars("report", *at))


def _set_name(dataset: Dataset, datasets: list[Dataset]) -> str:
    """The name of a set's folder, with that of the folder around it where several sets share one."""
    folder = dataset.folder.resolve()
    shared = sum(other.folder.resolve().name == folder.name for other in datasets) > 1
    return f"{folder.parent.name}-{folder.name}" if shared else folder.name


def failed_altogether(run: Run) -> str:
    """Why every question failed; empty where some were answered."""
    if not run.records or any(record.status is not Status.ERROR for record in run.records):
        return ""
    (reason, count), *_ = Counter(record.reason for record in run.records).most_common(1)
    return f"every question failed, {count} of {len(run.records)} with: {reason}"


def _names(wanted: list[str] | None, dataset: Dataset) -> list[str]:
    """The participants that answer a set; "" stands for a model."""
    if not wanted:
        return [""]
    asked = [one.strip() for given in wanted for one in given.split(",")]
    found = [name for one in asked for name in (applicable(dataset) if one == "all" else [one])]
    return list(dict.fromkeys(found))


def _print(runs: list[tuple[Run, Summary]], report: Path | None, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"run": str(run.folder), "name": run.name, "rests_on": run.card.get("rests_on", "")}
                | summary.to_json()
                for run, summary in runs
            ]
        )
        return
    for run, summary in runs:
        failure = failed_altogether(run)
        if failure:
            errors.print(f"{run.name}: {failure}")
            continue
        sets = {other.card["dataset"] for other, _ in runs}
        console.print(score_table(run, summary, tell_set=len(sets) > 1))
        console.print(summary.formula)
        if any(score.interval is None for score in (*summary.tasks, summary.overall)):
            console.print("situ power says how many recordings it takes")
        if rests_on := run.card.get("rests_on"):
            errors.print(f"note: the memories are made of {rests_on}")
        lost = {status: n for status, n in summary.statuses.items() if status != "answered"}
        if lost:
            words = ", ".join(f"{n} {status}" for status, n in lost.items())
            errors.print(f"{words}: see {run.folder / 'answers.jsonl'}")
        if summary.stops:
            words = ", ".join(f"{n} by {stop}" for stop, n in summary.stops.items())
            errors.print(f"replies that were cut off or held back: {words}")
    if report:
        console.print(f"report: {report}")


def score_table(run: Run, summary: Summary, tell_set: bool = False) -> Table:
    where = f" ({Path(run.card['dataset']).name})" if tell_set else ""
    table = Table(title=f"{run.protocol.title}{where}: {run.name}")
    for name, justify in (("task", "left"), ("n", "right"), ("score %", "right"), ("95 % interval", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for score in (*summary.tasks, summary.overall):
        table.add_row(score.name, str(score.questions), percent(score.value), between(score.interval))
    return table
