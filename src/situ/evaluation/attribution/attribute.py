"""Why answers were wrong: each stage of a memory is replaced by the truth until the answer comes right.

A failure is laid to the first stage, in the order in which information flows, whose replacement alone
repairs it. Where no single one does, stages are replaced one after the other until it is right, and the
last one replaced is the cause. Every failure gets exactly one cause, so the shares add up to 100 %.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import table
from situ.errors import BadInput, Unanswerable
from situ.evaluation.participants.simulated import FAULTS
from situ.evaluation.participants.stages import STAGES, StagedMemory
from situ.evaluation.runs.run_folder import Run
from situ.recording import Recording

UNEXPLAINED = "unexplained"
SEEING = {"memory-pixels": False, "memory-rgb": True}  # whether poses are found by what is seen
ATTRIBUTABLE = (*FAULTS, *SEEING)


class Staged(Protocol):
    """A participant in stages, in the order in which information flows. `alone` are those whose replacement
    leaves the others as they are."""

    stages: tuple[str, ...]
    alone: tuple[str, ...]

    def answer(self, recording: Recording, row: QuestionRow, true: Sequence[str] = ()) -> str: ...


@dataclass(frozen=True)
class Failure:
    """A wrong answer and its cause. `alone` says whether the one replacement was enough."""

    id: str
    task: str
    cause: str
    alone: bool


@dataclass(frozen=True)
class Attribution:
    """The causes of all the failures of a run."""

    who: str
    questions: int
    failures: tuple[Failure, ...]
    stages: tuple[str, ...] = STAGES

    def shares(self, task: str | None = None) -> dict[str, float]:
        """Percent of the failures that each stage caused."""
        mine = [f for f in self.failures if task is None or f.task == task]
        counts = Counter(failure.cause for failure in mine)
        causes = (*self.stages, UNEXPLAINED) if mine else ()
        return {cause: 100.0 * counts[cause] / len(mine) for cause in causes}

    def to_json(self) -> dict[str, Any]:
        return {
            "who": self.who,
            "questions": self.questions,
            "failures": len(self.failures),
            "shares": self.shares(),
            "published": table("ucs", "Table 4").column("share"),
            "by_task": {task: self.shares(task) for task in sorted({f.task for f in self.failures})},
            "items": [vars(failure) for failure in self.failures],
        }


def attribute_run(run: Run, progress: Callable[[int, int], None] | None = None) -> Attribution:
    """Find the cause of every wrong answer of a run by a participant with stages."""
    who = str(run.card["who"])
    if who not in ATTRIBUTABLE:
        raise BadInput(
            f"the run is by '{who}', whose stages cannot be replaced; "
            f"attributable are {', '.join(ATTRIBUTABLE)}. Run `situ eval` with one of them"
        )
    dataset = run.dataset()
    if dataset is None:
        raise BadInput(f"the question set {run.card['dataset']} is gone or was changed; restore it")
    rows = {row.id: row for row in dataset.questions}
    memory = _staged(who, int(run.card.get("seed", 0)))
    wrong = sorted((r for r in run.records if r.points < 1.0), key=lambda r: (r.item, r.id))
    failures, recording = [], None
    for number, record in enumerate(wrong, 1):
        if recording is None or recording.folder.name != record.item:
            recording = dataset.recording(record.item)
        cause, alone = cause_of(memory, recording, rows[record.id])
        failures.append(Failure(record.id, record.task, cause, alone))
        if progress:
            progress(number, len(wrong))
    return Attribution(who, len(run.records), tuple(failures), memory.stages)


def _staged(who: str, seed: int) -> Staged:
    if who in FAULTS:
        return StagedMemory(FAULTS[who][0], seed)
    from situ.evaluation.participants.pixel_stages import PixelStages  # loaded when needed

    return PixelStages(SEEING[who])


def cause_of(memory: Staged, recording: Recording, row: QuestionRow) -> tuple[str, bool]:
    """The stage that made an answer wrong, and whether its replacement alone repairs it."""
    for stage in memory.alone:
        if _right(memory, recording, row, (stage,)):
            return stage, True
    for count in range(2, len(memory.stages) + 1):
        if _right(memory, recording, row, memory.stages[:count]):
            return memory.stages[count - 1], False
    return UNEXPLAINED, False


def _right(memory: Staged, recording: Recording, row: QuestionRow, true: Iterable[str]) -> bool:
    try:
        return memory.answer(recording, row, tuple(true)) == row.answer
    except Unanswerable:
        return False
