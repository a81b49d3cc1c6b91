"""Things in the wearer's hands."""

import math

import numpy as np

from desk import frame
from situ.memory import SpatialMemory
from situ.memory.tracker.merge_and_split import split_last_stay

IN_HAND = (0.6, 0.0, -0.4)


def carried_spot(x: float, y: float, yaw: float) -> tuple[float, float, float]:
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return x + IN_HAND[0] * c, y + IN_HAND[0] * s, 1.5 + IN_HAND[2]


def carry(memory: SpatialMemory) -> float:
    """Pick a cup up from a table, carry it six metres and round a corner."""
    time = 0.0
    for _ in range(4):
        memory.observe(frame(time, {"cup": [(0.9, 0.0, 1.0)], "lamp": [(4.0, 1.0, 1.0)]}))
        time += 1
    for step in range(1, 7):
        spot = carried_spot(0.8 * step, 0.0, 0.0)
        memory.observe(frame(time, {"cup": [spot], "lamp": [(4.0, 1.0, 1.0)]}, at=(0.8 * step, 0.0, 1.5)))
        time += 1
    for step in range(1, 5):
        spot = carried_spot(4.8, 0.8 * step, 90.0)
        memory.observe(frame(time, {"cup": [spot]}, at=(4.8, 0.8 * step, 1.5), yaw=90.0))
        time += 1
    return time


def test_a_carried_thing_is_one_thing_and_goes_with_the_wearer() -> None:
    memory = SpatialMemory.create(":memory:")
    carry(memory)
    cups = [view for view in memory.state().objects() if view.category == "cup" and view.presence > 0.5]
    assert [view.id for view in cups] == [1]
    assert cups[0].held
    assert math.dist(cups[0].box.center, carried_spot(4.8, 3.2, 90.0)) < 0.3


def test_it_goes_on_with_the_wearer_while_out_of_view() -> None:
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    memory.observe(frame(time, {}, at=(4.8, 4.5, 1.5), yaw=90.0, pitch=40.0))
    (cup,) = [view for view in memory.state().objects() if view.category == "cup" and view.presence > 0.5]
    assert math.dist(cup.box.center[:2], (4.8, 4.5)) < 1.0


def test_what_was_put_down_stays_behind() -> None:
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    table = (4.8, 4.4, 0.9)
    for step in range(5):
        memory.observe(frame(time, {"cup": [table]}, at=(4.8, 3.2 - 0.5 * step, 1.5), yaw=90.0))
        time += 1
    for _ in range(5):
        memory.observe(frame(time, {}, at=(0.0, 0.0, 1.5), yaw=180.0))
        time += 1
    state = memory.state()
    (cup,) = [view for view in state.objects() if view.category == "cup" and view.presence > 0.5]
    assert not cup.held
    assert math.dist(cup.box.center, table) < 0.1
    first = state.where(cup.id, 2.0)
    assert first is not None
    assert math.dist(first.center, (0.9, 0.0, 1.0)) < 0.1
    on_the_way = state.where(cup.id, 8.0)
    assert on_the_way is not None
    assert math.dist(on_the_way.center, carried_spot(4.0, 0.0, 0.0)) < 0.5


def test_one_look_at_what_was_put_down_is_enough() -> None:
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    table = (4.8, 3.9, 0.6)
    memory.observe(frame(time, {"cup": [table]}, at=(4.8, 3.2, 1.5), yaw=90.0, pitch=-30.0))
    for step in range(1, 5):
        memory.observe(frame(time + step, {}, at=(4.8, 3.2 - 0.8 * step, 1.5), yaw=270.0))
    (cup,) = [view for view in memory.state().objects() if view.category == "cup" and view.presence > 0.5]
    assert not cup.held
    assert math.dist(cup.box.center, table) < 0.1


def test_what_is_parted_in_the_hands_is_still_in_the_hands_and_no_longer_than_it_is_seen_there() -> None:
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    mind = memory._mind
    assert mind is not None
    stranger = split_last_stay(mind, mind.tracks.slot_of[1], np.array([0.9, 0.0, 1.0]))
    number = int(mind.rows[stranger]["id"])
    assert number in mind.holding
    for step in range(4):  # empty hands, well in view
        memory.observe(frame(time + step, {}, at=(4.8, 3.2, 1.5), yaw=90.0, pitch=-15.0))
    assert number not in mind.holding
