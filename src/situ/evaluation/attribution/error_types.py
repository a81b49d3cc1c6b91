"""What kind of error a wrong answer is: of the state over time, of visual memory, or of spatial reasoning.

The published kinds were told by hand. Here they follow from the key's own program and from the frames:
an answer that was right at an earlier moment of the recording is one of a state that was not kept up; of the
others, evidence that had left the frames shown is one of memory, and the rest one of reasoning.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput, SituError
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.runs.run_folder import Run
from situ.state import TruthState

STATE, MEMORY, REASONING = "temporal state tracking", "visual memory", "spatial reasoning"
KINDS = (REASONING, STATE, MEMORY)
MOST_MOMENTS = 40
RECENT_S = 64.0  # seconds that the published frame policy shows


@dataclass(frozen=True)
class ErrorTypes:
    """The kind of every wrong answer of a run."""

    who: str
    questions: int
    kinds: tuple[tuple[str, str], ...]  # task and kind of each wrong answer

    def shares(self, task: str | None = None) -> dict[str, float]:
        """Percent of the wrong answers that are of each kind."""
        mine = [kind for of, kind in self.kinds if task in (None, of)]
        counts = Counter(mine)
        return {kind: 100.0 * counts[kind] / len(mine) for kind in KINDS} if mine else {}

    def to_json(self) -> dict[str, Any]:
        tasks = sorted({task for task, _ in self.kinds})
        return {
            "who": self.who,
            "questions": self.questions,
            "wrong": len(self.kinds),
            "shares": self.shares(),
            "by_task": {task: self.shares(task) for task in tasks},
        }


def error_types(run: Run) -> ErrorTypes:
    """The kinds of all wrong answers of a run whose questions have programs and moments."""
    dataset = run.dataset()
    if dataset is None:
        raise BadInput(f"the question set {run.card['dataset']} is gone or was changed; restore it")
    rows = {row.id: row for row in dataset.questions}
    wrong = sorted((r for r in run.records if r.points < 1.0), key=lambda r: (r.item, r.id))
    kinds, recording = [], None
    for record in wrong:
        if recording is None or recording.folder.name != record.item:
            recording = dataset.recording(record.item)
            truth = TruthState.of(recording)
        kinds.append((record.task, kind_of_error(record, rows[record.id], truth)))
    return ErrorTypes(str(run.card["who"]), len(run.records), tuple(kinds))


def kind_of_error(record: AnswerRecord, row: QuestionRow, truth: TruthState) -> str:
    claim = record.claim
    if claim is not None and any(_said(row, truth, time) == claim for time in _moments(row, truth)):
        return STATE
    age = row.strata.get("evidence_age_s")
    shown = float(record.frames) if record.frames else RECENT_S
    return MEMORY if isinstance(age, (int, float)) and age > shown else REASONING


def _moments(row: QuestionRow, truth: TruthState) -> Sequence[float]:
    """Times before a question, the latest first, at which the answer may have been another."""
    now = truth.now if row.time is None else row.time
    times = [float(t) for t in truth.path.times if t < now - 1.0]
    step = max(1, -(-len(times) // MOST_MOMENTS))
    return times[::-step]


def _said(row: QuestionRow, truth: TruthState, time: float) -> str | None:
    try:
        return row.question.answer(truth.as_of(time)).text
    except (SituError, KeyError, ValueError):
        return None
