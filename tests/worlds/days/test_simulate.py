"""Days: the same seed gives the same day, and nothing is ever in two places."""

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.heading import Heading
from situ.worlds.days import Day, DaySpec, simulate
from situ.worlds.days.events import HELD_AHEAD_M, HELD_RIGHT_M, IN_HAND, WEARER


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(DaySpec(500.0, 2, 4), np.random.default_rng(8))


def test_a_day_is_as_long_as_asked_and_its_frames_are_even(day: Day) -> None:
    assert len(day.path) == 501
    assert np.allclose(np.diff(day.path.times), 1.0)


def test_the_same_seed_gives_the_same_day(day: Day) -> None:
    again = simulate(DaySpec(500.0, 2, 4), np.random.default_rng(8))
    assert again.changes == day.changes
    assert np.array_equal(again.path.poses, day.path.poses)


def test_the_wearer_never_jumps(day: Day) -> None:
    steps = np.linalg.norm(np.diff(day.path.positions, axis=0), axis=1)
    assert steps.max() < 2.0


def test_every_act_says_by_whom_and_where(day: Day) -> None:
    assert {move.data["by"] for move in day.changes} >= {WEARER}
    furniture = {thing.id for thing in day.world.furniture}
    for move in day.changes:
        if move.data["act"] == "put":
            assert move.data["to"] in furniture
            assert move.data["center"][2] > 0.3


def test_who_rides_the_lift_stands_on_it() -> None:
    day = simulate(DaySpec(600.0, 2, 4), np.random.default_rng(1))
    rides = [move for move in day.changes if move.data["act"] == "rode"]
    assert rides
    (lift,) = day.world.lifts.values()
    middle = lift.box.center[2] - lift.position[2]
    above = [day.path.pose_at(ride.time)[2, 3] - (ride.data["center"][2] - middle) for ride in rides]
    assert min(above) > 1.0  # a frame is taken once a second
    assert max(above) < 2.2
    ends = {round(ride.data["center"][2] - middle, 2) for ride in rides}
    assert {0.0, day.world.sites[1].height} <= ends
    assert np.abs(np.diff(day.path.positions[:, 2])).max() < 1.0


def test_things_in_the_hands_move_with_the_wearer(day: Day) -> None:
    carried = [move for move in day.changes if move.data["act"] == IN_HAND]
    assert carried
    for move in carried:
        here = Heading.of(day.path.pose_at(move.time))
        right, ahead, _ = here.local(move.data["center"])
        assert (right, ahead) == pytest.approx((HELD_RIGHT_M, HELD_AHEAD_M), abs=1e-6)


def test_what_is_taken_is_put_down_where_it_then_stays(day: Day) -> None:
    last: dict[int, str] = {}
    for move in day.changes:
        if move.data["act"] == "taken":
            assert last.get(move.object_id) not in ("taken", IN_HAND)
        if move.data["act"] == IN_HAND:
            assert last.get(move.object_id) in ("taken", "appeared", IN_HAND)
        last[move.object_id] = move.data["act"]


@pytest.mark.parametrize("spec", [{"seconds": 5.0}, {"homes": 4}, {"fps": 0.0}])
def test_impossible_days_are_refused(spec: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        DaySpec(**spec)  # type: ignore[arg-type]
