"""What a memory believes as possible worlds: counts with the doubt whether two nodes are one object."""

import math

import numpy as np
import pytest

import situ
from desk import frame
from situ.memory import SpatialMemory
from situ.memory.reading.identity import FEATURES, model, pairs_of, real_features
from situ.memory.reading.move_doubts import poisson_levels
from situ.memory.reading.worlds import BelievedWorlds
from situ.questions import Compare, Count, CountNow, Exists, Selector
from situ.questions.programs import Result, evaluate

CUP, LAMP = Selector.make("cup"), Selector.make("lamp")


@pytest.fixture(scope="module")
def memory() -> SpatialMemory:
    """Two cups that every frame shows, and a lamp that turns up elsewhere."""
    found = SpatialMemory.create(":memory:")
    for second in range(40):
        things = {"cup": [(3.0, -0.8, 1.0), (3.0, 0.8, 1.0)], "chair": [(4.0, 0.0, 0.5)]}
        spot = (2.0, 0.6, 1.0) if second < 15 else (3.5, -1.4, 1.0)
        found.observe(frame(float(second), {**things, "lamp": [] if 15 <= second < 20 else [spot]}))
    return found


def test_what_one_frame_shows_twice_far_apart_are_two(memory: SpatialMemory) -> None:
    answer = Count(CUP).answer(memory.state())
    assert answer.value == 2
    assert answer.odds is not None
    assert answer.odds["2"] > 0.9


def test_odds_of_numbers_are_a_distribution(memory: SpatialMemory) -> None:
    state = memory.state()
    for question in (
        Count(CUP),
        Count(LAMP),
        CountNow(LAMP),
        CountNow(Selector()),
        Exists(LAMP),
        Compare(CUP, LAMP),
    ):
        odds = question.answer(state).odds
        assert odds is not None
        assert math.isclose(sum(odds.values()), 1.0, abs_tol=0.01)
        assert all(0.0 <= share <= 1.0 for share in odds.values())


def test_there_is_one_if_it_is_counted(memory: SpatialMemory) -> None:
    state = memory.state()
    for which in (CUP, LAMP, Selector.make("zebra")):
        counted, there = Count(which).answer(state), Exists(which).answer(state)
        assert there.odds is not None
        assert counted.odds is not None
        assert there.odds["no"] == pytest.approx(counted.odds.get("0", 0.0), abs=0.01)


def test_kinds_are_counted_alike_whatever_else_is_asked_about(memory: SpatialMemory) -> None:
    state = memory.state()
    alone = evaluate({"ask": "count", "of": {"op": "things", "kind": "cup"}}, state)[0]
    with_all = evaluate([{"ask": "count"}, {"ask": "count", "of": {"op": "things", "kind": "cup"}}], state)[1]
    assert alone.odds == with_all.odds


def test_a_count_where_something_is_so_is_no_surer_than_the_count(memory: SpatialMemory) -> None:
    state = memory.state()
    of = {"op": "things", "kind": "cup"}
    near = evaluate(
        {"ask": "count", "of": {"op": "rel", "rel": "near", "m": 50, "to": "me", "of": of}}, state
    )[0]
    assert isinstance(near, Result)
    assert near.value == Count(CUP).answer(state).value
    assert near.confidence < 1.0


def test_pairs_have_all_features_and_a_regime(memory: SpatialMemory) -> None:
    state = memory.state()
    table = BelievedWorlds(state)
    pairs = pairs_of(table.nodes, list(range(table.number)))
    assert pairs.features.shape == (len(pairs), len(FEATURES))
    assert (pairs.i < pairs.j).all()
    same = model().p_same(pairs)
    assert ((same >= 0) & (same <= 1)).all()


def test_a_memory_runs_programs() -> None:
    with situ.Memory.create(":memory:") as memory:
        for second in range(10):
            memory.observe(frame(float(second), {"cup": [(3.0, 0.0, 1.0)]}))
        counted, refused = memory.run([{"ask": "count"}, {"ask": "way", "place": "attic"}])
        assert isinstance(counted, Result)
        assert counted.value == 1
        assert not isinstance(refused, Result)


@pytest.mark.parametrize("mean", [0.0, 0.02, 0.5, 3.0])
def test_levels_of_a_number_have_its_mean(mean: float) -> None:
    level = (np.arange(4000) + 0.5) / 4000
    found = poisson_levels(mean, level)
    assert found.mean() == pytest.approx(mean, abs=0.01)
    assert (np.diff(found) >= 0).all()


def test_a_list_of_changes_is_never_wholly_sure(memory: SpatialMemory) -> None:
    moved = {"op": "did", "act": "moved", "of": {"op": "things", "ever": True}}
    for since in (None, 0.0, 30.0):
        (listed,) = evaluate({"ask": "list", "of": {**moved, "since": since}}, memory.state())
        assert isinstance(listed, Result)
        assert 0.0 < listed.confidence < 1.0


def test_one_look_in_vain_does_not_deny_what_is_detected_often(memory: SpatialMemory) -> None:
    """A sofa is in part in many frames and wholly in view in hardly any."""
    table = BelievedWorlds(memory.state())._table[:1].copy()
    table["exists"], table["looked"], table["found"], table["origin"] = 0.94, 1, 0, 0
    for hits in (30, 200, 1000):
        found = model().p_real(real_features(table, np.array([hits]), np.array([0.98]), 2.7))
        assert found[0] > 0.9, hits


def test_one_missed_detection_does_not_outweigh_an_hour() -> None:
    rng = np.random.default_rng(4)
    memory = SpatialMemory.create(":memory:")
    spots = {f"thing{k}": (3.0, 0.6 * k - 1.2, 1.0) for k in range(5)}
    for second in range(0, 3600, 4):
        seen = {name: [spot] if rng.random() > 0.08 else [] for name, spot in spots.items()}
        memory.observe(frame(float(second), seen))
    memory.observe(frame(3600.0, {name: [spot] for name, spot in spots.items()}))
    memory.observe(frame(3604.0, {name: [spot] for name, spot in spots.items() if name != "thing2"}))
    memory.observe(frame(3620.0, {}, yaw=180.0))
    answer = CountNow(Selector.make("thing2")).answer(memory.state())
    assert (answer.value, answer.odds is not None and answer.odds["1"] > 0.9) == (1, True)
