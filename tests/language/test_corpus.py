"""A small version of `python -m benchmarks ask`: a few minutes of a day, asked in plain language."""

import numpy as np
import pytest
from benchmarks.ask import LOST, WRONG, put
from benchmarks.ask_corpus import corpus, wordings
from benchmarks.ask_days import AskedDay, live_day
from benchmarks.ask_judging import overlap
from benchmarks.ask_slips import with_slips


@pytest.fixture(scope="module")
def day() -> AskedDay:
    return live_day(77, 240.0)


@pytest.mark.slow
def test_most_is_understood_and_little_is_wrong(day: AskedDay) -> None:
    verdicts = [put(day, item, item.sentence) for item in list(corpus(day.truth, 77))[::2]]
    assert len(verdicts) > 150
    assert sum(v.outcome == LOST for v in verdicts) < 0.05 * len(verdicts)
    assert sum(v.outcome == WRONG for v in verdicts) < 0.12 * len(verdicts)


def test_the_wordings_cover_many_kinds_and_slips_change_few_words() -> None:
    found = wordings()
    assert sum(map(len, found.values())) >= 400
    assert len(found) >= 25
    sentence = "where did I leave the red kettle in the kitchen"
    slipped = with_slips(sentence, np.random.default_rng(0), share=0.5)
    assert slipped != sentence
    assert len(slipped.split()) in (len(sentence.split()), len(sentence.split()) - 1)
    assert overlap("a, b", "b, c") == 0.5
