"""REM: free-text answers read by rule; macro over the tasks."""

import re
from collections.abc import Callable, Collection

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import table
from situ.benchmarks.rem.scenes import COLORS, SHAPES
from situ.benchmarks.rem.verify import claimed
from situ.evaluation.protocols.base import (
    Analysis,
    Crossed,
    Protocol,
    Published,
    Tendency,
    binned,
    number,
    stratum_value,
)
from situ.evaluation.records.answer import AnswerRecord, Reading
from situ.evaluation.replies.choice import read_choice
from situ.evaluation.replies.number import read_number
from situ.evaluation.replies.unwrap import final_part, formal_answer, untagged
from situ.evaluation.stats.aggregate import macro
from situ.questions.scene.counting import EQUAL

TASKS = ("comparison", "left_right", "ordering", "counting")
_CONTRACTS = {
    "counting": "Answer with one number in digits and nothing else.",
    "comparison": "Answer with the kind that there were more of, or with 'equal', and nothing else.",
    "ordering": "Going by the first frame that shows each, answer 'before', 'after' or 'same time' "
    "and nothing else.",
}

_YES_NO = {"yes": ("yes", "yep", "true", "y", "yeah"), "no": ("no", "n", "nope", "false")}
_MOMENTS = {
    "before": ("before",), "after": ("after",), "same time": ("same time", "sametime", "simultaneous"),
}  # fmt: skip
_EQUAL = ("equal", "same", "tie")


def _contract(row: QuestionRow) -> str:
    return _CONTRACTS.get(row.task) or f"Answer with {' or '.join(map(repr, row.options))} and nothing else."


def read_by_rule(row: QuestionRow, reply: str) -> Reading:
    """The verifier's reading of what comes after any reasoning, or of what stands inside answer tags."""
    text = final_part(reply)
    if not text:
        return Reading(None, "unfinished reasoning" if text is None else "empty")
    formal = formal_answer(text)
    rule, part = (formal.rule, formal.part) if formal else ("whole reply", text)
    claim = claimed(row, part)
    if claim is not None:
        return Reading(claim, f"{row.task} {rule}")
    # The verifier knows the words of short answers; of longer ones it takes every word for a claim.
    reading = read_choice(reply, row.options, lettered=False) if row.options else read_number(reply)
    return reading if reading.claim is not None else Reading(None, "no single claim")


def read_as_published(row: QuestionRow, reply: str) -> Reading:
    """The published verifier's reading: the first digits of a count; else one keyword, and no other.

    Of a comparison it takes the first colour and the first shape that are named, and asks which option they
    fit. A reply that it leaves to people claims nothing.
    """
    text = untagged(reply).lower().strip(" \t\n.!?")
    if row.task == "counting":
        digits = re.search(r"\d+", text)
        claims = [str(int(digits[0]))] if digits else []
    elif row.task == "comparison":
        whole = [option for option in row.options if option.lower() == text]
        claims = whole or ([EQUAL] if text in _EQUAL else _fitting(text, row.options))
    elif row.task == "ordering":
        claims = [answer for answer, words in _MOMENTS.items() if any(word in text for word in words)]
    else:
        claims = _keywords(text, row.options)
    if len(claims) != 1:
        return Reading(None, "published verifier: unclear")
    return Reading(claims[0], "published")


def _keywords(text: str, options: Collection[str]) -> list[str]:
    """Yes or no by the whole reply; left or right by the one of them that it holds."""
    if set(options) == set(_YES_NO):
        return [answer for answer, words in _YES_NO.items() if text in words]
    return [option for option in options if option.lower() in text]


def _fitting(text: str, options: Collection[str]) -> list[str]:
    said = _attributes(text)
    if not any(said):
        return []
    kinds = {option: _attributes(option.lower()) for option in options if option != EQUAL}
    same = [option for option, kind in kinds.items() if kind == said]
    return same or [
        option
        for option, kind in kinds.items()
        if all(one in ("", other) for one, other in zip(said, kind, strict=True))
    ]


def _attributes(text: str) -> tuple[str, ...]:
    """The first colour and the first shape that a text names, "" for none."""
    words = [word.removesuffix("s") for word in re.findall(r"[a-z]+", text)]
    return tuple(next((word for word in words if word in known), "") for known in (COLORS, SHAPES))


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


def _task_only(
    task: str, stratum: Callable[[AnswerRecord], str | None]
) -> Callable[[AnswerRecord], str | None]:
    return lambda record: stratum(record) if record.task == task else None


