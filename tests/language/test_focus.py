"""What a belief answers: value, odds, age and evidence come from one list of candidates."""

import itertools
import re

import numpy as np
import pytest
from benchmarks.house import Stream

from doubts import HOUSE, NOISE, shaken, some_questions, watched
from situ import questions as q
from situ.errors import Unanswerable
from situ.geometry.oriented import box_gap
from situ.language import ask, verify
from situ.language.focus import UNKNOWN, Decision, decide
from situ.memory import MemoryState, SpatialMemory
from situ.memory.reading.worlds import BelievedWorlds
from situ.perception import noisy
from situ.questions.base import Question
from situ.questions.programs.comparisons import least_gaps
from situ.questions.programs.parser import parse, parse_set
from situ.questions.programs.run import Run
from situ.questions.programs.true_worlds import worlds_of
from situ.questions.programs.world import World


@pytest.fixture(scope="module", params=[31, 41, 42, 43])
def memory(request: pytest.FixtureRequest) -> SpatialMemory:
    return watched(31) if request.param == 31 else shaken(watched(31), request.param)


@pytest.fixture(scope="module")
def state(memory: SpatialMemory) -> MemoryState:
    return memory.state()


def decided(state: MemoryState) -> list[tuple[Question, Decision]]:
    made = []
    for question in some_questions(state):
        try:
            made.append((question, decide(question, state)))
        except Unanswerable:
            continue
    assert len(made) > 60
    return made


def test_the_value_is_the_likeliest_and_its_odds_are_its_confidence(state: MemoryState) -> None:
    doubtful = 0
    for question, found in decided(state):
        value, known = str(found.answer.value), {k: v for k, v in found.odds.items() if k != UNKNOWN}
        assert sum(found.odds.values()) == pytest.approx(1.0, abs=2e-3), question
        assert found.odds[value] == found.confidence, question
        if isinstance(found.answer.value, str):
            assert found.confidence == max(known.values()), question
        if question.options:
            assert value in question.options
        doubtful += found.confidence < 0.9
    assert doubtful >= 5


def test_age_evidence_and_others_belong_to_the_thing_that_is_meant(state: MemoryState) -> None:
    told = [ask(state, f"where is the {label}") for label in sorted({v.category for v in state.objects()})]
    told = [each for each in told if each.value is not None]
    assert len(told) > 10
    for each in told:
        assert each.certificate is not None
        (frame,) = each.evidence
        assert state.now - state.path.times[frame] == pytest.approx(each.age_s)
        assert verify(each.certificate, state).holds
        # Whatever else it may be is not in view as well, unless it is believed to be no such thing, or gone.
        rivals = [other for other in each.others if other.chance >= 0.5]
        assert all(other.age_s is None or other.age_s > 0.0 or each.age_s == 0.0 for other in rivals)


def test_a_share_of_worlds_is_the_probability(state: MemoryState) -> None:
    table = BelievedWorlds(state)
    share = (table.real > 0).mean(axis=0)
    assert share == pytest.approx(table.presence, abs=0.5 / table.count + 1e-9)


def test_an_ask_that_is_worked_out_world_by_world_agrees_with_one_that_is_not(state: MemoryState) -> None:
    """The distance between two kinds, from arrays and from the boxes of each world."""
    run, labels = Run(worlds_of(state)), sorted({view.category for view in state.objects()})[:6]
    for one, two in itertools.pairwise(labels):
        sets = [parse_set({"op": "things", "kind": label}) for label in (one, two)]
        gaps, _ = least_gaps(run, *sets)
        for number in range(0, run.table.count, 9):
            world = World(run, number)
            pairs = [
                (world.box(a), world.box(b))
                for a in world.members(sets[0])
                for b in world.members(sets[1])
                if a != b  # what bears both names has no distance to itself
            ]
            placed = run.table.placed[number]
            if pairs and placed[[*world.members(sets[0]), *world.members(sets[1])]].all():
                assert min(box_gap(a, b) for a, b in pairs) == pytest.approx(gaps[number], abs=1e-6)


@pytest.mark.parametrize("kind", [q.WhereFromHere, q.DistanceFromHere, q.CanReach])
def test_the_short_cut_is_what_the_whole_program_would_say(state: MemoryState, kind: type) -> None:
    """Laid out alone, what may bear a name gives the odds that it has among all things, and refuses alike."""
    whole, answered = Run(worlds_of(state)), 0
    for label in sorted({view.category for view in state.objects()}):
        question = kind(q.Selector.make(label))
        (step,) = parse(question.program).asks
        try:
            said = step.ask.answer(whole)
        except Unanswerable as error:
            with pytest.raises(Unanswerable, match=re.escape(str(error))):
                decide(question, state)
            continue
        found = decide(question, state)
        assert found.answer.value == said.value, question
        assert found.odds == pytest.approx(said.odds), question
        assert found.confidence == pytest.approx(said.confidence), question
        answered += 1
    assert answered >= 10


def test_what_was_said_then_is_said_of_then(memory: SpatialMemory) -> None:
    """Value, confidence, odds and evidence of the present are those of the same moment asked as the past."""
    now, then = memory.state(), memory.state(at=memory.now)
    for question, found in decided(now):
        assert decide(question, then) == found, question


def test_later_frames_change_nothing_about_then() -> None:
    memory = SpatialMemory.create(":memory:")
    frames = list(noisy(Stream(HOUSE, 33).frames(), NOISE, np.random.default_rng(33)))
    for frame in frames[:250]:
        memory.observe(frame)
    at = memory.now
    said = decided(memory.state())
    spots = [(x, y, r) for x in (2.0, 5.0) for y in (2.0, 4.0) for r in (0.7, 2.5)]
    near = [[v.id for v in memory.state().near((x, y), r)] for x, y, r in spots]
    for frame in frames[250:]:
        memory.observe(frame)
    then = memory.state(at=at)
    for question, found in said:
        assert decide(question, then) == found, question
    assert [[v.id for v in then.near((x, y), r)] for x, y, r in spots] == near


def test_a_thing_unseen_for_long_may_be_anywhere() -> None:
    """The less likely a thing still is where it was seen, the less is said of its direction."""
    memory = watched(32)
    now = memory.state()
    later, much_later = memory.state(at=memory.now + 3600.0), memory.state(at=memory.now + 10 * 24 * 3600.0)
    likely = [v for v in now.objects() if v.here * v.presence > 0.95]
    asked = {v.id: q.WhereFromHere(q.Selector.make(v.category, v.attributes)) for v in likely}
    # One that lies between two directions is not surely in either.
    view = max(likely, key=lambda v: decide(asked[v.id], now).confidence)
    question = asked[view.id]
    assert decide(question, now).confidence > 0.8
    assert 0.05 < later.objects().one(view.id).here < 0.6  # type: ignore[union-attr]
    assert decide(question, later).confidence < 0.6
    # Where it is not is as little known.
    assert decide(q.CanReach(question.which), later).confidence < 0.6
    # It was moved, perhaps; nobody saw it gone, so it is not said to be, and still counts.
    for kind in (q.WhereFromHere, q.DistanceFromHere, q.CanReach):
        with pytest.raises(Unanswerable, match="may have been moved since I saw it"):
            decide(kind(question.which), much_later)
    counted = q.CountNow(question.which)
    assert decide(counted, much_later).answer.value == decide(counted, now).answer.value
