"""Things in the wearer's hands."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from desk import frame, thing
from situ.memory import RememberedObject, SpatialMemory
from situ.memory.tracker.identity import split_last_stay
from situ.perception import Observation, ObservedFrame
from situ.questions import NearestOne, Selector, TimesPut
from situ.questions.rules.moves import moves_of

IN_HAND = (0.6, 0.0, -0.4)


def carried_spot(x: float, y: float, yaw: float) -> tuple[float, float, float]:
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return x + IN_HAND[0] * c, y + IN_HAND[0] * s, 1.5 + IN_HAND[2]


def carrying(rest_s: int = 4) -> Iterator[ObservedFrame]:
    """Pick a cup up from a table, carry it six metres and round a corner."""
    for time in range(4 - rest_s, 4):
        yield frame(float(time), {"cup": [(0.9, 0.0, 1.0)], "lamp": [(4.0, 1.0, 1.0)]})
    for step in range(1, 7):
        spot = carried_spot(0.8 * step, 0.0, 0.0)
        yield frame(3.0 + step, {"cup": [spot], "lamp": [(4.0, 1.0, 1.0)]}, at=(0.8 * step, 0.0, 1.5))
    for step in range(1, 5):
        spot = carried_spot(4.8, 0.8 * step, 90.0)
        yield frame(9.0 + step, {"cup": [spot]}, at=(4.8, 0.8 * step, 1.5), yaw=90.0)


def carry(memory: SpatialMemory) -> float:
    for given in carrying():
        memory.observe(given)
    return given.time + 1.0


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


def test_what_was_in_the_hands_long_ago_is_not_the_nearest_of_its_kind() -> None:
    memory, found = SpatialMemory.create(":memory:"), NearestOne(Selector.make("cup"))
    end = 0.0
    for given in carrying():  # another cup is in view all the while
        end = given.time + 1.0
        memory.observe(replace(given, observations=(*given.observations, thing("cup", (7.8, 3.2, 1.0)))))
    for second in range(60):
        memory.observe(frame(end + second, {}, at=(4.8, 3.2, 1.5), yaw=90.0, pitch=40.0))
    soon, late = found.answer(memory.state(end + 5.0)), found.answer(memory.state())
    held, other_cup = sorted(view.id for view in memory.state().objects() if view.category == "cup")
    assert memory.state().object(held).held  # type: ignore[union-attr]
    assert soon.things == late.things == (other_cup,)
    assert soon.odds is not None
    assert late.odds is not None
    assert max(soon.odds.values()) > 0.9, "what is in hand is not looked for"
    assert max(late.odds.values()) < 0.9, "by now it may have been put down nearer"


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
    mind = memory.working
    assert mind is not None
    stranger = split_last_stay(mind, mind.tracks.slot_of[1], np.array([0.9, 0.0, 1.0]))
    number = int(mind.rows[stranger]["id"])
    assert number in mind.holding
    for step in range(4):  # empty hands, well in view
        memory.observe(frame(time + step, {}, at=(4.8, 3.2, 1.5), yaw=90.0, pitch=-15.0))
    assert number not in mind.holding


def cups_of(memory: SpatialMemory) -> list[int]:
    return [view.id for view in memory.state().objects() if view.category == "cup" and view.presence > 0.5]


def test_a_thing_picked_up_out_of_view_is_the_thing_that_was_there() -> None:
    """Seen from two metres, then below the picture, then in the hands a few seconds later."""
    memory = SpatialMemory.create(":memory:")
    for second in range(8):
        memory.observe(frame(float(second), {"cup": [(2.2, 0.0, 0.4)], "lamp": [(9.0, 1.0, 1.0)]}))
    for second in range(8, 12):
        memory.observe(frame(float(second), {"lamp": [(9.0, 1.0, 1.0)]}, at=(1.5, 0.0, 1.5)))
    for step in range(6):
        at = (1.5, 0.6 * step, 1.5)
        memory.observe(frame(12.0 + step, {"cup": [carried_spot(at[0], at[1], 90.0)]}, at=at, yaw=90.0))
    assert cups_of(memory) == [1]


def test_one_more_cup_where_many_are_alike_is_one_more() -> None:
    """The same, in a place where cups stand in rows: nothing says that it is the one from the floor."""
    memory = SpatialMemory.create(":memory:")
    row = [(5.0, 0.4 * k, 1.0) for k in range(-4, 5)]
    for second in range(8):
        memory.observe(frame(float(second), {"cup": [*row, (2.2, 0.0, 0.4)]}))
    for second in range(8, 12):
        memory.observe(frame(float(second), {"cup": row}, at=(1.5, 0.0, 1.5)))
    for second in range(12, 18):
        memory.observe(frame(float(second), {"cup": [(1.5, 1.2, 1.0)]}, at=(1.5, 0.0, 1.5), yaw=90.0))
    assert len(cups_of(memory)) == 11


def test_a_thing_put_down_unseen_beside_another_is_not_that_one() -> None:
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    vase = (4.8, 4.4, 1.0)
    for step in range(4):  # the vase is seen while the cup is in the hands
        at = (4.8, 3.3 + 0.1 * step, 1.5)
        seen = {"vase": [vase], "cup": [carried_spot(at[0], at[1], 90.0)]}
        memory.observe(frame(time + step, seen, at=at, yaw=90.0))
    for step in range(8):
        memory.observe(frame(time + 4 + step, {"vase": [vase]}, at=(4.8, 3.0, 1.5), yaw=90.0))
    left = {view.category for view in memory.state().objects() if view.presence > 0.5}
    assert left == {"cup", "vase", "lamp"}


def test_what_was_thought_to_go_along_and_did_not_is_no_second_thing() -> None:
    memory = SpatialMemory.create(":memory:")
    basket, pen = (0.9, 0.0, 1.0), (0.95, 0.0, 1.0)
    for second in range(5):
        memory.observe(frame(float(second), [_basket(basket), thing("pen", pen)]))
    for step in range(1, 7):
        at = (0.8 * step, 0.0, 1.5)
        memory.observe(frame(4.0 + step, [_basket(carried_spot(at[0], 0.0, 0.0))], at=at))
    for second in range(5):
        memory.observe(frame(40.0 + second, [thing("pen", pen)]))
    state = memory.state()
    (kept,) = [view for view in state.objects() if view.category == "pen" and view.presence > 0.5]
    assert math.dist(kept.box.center, pen) < 0.1
    assert all(state.sightings(view.id) for view in state.objects())


def _basket(place: tuple[float, float, float]) -> Observation:
    return Observation("basket", place, size=(0.4, 0.4, 0.4))


def test_it_was_put_down_before_the_wearer_turned_away() -> None:
    """Seen where it was seen last, it lay there then; seen elsewhere, it came there between two frames."""
    for seen_at, expected in ((0.0, -1.0), (0.3, -0.5)):
        memory = SpatialMemory.create(":memory:")
        time = carry(memory)
        x, y, z = carried_spot(4.8, 3.2, 90.0)
        for k in range(4):
            at = (4.8, 3.2 - 0.5 * (k + 1), 1.5)
            memory.observe(frame(time + k, {"cup": [(x, y + seen_at, z - 0.1)]}, at=at, yaw=90.0))
        stays = memory.state().stays(1)
        assert not stays[-1].held
        assert stays[-1].start == time + expected


@pytest.mark.parametrize("unseen_s", [4, 30, 200])
@pytest.mark.parametrize("camera", [True, False])
def test_what_was_put_down_out_of_view_was_put_down_when_it_was_last_in_the_hands(
    unseen_s: int, camera: bool
) -> None:
    """However late it is met again; and what is met is where it was put, moved by nobody else."""
    memory = SpatialMemory.create(":memory:")
    kept = {} if camera else {"camera": None, "free": None}
    for given in carrying(rest_s=9):
        memory.observe(replace(given, **kept))
    last = given.time
    for step in range(1, unseen_s + 1):
        memory.observe(replace(frame(last + step, {}, at=(4.8, 3.2, 1.5), yaw=270.0, pitch=-10.0), **kept))
    for step in range(1, 4):
        seen = {"cup": [(4.8, 4.4, 0.9)]}
        memory.observe(replace(frame(last + unseen_s + step, seen, at=(4.8, 3.2, 1.5), yaw=90.0), **kept))
    state = memory.state()
    (cup,) = [view for view in state.objects() if view.category == "cup" and view.presence > 0.5]
    (move,) = moves_of(state, cup)
    assert move.by_wearer
    assert last < move.arrived <= last + 2.0
    assert move.after is not None
    assert math.dist(move.after.center, (4.8, 4.4, 0.9)) < 0.1


def test_what_lies_farther_than_an_arm_reaches_was_carried_there_first() -> None:
    memory = SpatialMemory.create(":memory:")
    for given in carrying(rest_s=9):
        memory.observe(replace(given, camera=None, free=None))
    last, table = given.time, (4.8, 16.0, 0.9)
    for step in range(1, 13):  # its wearer walks on, and sees nothing of it
        memory.observe(replace(frame(last + step, {}, at=(4.8, 3.2 + step, 1.5)), camera=None, free=None))
    for step in range(13, 16):
        seen = frame(last + step, {"cup": [table]}, at=(4.8, 22.0 - 0.6 * step, 1.5), yaw=90.0)
        memory.observe(replace(seen, camera=None, free=None))
    (cup,) = [view for view in memory.state().objects() if view.category == "cup" and view.presence > 0.5]
    assert last + 8.0 < moves_of(memory.state(), cup)[-1].arrived <= last + 13.0


def test_what_was_taken_up_out_of_view_and_put_back_is_the_thing_that_was_there() -> None:
    """It comes into view in the hands and goes out of it; later it lies a hand's width from where it lay."""
    memory = SpatialMemory.create(":memory:")
    lamp = (9.0, 1.0, 1.0)
    for second in range(12):
        memory.observe(frame(float(second), {"cup": [(2.2, 0.0, 0.9)], "lamp": [lamp]}))
    for second in range(12, 16):
        memory.observe(frame(float(second), {"lamp": [lamp]}, at=(1.5, 0.0, 1.5), yaw=60.0))
    for step in range(3):
        at = (1.5, 0.4 * step, 1.5)
        memory.observe(frame(16.0 + step, {"cup": [carried_spot(at[0], at[1], 60.0)]}, at=at, yaw=60.0))
    for second in range(19, 30):
        memory.observe(frame(float(second), {}, at=(1.5, 0.0, 1.5), yaw=120.0))
    for second in range(30, 36):
        memory.observe(frame(float(second), {"cup": [(2.4, 0.1, 0.9)], "lamp": [lamp]}))
    assert cups_of(memory) == [1]


