"""The verifier on the answers that models really give."""

import pytest

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.rem.verify import Verdict, verify


def _row(task: str, answer: str, options: tuple[str, ...] = ()) -> QuestionRow:
    return QuestionRow("q", "000000", task, "?", options, answer, {}, 1.0, ())


def _right(row: QuestionRow, reply: str) -> bool:
    return verify(row, reply) is Verdict.RIGHT


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("3", "right"),
        ("three", "right"),
        ("Three.", "right"),
        ("There are 3 red cones.", "right"),
        ("**3**", "right"),
        ("03", "right"),
        ("I count 3: one here, then two.", "right"),
        ("4", "wrong"),
        ("none", "wrong"),
        ("2 or 3", "unclear"),
        ("between two and three", "unclear"),
        ("3.5", "unclear"),
        ("several", "unclear"),
        ("", "unclear"),
        ("I cannot tell.", "unclear"),
        ("three, not four", "right"),
        ("-", "unclear"),
    ],
)
def test_counting(reply: str, verdict: str) -> None:
    assert verify(_row("counting", "3"), reply).value == verdict


@pytest.mark.parametrize("reply", ["0", "none", "zero", "There are no red cones.", "No"])
def test_nothing_is_a_number_too(reply: str) -> None:
    assert _right(_row("counting", "0"), reply)


@pytest.mark.parametrize(
    ("truth", "reply", "verdict"),
    [
        ("before", "before", "right"),
        ("before", "Before, not after", "right"),
        ("after", "Before, not after", "wrong"),
        ("before", "before or after", "unclear"),
        ("same time", "at the same time", "right"),
        ("same time", "same", "right"),
        ("same time", "Simultaneously.", "right"),
        ("same time", "not at the same time, but before", "wrong"),
        ("before", "not at the same time, but before", "right"),
        ("after", "We saw it after the blue cone.", "right"),
        ("after", "later", "right"),
        ("before", "Earlier rather than later.", "right"),
        ("before", "yes", "unclear"),
    ],
)
def test_ordering(truth: str, reply: str, verdict: str) -> None:
    row = _row("ordering", truth, ("before", "after", "same time"))
    assert verify(row, reply).value == verdict


@pytest.mark.parametrize(
    ("truth", "reply", "verdict"),
    [
        ("red cones", "red cones", "right"),
        ("red cones", "Red cones.", "right"),
        ("red cones", "the red cones", "right"),
        ("red cones", "red", "right"),
        ("red cones", "cones", "right"),
        ("red cones", "blue spheres", "wrong"),
        ("red cones", "There are more red cones than blue spheres", "right"),
        ("blue spheres", "spheres", "right"),
        ("red cones", "more blue spheres than red cones", "wrong"),
        ("equal", "equal", "right"),
        ("equal", "They are equal.", "right"),
        ("equal", "the same", "right"),
        ("equal", "It's a tie", "right"),
        ("red cones", "not equal: red cones", "right"),
        ("red cones", "red cones or blue spheres", "unclear"),
        ("equal", "red cones", "wrong"),
        ("red cones", "equal", "wrong"),
        ("red cones", "maybe", "unclear"),
        ("red cones", "red cones, not blue spheres", "right"),
        ("equal", "equally many", "right"),
    ],
)
def test_comparison(truth: str, reply: str, verdict: str) -> None:
    row = _row("comparison", truth, ("red cones", "blue spheres", "equal"))
    assert verify(row, reply).value == verdict


def test_comparison_of_a_kind_with_a_part_of_it() -> None:
    row = _row("comparison", "red objects", ("red objects", "red cones", "equal"))
    assert _right(row, "red objects")
    assert verify(row, "red cones") is Verdict.WRONG


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("left", "right"),
        ("To the left.", "right"),
        ("right", "wrong"),
        ("left, not right", "right"),
        ("left or right", "unclear"),
        ("yes", "unclear"),
        ("It is on the left side of it", "right"),
    ],
)
def test_left_or_right(reply: str, verdict: str) -> None:
    assert verify(_row("left_right", "left", ("left", "right")), reply).value == verdict


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [("yes", "right"), ("Yes, it is", "right"), ("No.", "wrong"), ("true", "right"), ("perhaps", "unclear")],
)
def test_claims(reply: str, verdict: str) -> None:
    assert verify(_row("left_right", "yes", ("yes", "no")), reply).value == verdict
