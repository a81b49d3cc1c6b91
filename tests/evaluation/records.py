"""Answer records for tests of statistics."""

from situ.evaluation.records.answer import AnswerRecord, Status


def record(
    item: str, task: str, points: float, id: str = "", key: str = "k", **strata: object
) -> AnswerRecord:
    name = id or f"{item}-{task}-{points}"
    return AnswerRecord(
        name, item, task, key, key, key, "exact", Status.ANSWERED, "", float(points), strata=strata
    )
