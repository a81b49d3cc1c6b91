"""Several maps of one recording: begun when all is lost, joined when one is seen from another."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.odometry.walks import Walk, courtyard, frames
from situ.geometry.path import Path
from situ.geometry.trajectory import compare
from situ.perception.odometry import RgbdOdometry, RgbOdometry
from situ.perception.odometry.map_state import Submaps
from situ.perception.odometry.result import POSITION_GUESSED
from situ.perception.odometry.serialization import load_state, save_state


def test_a_place_that_is_recognised_takes_the_camera_back_into_its_map():
    maps = Submaps()
    maps.begin(10, 100)
    assert maps.detached
    maps.continue_in(20, place=4)
    assert not maps.detached
    assert maps.ids_of(np.array([0, 9, 10, 19, 20, 30])).tolist() == [0, 0, 1, 1, 0, 0]
    maps.continue_in(25, place=21)  # the same map: nothing new
    assert maps.first == [0, 10, 20]


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_in_whatever_order_maps_are_joined_the_first_is_left_and_no_other_keyframe_moves(count, order):
    maps = Submaps()
    for number in range(1, count + 1):
        maps.begin(10 * number, 0)
    keyframes = np.arange(10 * (count + 1))
    while len(apart := np.unique(maps.ids_of(keyframes))) > 1:
        one, other = sorted(order.sample(apart.tolist(), 2))
        before = maps.ids_of(keyframes)
        maps.join(other, one)
        changed = maps.ids_of(keyframes) != before
        assert np.array_equal(changed, before == other)
    assert not maps.detached
    assert not maps.ids_of(keyframes).any()


@pytest.fixture(scope="module", params=[34, 36])
def lost_twice(camera, request):
    """A walk over three sides of a place with the lens covered at both corners, and all of it backwards. Of
    the second, a dozen features and less lie near enough for their depth to be measured."""
    walk = Walk("u_left", seed=request.param, fps=5.0)
    filmed, truth = list(frames(walk, courtyard(request.param, "tiles"), camera)), walk.path()
    seen = [*range(20), *range(34, 48), *range(62, 80)]
    numbers = [*seen, *range(79, -1, -1)]
    # Where frames are missing the time goes on, so that nothing can be followed over the gap.
    steps = [0.2 if abs(b - a) < 2 else 3.0 for a, b in pairwise(numbers)]
    times = np.concatenate([[0.0], np.cumsum(steps)])
    clip = [(float(t), *filmed[k][1:]) for t, k in zip(times, numbers, strict=True)]
    return clip, Path(times, truth.poses[numbers]), len(seen)


@pytest.mark.parametrize(("kind", "close"), [(RgbdOdometry, 0.08), (RgbOdometry, 0.25)])
def test_maps_begun_after_two_losses_become_one_on_the_way_back(lost_twice, camera, tmp_path, kind, close):
    clip, truth, turned_back = lost_twice
    odometry = kind(camera)
    for number, (time, rgb, depth) in enumerate(clip):
        odometry.step(time, rgb, np.where(depth < 8, depth, 0) if kind is RgbdOdometry else None)
        if number == turned_back:
            assert odometry.result().reasons.count(POSITION_GUESSED) == 2
            save_state({"odometry": odometry}, tmp_path / "o")
            odometry = load_state(tmp_path / "o")["odometry"]
    result = odometry.result()
    assert POSITION_GUESSED not in result.reasons
    known = np.array([status != "lost" for status in result.status])
    mine = Path(result.path.times[known], result.path.poses[known])
    error = compare(
        mine, Path(truth.times[known], truth.poses[known]), "sim3" if odometry.free_scale else "se3"
    )
    assert error.ate_rmse < close
    assert error.yaw_drift_deg < 3.0
