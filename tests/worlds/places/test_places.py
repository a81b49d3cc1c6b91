"""Places: a floor with a name, room to walk, nothing in the way, and variety."""

from functools import lru_cache

import numpy as np
import pytest

from situ.errors import BadInput
from situ.worlds.places import INDOOR, LAYOUTS, Place, make_place


@lru_cache(maxsize=80)
def place(layout: str, seed: int = 0) -> Place:
    return make_place(layout, np.random.default_rng(seed))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_place_has_a_floor_of_its_name_and_size(layout: str) -> None:
    made = place(layout)
    floor = made.scene.objects[0]
    assert floor.category == made.name
    assert floor.structural
    assert floor.box.size[:2] == pytest.approx(made.bounds.size)
    assert [o.category for o in made.scene.objects].count(made.name) == 1
    assert made.indoor == (layout in INDOOR)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_there_is_free_ground_to_walk_on(layout: str) -> None:
    for seed in range(3):
        made = place(layout, seed)
        u, v = np.meshgrid(np.linspace(0.05, 0.95, 15), np.linspace(0.05, 0.95, 15))
        points = np.array([made.room.at(a, b) for a, b in zip(u.ravel(), v.ravel(), strict=True)])
        assert (made.obstacles.distance(points) > 0.45).mean() > 0.75


@pytest.mark.parametrize("layout", LAYOUTS)
def test_corners_sides_and_middle_can_be_stood_in(layout: str) -> None:
    made = place(layout, 1)
    rng = np.random.default_rng(0)
    for u0 in (0.06, 0.42, 0.80):
        for v0 in (0.06, 0.42, 0.80):
            shares = rng.uniform((u0, v0), (u0 + 0.14, v0 + 0.14), (200, 2))
            points = np.array([made.bounds.at(u, v) for u, v in shares])
            assert made.obstacles.distance(points).max() > 0.45


@pytest.mark.parametrize("layout", LAYOUTS)
def test_seeds_vary_a_place_and_repeat_it(layout: str) -> None:
    again = make_place(layout, np.random.default_rng(1))
    assert place(layout, 1).scene == again.scene
    assert place(layout, 1).scene != place(layout, 2).scene


def test_names_are_unique_and_unknown_ones_refused() -> None:
    assert len({place(layout).name for layout in LAYOUTS}) == len(LAYOUTS)
    with pytest.raises(BadInput, match="courtyard"):
        make_place("moon", np.random.default_rng(0))


def test_added_objects_get_new_ids() -> None:
    made = place("lawn")
    assert made.next_id not in {thing.id for thing in made.scene.objects}
