import numpy as np
import pytest

from situ.perception.odometry.ground_plane import GroundPlane
from situ.perception.odometry.scale_gravity import ScaleGravityFilter, fixes_gravity

UP = np.array([0.0, -1.0, 0.0])


def plane(height=1.6, tilt_deg=0.0, sigma=0.01):
    turn = np.radians(tilt_deg)
    return GroundPlane(np.array([0.0, -np.cos(turn), np.sin(turn)]), height, np.radians([0.3, 0.3]), sigma)


def test_an_unsure_scale_follows_the_ground_and_a_sure_one_hardly():
    unsure, sure = ScaleGravityFilter(), ScaleGravityFilter(np.radians([0.3, 0.3]), 0.01)
    assert unsure.update(plane(2.0), UP, 1.6).scale == pytest.approx(0.8, rel=0.02)
    assert sure.update(plane(2.0), UP, 1.6).scale > 0.95


def test_looking_makes_sure_and_walking_unsure():
    scale_filter = ScaleGravityFilter()
    scale_filter.update(plane(), UP, 1.6)
    seen = scale_filter.scale_sigma
    assert seen < 0.1
    scale_filter.predict()
    assert scale_filter.scale_sigma > seen


def test_one_tilted_plane_cannot_tip_a_settled_world():
    scale_filter = ScaleGravityFilter()
    for _ in range(100):
        scale_filter.predict()
        scale_filter.update(plane(), UP, 1.6)
    up = scale_filter.update(plane(tilt_deg=10.0), UP, 1.6).up
    assert np.degrees(np.arccos(up @ UP)) < 1.0


def test_a_new_map_without_ground_has_no_scale():
    scale_filter = ScaleGravityFilter()
    scale_filter.reset(plane())
    assert scale_filter.scale_sigma == 0.01
    scale_filter.reset(None)
    assert scale_filter.scale_sigma == 0.5
    assert fixes_gravity(plane())


def test_a_plane_that_only_says_what_was_expected_makes_nobody_surer_of_up():
    scale_filter = ScaleGravityFilter()
    before = scale_filter.tilt_sigma
    expected = scale_filter.expected(UP, 1.6)
    for _ in range(20):
        scale_filter.update(
            GroundPlane(UP, 1.6, np.hypot(scale_filter.tilt_sigma, np.radians(1.0)), 0.1), UP, 1.6
        )
    assert scale_filter.tilt_sigma == pytest.approx(before)
    told = GroundPlane(UP, 1.6, expected.tilt_sigma * [1.0, 0.1], 0.1)
    scale_filter.update(told, UP, 1.6)
    assert scale_filter.tilt_sigma[0] == pytest.approx(before[0])
    assert scale_filter.tilt_sigma[1] < 0.3 * before[1]
