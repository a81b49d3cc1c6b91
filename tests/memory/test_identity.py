"""One thing or two: association, moves, look-alikes."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk import frame, thing
from situ.memory import SpatialMemory, join_objects, part_object
from situ.questions import Count, Selector


def remembered(memory: SpatialMemory) -> list[tuple[str, tuple[float, ...]]]:
    return [
        (view.category, tuple(round(c, 2) for c in view.box.center))
        for view in memory.state().objects()
        if view.presence > 0.5
    ]


def feed(memory: SpatialMemory, start: int, count: int, things, **pose) -> int:
    for second in range(start, start + count):
        memory.observe(frame(float(second), things, **pose))
    return start + count


def test_two_identical_cups_side_by_side_stay_two() -> None:
    memory = SpatialMemory.create(":memory:")
    for second, order in enumerate(itertools.islice(itertools.cycle([1, -1]), 20)):
        memory.observe(frame(second, {"cup": [(2.0, 0.0, 1.0), (2.0, 0.15, 1.0)][::order]}))
    assert len(remembered(memory)) == 2
    state = memory.state()
    assert [len(state.sightings(view.id)) for view in state.objects()] == [20, 20]


def test_one_cup_seen_from_two_sides_stays_one() -> None:
    memory = SpatialMemory.create(":memory:")
    # A detector that sees surfaces puts the centre a few centimetres towards the camera.
    time = feed(memory, 0, 5, {"cup": [(1.97, 0.0, 1.0)]})
    feed(memory, time, 5, {"cup": [(2.03, 0.0, 1.0)]}, at=(4.0, 0.0, 1.5), yaw=180.0)
    assert len(remembered(memory)) == 1


def test_a_thing_moved_in_view_keeps_its_number() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 5, {"cup": [(2.0, -0.8, 1.0)], "lamp": [(3.0, 0.0, 1.0)]})
    feed(memory, time, 5, {"cup": [(2.0, 0.8, 1.0)], "lamp": [(3.0, 0.0, 1.0)]})
    state = memory.state()
    cups = [view for view in state.objects() if view.category == "cup" and view.presence > 0.5]
    assert [view.id for view in cups] == [1]
    assert cups[0].box.center[1] == pytest.approx(0.8, abs=0.05)
    before = state.where(1, 2.0)
    assert before is not None
    assert before.center[1] == pytest.approx(-0.8, abs=0.05)
    assert len(state.sightings(1)) == 10


def test_a_thing_moved_behind_the_back_is_the_same_thing() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 6, {"cup": [(2.0, 0.0, 1.0)]})
    time = feed(memory, time, 6, {}, yaw=180.0)  # the other side of the room is empty
    time = feed(memory, time + 60, 6, {"cup": [(-2.0, 0.0, 1.0)]}, yaw=180.0)
    assert remembered(memory) == [("cup", (-2.0, 0.0, 1.0))]
    feed(memory, time, 6, {})
    assert remembered(memory) == [("cup", (-2.0, 0.0, 1.0))]


@pytest.mark.parametrize("here", [0, 1])
def test_of_two_that_have_left_the_nearer_one_turned_up(here: int) -> None:
    memory = SpatialMemory.create(":memory:")
    places = [(2.0, 1.2, 1.0), (4.5, -2.5, 1.0)]
    time = feed(memory, 0, 5, {"cup": places})
    time = feed(memory, time + 60, 8, {})
    x, y, z = places[here]
    feed(memory, time + 60, 5, {"cup": [(x, y - 0.8, z)]})
    cups = memory.state().objects()
    assert [math.dist(view.box.center, (x, y - 0.8, z)) < 0.2 for view in cups] == [here == 0, here == 1]


def test_a_look_alike_is_told_apart_once_the_first_is_seen_again() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 6, {"cup": [(2.0, 0.0, 1.0)]})
    time = feed(memory, time, 6, {}, yaw=180.0)
    time = feed(memory, time + 60, 6, {"cup": [(-2.0, 0.0, 1.0)]}, yaw=180.0)
    feed(memory, time + 60, 6, {"cup": [(2.0, 0.0, 1.0)]})
    state = memory.state()
    assert sorted(remembered(memory)) == [("cup", (-2.0, 0.0, 1.0)), ("cup", (2.0, 0.0, 1.0))]
    at_home = next(view for view in state.objects() if view.box.center[0] > 0)
    assert at_home.id == 1
    # Its sightings are those of the first place only; the other place's went to the other cup.
    other = next(view for view in state.objects() if view.box.center[0] < 0)
    assert len(state.sightings(1)) == 12
    assert len(state.sightings(other.id)) == 6


def test_a_move_that_nobody_verified_belongs_to_the_one_that_is_missing() -> None:
    memory = SpatialMemory.create(":memory:")
    near, far, new = (0.0, 2.0, 1.0), (4.0, 0.0, 1.0), (-1.5, 0.5, 1.0)
    time = feed(memory, 0, 5, {"cup": [near]}, yaw=90.0)
    time = feed(memory, time, 5, {"cup": [far]})
    time = feed(memory, time, 6, {}, yaw=180.0)
    time = feed(memory, time + 300, 6, {"cup": [new]}, yaw=180.0)
    assert remembered(memory) == [("cup", new), ("cup", far)]  # the nearer one is thought to have moved
    feed(memory, time, 6, {})
    assert remembered(memory) == [("cup", near), ("cup", new)]


def test_unlike_things_are_never_taken_for_each_other() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 6, {"red cup": [(2.0, 0.0, 1.0)]})
    time = feed(memory, time, 6, {}, yaw=180.0)
    feed(memory, time + 60, 6, {"blue cup": [(-2.0, 0.0, 1.0)]}, yaw=180.0)
    assert len(remembered(memory)) == 2


def test_after_hours_another_thing_in_the_same_place_is_another_thing() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 10, {"cup": [(2.0, 0.0, 1.0)]})
    feed(memory, time + 3 * 3600, 10, {"clock": [(2.0, 0.0, 1.0)]})
    state = memory.state()
    here = {view.category: view.here > 0.5 for view in state.objects() if view.presence > 0.5}
    assert here == {"cup": False, "clock": True}


def test_things_that_all_get_other_names_are_the_same_things(tmp_path: Path) -> None:
    """Another detector, or the light of the evening; also if the memory is opened again on the way."""
    spots = {"red cup": (2.0, -1.0, 1.0), "lamp": (3.0, 0.0, 1.0), "white vase": (2.5, 1.0, 1.0)}
    names = {"red cup": "red mug", "lamp": "light", "white vase": "yellow vase"}
    later = {names[name]: [spot] for name, spot in spots.items()}
    with SpatialMemory.create(tmp_path / "room.situ") as memory:
        time = feed(memory, 0, 12, {name: [spot] for name, spot in spots.items()})
        time = feed(memory, time + 60, 2, later)
    with SpatialMemory.open(tmp_path / "room.situ") as memory:
        feed(memory, time, 8, later)
        state = memory.state()
        here = {view.id: view for view in state.objects() if view.presence > 0.5 and view.remains > 0.5}
        assert sorted(here) == [1, 2, 3]
        assert {len(state.sightings(number)) for number in here} == {22}
        for spot in spots.values():
            assert min(math.dist(view.box.center, spot) for view in here.values()) < 0.05


@pytest.mark.parametrize("seconds_away", [5, 600])
def test_look_alikes_that_swapped_places_are_each_where_they_are_now(seconds_away: int) -> None:
    left, right = (2.5, 0.8, 1.0), (2.5, -0.8, 1.0)
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 10, {"red cup": [left], "blue cup": [right]})
    time = feed(memory, time, seconds_away, {}, yaw=180.0)
    feed(memory, time, 10, {"red cup": [right], "blue cup": [left]})
    there = {
        view.attributes["colour"]: view.box.center
        for view in memory.state().objects()
        if view.presence > 0.5 and view.here > 0.5
    }
    assert there["red"] == pytest.approx(right, abs=0.1)
    assert there["blue"] == pytest.approx(left, abs=0.1)
    assert len(remembered(memory)) == 2
    red = next(view for view in memory.state().objects() if view.attributes["colour"] == "red")
    assert memory.state(at=5.0).where(red.id, 5.0).center == pytest.approx(left, abs=0.1)  # type: ignore[union-attr]
    assert len(memory.state().sightings(red.id)) == 20


def test_a_thing_that_was_added_is_one_more() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 10, {"cup": [(2.0, 0.5, 1.0)]})
    time = feed(memory, time, 60, {}, yaw=180.0)
    feed(memory, time, 10, {"cup": [(2.0, 0.5, 1.0), (2.5, -0.5, 1.0)]})
    there = [view for view in memory.state().objects() if view.presence > 0.5 and view.here > 0.5]
    assert len(there) == 2


def test_appearance_decides_where_labels_cannot() -> None:
    looks = {"a": np.array([1.0, 0.0], np.float32), "b": np.array([0.0, 1.0], np.float32)}
    memory = SpatialMemory.create(":memory:")
    for second in range(6):
        seen = [
            thing("cup", (2.0, 0.0, 1.0), embedding=looks["a"]),
            thing("cup", (2.0, 0.2, 1.0), embedding=looks["b"]),
        ]
        memory.observe(frame(float(second), seen))
    # The two change places by a step that position alone would explain by staying.
    swapped = [
        thing("cup", (2.0, 0.14, 1.0), embedding=looks["a"]),
        thing("cup", (2.0, 0.06, 1.0), embedding=looks["b"]),
    ]
    memory.observe(frame(6.0, swapped))
    assert memory.working.journal.frames.run().object_ids[-2:].tolist() == [1, 2]


def test_a_trusted_track_follows_a_thing_that_moves() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(8):
        memory.observe(frame(float(second), [thing("cat", (3.0, -1.5 + 0.5 * second, 0.3), track_id=7)]))
    assert len(remembered(memory)) == 1


def test_joining_and_parting_keep_the_history() -> None:
    memory = SpatialMemory.create(":memory:")
    time = feed(memory, 0, 5, {"cup": [(2.0, 0.0, 1.0)]})
    feed(memory, time, 5, {"mug": [(-2.0, 0.0, 1.0)]}, yaw=180.0)
    before = memory.now
    join_objects(memory, 1, 2)
    state = memory.state()
    assert [view.id for view in state.objects()] == [1]
    assert len(state.sightings(1)) == 10
    other = part_object(memory, 1)
    parted = memory.state()
    assert {view.id: len(parted.sightings(view.id)) for view in parted.objects()} == {1: 5, other: 5}
    for sighting in parted.sightings(other):  # filed under the object that it was taken for
        assert other in {view.id for view in parted.seen_in([sighting.frame])}
    assert Count(Selector.make("cup")).answer(memory.state(at=before - 5.5)).value == 1


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(5)), st.integers(0, 3))
def test_the_order_of_detections_does_not_matter(order: list[int], turn: int) -> None:
    spots = [(2.0, 0.5 * k - 1.0, 1.0 + 0.1 * k) for k in range(5)]
    plain, mixed = SpatialMemory.create(":memory:"), SpatialMemory.create(":memory:")
    for second in range(4):
        shuffled = [spots[k] for k in (order if second == turn else range(5))]
        plain.observe(frame(float(second), {"cup": spots}))
        mixed.observe(frame(float(second), {"cup": shuffled}))
    assert sorted(remembered(plain)) == sorted(remembered(mixed))


def test_rooms_furnished_alike_have_a_bed_each() -> None:
    """A bed that turns up where an earlier look showed none is no known bed that walked there."""
    beds = [(3.0, 8.0 * k, 0.5) for k in range(3)]
    memory, time = SpatialMemory.create(":memory:"), 0
    for bed in beds:
        time = feed(memory, time, 3, {}, at=(0.0, bed[1], 1.5))  # not found at first
        time = feed(memory, time, 6, {"bed": [bed]}, at=(0.0, bed[1], 1.5))
    assert len(remembered(memory)) == 3