@pytest.mark.parametrize("lifted", [(0.7, 0.0, 1.12), (0.72, 0.22, 1.22)])
def test_sightings_in_the_hands_do_not_drag_the_place_that_a_thing_was_taken_from(
    lifted: tuple[float, float, float],
) -> None:
    """A big thing is lifted by little, or so far that it is another thing for a moment, and carried off."""
    memory = SpatialMemory.create(":memory:")
    table, size = (0.9, 0.0, 0.9), (0.35, 0.3, 0.35)
    spots = [table] * 9 + [lifted] * 2
    for time, spot in enumerate(spots):
        memory.observe(frame(float(time), [replace(thing("bear", spot), size=size)]))
    for step in range(1, 7):
        x = 0.8 * step
        memory.observe(
            frame(10.0 + step, [replace(thing("bear", (x + 0.7, 0.0, 1.12)), size=size)], at=(x, 0.0, 1.5))
        )
    first, held = memory.state().stays(1)[:2]
    assert held.held
    assert math.dist(first.box.center, table) < 0.05


def test_what_left_the_grip_and_is_seen_twice_at_one_place_was_put_there() -> None:
    """The wearer stands still while putting a thing down, and turns away."""
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    shelf = (4.8, 3.95, 0.85)
    for step in range(2):
        memory.observe(frame(time + step, {"cup": [shelf]}, at=(4.8, 3.2, 1.5), yaw=90.0, pitch=-20.0))
    for step in range(2, 6):  # empty hands, well in view
        memory.observe(frame(time + step, {}, at=(4.8, 3.2, 1.5), yaw=0.0, pitch=-15.0))
    rest = memory.state().stays(1)[-1]
    assert not rest.held
    assert rest.start <= time
    assert math.dist(rest.box.center, shelf) < 0.05


