import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.perception.odometry.rotation import angle_deg, exp_rotation, fit_rotation
from situ.perception.odometry.two_view import explains_more, has_parallax, moves_together, two_views

FOCAL = 400.0


def views(seed, centre, turn, count=200, noise_px=0.2):
    rng = np.random.default_rng(seed)
    first = rng.uniform(-0.7, 0.7, (count, 2))
    depth = rng.uniform(2, 15, count)
    points = np.concatenate([first, np.ones((count, 1))], axis=1) * depth[:, None]
    here = (points - centre) @ turn.T
    second = here[:, :2] / here[:, 2:] + rng.normal(0, noise_px / FOCAL, (count, 2))
    return first, second, depth


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 500), st.floats(-0.1, 0.1), st.floats(-0.3, 0.3), st.floats(0.3, 0.7))
def test_pose_up_to_scale_and_depths_in_its_units(seed, yaw, side, ahead):
    centre, turn = np.array([side, 0.02, ahead]), exp_rotation(np.array([0.01, yaw, 0.0]))
    first, second, depth = views(seed, centre, turn)
    found = two_views(first, second, FOCAL)
    assert found is not None
    assert angle_deg(found.R_second_first @ turn.T) < 0.3
    assert found.centre @ centre / np.linalg.norm(centre) > np.cos(np.radians(4))
    sure = found.inliers & (found.sigma < 0.1 * found.inverse_depth)
    scale = np.median(found.inverse_depth[sure] * depth[sure])
    assert scale == pytest.approx(np.linalg.norm(centre), rel=0.1)


def test_turning_alone_has_no_parallax_and_walking_has():
    turn = exp_rotation(np.array([0.02, 0.1, 0.01]))
    first, second, _ = views(1, np.zeros(3), turn)
    assert not has_parallax(fit_rotation(first, second, np.eye(3), FOCAL)[1])
    first, second, _ = views(1, np.array([0.3, 0.0, 0.5]), turn)
    assert has_parallax(fit_rotation(first, second, np.eye(3), FOCAL)[1])


def test_unrelated_points_are_refused():
    rng = np.random.default_rng(0)
    assert two_views(rng.uniform(-0.7, 0.7, (100, 2)), rng.uniform(-0.7, 0.7, (100, 2)), FOCAL) is None


def test_structure_must_explain_what_turning_does_not():
    turn = exp_rotation(np.array([0.02, 0.1, 0.01]))
    first, second, _ = views(3, np.array([0.3, 0.0, 0.5]), turn)
    structure = two_views(first, second, FOCAL)
    assert structure is not None
    assert explains_more(structure, fit_rotation(first, second, np.eye(3), FOCAL)[1])
    assert not explains_more(structure, np.zeros(len(first)))


def test_random_motion_is_not_together():
    rng = np.random.default_rng(4)
    first = rng.uniform(-0.7, 0.7, (80, 2))
    second = first + rng.uniform(-0.08, 0.08, (80, 2))
    assert not moves_together(first, second, fit_rotation(first, second, np.eye(3), FOCAL)[1], FOCAL)
    assert moves_together(first, first, np.zeros(80), FOCAL)
