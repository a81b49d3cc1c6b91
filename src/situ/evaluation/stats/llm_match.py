"""LLM-Match: a judge model grades an open answer from 1 to 5 against the key.

score = 100 · mean((s − 1) / 4) over graded answers. Answers that could not be graded carry the sentinel −1 in
published files. They are named, and treated by one of three rules: `raw` puts the sentinel into the formula
(as published scripts do), `zero` gives them no credit, `drop` leaves them out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from situ.errors import BadInput

LOWEST, HIGHEST, SENTINEL = 1, 5, -1
RULES = ("raw", "zero", "drop")
FORMULA = "LLM-Match = 100 · mean((s − 1) / 4), s from 1 (wrong) to 5 (right)"


@dataclass(frozen=True)
class LlmMatch:
    """The score under one rule, and how many answers carried a sentinel or an impossible mark."""

    score: float
    graded: int
    ungraded: int
    rule: str


def llm_match(marks: Iterable[int], rule: str = "zero") -> LlmMatch:
    """The published score of a list of marks."""
    if rule not in RULES:
        raise BadInput(f"unknown rule '{rule}' for ungraded answers; choose one of {', '.join(RULES)}")
    values = list(marks)
    good = [mark for mark in values if LOWEST <= mark <= HIGHEST]
    if rule == "raw":
        used: Sequence[int] = values
    else:
        used = good if rule == "drop" else [*good, *[LOWEST] * (len(values) - len(good))]
    score = float(100 * np.mean([(mark - LOWEST) / (HIGHEST - LOWEST) for mark in used])) if used else 0.0
    return LlmMatch(score, len(good), len(values) - len(good), rule)


def stability(first: Sequence[int], second: Sequence[int]) -> float:
    """Share of answers to which two gradings give the same mark."""
    if len(first) != len(second) or not first:
        raise BadInput(
            f"two gradings of the same answers are needed, got {len(first)} and {len(second)} marks"
        )
    return float(np.mean([a == b for a, b in zip(first, second, strict=True)]))


def distribution(marks: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(marks).items()))
