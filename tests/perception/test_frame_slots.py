"""Frames come out of shared memory as they went in; which streams are worth a process that reads them."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.camera import Camera
from situ.perception.frame_slots import FrameSlots, Shared, slot_bytes_for
from situ.perception.locating import Locator
from situ.perception.pose_process import FEWEST_FRAMES, worth_a_process
from situ.perception.posing import GivenPoses, OdometryPoses
from situ.perception.stages import InputFrame

DEPTHS = st.sampled_from([None, np.float32, np.float64, np.float16])


def drawn(rng, index, height, width, depth):
    rgb = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    return InputFrame(
        index, index / 10, rgb, None if depth is None else rng.random((height, width)).astype(depth)
    )


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40), DEPTHS), max_size=9))
def test_whatever_fits_or_not_comes_out_as_it_went_in(seed, sizes):
    rng = np.random.default_rng(seed)
    frames = [drawn(rng, k, *size) for k, size in enumerate([(20, 30, np.float32), *sizes])]
    count, size = 3, slot_bytes_for(frames[0])
    file = os.memfd_create("test")
    try:
        os.truncate(file, count * size)
        here, there = FrameSlots(file, count, size), FrameSlots(file, count, size)
    finally:
        os.close(file)
    assert isinstance(here.write(frames[0]).depth, Shared)
    for k in range(0, len(frames), count):  # as many as there are slots are on their way at a time
        for handed, frame in [(here.write(frame), frame) for frame in frames[k : k + count]]:
            came = there.read(handed)
            assert (came.index, came.time) == (frame.index, frame.time)
            for a, b in ((came.rgb, frame.rgb), (came.depth, frame.depth)):
                assert (a is None) == (b is None)
                assert a is None or (a.dtype == b.dtype and np.array_equal(a, b))


class Other(OdometryPoses):
    pass


@pytest.mark.parametrize(
    ("poses", "frames", "cores", "worth"),
    [
        (OdometryPoses, FEWEST_FRAMES, 2, True),
        (OdometryPoses, FEWEST_FRAMES - 1, 2, False),
        (OdometryPoses, FEWEST_FRAMES, 1, False),
        (Other, FEWEST_FRAMES, 2, False),
        (lambda camera: GivenPoses(camera=camera), FEWEST_FRAMES, 2, False),
    ],
)
def test_long_streams_of_our_odometry_are_worth_a_process(monkeypatch, poses, frames, cores, worth):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)))
    locator = Locator(poses(Camera.from_fov(64, 48, 70)), None, frozenset(), 0.0)
    assert worth_a_process(locator, frames) == worth
