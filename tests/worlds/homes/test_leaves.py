"""Doors between rooms stand open, and nothing stands where they do."""

import numpy as np
import pytest

from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.homes.leaves import BRASS, PAINT
from situ.worlds.homes.plan import OUTSIDE
from situ.worlds.homes.walkable import BODY_M
from situ.worlds.scene import part_box


@pytest.mark.parametrize("seed", range(6))
def test_door_leaves_touch_no_thing_and_leave_the_way_free(seed: int) -> None:
    home = build_home(HomeSpec(6, 60), np.random.default_rng(seed))
    parts = [p for o in home.scene.objects if o.category == "wall" for p in o.parts]
    leaves = [part_box(p).corners() for p in parts if p.material == PAINT]
    handles = [p for p in parts if p.material == BRASS]
    doors = [door for door in home.plan.doors if OUTSIDE not in (door.first, door.second)]
    assert len(leaves) == len(handles)
    assert len(doors) / 2 <= len(leaves) <= len(doors)
    for leaf in leaves:
        low, high = leaf.min(axis=0), leaf.max(axis=0)
        for thing in home.objects:
            corners = thing.box.corners()
            assert (corners.min(axis=0) >= high - 1e-6).any() or (corners.max(axis=0) <= low + 1e-6).any()
        for door in doors:  # nobody who walks through the middle of a door touches a leaf
            gap = np.maximum(0.0, np.maximum(low[:2] - (door.x, door.y), (door.x, door.y) - high[:2]))
            assert np.hypot(*gap) > BODY_M
