"""What may be hidden is not believed gone: with depth, and with the camera alone."""

import math

import numpy as np
import pytest

from desk import CAMERA
from situ.geometry.pose import camera_pose
from situ.memory import SpatialMemory
from situ.perception import FreeSpace, Observation, ObservedFrame

ROOM_M = 7.0


def seen_from(
    time: float, at: tuple[float, float], thing: Observation, seen: bool, depth: float | None
) -> ObservedFrame:
    """A frame that faces a thing, with one depth all over, or none."""
    x, y, z = thing.position
    yaw = math.degrees(math.atan2(y - at[1], x - at[0]))
    free = None if depth is None else FreeSpace.from_metres(np.full((12, 16), depth))
    return ObservedFrame(time, camera_pose((*at, z), yaw), (thing,) * seen, CAMERA, free)


def here_after(thing: Observation, known_from: tuple[float, float], *looks: ObservedFrame) -> float:
    """How sure a thing is in its place after it was seen for a while, and then looked for in vain."""
    with SpatialMemory.create(":memory:") as memory:
        for second in range(8):
            memory.observe(
                seen_from(4.0 * second, known_from, thing, True, math.dist(known_from, (0.0, 0.0)))
            )
        for frame in looks:
            memory.observe(frame)
        (view,) = [v for v in memory.state().objects() if v.presence > 0.5]
        return view.here


@pytest.mark.parametrize("seed", range(12))
def test_a_wall_before_the_front_of_a_thing_hides_it_whatever_its_shape(seed: int) -> None:
    rng = np.random.default_rng(seed)
    width, depth, height = rng.uniform(0.05, 2.0, 3).tolist()
    thing = Observation("wardrobe", (0.0, 0.0, 1.2), 1.0, 0.02, None, (width, depth, height))
    away = float(rng.uniform(1.5, 5.0)) + depth
    front = away - depth / 2
    wall = front - 0.1 - 0.1 * away  # nearer than the front, by a wall and what depth may be off
    looks = [seen_from(100.0 + k, (0.0, -away), thing, False, wall) for k in range(60)]
    assert here_after(thing, (0.0, 2.5), *looks) > 0.9


@pytest.mark.parametrize("seed", range(6))
def test_a_view_through_the_place_of_a_thing_says_that_it_is_gone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side = float(rng.uniform(0.1, 0.8))
    thing = Observation("box", (0.0, 0.0, 1.2), 1.0, 0.02, None, (side, side, side))
    looks = [seen_from(100.0 + k, (0.0, -3.0), thing, False, ROOM_M) for k in range(6)]
    assert here_after(thing, (0.0, 2.5), *looks) < 0.1


@pytest.mark.parametrize("side", [-1, 1])
def test_the_edge_of_a_wall_hides_what_is_half_behind_it(side: int) -> None:
    thing = Observation("box", (0.0, 0.0, 1.2), 1.0, 0.02, None, (0.3, 0.3, 0.3))
    depth = np.full((12, 16), ROOM_M)
    depth[:, slice(0, 8) if side < 0 else slice(8, 16)] = 1.0  # the edge runs through the middle of the view
    looks = []
    for k in range(20):
        pose = seen_from(100.0 + k, (0.0, -3.0), thing, False, ROOM_M).T_world_camera
        looks.append(ObservedFrame(100.0 + k, pose, (), CAMERA, FreeSpace.from_metres(depth)))
    assert here_after(thing, (0.0, 2.5), *looks) > 0.9


def test_without_depth_only_views_from_where_a_thing_was_seen_before_speak_against_it() -> None:
    thing = Observation("picture", (0.0, 0.0, 1.2), 1.0, 0.02, None, (0.9, 0.05, 0.7))
    behind = [seen_from(100.0 + 4 * k, (0.0, -2.0), thing, False, None) for k in range(60)]
    farther = [seen_from(100.0 + 4 * k, (0.0, 4.5), thing, False, None) for k in range(60)]
    before = [seen_from(100.0 + 4 * k, (0.0, 2.5), thing, False, None) for k in range(40)]
    assert here_after(thing, (0.0, 2.5), *behind) > 0.9
    assert here_after(thing, (0.0, 2.5), *farther) > 0.9
    assert here_after(thing, (0.0, 2.5), *before) < 0.1


def test_without_depth_what_stands_before_a_thing_hides_it() -> None:
    thing = Observation("picture", (0.0, 0.0, 1.2), 1.0, 0.02, None, (0.9, 0.05, 0.7))
    screen = Observation("screen", (0.0, 1.0, 1.2), 1.0, 0.02, None, (1.0, 0.1, 1.6))
    looks = [
        ObservedFrame(frame.time, frame.T_world_camera, (screen,), CAMERA)
        for frame in (seen_from(100.0 + 4 * k, (0.0, 2.5), thing, False, None) for k in range(30))
    ]
    with SpatialMemory.create(":memory:") as memory:
        for second in range(8):
            memory.observe(seen_from(4.0 * second, (0.0, 2.5), thing, True, ROOM_M))
        for frame in looks:
            memory.observe(frame)
        here = {view.category: view.here for view in memory.state().objects()}
    assert here["picture"] > 0.9
