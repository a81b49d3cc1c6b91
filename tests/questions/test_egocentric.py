"""What the wearer asks, on small worlds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes import solid_record, standing_path, state_of
from situ import questions as q
from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import SECTORS
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.recording import ObjectRecord
from situ.state import SpatialState

RED, BLUE = q.Selector.make("cone", {"color": "red"}), q.Selector.make("sphere", {"color": "blue"})


def world(yaw_deg: float = 0.0) -> SpatialState:
    """A red cone 3 m ahead at heading 0, a blue sphere 6 m to the left; four frames on one spot."""
    records = [solid_record(1, "red", "cone", 3.0, 0.0), solid_record(2, "blue", "sphere", 0.0, 6.0)]
    return state_of(records, {1: {0: 1.0, 3: 1.0}, 2: {1: 1.0}}, standing_path(4, yaw_deg))


@given(st.integers(0, 7))
def test_turning_right_turns_the_world_left(turns: int) -> None:
    value = q.WhereFromHere(RED).answer(world(-45.0 * turns)).value
    assert value == SECTORS[-turns % 8]


@given(st.floats(-80.0, 80.0), st.floats(-30.0, 30.0))
def test_nodding_changes_no_direction(pitch: float, roll: float) -> None:
    state = world()
    pose = camera_pose((0.0, 0.0, 1.25), 0.0, pitch, roll)
    nodding = state_of(
        [solid_record(2, "blue", "sphere", 0.0, 6.0)],
        {2: {0: 1.0}},
        Path(standing_path(1).times, pose[None]),
    )
    assert q.WhereFromHere(BLUE).answer(nodding).value == q.WhereFromHere(BLUE).answer(state).value == "left"


def test_distance_is_to_the_near_side_and_reach_is_an_arm() -> None:
    assert q.DistanceFromHere(RED).answer(world()).value == 2.5
    assert q.CanReach(RED).answer(world()).value == "no"
    assert q.CanReach(RED, reach_m=2.6).answer(world()).value == "yes"
    assert q.CloserToMe(BLUE, RED).answer(world()).value == "red cone"


def test_seeing_is_not_remembering() -> None:
    assert q.InViewNow(RED).answer(world()).value == "yes"
    assert q.InViewNow(BLUE).answer(world()).value == "no"
    assert q.SeenWhen(BLUE).answer(world()).value == 1.0
    assert q.SeenWhen(RED, first=True).answer(world()).value == 0.0


def test_a_relation_picks_the_thing_meant() -> None:
    records = [
        ObjectRecord(1, "desk", Box((4.0, 0.0, 0.4), (1.0, 1.0, 0.8))),
        ObjectRecord(2, "cup", Box((4.0, 0.0, 0.85), (0.1, 0.1, 0.1))),
        ObjectRecord(3, "cup", Box((-1.0, 0.0, 0.05), (0.1, 0.1, 0.1))),
    ]
    state = state_of(records, {i: {0: 1.0} for i in (1, 2, 3)})
    cup, desk = q.Selector.make("cup"), q.Selector.make("desk")
    assert q.WhereFromHere(cup).answer(state).value == "back"  # the nearest one
    assert q.WhereFromHere(cup, "on", desk).answer(state).value == "front"
    assert q.NextTo(desk).answer(state).value == "cup"
    with pytest.raises(Unanswerable, match="on the cup"):
        q.WhereFromHere(desk, "on", cup).answer(state)


def test_what_was_never_seen_is_not_invented() -> None:
    lift = q.Selector.make("lift")
    for question in (q.WhereFromHere(lift), q.DistanceFromHere(lift), q.CanReach(lift), q.SeenWhen(lift)):
        with pytest.raises(Unanswerable, match="I have not seen a lift"):
            question.answer(world())
    assert q.CountNow(lift).answer(world()).value == 0


def test_what_may_be_a_false_detection_is_not_meant_and_not_counted() -> None:
    records = [
        ObjectRecord(1, "cup", Box((4.0, 0.0, 0.85), (0.1, 0.1, 0.1))),
        ObjectRecord(2, "cup", Box((-1.0, 0.0, 0.05), (0.1, 0.1, 0.1))),
    ]
    cup = q.Selector.make("cup")
    doubtful = state_of(records, {1: {0: 1.0}, 2: {0: 0.4}})
    assert q.WhereFromHere(cup).answer(doubtful).value == "front"
    assert q.CountNow(cup).answer(doubtful).value == 1
    alone = state_of(records, {2: {0: 0.8}})
    assert q.WhereFromHere(cup).answer(alone).value == "back"
