"""What earlier views say of a spot: seen empty, perhaps hidden, or hidden."""

import math

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse
from situ.memory.options.visibility import PAST_VIEWS
from situ.memory.tables.rates import fresh_rates
from situ.memory.tracker.past_views import PastViews, lens_of, stood_by
from situ.memory.tracker.step import View
from situ.perception.freespace import METRES_OF_CODE, FreeSpace

SPOT = np.array([3.0, 0.0, 1.6])  # three metres before the eyes
BOTTLE = np.array([0.3, 0.3, 0.3])  # with some room about it


def view(number: int, pose: np.ndarray, camera: Camera, codes: np.ndarray) -> View:
    """What a camera saw, a frame a second."""
    poses = np.stack([pose, inverse(pose)])
    return View(number, float(number), 1.0, 0.0, poses, lens_of(camera), codes, METRES_OF_CODE)


def emptiness(clear_m: float, size: np.ndarray = BOTTLE, farthest_m: float = 3.0) -> float:
    """What one view says in which every patch is clear up to a distance, of eyes that reach so far."""
    camera, pose = Camera.from_fov(320, 240, 90), camera_pose((0.0, 0.0, 1.6), yaw_deg=0.0)
    views = PastViews()

    codes = FreeSpace.from_metres(np.full((12, 16), clear_m)).codes
    views.add(view(0, pose, camera, codes))
    rates = fresh_rates(21600.0)
    rates["farthest"] = farthest_m
    return views.emptiness(SPOT, size, 1.0, 6.0, rates)[0]


def test_the_nearer_what_stands_there_the_less_is_known_of_what_is_behind() -> None:
    beyond, at_it, beside, before_it = (emptiness(clear) for clear in (5.0, 3.0, 2.65, 2.0))
    assert beyond > PAST_VIEWS.empty_before
    assert beyond > at_it > beside > before_it == 0.0


def test_a_few_looks_past_something_nearer_do_not_make_a_spot_empty() -> None:
    """A bottle behind a lamp was there all along, and is not one that was brought."""
    assert 3 * emptiness(2.65) < PAST_VIEWS.empty_before


def test_what_would_look_small_may_have_been_overlooked() -> None:
    """A thimble on a table across the room was there all along; a basket was not."""
    thimble, basket = (emptiness(3.0, np.full(3, side)) for side in (0.04, 0.4))
    assert thimble < 1.0 < basket


def test_out_of_reach_of_the_eyes_only_a_view_through_the_spot_tells() -> None:
    """Where nothing was ever found from so far away, that nothing was reported says nothing."""
    assert emptiness(3.0, farthest_m=2.9) < 0.05 < 1.0 < emptiness(3.0)
    assert emptiness(5.0, farthest_m=2.9) > PAST_VIEWS.empty_before


def test_who_stood_by_a_place_since_is_remembered() -> None:
    camera, codes = Camera.from_fov(320, 240, 90), FreeSpace.from_metres(np.full((12, 16), 4.0)).codes
    rng, views, walk = np.random.default_rng(7), PastViews(), []
    for time in range(60):
        x, y, yaw = *rng.uniform(-6.0, 6.0, 2), rng.uniform(0.0, 360.0)
        pose = camera_pose((x, y, 1.6), yaw_deg=yaw)
        views.add(view(time, pose, camera, codes))
        walk.append((x, y))
        place, since, reach = np.array([*rng.uniform(-6.0, 6.0, 2), 0.9]), rng.uniform(-1.0, time), 1.5
        near = [t for t, at in enumerate(walk) if t > since and math.dist(at, place[:2]) <= reach]
        if stood_by(views.tables, place, reach, since):
            assert near, "only who was there"
        assert stood_by(views.tables, np.array([x, y, 0.9]), reach, time - 0.5), "who is there"
        assert not stood_by(views.tables, np.array([x, y, 0.9]), reach, time), "not since"
