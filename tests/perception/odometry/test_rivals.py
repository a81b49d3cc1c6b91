import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.odometry.test_resection import ANCHOR, FOCAL, sightings, start
from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception.odometry.resection import Sightings, solve_pose
from situ.perception.odometry.rivals import apart, rival_of

DEPTH = np.ones(150, np.bool_)


def rival_shift(seen, with_depth, fit):
    rival = rival_of(seen, with_depth, fit, FOCAL)
    return 0.0 if rival is None else apart(rival, fit)


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


@pytest.mark.parametrize("seed", range(4))
def test_what_is_near_is_not_outvoted_by_a_far_wall_of_unknown_depth(seed):
    """All of the wall is taken to be nearer than it is, and errs alike: a slight turn explains that."""
    rng = np.random.default_rng(seed)
    pose = camera_pose([0.05, 0.0, 1.6], 0)
    near, far = 60, 200
    flat = np.concatenate([rng.uniform((-0.6, 0.3), (0.6, 0.6), (near, 2)), rng.uniform(-0.6, 0.2, (far, 2))])
    depth = np.concatenate([1.6 / flat[:near, 1], rng.uniform(28, 32, far)])
    rays = np.column_stack([flat, np.ones(near + far)])
    here = transform(inverse(pose), transform(ANCHOR, rays * depth[:, None]))
    seen = here[:, :2] / here[:, 2:] + rng.normal(0, 0.1 / FOCAL, (near + far, 2))
    known = np.arange(near + far) < near
    guess, doubt = np.where(known, 1 / depth, 0.25), np.where(known, 0.01 / depth, 0.5)
    anchors = np.tile(ANCHOR[:3, 3], (near + far, 1))
    sightings_ = Sightings(rays @ ANCHOR[:3, :3].T, anchors, guess, doubt, seen)
    fit = solve_pose(sightings_, *start(), FOCAL, 0.3, None)
    print(np.linalg.norm(fit.centre - pose[:3, 3]), fit.inliers[:near].mean(), fit.inliers.sum())
    rival = rival_of(sightings_, known, fit, FOCAL)
    assert rival is not None
    again = solve_pose(sightings_, rival.R_camera_world, rival.centre, FOCAL, 0.3, None)
    assert again.inliers.sum() > fit.inliers.sum()
    assert np.linalg.norm(again.centre - pose[:3, 3]) < 0.01 < np.linalg.norm(fit.centre - pose[:3, 3])
