"""Running a participant over a question set, into a run folder that can be continued."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput, SituError
from situ.evaluate.answer import AnswerRecord, Effort, failed, read_records, write_records
from situ.evaluate.frames import FramePolicy, PictureStore
from situ.evaluate.participants import Setting, make_participant, own_frames, timed
from situ.evaluate.protocols import protocol_of
from situ.evaluate.protocols.base import Protocol
from situ.evaluate.run_folder import ANSWERS, Run, prepare, read_card, write_card
from situ.evaluate.score import parser_name, scored

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """What shapes a run besides who answers. Empty texts mean the protocol's own choice,
    or the participant's where it has one."""

    frames: str = ""
    protocol: str = ""
    parser: str = ""
    seed: int = 0
    limit: int = 0
    preset: str = ""


@dataclass(frozen=True)
class Job:
    """Settings made concrete for one question set."""

    dataset: Dataset
    protocol: Protocol
    frames: FramePolicy
    parser: str
    rows: tuple[QuestionRow, ...]

    @classmethod
    def of(cls, dataset: Dataset, settings: Settings) -> "Job":
        protocol = protocol_of(settings.protocol or str(dataset.manifest["benchmark"]))
        rows = [row for row in ordered(dataset.questions) if protocol.asks(row)]
        if not rows:
            raise BadInput(f"{dataset.folder} has no question that {protocol.title} is scored on")
        return cls(
            dataset,
            protocol,
            FramePolicy.parse(settings.frames or protocol.frames),
            parser_name(protocol, settings.parser),
            tuple(rows[: settings.limit] if settings.limit else rows),
        )

    def card(self, who: str, strategy: str, settings: Settings, **more: Any) -> dict[str, Any]:
        return {
            "dataset": str(self.dataset.folder.resolve()),
            "dataset_hash": self.dataset.manifest.get("content_hash", ""),
            "benchmark": self.dataset.manifest["benchmark"],
            "recipe": self.dataset.manifest.get("recipe", {}),
            "who": who,
            "strategy": strategy,
            "frames": str(self.frames),
            "protocol": self.protocol.benchmark,
            "parser": self.parser,
            "formula": self.protocol.formula,
            "seed": settings.seed,
            "limit": settings.limit,
            "preset": settings.preset,
            "prompt": "",
            "models": {},
            "questions": len(self.rows),
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            **more,
        }


def ordered(rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """Recording by recording, so that frames are read once."""
    return sorted(rows, key=lambda row: (row.item, row.id))


def run_participant(
    dataset: Dataset, name: str, settings: Settings, out: Path, progress: Progress | None = None
) -> Run:
    """Let a registered participant answer every question; answers that are already in the folder are kept."""
    settings = replace(settings, frames=settings.frames or own_frames(name))
    job = Job.of(dataset, settings)
    who = make_participant(name, Setting(dataset, job.frames, settings.seed))
    if prepare(out, job.card(name, "", settings, own_frames=own_frames(name))):
        return Run.open(out)
    done = {r.id: r for r in read_records(out / ANSWERS)} if (out / ANSWERS).is_file() else {}
    write_records(out / ANSWERS, done.values())  # drops a line that was cut short
    store = PictureStore(dataset.recording)
    for number, row in enumerate(job.rows, 1):
        if row.id not in done:
            write_records(out / ANSWERS, [_answer(who, job, store, row)], append=True)
        if progress:
            progress(number, len(job.rows))
    return finish(out)


def _answer(who: Any, job: Job, store: PictureStore, row: QuestionRow) -> AnswerRecord:
    start = time.perf_counter()
    try:
        recording = store.recording(row.item)
        reply = timed(who, recording, row)
        shown = job.frames.pick(recording, row)
    except SituError as error:  # a missing or damaged recording costs its own questions, not the run
        return failed(row, str(error), Effort(seconds=time.perf_counter() - start))
    return scored(job.protocol, job.parser, row, reply, frames=len(shown))


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
