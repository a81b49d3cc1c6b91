"""Rules: what is the same, what follows, what is opposed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.authoring.logic import entails, normal, opposed, opposite_of


@pytest.mark.parametrize(
    ("first", "second"),
    [("The TV", "a television"), ("Two chairs", "2 chairs"), ("Behind", "at the back"), ("Grey.", "gray")],
)
def test_the_same_in_other_words(first: str, second: str) -> None:
    assert normal(first) == normal(second)
    assert entails(first, second) == 1.0


def test_the_special_entails_the_general_and_not_the_other_way() -> None:
    assert entails("a white fridge", "a fridge") == 1.0
    assert entails("a fridge", "a white fridge") < 0.7


@pytest.mark.parametrize(
    ("first", "second"), [("two chairs", "three chairs"), ("left of the bed", "right of the bed")]
)
def test_numbers_and_sides_exclude_each_other(first: str, second: str) -> None:
    assert opposed(first, second)
    assert entails(first, second) == 0.0


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Is the door open?", "Yes.", "No."),
        ("Which is closer to me, the red cup or the sofa?", "red cup", "sofa"),
        ("Is the lamp on the left or the right?", "Left", "Right"),
        ("What is on the table?", "A vase", None),
    ],
)
def test_opposites(question: str, answer: str, other: str | None) -> None:
    assert opposite_of(question, answer) == other


@given(st.text(max_size=40))
def test_everything_follows_from_itself(text: str) -> None:
    assert entails(text, text) in (0.0, 1.0)
    assert normal(normal(text)) == normal(normal(normal(text)))
