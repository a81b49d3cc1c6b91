"""Running a model over a question set through the engine, into a run folder that can be continued."""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput, SituError
from situ.evaluation.models.connect import Unreachable, health_check, open_model, open_roles, try_once
from situ.evaluation.models.model_job import ModelJob
from situ.evaluation.models.prompt import Template, text_hash
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.models.strategies import REMEMBERING, find_strategy
from situ.evaluation.models.watchdog import LEAST_FAILURES, Watchdog
from situ.evaluation.participants.memory_cache import Memories
from situ.evaluation.records.answer import AnswerRecord, failed, write_records
from situ.evaluation.runs.run import Job, Progress, Settings, finish, memories_of
from situ.evaluation.runs.run_folder import ANSWERS, CARD, LOGS, NOTES, Run, answered, held, prepare

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

_CAUSE = re.compile(r"^(?P<kind>[\w.]+(?:Error|Exception|Timeout)\w*): (?P<said>\S.*)", re.MULTILINE)
PROVIDERS = ("openai.", "anthropic.", "google.", "httpx.", "httpcore.", "inspect_ai.")  # whose errors it is
LONGEST_REASON = 280  # characters
PART = 2000  # questions in one task of the engine
LOG_EVERY = 10  # answers between two writes of the log
WITHOUT_PICTURES = ("blind", "given-narrative", "oracle-narrative", "mcp")


def run_model(
    dataset: Dataset,
    model: ModelSettings,
    settings: Settings,
    out: Path,
    progress: Progress | None = None,
    notes: Path | None = None,
) -> Run:
    """Let a model answer every question; after a kill or Ctrl-C, the same call goes on where it stopped.

    Every answer is written down as it comes, so that nothing but what was in flight is ever asked again.
    `notes` is where texts about whole recordings are kept, where several runs share them.
    """
    job = Job.of(dataset, settings)
    find_strategy(model.strategy)
    _need_pictures(job, model.strategy)
    rests_on = _rests_on(job, model.strategy, settings)
    template = Template.read(model.prompt_file) if model.prompt_file else model.template or Template()
    fresh = not (out / CARD).exists()
    tried = fresh and health_check(model)
    known, roles = open_model(model), open_roles(model)
    card = job.card(
        model.model,
        model.strategy,
        settings,
        prompt=text_hash(template.system, template.user),
        prompt_text={"system": template.system, "user": template.user},
        memories=memories_of(job, settings),
        rests_on=rests_on,
        **model.identity(),
    )
    if fresh and not tried:
        try_once(model)  # a server that is not there leaves no run behind
    finished = prepare(out, card)
    if finished and not model.ask_failed_again:
        return Run.open(out)
    with held(out):
        done = answered(out, without_failed=model.ask_failed_again)
        left = tuple(row for row in job.rows if row.id not in done)
        if left and not fresh and not health_check(model):
            try_once(model)
        logs = out / (LOGS if not (out / LOGS).exists() else f"{LOGS}-{len(list(out.glob(LOGS + '*'))) + 1}")
        watchdog = Watchdog(model.timeout, max(LEAST_FAILURES, model.connections), model.model)
        for start in range(0, len(left), PART):
            part = replace(job, rows=left[start : start + PART])
            folder = logs if len(left) <= PART else logs / f"part-{start // PART + 1:04d}"
            ask = ModelJob(
                part, model.strategy, template, notes or out / NOTES, bool(model.judge), model.regraded,
                bool(model.extractor), model.retries,
                keep=lambda record: write_records(out / ANSWERS, [record], append=True),
                progress=_counting_from(progress, len(done) + start, len(job.rows)) if progress else None,
                watchdog=watchdog, prices=(model.price_in, model.price_out), memories=settings.memories,
                prompts=model.prompts, proxy_thinking=model.proxy_thinking,
            )  # fmt: skip
            try:
                log = _evaluate(ask, model, known, roles, folder)
            except (KeyboardInterrupt, BadInput):
                if not watchdog.lost:
                    raise
            if watchdog.lost:
                raise Unreachable(
                    f"{watchdog.reason}: {len(answered(out))} of {len(job.rows)} questions are answered and "
                    "kept. Run the same command to go on."
                )
            write_records(out / ANSWERS, failures(part, log, ask.records), append=True)
        return finish(out)


