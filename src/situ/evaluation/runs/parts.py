"""A participant's run in parts that any runner can run: each answers whole recordings and commits one file.

RUN/parts/00017-HASH.jsonl   the answers of a part, written when all are there; HASH is of its questions

Parts are joined into the run when all are committed. A part that is made twice is the same part.
"""

import hashlib
import importlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from situ.benchmarks.dataset import Dataset, QuestionRow, write_atomically
from situ.evaluation.participants.base import module_of
from situ.evaluation.records.answer import read_records, write_records
from situ.evaluation.runs.job import Job, Settings
from situ.evaluation.runs.processes import Answering
from situ.evaluation.runs.run import begun, finish
from situ.evaluation.runs.run_folder import ANSWERS, Run, answered, held
from situ.tasks import Outcome, Runner, Task

PARTS = "parts"
MOST_PARTS = 1000  # of one run: each is a file, and a task of a queue
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Part:
    """All that is needed to answer one part, on any machine that sees the set and the run's folder."""

    dataset: Path
    name: str
    module: str
    settings: Settings
    out: Path
    number: int


def run_in_parts(
    dataset: Dataset,
    name: str,
    settings: Settings,
    out: Path,
    runner: Runner,
    command: Sequence[str] = (),
    progress: Progress | None = None,
) -> tuple[Outcome, Run | None]:
    """Have the parts that are missing answered; the run, unless some are still in a queue.

    `command` is the command line that answers a part; the part's number is put at its end.
    """
    report = progress or (lambda done, total: None)
    settings, job, complete = begun(dataset, name, settings, out)
    if complete:
        return Outcome(), Run.open(out)
    with held(out):
        (out / PARTS).mkdir(exist_ok=True)
        parts, done = _parts(job), answered(out)
        missing = [
            number
            for number, rows in enumerate(parts)
            if not (_file(out, number, rows).is_file() or all(row.id in done for row in rows))
        ]
        about = (dataset.folder.absolute(), name, module_of(name), settings, out.absolute())
        tasks = [
            Task(f"part {number}", answer_part, Part(*about, number), _numbered(command, number))
            for number in missing
        ]
        outcome = runner.run(tasks, report)
        outcome.stop_if_failed(len(tasks), f"parts of {out} could not be answered")
        if outcome.queued:
            return outcome, None
        return outcome, _joined(out, job, parts)


def _numbered(command: Sequence[str], number: int) -> tuple[str, ...]:
    return (*command[:-1], f"{command[-1]}{number}") if command else ()


def answer_part(part: Part) -> None:
    """Answer one part and commit it; one that is there already is left alone."""
    importlib.import_module(part.module)
    dataset = Dataset.open(part.dataset)
    rows = _parts(Job.of(dataset, part.settings))[part.number]
    file = _file(part.out, part.number, rows)
    if file.is_file():
        return
    who = Answering.of(dataset, part.name, part.settings)
    lines = [json.dumps(who.answer(row).to_json(), sort_keys=True) + "\n" for row in rows]
    write_atomically(file, "".join(lines).encode())


def answer_one_part(dataset: Dataset, name: str, settings: Settings, out: Path, number: int) -> None:
    """The part of a run that was begun elsewhere: what `command` comes to on a node of a cluster."""
    settings, _, complete = begun(dataset, name, settings, out)
    if not complete:
        folder = dataset.folder.absolute()
        answer_part(Part(folder, name, module_of(name), settings, out.absolute(), number))


def _parts(job: Job) -> list[list[QuestionRow]]:
    """Whole recordings, dealt out in their order, so that every part has about as many."""
    groups = [list(rows) for _, rows in groupby(job.rows, key=lambda row: row.item)]
    count = min(MOST_PARTS, len(groups))
    return [[row for group in groups[number::count] for row in group] for number in range(count)]


def _file(out: Path, number: int, rows: Sequence[QuestionRow]) -> Path:
    """Where a part is committed: with more questions (`--limit` was raised) it is another one."""
    digest = hashlib.sha256("\n".join(row.id for row in rows).encode()).hexdigest()[:12]
    return out / PARTS / f"{number:05d}-{digest}.jsonl"


def _joined(out: Path, job: Job, parts: Sequence[Sequence[QuestionRow]]) -> Run:
    """All parts as one run, in the order of the questions."""
    for number, rows in enumerate(parts):
        file = _file(out, number, rows)
        if file.is_file():
            write_records(out / ANSWERS, read_records(file), append=True)
    answered(out, order=[row.id for row in job.rows])
    run = finish(out)
    shutil.rmtree(out / PARTS)
    return run
