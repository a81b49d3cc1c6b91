from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.benchmarks.rem.cells import COUNT_CELLS, LENGTHS, ORDER_CELLS, SINGLE_CELLS, world_of
from situ.benchmarks.rem.preview import rich_world
from situ.benchmarks.rem.rotation import rotation_scene
from situ.benchmarks.rem.scenes import CLEARANCE_M, MIN_GAP_M, draw_types, lattice_scene
from situ.benchmarks.rem.walks import random_walk
from situ.errors import Impossible


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 155), st.integers(0, 1000))
def test_no_object_stands_in_the_way_or_in_another(item: int, seed: int) -> None:
    first = world_of("baseline", item)._replace(tries=1)
    scene, walk = rich_world(first, np.random.default_rng(seed))
    places = np.array([o.position[:2] for o in scene.objects])
    steps = walk.path().positions[:, :2]
    assert np.linalg.norm(places[:, None] - steps[None], axis=2).min() >= CLEARANCE_M
    assert all(np.hypot(*(a - b)) >= MIN_GAP_M for a, b in combinations(places, 2))
    assert len(scene.objects) == world_of("baseline", item).objects


def test_every_published_cell_can_be_drawn_with_the_repeats_it_names() -> None:
    rng = np.random.default_rng(0)
    for count, repeats in (*ORDER_CELLS, *COUNT_CELLS, *SINGLE_CELLS):
        copies = sorted(Counter(draw_types(count, repeats, rng)).values(), reverse=True)
        assert sum(copies) == count
        assert copies[: len(repeats)] == sorted((t + 1 for t in repeats), reverse=True)
        assert set(copies[len(repeats) :]) <= {1}


@pytest.mark.parametrize("task", ["ordering", "comparison", "counting", "left_right"])
def test_items_of_a_task_cover_lengths_and_cells_evenly(task: str) -> None:
    worlds = [w for w in (world_of("baseline", i) for i in range(1000)) if w.tasks == (task,)]
    lengths = Counter(world.frames for world in worlds)
    assert set(lengths) == set(LENGTHS)
    assert max(lengths.values()) - min(lengths.values()) <= 1
    cells = Counter((world.frames, world.objects, world.repeats) for world in worlds)
    assert max(cells.values()) - min(cells.values()) <= 1


def test_single_frames_show_as_many_worlds_as_published() -> None:
    assert 35 < np.mean([world_of("single", i).objects for i in range(350)]) < 39


def test_impossible_worlds_say_so() -> None:
    rng = np.random.default_rng(0)
    path = random_walk(8, rng).path()
    with pytest.raises(Impossible, match="48 objects do not fit on a 2 x 2 m field"):
        lattice_scene(draw_types(48, (23, 23), rng), path, rng, half_field=1)
    with pytest.raises(Impossible, match="single types"):
        draw_types(48, (), rng)


@pytest.mark.parametrize("duplicates", [1, 2])
def test_a_rotation_world_repeats_its_front_behind(duplicates: int) -> None:
    for seed in range(20):
        scene = rotation_scene(duplicates, np.random.default_rng(seed))
        by_place = {o.position[:2]: o for o in scene.objects}
        kinds = Counter((o.category, o.attributes["color"]) for o in scene.objects)
        assert sorted(kinds.values()) == [1] * (24 - 2 * duplicates) + [2] * duplicates
        mirrored = [(o, by_place[-x, -y]) for (x, y), o in by_place.items() if (-x, -y) in by_place]
        assert len(mirrored) >= 16  # each of the eight pairs, seen from both ends
        twins = [a for a, b in mirrored if a.attributes == b.attributes and a.category == b.category]
        assert len(twins) >= 2 * duplicates
