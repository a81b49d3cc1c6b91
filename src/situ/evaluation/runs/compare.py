"""Two runs side by side: overall and task by task."""

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
