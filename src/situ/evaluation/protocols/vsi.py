"""VSI-Bench: choices by equality, numbers by mean relative accuracy; macro over eight tasks."""

import math

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.published import table
from situ.benchmarks.question_types import CHOICES, NUMBERS, mean_relative_accuracy
from situ.benchmarks.vsi.score import DIRECTION_TYPES, NUMBER_TYPES
from situ.evaluation.protocols.base import Analysis, Protocol, equal_to_key, read_strictly
from situ.evaluation.records.answer import Reading
from situ.evaluation.replies.unwrap import untagged
from situ.evaluation.stats.aggregate import macro


def read_first_word(row: QuestionRow, reply: str) -> Reading:
    """As the benchmark's own scorer reads: the first word without full stops is the answer."""
    words = untagged(reply).split(" ")
    word = words[0].rstrip(".").strip()
    if not word:
        return Reading(None, "empty")
    place = ord(word.upper()) - ord("A") if len(word) == 1 else -1
    if row.options:
        known = 0 <= place < len(row.options)
        return Reading(row.options[place], "first word") if known else Reading(None, "no letter first")
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    return Reading(word, "first word") if math.isfinite(number) else Reading(None, "no number first")


def _points(row: QuestionRow, claim: str) -> float:
    if row.task in NUMBER_TYPES or not row.options:
        return mean_relative_accuracy(float(claim), float(row.answer))
    return equal_to_key(row, claim)


_BY_KIND = table("sns", "Table 2")  # its first two columns
_KINDS = (NUMBERS, CHOICES)


VSI = Protocol(
    benchmark="vsi",
    title="VSI-Bench",
    scene="You are shown {shown}: frames of one video of the inside of a building.",
    frames="uniform:32",
    parsers={"strict": read_strictly, "official": read_first_word},
    points=_points,
    points_formula="choices: 1 if the claim is the key, else 0; numbers: share of θ in .50, .55, …, .95 "
    "with |claim − key| / key ≤ 1 − θ",
    binary=False,
    aggregate=macro(
        "the tasks, the three levels of direction being one", dict.fromkeys(DIRECTION_TYPES, "direction")
    ),
    analyses=(
        Analysis(
            "kind of answer",
            lambda record: NUMBERS if record.task in NUMBER_TYPES else CHOICES,
            _KINDS,
            published={
                system: {kind: _BY_KIND.row(system)[f"VSI-Bench {kind}"] for kind in _KINDS}
                for system in _BY_KIND.rows
            },
        ),
    ),
)
