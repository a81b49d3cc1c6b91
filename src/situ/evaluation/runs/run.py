"""Running a participant over a question set, into a run folder that can be continued."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput
from situ.evaluation.participants.base import PARTICIPANTS, own_frames, takes_memories
from situ.evaluation.records.answer import write_records
from situ.evaluation.runs.job import Job as Job
from situ.evaluation.runs.job import Settings as Settings
from situ.evaluation.runs.processes import answers
from situ.evaluation.runs.run_folder import ANSWERS, Run, answered, held, prepare, read_card, write_card

Progress = Callable[[int, int], None]


def run_participant(
    dataset: Dataset,
    name: str,
    settings: Settings,
    out: Path,
    progress: Progress | None = None,
    jobs: int = 1,
) -> Run:
    """Let a registered participant answer every question; answers that are already in the folder are kept."""
    settings, job, complete = begun(dataset, name, settings, out)
    if complete:
        return Run.open(out)
    with held(out):
        done = answered(out)
        left = [row for row in job.rows if row.id not in done]
        for number, record in enumerate(answers(dataset, name, settings, left, jobs), len(done) + 1):
            write_records(out / ANSWERS, [record], append=True)
            if progress:
                progress(number, len(job.rows))
        if jobs > 1:  # answers were written as they came
            answered(out, order=[row.id for row in job.rows])
        return finish(out)


def begun(dataset: Dataset, name: str, settings: Settings, out: Path) -> tuple[Settings, Job, bool]:
    """A participant's run, begun or gone on with: settings and job as they concern it, and whether it is
    complete already."""
    memories = settings.memories if takes_memories(name) else None
    settings = replace(settings, frames=settings.frames or own_frames(name), memories=memories)
    job = Job.of(dataset, settings)
    card = job.card(
        name,
        "",
        settings,
        own_frames=own_frames(name),
        memories=memories_of(job, settings),
        rests_on=_made_from(settings),
    )
    return settings, job, prepare(out, card)


def _made_from(settings: Settings) -> str:
    """What stands in the place of a folder of memories, in words."""
    if settings.memories is None:
        return ""
    from situ.evaluation.participants.memory_cache import (
        MADE_FROM,  # loaded when needed: it is slow to import
    )

    return MADE_FROM.get(str(settings.memories), "")


def check_participants(dataset: Dataset, names: Sequence[str], settings: Settings) -> None:
    """BadInput, before anybody answers, where a participant is not known or memories are missing."""
    users = [name for name in names if takes_memories(name)]
    if settings.memories is None:
        return
    if not users:
        able = ", ".join(name for name in PARTICIPANTS if takes_memories(name))
        raise BadInput(f"{', '.join(names)} takes no --memories; these participants do: {able}")
    memories_of(Job.of(dataset, settings), settings)


def memories_of(job: Job, settings: Settings) -> str:
    """What the memories are that a run rests on, for its card; BadInput where some are missing."""
    if settings.memories is None:
        return ""
    from situ.evaluation.participants.memory_cache import Memories  # loaded when needed: it is slow to import

    memories, items = Memories(settings.memories), [row.item for row in job.rows]
    memories.check(job.dataset, items)
    return memories.content(items)


def finish(out: Path) -> Run:
    """Note in the card that the run is complete, and its totals."""
    run = Run.open(out)
    efforts = [record.effort for record in run.records]
    costs = [effort.cost for effort in efforts if effort.cost is not None]
    statuses: dict[str, int] = {}
    for record in run.records:
        statuses[record.status.value] = statuses.get(record.status.value, 0) + 1
    card = {
        **read_card(out),
        "complete": True,
        "statuses": statuses,
        "seconds": sum(effort.seconds for effort in efforts),
        "calls": sum(effort.calls for effort in efforts),
        "input_tokens": sum(effort.input_tokens for effort in efforts),
        "output_tokens": sum(effort.output_tokens for effort in efforts),
        "cost": sum(costs) if costs else None,
        "score": run.protocol.aggregate.score(run.records),
    }
    write_card(out, card)
    return Run(out, card)
