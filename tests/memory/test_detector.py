"""What a stream teaches of its detector (it is silent, sees things in textures, reports boxes twice), and of
things of unknown names (they walk about)."""

import numpy as np
import pytest

from desk import Spot, frame, thing
from situ.memory import SpatialMemory
from situ.perception import Observation

SHELF: dict[str, list[Spot]] = {
    name: [(2.5, -1.2 + 0.6 * k, 1.2)] for k, name in enumerate(("cup", "kettle", "globe", "vase", "clock"))
}


def here(memory: SpatialMemory, name: str) -> float:
    (view,) = [view for view in memory.state().objects() if view.category == name]
    return float(view.presence * view.here)


@pytest.mark.parametrize("frames", [5, 40, 200])
def test_a_silent_detector_says_less_than_one_that_misses_a_single_thing(frames: int) -> None:
    left = {}
    for others in (False, True):
        memory = SpatialMemory.create(":memory:")
        for second in range(30):
            memory.observe(frame(float(second), SHELF))
        rest = {name: spots for name, spots in SHELF.items() if name != "kettle"}
        for second in range(30, 30 + frames):
            memory.observe(frame(float(second), rest if others else {}))
        left[others] = here(memory, "kettle")
    assert left[True] < 0.05, "the others were found, so this one is gone"
    assert left[False] > 0.2, "who reports nothing at all may be blind"


def test_what_recurs_in_few_looks_is_never_as_sure_as_what_is_always_found() -> None:
    """A texture is taken for a person now and then, beside things that are found in nearly every look."""
    memory, rng = SpatialMemory.create(":memory:"), np.random.default_rng(3)
    presence = []
    for second in range(120):
        seen = dict(SHELF)
        if rng.random() < 0.3:
            seen["person"] = [(2.5, 1.8, 1.2)]
        memory.observe(frame(float(second), seen))
        views = {view.category: view.presence for view in memory.state().objects()}
        assert min(views.get(name, 0.0) for name in SHELF) > 0.9 or second < 3
        presence.append(views.get("person", 0.0))
    assert max(presence[40:]) < 0.9


def test_neighbours_stay_two_beside_boxes_that_come_twice() -> None:
    """Bottles a hand's width apart; other things are reported twice now and then."""
    memory, rng = SpatialMemory.create(":memory:"), np.random.default_rng(5)
    bottles = [thing("bottle", (2.5, -0.6 + 0.25 * k, 1.0)) for k in range(6)]
    for second in range(60):
        seen = list(bottles)
        for k, name in enumerate(("cup", "plate", "book", "bowl")):
            box = thing(name, (3.0, -0.9 + 0.6 * k, 1.5))
            seen += [box, box] if rng.random() < 0.3 else [box]
        memory.observe(frame(float(second), seen))
    views = memory.state().objects()
    assert sum(view.category == "bottle" and view.presence > 0.9 for view in views) == 6
    for name in ("cup", "plate", "book", "bowl"):
        assert sum(view.category == name and view.presence > 0.5 for view in views) == 1


def test_what_moves_on_in_view_is_an_agent_whatever_its_name() -> None:
    memory = SpatialMemory.create(":memory:")
    second = 0.0
    for _ in range(3):
        for step in range(8):
            machine = Observation("zorb", (3.0, -2.0 + 0.6 * step, 0.5), 0.9, 0.02, size=(0.3, 0.3, 0.3))
            memory.observe(frame(second, [machine, thing("cup", (2.5, 0.0, 1.2))], pitch=-10.0))
            second += 1.0
        for _ in range(10):
            memory.observe(frame(second, [thing("cup", (2.5, 0.0, 1.2))], pitch=-10.0))
            second += 1.0
    zorbs = [view for view in memory.state().objects() if view.category == "zorb" and view.presence > 0.5]
    assert len(zorbs) == 1
    assert zorbs[0].here < 0.5, "it walked on"
