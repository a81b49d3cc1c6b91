"""Negative evidence: what is looked for in vain is gone; what is hidden or out of view is not."""

from dataclasses import replace

import numpy as np
import pytest

from desk import CAMERA, frame, thing
from situ.memory import SpatialMemory
from situ.perception import FreeSpace, Observation, ObservedFrame


def see_cup(memory: SpatialMemory, seconds: int = 6) -> None:
    for second in range(seconds):
        memory.observe(frame(float(second), {"cup": [(2.0, 0.0, 1.0)]}))


def test_a_thing_that_was_taken_away_is_gone_but_was_there() -> None:
    memory = SpatialMemory.create(":memory:")
    see_cup(memory)
    for second in range(100, 106):
        memory.observe(frame(float(second), {}))
    state = memory.state()
    (cup,) = state.objects()
    assert cup.presence > 0.9
    assert cup.here < 0.1
    assert state.where(cup.id, state.now) is None
    assert state.where(cup.id, 3.0) is not None
    assert memory.state(at=50.0).where(cup.id, 50.0) is not None


def test_what_something_hides_is_not_gone() -> None:
    memory = SpatialMemory.create(":memory:")
    see_cup(memory)
    for second in range(100, 120):
        memory.observe(frame(float(second), {}, wall=1.0))
    (cup,) = memory.state().objects()
    assert cup.here > 0.9


def test_a_tall_thing_close_behind_a_wall_is_hidden_by_it() -> None:
    memory = SpatialMemory.create(":memory:")
    bottle = Observation("bottle", (2.0, 0.0, 1.5), 0.9, 0.02, size=(0.08, 0.08, 0.5))
    for second in range(6):
        empty = frame(float(second), {})
        memory.observe(replace(empty, observations=(bottle,)))
    for second in range(100, 120):
        memory.observe(frame(float(second), {}, wall=1.75))
    (seen,) = memory.state().objects()
    assert seen.here > 0.9


def test_what_is_out_of_view_is_not_gone() -> None:
    memory = SpatialMemory.create(":memory:")
    see_cup(memory)
    for second in range(100, 120):
        memory.observe(frame(float(second), {}, yaw=180.0))
    (cup,) = memory.state().objects()
    assert cup.here > 0.9


def test_without_a_camera_nothing_is_missed() -> None:
    memory = SpatialMemory.create(":memory:")
    see_cup(memory)
    for second in range(100, 120):
        seen = frame(float(second), {})
        memory.observe(ObservedFrame(seen.time, seen.T_world_camera))
    (cup,) = memory.state().objects()
    assert cup.here > 0.9


def test_a_surface_in_its_place_speaks_less_against_a_thing_than_a_clear_view() -> None:
    beliefs = {}
    for name, depth in (("surface", 2.0), ("clear", 8.0)):
        memory = SpatialMemory.create(":memory:")
        see_cup(memory)
        memory.observe(frame(100.0, {}, wall=depth))
        beliefs[name] = memory.state().objects()[0].here
    assert beliefs["clear"] < beliefs["surface"]


def test_a_thing_that_is_back_is_the_same_thing() -> None:
    memory = SpatialMemory.create(":memory:")
    see_cup(memory)
    for second in range(100, 106):
        memory.observe(frame(float(second), {}))
    for second in range(200, 206):
        memory.observe(frame(float(second), {"cup": [(2.0, 0.0, 1.0)]}))
    views = [view for view in memory.state().objects() if view.presence > 0.5]
    assert [view.id for view in views] == [1]
    assert views[0].here > 0.9


def test_false_detections_fade_and_teach_caution() -> None:
    memory = SpatialMemory.create(":memory:")
    rng = np.random.default_rng(0)
    for second in range(120):
        ghost = (2.0, float(rng.uniform(-1.5, 1.5)), float(rng.uniform(0.5, 2.0)))
        memory.observe(frame(float(second), {"cup": [(3.0, 0.0, 1.0)], "ghost": [ghost]}))
    state = memory.state()
    real = {view.category: view.presence for view in state.objects() if view.presence > 0.5}
    assert set(real) == {"cup"}


def test_labels_are_settled_by_votes_weighted_with_confidence() -> None:
    memory = SpatialMemory.create(":memory:")
    for second, (label, score) in enumerate(
        [("mug", 0.3), ("cup", 0.9), ("cup", 0.9), ("mug", 0.3), ("cup", 0.8)]
    ):
        memory.observe(frame(float(second), [thing(label, (2.0, 0.0, 1.0), score=score)]))
    (view,) = [v for v in memory.state().objects() if v.presence > 0.5]
    assert view.category == "cup"
    assert view.labels["cup"] == pytest.approx(2.6 / 3.2, abs=0.25)


@pytest.mark.parametrize("label", ["object", "basket"])
def test_one_surprise_under_another_name_moves_a_thing_little_and_a_second_one_does(label) -> None:
    """A glimpse of a neighbour may be taken for it once. What was moved is seen there again."""
    memory = SpatialMemory.create(":memory:")
    for second in range(6):
        seen = [
            thing("object" if second % 2 else "basket", (2.0, 0.0, 1.0), score=0.2 + 0.8 * (1 - second % 2))
        ]
        memory.observe(frame(float(second), seen))
    moved = []
    for second in (6.0, 7.0, 8.0):
        glimpse = Observation(label, (2.0, 0.5, 1.0), 0.1, 0.13, size=(0.1, 0.1, 0.1))
        memory.observe(frame(second, [glimpse]))
        (basket,) = [view for view in memory.state().objects() if view.category == "basket"]
        moved.append(basket.box.center[1])
    assert (moved[0] < 0.1) == (label == "object")
    assert moved[2] > 0.2


def test_belief_in_a_place_fades_with_age() -> None:
    memory = SpatialMemory.create(":memory:")
    see_cup(memory)
    here = []
    for second in (10.0, 3600.0, 36000.0):
        memory.observe(frame(second, {}, yaw=180.0))
        here.append(memory.state().objects()[0].here)
    assert here[0] > here[1] > here[2]


def test_free_space_is_rounded_towards_the_camera() -> None:
    depth = np.full((48, 64), 3.0)
    depth[10, 10] = 1.0
    free = FreeSpace.from_depth(depth)
    assert (free.metres <= 3.0).all()
    assert free.metres.min() == pytest.approx(1.0, rel=0.03)
    assert free.clear_to(CAMERA, -1.0, 5.0) == 0.0


def row_of_boxes(count: int) -> list[tuple[float, float, float]]:
    """Side by side, the first ones nearest."""
    return [(2.0 + 0.05 * k, -1.5 + 0.25 * k, 1.0) for k in range(count)]


@pytest.mark.parametrize(("others", "still_there"), [(10, True), (9, False)])
def test_eyes_that_tell_of_so_many_things_do_not_miss_what_is_beyond_them(
    others: int, still_there: bool
) -> None:
    """Ten in a frame, and never more: that the lamp behind them is not the eleventh tells nothing."""
    memory = SpatialMemory.create(":memory:")
    boxes, lamp = row_of_boxes(others), {"lamp": [(3.5, 0.0, 1.0)]}
    for second in range(6):
        memory.observe(frame(float(second), {"box": boxes[: others - 1], **lamp}))
    for second in range(6, 12):
        memory.observe(frame(float(second), {"box": boxes}))
    (seen,) = (view for view in memory.state().objects() if view.category == "lamp")
    assert (seen.here > 0.5) == still_there
