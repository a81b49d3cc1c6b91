"""Running a model over a question set through the engine, into a run folder that can be continued."""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput, MissingExtra
from situ.evaluate.answer import AnswerRecord, Status, failed, read_records, write_records
from situ.evaluate.model_job import EXTRACTOR, JUDGE, ModelJob
from situ.evaluate.prompt import Template, text_hash
from situ.evaluate.run import Job, Progress, Settings, finish
from situ.evaluate.run_folder import ANSWERS, LOGS, NOTES, Run, prepare
from situ.evaluate.strategies import find_strategy
from situ.evaluate.strategy import PROXY

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

_CAUSE = re.compile(r"^[\w.]+(?:Error|Exception|Timeout)\w*: \S.*", re.MULTILINE)
PART = 2000  # questions in one task of the engine
LOG_EVERY = 10  # answers between two writes of the log; those in between are kept beside it


@dataclass(frozen=True)
class ModelSettings:
    """Who is asked and how. Empty names mean none apart.

    `proxy` reads narratives and captions, `judge` grades and grades a share of the answers again, and
    `extractor` reads replies that no rule can read.
    """

    model: str
    strategy: str = "direct"
    proxy: str = ""
    judge: str = ""
    regraded: float = 0.1
    extractor: str = ""
    prompt_file: Path | None = None
    base_url: str = ""
    model_args: Mapping[str, Any] = field(default_factory=dict)
    max_tokens: int = 0
    connections: int = 0
    retries: int = 2
    ask_failed_again: bool = False
    template: Template | None = None
    temperature: float | None = None
    top_p: float | None = None

    @property
    def roles(self) -> dict[str, str]:
        named = ((PROXY, self.proxy), (JUDGE, self.judge), (EXTRACTOR, self.extractor))
        return {role: name for role, name in named if name}


def run_model(
    dataset: Dataset, model: ModelSettings, settings: Settings, out: Path, progress: Progress | None = None
) -> Run:
    """Let a model answer every question; after a kill, the same call goes on where it stopped."""
    job = Job.of(dataset, settings)
    find_strategy(model.strategy)
    template = Template.read(model.prompt_file) if model.prompt_file else model.template or Template()
    known = open_model(model)
    card = job.card(
        model.model,
        model.strategy,
        settings,
        prompt=text_hash(template.system, template.user),
        prompt_text={"system": template.system, "user": template.user},
        models=model.roles,
        max_tokens=model.max_tokens,
        temperature=model.temperature,
        top_p=model.top_p,
    )
    finished = prepare(out, card)
    if finished and not model.ask_failed_again:
        return Run.open(out)
    done = {r.id: r for r in read_records(out / ANSWERS)} if (out / ANSWERS).is_file() else {}
    logs = out / LOGS
    if finished:
        done = {i: r for i, r in done.items() if r.status is not Status.FAILED}
        job = replace(job, rows=tuple(row for row in job.rows if row.id not in done))
        logs = out / f"{LOGS}-again-{len(list(out.glob(LOGS + '-again-*'))) + 1}"
    write_records(out / ANSWERS, done.values())  # without failures that are asked again, or a line cut short
    for part in _parts(job, set(done), logs):
        counted = _counting_from(progress, part.start, len(job.rows)) if progress else None
        ask = ModelJob(
            part.job, model.strategy, template, out / NOTES, bool(model.judge), model.regraded,
            bool(model.extractor), progress=counted,
        )  # fmt: skip
        log = _evaluate(ask, model, known, part.logs)
        found = collect(part.job, log, ask.records)
        write_records(out / ANSWERS, (r for r in found if r.id not in done), append=True)
        if progress:
            progress(part.start + len(part.job.rows), len(job.rows))
    return finish(out)


class Part(NamedTuple):
    """Some questions of a run that are one task of the engine, and where its log is."""

    job: Job
    start: int
    logs: Path


