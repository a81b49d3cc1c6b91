"""REM: free-text answers read by rule; macro over the four tasks."""

from collections.abc import Callable

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.rem.verify import claimed
from situ.evaluate.answer import AnswerRecord, Reading
from situ.evaluate.protocols.base import (
    Analysis,
    Protocol,
    Published,
    Tendency,
    binned,
    number,
    stratum_value,
)
from situ.evaluate.replies.parse import final_part, formal_part
from situ.evaluate.stats.aggregate import macro

TASKS = ("comparison", "left_right", "ordering", "counting")
_CONTRACTS = {
    "counting": "Answer with one number in digits and nothing else.",
    "comparison": "Answer with the kind that there were more of, or with 'equal', and nothing else.",
    "ordering": "Going by the first frame that shows each, answer 'before', 'after' or 'same time' "
    "and nothing else.",
}


def _contract(row: QuestionRow) -> str:
    return _CONTRACTS.get(row.task) or f"Answer with {' or '.join(map(repr, row.options))} and nothing else."


def read_by_rule(row: QuestionRow, reply: str) -> Reading:
    """The verifier's reading of what comes after any reasoning, or of what stands inside answer tags."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    rule, part = formal_part(text)
    claim = claimed(row, part)
    return Reading(claim, f"{row.task} {rule}" if claim is not None else "no single claim")


def _count_band(record: AnswerRecord) -> str | None:
    if record.task != "counting" or not record.key.isdigit():
        return None
    return "truth 0–1" if int(record.key) < 2 else "truth ≥ 2"


def _each_truth(record: AnswerRecord) -> str | None:
    return f"truth {record.key}" if record.task == "counting" else None


def _count_off(direction: int) -> Callable[[AnswerRecord], bool]:
    def leans(record: AnswerRecord) -> bool:
        return (int(record.claim or 0) - int(record.key)) * direction > 0

    return leans


def _several(record: AnswerRecord) -> bool:
    return _count_band(record) == "truth ≥ 2" and (record.claim or "").isdigit()


def _difference(record: AnswerRecord) -> str | None:
    first, second = number(record, "first"), number(record, "second")
    if record.task != "comparison" or first is None or second is None:
        return None
    gap = abs(first - second)
    return f"{gap:g}" if gap < 5 else "5+"


def _row(
    system: str, overall: float, *tasks: float, data: str = "REM Baseline, 47,019 questions"
) -> Published:
    return Published(system, overall, dict(zip(TASKS, tasks, strict=True)), data)


_MINI = "REM Mini, 154 questions"
REM = Protocol(
    benchmark="rem",
    title="REM",
    scene="You are shown {shown}, taken by one camera that walked through a static "
    "place with coloured spheres, cones, cuboids, cylinders and other solids on the ground.",
    contract=_contract,
    letters=lambda row: False,
    show_actions=True,
    parsers={"rule": read_by_rule},
    aggregate=macro("the four tasks"),
    analyses=(
        Analysis("counting: truth", _count_band, ("truth 0–1", "truth ≥ 2")),
        Analysis("counting: each truth", _each_truth),
        Analysis("comparison: difference of the counts", _difference, ("0", "1", "2", "3", "4", "5+")),
        Analysis("frames", stratum_value("frames"), ("1", "2", "4", "8", "16", "24", "32", "64"), True),
        binned("objects_seen", (0, 6, 12, 18, 24, 30)),
        binned("repeats_in_scene", (0, 1, 4, 8, 16, 24)),
    ),
    tendencies=(
        Tendency("counting, truth ≥ 2: said too few", _several, _count_off(-1)),
        Tendency("counting, truth ≥ 2: said too many", _several, _count_off(1)),
    ),
    published=(
        _row("o3", 80.0, 78.3, 92.3, 88.4, 60.9),
        _row("GPT-4o", 61.7, 57.9, 61.4, 73.0, 54.3),
        _row("Gemini 1.5 Pro", 59.6, 54.3, 67.7, 69.0, 47.4),
        _row("Gemini 1.5 Flash", 58.2, 59.5, 59.5, 65.8, 47.8),
        _row("Nova Lite", 38.7, 38.1, 51.3, 43.4, 21.9),
        _row("human", 97.8, 96.3, 99.3, 98.2, 97.5, data=_MINI),
        _row("o3", 80.1, 64.1, 100.0, 83.8, 72.5, data=_MINI),
        _row("Gemini 2.5 Pro", 79.4, 74.0, 78.9, 94.6, 70.0, data=_MINI),
        _row("Gemini 1.5 Pro", 58.4, 51.3, 71.1, 51.4, 60.0, data=_MINI),
        _row("GPT-4o", 57.1, 56.0, 57.9, 59.5, 55.0, data=_MINI),
    ),
)