def _repeats(record: AnswerRecord) -> str | None:
    """Repeats among the things seen where that is known, else in the scene."""
    seen = number(record, "repeats_seen")
    return REPEATS.stratum(record) if seen is None else REPEATS_SEEN.stratum(record)


def _counted(record: AnswerRecord) -> tuple[int, int] | None:
    """Truth and answer of a counting question that was answered with a number."""
    if record.task != "counting" or not record.key.isdigit() or not (record.claim or "").isdigit():
        return None
    return int(record.key), int(record.claim or 0)


def _short_by(record: AnswerRecord) -> float | None:
    """The share of the truth that an answer falls short of it; negative for too many."""
    pair = _counted(record)
    return None if pair is None or pair[0] < 1 else (pair[0] - pair[1]) / pair[0]


def _share_of_truth(record: AnswerRecord) -> float | None:
    pair = _counted(record)
    return None if pair is None or pair[0] < 2 else pair[1] / pair[0]


def _leaning(direction: int) -> Callable[[AnswerRecord], float | None]:
    def leans(record: AnswerRecord) -> float | None:
        pair = _counted(record)
        return None if pair is None else float(_sign(pair[1] - pair[0]) == direction)

    return leans


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _one_or_many(record: AnswerRecord) -> str | None:
    frames = number(record, "frames")
    return None if frames is None else "one frame" if frames == 1 else "several frames"


OBJECTS = binned("objects_seen", (0, 6, 12, 18, 24, 30))
REPEATS = binned("repeats_in_scene", (0, 1, 4, 8, 16, 24))
REPEATS_SEEN = binned("repeats_seen", (0, 1, 4, 8, 16, 24))
_TRUTH = _task_only("counting", _each_truth)
_LENGTHS = ("1", "2", "4", "8", "16", "24", "32", "64")
CROSSED = (
    Crossed("ordering: right (%), repeats by objects seen", "repeats", _task_only("ordering", _repeats),
            _task_only("ordering", OBJECTS.stratum), row_order=REPEATS.order, column_order=OBJECTS.order),
    Crossed("counting: short of the truth by (%), truth by frames", "truth", _TRUTH, stratum_value("frames"),
            _short_by, column_order=_LENGTHS),
    Crossed("counting: said / truth, where the truth is 2 or more", "frames", _one_or_many,
            _task_only("counting", lambda record: "mean"), _share_of_truth, 1.0),
    Crossed("counting: said, by most in one frame", "most in one frame", stratum_value("most_in_one_frame"),
            _one_or_many, lambda record: None if _counted(record) is None else float(record.claim or 0), 1.0),
    *(
        Crossed(f"counting: {name} (%), truth by repeats in the scene", "truth", _TRUTH,
                stratum_value("repeats_in_scene"), _leaning(direction))
        for name, direction in (("said too few", -1), ("right", 0), ("said too many", 1))
    ),
)  # fmt: skip


_TABLES = (table("rem", "Table 2, Baseline"), table("rem", "Table 2, Mini"))
_SEVERAL = "counting, truth 2 or more"
REM = Protocol(
    benchmark="rem",
    title="REM",
    scene="You are shown {shown}, taken by one camera that walked through a static "
    "place with coloured spheres, cones and cuboids on the ground.",
    contract=_contract,
    letters=lambda row: False,
    show_actions=True,
    parsers={"rule": read_by_rule, "official": read_as_published},
    aggregate=macro("the tasks in the set (REM has four)"),
    analyses=(
        Analysis(
            "counting: truth",
            _count_band,
            ("truth 0–1", "truth ≥ 2"),
            published={
                f"{system}{', Mini' * number}": {"truth ≥ 2": share}
                for number, one in enumerate(_TABLES)
                for system, share in one.column(_SEVERAL).items()
            },
        ),
        Analysis("counting: each truth", _each_truth),
        Analysis("comparison: difference of the counts", _difference, ("0", "1", "2", "3", "4", "5+")),
        Analysis("frames", stratum_value("frames"), _LENGTHS, True),
        OBJECTS,
        REPEATS,
        REPEATS_SEEN,
    ),
    crossed=CROSSED,
    tendencies=(
        Tendency("counting, truth ≥ 2: said too few", _several, _count_off(-1)),
        Tendency("counting, truth ≥ 2: said too many", _several, _count_off(1)),
    ),
    published=tuple(row for one in _TABLES for row in Published.of(one, TASKS)),
)
