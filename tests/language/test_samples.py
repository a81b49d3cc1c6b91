"""Samples of a belief that are worked out all at once say what the program says on each."""

import math

import numpy as np
import pytest
from hypothesis import strategies as st

from doubts import shaken, some_questions, watched
from situ import questions as q
from situ.errors import Unanswerable
from situ.language.samples import Answers, answers, plain_answers
from situ.memory import MemoryState
from situ.memory.reading.sampling import draw, draw_alike
from situ.questions.base import Question
from situ.questions.programs.named import Named

NUMBER = st.floats(-5.0, 5.0, allow_nan=False)
SIDE = st.floats(0.01, 3.0, allow_nan=False)
POINT, SIDES = st.tuples(NUMBER, NUMBER, NUMBER), st.tuples(SIDE, SIDE, SIDE)


@pytest.fixture(scope="module", params=[31, 51, 52])
def state(request: pytest.FixtureRequest) -> MemoryState:
    memory = watched(31)
    return (memory if request.param == 31 else shaken(memory, request.param)).state()


def questions_of_things(state: MemoryState) -> list[Question]:
    named = sorted({(v.category, tuple(sorted(v.attributes.items()))) for v in state.objects()})
    things = [q.Selector(*name) for name in named]
    kinds = [q.Selector.make(label) for label in sorted({v.category for v in state.objects()})]
    rng = np.random.default_rng(3)
    found: list[Question] = list(some_questions(state, 4))
    for _ in range(3):
        a, b, c, d = (things[k] for k in rng.integers(len(things), size=4))
        e, f = (kinds[k] for k in rng.integers(len(kinds), size=2))
        found += [q.NearestTo((a, b, e), c), q.NearestTo((e,), e)]
        found += [q.PairRelation(a, b, axis) for axis in ("side", "depth", "height")]
        found += [q.RelativeDirection(a, b, c), q.RelativeDirection(e, f, e)]
        found += [q.RoutePlan(a, b, ("", str(c.category), "", str(d.category)))]
        found += [q.RoutePlan(a, a, ("", str(c.category))), q.PositionInPlace(e), q.SideInView(e, f)]
        found += [q.Affords("step over", 0.3, e), q.Affords("pass through", 0.6, a, e), q.WithinReach(e, f)]
        found += [q.GoneSince(e, share * state.now, added) for share in (0.3, 0.8) for added in (False, True)]
        for split in (0.3 * state.now, 0.8 * state.now, 2.0 * state.now):
            found += [q.WhatHappenedTo(which, split) for which in (a, e, f)]
            found += [
                q.WhatChanged(split, (q.Claim(was, b), q.Claim("removed", c))) for was in ("moved", "added")
            ]
    return found


def same(one: Answers, two: Answers) -> int:
    """How many answers there are; fails where they differ."""
    known = 0
    for a, b in zip(one, two, strict=True):
        assert (a is None) == (b is None)
        if a is None or b is None:
            continue
        known += 1
        assert (a.value, a.things, a.evidence) == (b.value, b.things, b.evidence)
        assert math.isclose(a.margin, b.margin, abs_tol=1e-9)
        assert dict(a.numbers or {}) == pytest.approx(dict(b.numbers or {}), abs=1e-9)
    return known


def test_all_samples_at_once_are_the_samples_one_by_one(state: MemoryState) -> None:
    known: dict[str, int] = {}
    for question in questions_of_things(state):
        if isinstance(question, Named):
            continue  # its table has worlds of its own
        try:
            if question.answer(state).odds is not None:
                continue  # no samples are drawn
        except Unanswerable:
            continue
        known[question.kind] = known.get(question.kind, 0) + same(
            answers(question, state), plain_answers(question, state)
        )
    assert len(known) >= 8
    assert min(known.values()) > 0


def test_things_near_a_point_in_a_sample_are_those_that_are_near(state: MemoryState) -> None:
    found, left_out, objects = 0, 0, list(state.objects())
    alike = [sample for sample, _ in draw_alike(state, objects)]
    for sample in [*draw(state, 8, objects), *alike[:4]]:
        for thing in objects[:4]:
            x, y, _ = thing.box.center
            every = sample.candidates(q.Selector())
            gaps = [math.dist(c.view.box.center[:2], (x, y)) for c in every]
            near = [c.id for c, gap in zip(every, gaps, strict=True) if gap <= 1.0]
            assert [c.id for c in sample.candidates_near(q.Selector(), (x, y), 1.0)] == near
            found, left_out = found + len(near), left_out + len(every) - len(near)
    assert found > 20
    assert left_out > 20
