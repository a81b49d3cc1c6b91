"""Plain tables of questions about pictures or clips: choices by equality, numbers by relative accuracy."""

import re

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.question_types import ANSWER_KINDS, is_number, mean_relative_accuracy
from situ.evaluation.protocols.base import (
    Analysis,
    Protocol,
    equal_to_key,
    letter_contract,
    read_strictly,
    stratum_value,
)
from situ.evaluation.protocols.disjoint import read_answer
from situ.evaluation.records.answer import Reading
from situ.evaluation.stats.aggregate import MICRO, Aggregate, macro

OPPOSITE = {
    "move_right": "move_left", "move_up": "move_down", "move_forward": "move_backward",
    "rotate_right": "rotate_left", "rotate_up": "rotate_down",
}  # fmt: skip
AXES = tuple(OPPOSITE)


def read_any(row: QuestionRow, reply: str) -> Reading:
    """A letter, a number, or an open answer, as the key is one."""
    return read_strictly(row, reply) if row.options or is_number(row.answer) else read_answer(row, reply)


def _points(row: QuestionRow, claim: str) -> float:
    if moves := _moves(row.answer):
        said = _moves(claim)
        pairs = [(said.get(axis, 0.0), moves.get(axis, 0.0)) for axis in AXES]
        if not said:
            return 0.0
        shares = [mean_relative_accuracy(a if b >= 0 else -a, abs(b)) for a, b in pairs]
        return sum(shares) / len(shares)
    if row.options or not is_number(row.answer) or not is_number(claim):
        return equal_to_key(row, claim)
    return mean_relative_accuracy(float(claim), float(row.answer))


def _moves(text: str) -> dict[str, float]:
    """How the camera went from one view to another, "move_left:0.3,rotate_up:12", along each axis."""
    found: dict[str, float] = {}
    for name, number in re.findall(r"((?:move|rotate)_[a-z]+)\s*:\s*(-?\d+(?:\.\d+)?)", text.lower()):
        for axis in AXES:
            if name == axis or name == OPPOSITE[axis]:
                found[axis] = found.get(axis, 0.0) + (float(number) if name == axis else -float(number))
    return found


def contract_of_any(row: QuestionRow) -> str:
    if row.options or is_number(row.answer):
        return letter_contract(row)
    return "End with one line 'Answer:' and a few words."


def _table(benchmark: str, title: str, aggregate: Aggregate = MICRO) -> Protocol:
    return Protocol(
        benchmark=benchmark,
        title=title,
        scene="You are shown {shown}. Answer the question about what you see.",
        contract=contract_of_any,
        frames="uniform:32",
        parsers={"strict": read_any},
        points=_points,
        points_formula="choices and words: 1 if the claim is the key, else 0; numbers: share of θ in .50, "
        ".55, …, .95 with |claim − key| / key ≤ 1 − θ",
        binary=False,
        aggregate=aggregate,
        analyses=(
            Analysis("kind of answer", stratum_value("answer_kind"), ANSWER_KINDS),
            Analysis("source", stratum_value("source")),
            Analysis("data set", stratum_value("dataset")),
            Analysis("type", stratum_value("type")),
            Analysis("level", stratum_value("difficulty"), ("low", "middle", "high")),
        ),
    )


TABLES = (
    _table("spbench", "SPBench", macro("tasks")),
    _table("viewspatial", "ViewSpatial-Bench"),
    _table("cvbench", "CV-Bench"),
    _table("spar", "SPAR-Bench", macro("tasks")),
    _table("camerabench", "CameraBench"),
    _table("table", "Questions of a table"),
)
