"""A detector that reports things twice in a frame does not double the world; real twins stay two."""

import numpy as np
import pytest

from desk import frame
from situ.memory import SpatialMemory
from situ.perception import Observation

PLACES = {"cup": (2.0, -0.9, 1.0), "lamp": (2.5, 0.0, 1.2), "box": (2.0, 0.9, 1.0), "vase": (3.0, 0.6, 1.4)}
SIZE = (0.2, 0.2, 0.2)


def counts(rng: np.random.Generator, apart: float, wobble: float) -> dict[str, int]:
    """How many of each there are, if each is reported with another one so far beside it."""
    with SpatialMemory.create(":memory:") as memory:
        for second in range(60):
            seen = []
            for name, place in PLACES.items():
                for side in (0.0, apart):
                    x, y, z = (np.array(place) + rng.normal(0.0, wobble, 3)).tolist()
                    seen.append(Observation(name, (x, y + side, z), 0.9, 0.03, None, SIZE))
            memory.observe(frame(float(second), seen))
        views = [view for view in memory.state().objects() if view.presence > 0.5]
    return {name: sum(view.category == name for view in views) for name in PLACES}


@pytest.mark.parametrize("seed", range(3))
def test_doubles_of_a_detector_are_one_thing(seed: int) -> None:
    assert counts(np.random.default_rng(seed), 0.0, 0.03) == dict.fromkeys(PLACES, 1)


@pytest.mark.parametrize("seed", range(3))
def test_real_twins_side_by_side_are_two(seed: int) -> None:
    assert counts(np.random.default_rng(seed), 0.3, 0.02) == dict.fromkeys(PLACES, 2)


def test_a_second_name_on_a_box_is_no_second_thing() -> None:
    """A detector of open vocabulary finds a mug in many cups; a bowl beside them is another thing."""
    rng = np.random.default_rng(4)
    with SpatialMemory.create(":memory:") as memory:
        for second in range(60):
            seen = []
            for name, (x, y, z) in {"cup": (2.0, -0.5, 1.0), "bowl": (2.0, 0.0, 1.0)}.items():
                names = [name, "mug"] if name == "cup" and rng.random() < 0.4 else [name]
                for one in names:
                    dx, dy, dz = rng.normal(0.0, 0.02, 3).tolist()
                    seen.append(Observation(one, (x + dx, y + dy, z + dz), 0.9, 0.03, None, SIZE))
            memory.observe(frame(float(second), seen))
        views = {view.category: view.presence for view in memory.state().objects()}
    assert min(views["cup"], views["bowl"]) > 0.9
    assert views.get("mug", 0.0) < 0.5