def _cups_left(memory: SpatialMemory) -> list[RememberedObject]:
    cups = memory.state().objects().of_category("cup")
    return [cup for cup in cups if cup.presence > 0.5 and cup.remains >= 0.5]


def test_what_is_taken_where_one_of_two_look_alikes_was_is_that_one_and_not_the_lost_one() -> None:
    memory = SpatialMemory.create(":memory:")
    time = carry(memory)
    for _ in range(8):  # it is no longer in the hands, nor anywhere here
        memory.observe(frame(time, {}, at=(4.8, 3.2, 1.5), yaw=90.0, pitch=-15.0))
        time += 1
    for step in range(8):
        memory.observe(frame(time, {}, at=(4.8 + 0.5 * step, 3.2, 1.5), yaw=180.0))
        time += 1
    for _ in range(3):  # one like it, and a look the other way
        memory.observe(frame(time, {"cup": [(9.2, 3.2, 1.0)]}, at=(8.3, 3.2, 1.5)))
        time += 1
    (other,) = _cups_left(memory)
    for _ in range(5):
        memory.observe(frame(time, {}, at=(8.3, 3.2, 1.5), yaw=180.0))
        time += 1
    for step in range(5):
        at = (8.3, 3.2 + 0.15 * step * (step + 1), 1.5)  # slow at first
        memory.observe(frame(time, {"cup": [carried_spot(at[0], at[1], 90.0)]}, at=at, yaw=90.0))
        time += 1
    assert [cup.id for cup in _cups_left(memory)] == [other.id]
    held = memory.state().object(other.id)
    assert held is not None
    assert held.held