def _parts(job: Job, done: Container[str], logs: Path) -> Iterator[Part]:
    """The questions in parts; those that are all answered are left out.

    The engine makes a job of every question at the start of a task and keeps some kilobytes of each until its
    end, so memory is bounded by the size of a part and not by that of the set.
    """
    for start in range(0, len(job.rows), PART):
        rows = job.rows[start : start + PART]
        if all(row.id in done for row in rows):
            continue
        folder = logs if len(job.rows) <= PART else logs / f"part-{start // PART + 1:04d}"
        yield Part(replace(job, rows=rows), start, folder)


def _counting_from(progress: Progress, start: int, total: int) -> Progress:
    return lambda done, _: progress(start + done, total)


def open_model(settings: ModelSettings) -> Any:
    """The engine's model. What it needs and lacks (a key, a package, another name) is said in its words."""
    try:
        from inspect_ai.model import get_model

        from situ.evaluate import registry  # noqa: F401  (registers the canned model)
    except ModuleNotFoundError as error:
        raise MissingExtra("eval", "asking models") from error
    arguments = dict(settings.model_args)
    try:
        return get_model(settings.model, base_url=settings.base_url or None, **arguments)
    except BadInput:
        raise
    except Exception as error:  # every provider has its own error for a missing key or package
        words = " ".join(str(error).split()) or type(error).__name__
        raise BadInput(f"the model '{settings.model}' cannot be used: {words}") from error


def _evaluate(ask: ModelJob, model: ModelSettings, known: Any, logs: Path) -> "EvalLog":
    from situ.evaluate.engine import build_task

    return run_task(build_task(ask, name=f"situ_{ask.job.protocol.benchmark}"), model, known, logs)


def run_task(task: Any, model: ModelSettings, known: Any, logs: Path) -> "EvalLog":
    """A task of the engine on a known model, with the engine's traps avoided; goes on after a kill."""
    from inspect_ai import eval_set

    limits: dict[str, Any] = {}
    if model.max_tokens:
        limits["max_tokens"] = model.max_tokens
    if model.connections:
        limits["max_connections"] = model.connections
    if model.temperature is not None:
        limits["temperature"] = model.temperature
    if model.top_p is not None:
        limits["top_p"] = model.top_p
    _, found = eval_set(
        task,
        log_dir=str(logs),
        model=known,
        model_roles=dict(model.roles) or None,
        retry_attempts=0,
        retry_immediate=False,
        retry_on_error=model.retries,
        fail_on_error=False,
        max_samples=model.connections or None,
        log_images=False,
        log_model_api=False,
        log_buffer=LOG_EVERY,
        display="none",
        score_display=False,
        ctl_server=False,
        **limits,
    )
    log = found[0]
    if log.status == "error" and log.error is not None:
        raise BadInput(
            f"the run stopped: {log.error.message}. What was answered is kept; run the same command to go on."
        )
    return log


def collect(job: Job, log: "EvalLog", known: Mapping[str, AnswerRecord]) -> Iterator[AnswerRecord]:
    """A record for every question of the job: its answer, or why there is none.

    `known` are the answers of this process; those of an earlier one, and failures, are read from the log.
    """
    from inspect_ai.log import read_eval_log_samples

    from situ.evaluate.engine import RECORD

    yield from known.values()
    rows = {row.id: row for row in job.rows if row.id not in known}
    if not rows:
        return
    bulky = {"messages", "events", "store", "attachments"}
    for sample in read_eval_log_samples(log.location, all_samples_required=False, exclude_fields=bulky):
        row = rows.pop(str(sample.id), None)
        if row is not None and RECORD in sample.metadata:
            yield AnswerRecord.from_json(sample.metadata[RECORD])
        elif row is not None:
            yield failed(row, _reason(sample))
    yield from (failed(row, "the run ended before this question was asked") for row in rows.values())


def _reason(sample: Any) -> str:
    if sample.error is None:
        return "no reply, and no reason given by the engine"
    # The engine's message repeats the whole request; the first error of the chain says what happened.
    causes = _CAUSE.findall(sample.error.traceback or "")
    return " ".join((causes[0] if causes else str(sample.error.message)).split())[:300]
