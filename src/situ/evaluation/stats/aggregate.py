"""From points per question to one score: the mean over questions (micro) or over tasks (macro).

Both are functions of the sum and the number of points per task, so that sums over recordings are all that
statistics need.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.evaluation.records.answer import AnswerRecord

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Aggregate:
    """`groups` puts tasks that count as one together; they are averaged first. Micro has none."""

    name: str
    formula: str
    macro: bool = False
    groups: Mapping[str, str] = field(default_factory=dict)

    def value(self, tasks: Sequence[str], sums: Floats, counts: Floats) -> Floats:
        """Scores from sums and counts of shape (..., tasks). A task without questions is left out."""
        if not self.macro:
            return _ratio(sums.sum(axis=-1), counts.sum(axis=-1))
        per_task = _ratio(sums, counts)
        names = [self.groups.get(task, task) for task in tasks]
        groups = sorted(set(names))
        member = np.array([[name == group for name in names] for group in groups], float)
        per_group = _masked_mean(per_task[..., None, :], member)
        return _masked_mean(per_group, np.ones(len(groups)))

    def weights(self, tasks: Sequence[str]) -> Floats:
        """What each task counts for in a macro score; they sum to 1."""
        names = [self.groups.get(task, task) for task in tasks]
        return np.array([1 / names.count(name) / len(set(names)) for name in names])

    def score(self, records: Sequence[AnswerRecord]) -> float:
        tasks, _, sums, counts = totals(records)
        return float(self.value(tasks, sums.sum(axis=0), counts.sum(axis=0)))


MICRO = Aggregate("micro", "score = points of all questions / number of questions")


def macro(what: str = "tasks", groups: Mapping[str, str] | None = None) -> Aggregate:
    return Aggregate(
        "macro", f"score = mean over {what} of (points of the task / its questions)", True, groups or {}
    )


def totals(records: Sequence[AnswerRecord]) -> tuple[list[str], list[str], Floats, Floats]:
    """Tasks, recordings, and the sum and number of points of each recording (rows) in each task."""
    tasks = sorted({record.task for record in records})
    items = sorted({record.item for record in records})
    task_at = {task: i for i, task in enumerate(tasks)}
    item_at = {item: i for i, item in enumerate(items)}
    sums, counts = np.zeros((len(items), len(tasks))), np.zeros((len(items), len(tasks)))
    for record in records:
        place = item_at[record.item], task_at[record.task]
        sums[place] += record.points
        counts[place] += 1
    return tasks, items, sums, counts


def _ratio(sums: Floats, counts: Floats) -> Floats:
    ratio: Floats = np.divide(sums, counts, out=np.full(np.shape(sums), np.nan), where=counts > 0)
    return ratio


def _masked_mean(values: Floats, weights: Floats) -> Floats:
    """Weighted mean over the last axis, without what is not a number."""
    known = ~np.isnan(values)
    total = (known * weights).sum(axis=-1)
    return _ratio(np.where(known, values * weights, 0.0).sum(axis=-1), total)
