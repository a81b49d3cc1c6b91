"""Work that threads share has the same results on any number of them, to the bit."""

from functools import partial

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.perception.odometry import estimate_path
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.optical_flow import Pyramid, follow
from situ.perception.odometry.thread_pool import run_all, set_thread_count, split_work


@pytest.fixture(autouse=True)
def one_thread_afterwards():
    yield
    set_thread_count(1)


def summed(depth, number):
    """A task that shares out tasks itself."""
    if not depth:
        return number
    return sum(run_all([partial(summed, depth - 1, number * 10 + i) for i in range(3)]))


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5), st.lists(st.integers(0, 9), max_size=12))
def test_results_come_in_order_and_tasks_may_share_out_work_themselves(threads, numbers):
    set_thread_count(threads)
    assert run_all([partial(summed, 3, i) for i in numbers]) == [27000 * i + 27 * 111 for i in numbers]


@given(st.integers(0, 2000), st.integers(1, 64), st.integers(1, 6))
def test_parts_cover_all_once(length, least, threads):
    set_thread_count(threads)
    made = split_work(length, least)
    assert [i for part in made for i in range(length)[part]] == list(range(length))
    assert len(made) <= threads
    assert len(made) == 1 or min(part.stop - part.start for part in made) >= least


@pytest.mark.parametrize("threads", [1, 3])
def test_what_goes_wrong_in_a_task_is_raised(threads):
    set_thread_count(threads)
    with pytest.raises(ZeroDivisionError):
        run_all([lambda: 1, lambda: 1 // 0, lambda: 2])
    assert run_all([lambda: 1, lambda: 2]) == [1, 2]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_the_same_corners_are_found(seed, threads):
    grey = np.random.default_rng(seed).integers(0, 256, (240, 320), dtype=np.uint8)
    taken = np.random.default_rng(seed).uniform(0, 240, (60, 2)).astype(np.float32)
    set_thread_count(1)
    alone = new_points(grey, taken)
    set_thread_count(threads)
    assert len(alone)
    assert np.array_equal(new_points(grey, taken), alone)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 400))
def test_points_are_followed_to_the_same_places(seed, count):
    rng = np.random.default_rng(seed)
    large = cv2.GaussianBlur(rng.integers(0, 256, (300, 400), dtype=np.uint8), (0, 0), 2.0)
    before, after = Pyramid.of(large[10:250, 10:330].copy()), Pyramid.of(large[13:253, 6:326].copy())
    points = rng.uniform(0, [320, 240], (count, 2)).astype(np.float32)
    found = []
    for threads in (1, 2, 5):
        set_thread_count(threads)
        found.append(follow(before, after, points, points))
    for there, good in found[1:]:
        assert np.array_equal(there, found[0][0])
        assert np.array_equal(good, found[0][1])


@pytest.mark.parametrize("channels", [2, 3])
def test_a_walk_there_and_back_has_the_same_path(l_walk, camera, channels):
    """With all that stations and known places bring along."""
    there = [frame[:channels] for frame in l_walk[0][:36]]
    end = 2 * there[-1][0] + 0.1
    clip = [*there, *((end - time, *rest) for time, *rest in there[::-1])]
    paths = []
    for threads in (1, 3):
        set_thread_count(threads)
        paths.append(estimate_path(clip, camera))
    assert np.array_equal(paths[0].path.poses, paths[1].path.poses)
    assert paths[0].status == paths[1].status