@pytest.mark.parametrize("looked", [True, False])
def test_what_vanished_from_the_hands_and_is_not_where_it_would_lie_was_not_put_there(looked: bool) -> None:
    memory = SpatialMemory.create(":memory:")
    dresser = Observation("dresser", (1.1, 0.0, 0.45), size=(0.8, 0.8, 0.9))
    cup = thing("cup", (0.9, 0.0, 0.95))
    for time in range(4):
        memory.observe(frame(float(time), [dresser, cup], pitch=-30.0))
    for time in range(4, 7):  # lifted, and held over it
        memory.observe(frame(float(time), [dresser, thing("cup", (0.8, 0.0, 1.3))], pitch=-30.0))
    for time in range(7, 17):
        away = time > 7 and not looked
        memory.observe(frame(float(time), [] if away else [dresser], yaw=180.0 if away else 0.0, pitch=-30.0))
    answer = TimesPut(Selector.make("dresser")).answer(memory.state())
    assert answer.value == (0 if looked else 1)


@pytest.mark.parametrize(("holder", "shown"), [("washing machine", False), ("zorb", False), ("zorb", True)])
def test_what_vanishes_from_the_hands_at_a_thing_is_in_it(holder: str, shown: bool) -> None:
    """Whatever that is called; but not in one on which things were seen to lie in plain view."""
    there = [Observation(holder, (3.0, 0.0, 0.5), 0.95, 0.02, size=(0.6, 0.6, 0.9))]
    there += [thing("vase", (3.0, 0.1, 0.9))] if shown else []
    memory, time = SpatialMemory.create(":memory:"), 0.0
    for second in range(8):
        memory.observe(frame(float(second), [*there, thing("shirt", (0.7, 0.0, 1.0))], pitch=-15.0))
    for step in range(1, 9):
        x, time = 0.25 * step, 8.0 + 0.5 * step
        shirt = thing("shirt", carried_spot(x, 0.0, 0.0))
        memory.observe(frame(time, [*there, shirt], at=(x, 0.0, 1.5), pitch=-15.0))
    for step in range(1, 20):
        memory.observe(frame(time + step, there, at=(1.8, 0.0, 1.5), pitch=-15.0))
    (shirt_view,) = [view for view in memory.state().objects() if view.category == "shirt"]
    inside = math.dist(shirt_view.box.center, (3.0, 0.0, 0.5)) < 0.4 and shirt_view.here > 0.6
    assert inside == (not shown)
    # Taken out again, it lies where it is seen.
    for step in range(20, 26):
        seen = [*there, thing("shirt", (2.5, 0.8, 0.8))]
        memory.observe(frame(time + step, seen, at=(1.0, 0.0, 1.5), pitch=-15.0))
    views = memory.state().objects()
    (shirt_view,) = [view for view in views if view.category == "shirt" and view.presence > 0.5]
    assert math.dist(shirt_view.box.center, (2.5, 0.8, 0.8)) < 0.3
