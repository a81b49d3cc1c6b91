import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.odometry.test_resection import FOCAL, sightings, start
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.perception.odometry.images import bearings
from situ.perception.odometry.resection import Fit, Sightings, solve_pose
from situ.perception.odometry.rgbd import second_motion, track_under_motion
from situ.perception.odometry.tracking import PreparedImage, TrackedPoints

DEPTH = np.ones(150, np.bool_)


def rival_shift(seen, with_depth, fit):
    rival = second_motion(seen, with_depth, fit, FOCAL)
    return 0.0 if rival is None else np.linalg.norm(rival.centre - fit.centre)


def contested(seed, step, share):
    """A frame in which most points stand, as tiles do that follow each other, and some show a step."""
    rng = np.random.default_rng(seed)
    seen = sightings(rng, camera_pose([0, 0, 1.6], 0), 0.01)
    # The same points (of the same seed) from where the camera is in truth.
    moved = sightings(np.random.default_rng(seed), camera_pose([*step, 1.6], 0), 0.01)
    count = round(share * len(seen))
    seen.seen[:count] = moved.seen[:count]
    return seen, solve_pose(seen, *start(), FOCAL, 0.3, None)


@settings(max_examples=30)
@given(st.integers(0, 999), st.floats(0.25, 0.8), st.floats(-0.3, 0.3), st.floats(0.12, 0.3))
def test_those_who_disagree_tell_how_far_the_camera_went(seed, ahead, aside, share):
    seen, fit = contested(seed, (ahead, aside), share)
    assert np.linalg.norm(fit.centre - [0, 0, 1.6]) < 0.05  # the larger part is believed
    assert rival_shift(seen, DEPTH, fit) == pytest.approx(np.hypot(ahead, aside), abs=0.08)


@settings(max_examples=30)
@given(st.integers(0, 999))
def test_who_agrees_on_nothing_is_no_rival(seed):
    rng = np.random.default_rng(seed)
    seen = sightings(rng, camera_pose([0.2, 0, 1.6], 0), 0.01)
    seen.seen[:40] += rng.uniform(-0.3, 0.3, (40, 2))
    assert rival_shift(seen, DEPTH, solve_pose(seen, *start(), FOCAL, 0.3, None)) == 0.0


def test_too_few_or_too_near_are_no_rivals():
    seen, fit = contested(3, (0.4, 0.0), 0.05)
    assert rival_shift(seen, DEPTH, fit) == 0.0
    seen, fit = contested(3, (0.1, 0.0), 0.2)
    assert rival_shift(seen, DEPTH, fit) == 0.0
    seen, fit = contested(3, (0.4, 0.0), 0.2)
    assert rival_shift(seen, ~DEPTH, fit) == 0.0  # bearings alone tell no lengths


def test_tiles_are_followed_again_by_the_motion_that_few_tell():
    """A wall of tiles, three metres off, that moves by just one of them: whoever starts from no motion finds
    every tile where another was."""
    camera, tile = Camera.from_fov(320, 240, 75), 16
    stone = cv2.GaussianBlur(np.random.default_rng(1).uniform(0, 255, (tile, tile)), (0, 0), 1.5)
    stone = cv2.normalize(stone, None, 20, 235, cv2.NORM_MINMAX).astype(np.uint8)
    wall = np.tile(stone, (15, 20))
    last, now = (
        PreparedImage.of(np.repeat(wall[..., None], 3, 2), camera).view(time, None) for time in (0.0, 0.1)
    )
    before = np.stack(np.meshgrid(np.arange(60.0, 260, 20), np.arange(60.0, 180, 20)), -1).reshape(-1, 2)
    before = before.astype(np.float32)
    count, depth = len(before), 3.0
    moved = np.array([-tile * depth / camera.fx, 0.0, 0.0])
    rays = np.column_stack([bearings(camera, before), np.ones(count)])
    known = np.full(count, 1 / depth)
    seen = Sightings(rays, np.zeros((count, 3)), known, 0.01 * known, rays[:, :2])
    rival = Fit(np.eye(3), moved, np.eye(6), np.ones(count, np.bool_), 0.3, 0.0)
    followed = TrackedPoints(before, before, np.ones(count, np.bool_), np.eye(3))
    there, good = track_under_motion(rival, seen, followed, last, now, camera)
    assert good.all()
    assert np.allclose(there - before, [tile, 0], atol=0.1)
