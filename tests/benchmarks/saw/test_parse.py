"""Reading replies: the strict way never guesses, the published way always chooses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.benchmarks.saw.parse import official_choice, strict_choice

OPTIONS = ("front left", "back right", "left", "same location")


@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ("B", 1),
        (" (c). ", 2),
        ("B: back right", 1),
        ("D) Same location.", 3),
        ("The answer is: (A)", 0),
        ("I looked at the frames. Answer: B because it turned twice.", 1),
        ('{"answer": "C", "reasoning": "the path bends"}', 2),
        ("Back right", 1),
    ],
)
def test_clear_replies(reply: str, option: int) -> None:
    assert strict_choice(reply, OPTIONS).option == option


@pytest.mark.parametrize(
    "reply",
    ["", "I cannot tell.", "E", "B: left", "Answer: A. No, the answer is B.", "A good question, I would say"],
)
def test_unclear_replies_are_none(reply: str) -> None:
    assert strict_choice(reply, OPTIONS).option is None


@given(st.text(max_size=80), st.integers(0, 100))
def test_published_cascade_always_chooses_and_repeats_itself(reply: str, seed: int) -> None:
    one = official_choice(reply, OPTIONS, np.random.default_rng(seed))
    two = official_choice(reply, OPTIONS, np.random.default_rng(seed))
    assert one == two
    assert one.option is not None
    assert 0 <= one.option < len(OPTIONS)
    strict = strict_choice(reply, OPTIONS)
    assert strict.option is None or strict == one


def test_extractor_comes_before_luck() -> None:
    choice = official_choice("hmm", OPTIONS, np.random.default_rng(0), lambda reply, options: 2)
    assert choice == (2, "extractor")
    assert official_choice("hmm", OPTIONS, np.random.default_rng(0), lambda r, o: 9).by == "random"


def test_failed_replies_earn_chance() -> None:
    rng = np.random.default_rng(5)
    hits = sum(official_choice("no idea", OPTIONS, rng).option == 0 for _ in range(4000))
    assert abs(hits / 4000 - 0.25) < 0.03