def _rests_on(job: Job, strategy: str, settings: Settings) -> str:
    """What the memories that a strategy uses were made of; "" where it uses none."""
    if strategy not in REMEMBERING:
        if settings.memories:
            raise BadInput(f"the strategy {strategy} takes no --memories; {', '.join(REMEMBERING)} do")
        return ""
    memories, items = Memories(settings.memories), [row.item for row in job.rows]
    memories.check(job.dataset, items)
    return memories.rest_on(job.dataset, items)


def _need_pictures(job: Job, strategy: str) -> None:
    """BadInput where a model would be shown frames and the set holds words alone."""
    if strategy in WITHOUT_PICTURES:
        return
    try:
        shown = job.dataset.recording(job.rows[0].item).has_images
    except SituError:  # a recording that is missing or damaged costs its own questions
        return
    if not shown:
        raise BadInput(
            f"{job.dataset.folder} holds words alone, and the strategy {strategy} shows frames. Import the "
            f"set with its videos or pictures, or take a strategy without: {', '.join(WITHOUT_PICTURES)}"
        )


def _counting_from(progress: Progress, start: int, total: int) -> Progress:
    return lambda done, _: progress(start + done, total)


def _evaluate(
    ask: ModelJob, model: ModelSettings, known: Any, roles: Mapping[str, Any], logs: Path
) -> "EvalLog":
    from situ.evaluation.models.engine import build_task

    return run_task(build_task(ask, name=f"situ_{ask.job.protocol.benchmark}"), model, known, roles, logs)


def run_task(
    task: Any, model: ModelSettings, known: Any, roles: Mapping[str, Any], logs: Path, retries: int = 0
) -> "EvalLog":
    """A task of the engine on a known model, with the engine's traps avoided."""
    from inspect_ai import eval_set

    _, found = eval_set(
        task,
        log_dir=str(logs),
        model=known,
        model_roles=dict(roles) or None,
        retry_attempts=0,
        retry_immediate=False,
        retry_on_error=retries,
        fail_on_error=False,
        max_samples=model.connections or None,
        log_images=False,
        log_model_api=False,
        log_buffer=LOG_EVERY,
        display="none",
        score_display=False,
        ctl_server=False,
        **model.sampling(),
    )
    if not found or found[0].status == "cancelled":  # the engine keeps Ctrl-C to itself
        raise KeyboardInterrupt
    log = found[0]
    if log.status == "error" and log.error is not None:
        raise BadInput(
            f"the run stopped: {log.error.message}. What was answered is kept; run the same command to go on."
        )
    return log


def failures(job: Job, log: "EvalLog", known: Container[str]) -> Iterator[AnswerRecord]:
    """A record for every question that has no answer: why there is none."""
    rows = {row.id: row for row in job.rows if row.id not in known}
    if not rows:
        return
    from inspect_ai.log import read_eval_log_samples

    bulky = {"messages", "events", "store", "attachments"}
    for sample in read_eval_log_samples(log.location, all_samples_required=False, exclude_fields=bulky):
        row = rows.pop(str(sample.id), None)
        if row is not None:
            yield failed(row, _reason(sample))
    yield from (failed(row, "the run ended before this question was asked") for row in rows.values())


def _reason(sample: Any) -> str:
    if sample.error is None:
        return "no reply, and no reason given by the engine"
    # The engine's message repeats the whole request; the first error of the chain says what happened.
    cause = _CAUSE.search(sample.error.traceback or "")
    said = " ".join((cause["said"] if cause else str(sample.error.message)).split())[:LONGEST_REASON]
    return f"the provider failed: {said}" if cause and cause["kind"].startswith(PROVIDERS) else said
