"""How sure an answer is: samples of belief, and the short cut for questions about the nearest thing."""

from collections import Counter

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from situ import questions as q
from situ.ask.focus import SAMPLES, UNKNOWN, odds
from situ.errors import Unanswerable
from situ.memory import Memory, MemoryState
from situ.memory.sampling import draw
from situ.perception import Noise, noisy
from situ.questions.base import Question

HOUSE = Plan(rooms=2, objects=60, moved=10, carried=2, removed=4, added=0, seconds=500, calm=60)
NOISE = Noise(miss=0.2, false_positive=0.1, depth_m=0.1, depth_share=0.04)


@pytest.fixture(scope="module")
def state() -> MemoryState:
    memory = Memory.create(":memory:")
    for frame in noisy(Stream(HOUSE, 31).frames(), NOISE, np.random.default_rng(31)):
        memory.observe(frame)
    return memory.state()


@pytest.mark.parametrize("kind", [q.WhereFromHere, q.DistanceFromHere, q.CanReach])
def test_the_nearest_is_what_the_whole_program_would_pick(state: MemoryState, kind: type) -> None:
    """Each sample answered by the program alone gives the same odds as the short cut."""
    doubtful = 0
    for label in sorted({view.category for view in state.objects()}):
        question: Question = kind(q.Selector.make(label))
        about = [view for view in state.objects() if view.category == label]
        counts: Counter[str] = Counter()
        for sample in draw(state, SAMPLES, np.random.default_rng(0), about):
            try:
                counts[str(question.answer(sample).value)] += 1
            except Unanswerable:
                counts[UNKNOWN] += 1
        shares = {value: count / SAMPLES for value, count in counts.items()}
        assert odds(question, state).shares == shares
        doubtful += len(shares) > 1
    assert doubtful > 1


def test_a_thing_that_has_left_may_be_anywhere() -> None:
    """The less likely a thing still is where it was seen, the less is said of its direction."""
    memory = Memory.create(":memory:")
    for frame in noisy(Stream(HOUSE, 32).frames(), NOISE, np.random.default_rng(32)):
        memory.observe(frame)
    now = memory.state()
    later = memory.state(at=memory.now + 10 * 24 * 3600.0)
    view = max(now.objects(), key=lambda v: v.here * v.presence)
    question = q.WhereFromHere(q.Selector.make(view.category, view.attributes))
    assert max(odds(question, now).shares.values()) > 0.8
    assert later.objects().one(view.id).here < 0.2  # type: ignore[union-attr]
    assert max(odds(question, later).shares.values()) < 0.6
