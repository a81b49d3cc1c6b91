"""The memory as a state: heads that nod, samples, visibility, and questions that truth answers too."""

import itertools

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from desk import frame
from situ.geometry.heading import Heading
from situ.memory import SpatialMemory
from situ.memory.reading.path import WalkedPath
from situ.questions import Count, FirstSeenOrder, Selector, SideInView

DESK = {"red cup": [(2.0, -0.5, 1.2)], "blue cup": [(2.0, 0.5, 1.3)], "lamp": [(3.0, 0.2, 1.8)]}


HEADS = [(0.0, 0.0), (-60.0, 0.0), (60.0, 0.0), (0.0, 20.0), (-60.0, 20.0)]


@pytest.mark.parametrize(("pitch", "roll"), HEADS)
def test_nodding_or_tilting_the_head_changes_no_direction(pitch: float, roll: float) -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(4):
        memory.observe(frame(float(second), DESK))
    memory.observe(frame(4.0, {}, at=(0.0, 0.3, 1.5), yaw=170.0, pitch=pitch, roll=roll))
    state = memory.state()
    here = Heading.of(state.pose)
    expected = Heading(0.0, 0.3, 1.5, 170.0)
    for view in state.objects():
        bearing = expected.bearing_deg(view.box.center)
        assert here.bearing_deg(view.box.center) == pytest.approx(bearing, abs=0.1)


def test_questions_get_the_same_answers_from_memory_as_from_truth() -> None:
    stream = Stream(Plan(rooms=2, objects=40, moved=0, carried=0, removed=0, added=0, seconds=300), 31)
    memory = SpatialMemory.create(":memory:")
    for oracle in stream.frames():
        memory.observe(oracle.exact())
    state, truth = memory.state(), stream.truth()
    names = sorted(set(stream.house.categories))
    for name in names:
        question = Count(Selector.make(name))
        assert question.answer(state).value == question.answer(truth).value
    for first, second in itertools.pairwise(names):
        order = FirstSeenOrder(Selector.make(first), Selector.make(second))
        assert order.answer(state).value == order.answer(truth).value


def test_sides_are_those_of_the_view() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(3):
        memory.observe(frame(float(second), DESK))
    side = SideInView(Selector.make("cup", {"colour": "red"}), Selector.make("lamp"))
    assert side.answer(memory.state()).value == "right"


def test_a_side_is_found_without_reading_the_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(3):
        memory.observe(frame(float(second), DESK))

    def read(path: WalkedPath) -> None:
        raise AssertionError("after a week these are half a million poses")

    monkeypatch.setattr(WalkedPath, "_poses", property(read))
    side = SideInView(Selector.make("cup", {"colour": "red"}), Selector.make("lamp"))
    assert side.answer(memory.state()).value == "right"


def test_seeing_is_not_remembering() -> None:
    memory = SpatialMemory.create(":memory:")
    memory.observe(frame(0.0, DESK))
    assert all(memory.state().in_view(view.id) for view in memory.state().objects())
    memory.observe(frame(1.0, {}, yaw=180.0))
    state = memory.state()
    assert len(state.objects()) == 3
    assert not any(state.in_view(view.id) for view in state.objects())


def test_samples_spread_as_far_as_belief_does() -> None:
    memory = SpatialMemory.create(":memory:")
    memory.observe(frame(0.0, DESK))
    state = memory.state()
    lamp = next(view for view in state.objects() if view.category == "lamp")
    table = state.worlds()
    k = table.column[lamp.id]
    assert (table.real[:, k] > 0).mean() == pytest.approx(table.presence[k], abs=0.5 / table.count)
    assert np.std(table.centers[:, k, 2]) == pytest.approx(lamp.covariance[2, 2] ** 0.5, rel=0.2)


def test_a_thing_long_unseen_may_be_elsewhere_in_some_worlds() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(3):
        memory.observe(frame(float(second), DESK))
    memory.observe(frame(40_000.0, {}, yaw=180.0))
    state = memory.state()
    view = state.objects()[0]
    assert 0.1 < view.here < 0.9
    table = state.worlds()
    assert table.placed[:, table.column[view.id]].mean() == pytest.approx(view.here, abs=0.05)


def test_picking_by_category_finds_what_a_walk_through_all_finds() -> None:
    memory = SpatialMemory.create(":memory:")
    for oracle in Stream(Plan(rooms=2, objects=30, moved=4, carried=2, seconds=240, calm=30), 5).frames():
        memory.observe(oracle.exact())
    for at in (20.0, 120.0, 239.0):
        state = memory.state(at=at)
        views = state.objects()
        labels, attributes = memory.state(at=at).names()
        assert labels >= {view.category for view in views}
        assert attributes >= {item for view in views for item in view.attributes.items()}
        for label in labels:
            by_walk = [view.id for view in views if view.category == label]
            assert [view.id for view in memory.state(at=at).objects().of_category(label)] == by_walk
    assert not memory.state(at=-1.0).names()[0]  # names heard later are not known before


def test_places_are_told_apart_by_where_they_are() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(20):
        memory.observe(frame(float(second), {}, at=(0.1 * second, 0.0, 1.5), place="kitchen"))
    for second in range(20, 40):
        memory.observe(frame(float(second), {}, at=(20.0, 0.1 * second, 1.5), place="kitchen"))
    state = memory.state()
    found = [(place.tag, round(place.mean[0])) for place in state.places()]
    assert found == [("kitchen", 1), ("kitchen", 20)]
    assert state.place_now() == "kitchen"
    assert len(memory.state(at=10.0).places()) == 1


def test_best_frames_are_near_and_spread_in_time() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(60):
        memory.observe(frame(float(second), DESK, at=(0.02 * second, 0.0, 1.5)))
    frames = memory.state().keyframes(1)
    assert len(frames) == 5
    assert min(np.diff(sorted(frames))) >= 5
    assert frames[0] > 40
