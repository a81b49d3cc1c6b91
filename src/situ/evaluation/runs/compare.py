"""Two runs side by side: overall and task by task."""

from typing import NamedTuple

from situ.errors import BadInput
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.stats.aggregate import MICRO
from situ.evaluation.stats.paired import Comparison, compare, holm_known

NOTE = (
    "Recordings, not questions, are the sample: p and interval come from Student's t over recordings, or "
    "from McNemar's exact test where every recording has one question. Holm's p-values may be read together."
)


def compare_runs(a: Run, b: Run) -> dict[str, tuple[Comparison, float | None]]:
    """Comparisons with p-values corrected over the tasks; the overall one is not part of the correction."""
    if a.card["dataset_hash"] != b.card["dataset_hash"]:
        raise BadInput(
            f"{a.folder} and {b.folder} were made on different question sets; "
            "only runs on one set are comparable"
        )
    if a.card["protocol"] != b.card["protocol"]:
        raise BadInput(
            f"{a.folder} is scored as {a.card['protocol']}, {b.folder} as {b.card['protocol']}; a gap means "
            "something only under one aggregation. Run one of them again with --protocol"
        )
    overall = compare(a.records, b.records, a.protocol.aggregate)
    tasks = sorted({record.task for record in a.records} & {record.task for record in b.records})
    by_task = {
        task: compare(
            [r for r in a.records if r.task == task], [r for r in b.records if r.task == task], MICRO
        )
        for task in tasks
    }
    corrected = holm_known([comparison.p for comparison in by_task.values()])
    return {
        "overall": (overall, overall.p),
        **{task: (by_task[task], p) for task, p in zip(tasks, corrected, strict=True)},
    }


class WrongAnswers(NamedTuple):
    """The wrong answers of a second run: those that the first gave as well, and others.

    Where the second was given something more, such as a picture from above, the first kind ignores it and the
    second misreads it, or is wrong for a reason of its own.
    """

    as_before: int
    others: int


def wrong_answers(a: Run, b: Run) -> WrongAnswers:
    """Of the questions that both runs answered."""
    said = {record.id: record.claim for record in a.records}
    wrong = [record for record in b.records if record.points < 1.0 and record.id in said]
    alike = sum(record.claim is not None and record.claim == said[record.id] for record in wrong)
    return WrongAnswers(alike, len(wrong) - alike)
