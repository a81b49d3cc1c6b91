"""Series of one question: what comes again tells nothing by coming again."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from situ.benchmarks.ucs.asking import Asked, asked_again
from situ.questions import Answer, CanReach, Selector

QUESTION = CanReach(Selector("cup"))


def series(answers: list[str], options: int, rng: np.random.Generator) -> list[str]:
    found = [Asked(QUESTION, float(t), Answer(text, 1.0, (0,))) for t, text in enumerate(answers)]
    return [asked.answer.text for asked in asked_again(found, 3, options, rng)]


@pytest.mark.parametrize("rare", [0.15, 0.5])
def test_a_rare_answer_is_as_often_right_when_it_is_asked_again(rare: float) -> None:
    """Within reach one time in seven: whoever answers "no" to whatever comes again gets a half."""
    rng, again, kept = np.random.default_rng(4), Counter[str](), []
    for _ in range(3000):
        answers = ["yes" if rng.random() < rare else "no" for _ in range(14)]
        chosen = series(answers, 2, rng)
        again.update(chosen[1:])
        kept += [a == b for a, b in pairwise(chosen)]
    assert again["yes"] / again.total() == pytest.approx(0.5, abs=0.04)
    assert np.mean(kept) == pytest.approx(0.5, abs=0.04)


def test_it_is_not_asked_again_where_only_one_answer_could_follow() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert series(["yes", "no", "no", "no"], 2, rng) in (["yes"], ["no"])
        assert series([], 2, rng) == []
