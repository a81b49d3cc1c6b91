import numpy as np
import pytest

from situ.perception.odometry.belief import Belief, is_sure
from situ.perception.odometry.ground import Plane

UP = np.array([0.0, -1.0, 0.0])


def plane(height=1.6, tilt_deg=0.0, sigma=0.01):
    turn = np.radians(tilt_deg)
    return Plane(np.array([0.0, -np.cos(turn), np.sin(turn)]), height, np.radians([0.3, 0.3]), sigma)


def test_an_unsure_scale_follows_the_ground_and_a_sure_one_hardly():
    unsure, sure = Belief(), Belief(np.radians([0.3, 0.3]), 0.01)
    assert unsure.weigh(plane(2.0), UP, 1.6).scale == pytest.approx(0.8, rel=0.02)
    assert sure.weigh(plane(2.0), UP, 1.6).scale > 0.95


def test_looking_makes_sure_and_walking_unsure():
    belief = Belief()
    belief.weigh(plane(), UP, 1.6)
    seen = belief.scale_sigma
    assert seen < 0.1
    belief.age()
    assert belief.scale_sigma > seen


def test_one_tilted_plane_cannot_tip_a_settled_world():
    belief = Belief()
    for _ in range(100):
        belief.age()
        belief.weigh(plane(), UP, 1.6)
    up = belief.weigh(plane(tilt_deg=10.0), UP, 1.6).up
    assert np.degrees(np.arccos(up @ UP)) < 1.0


def test_a_new_map_without_ground_has_no_scale():
    belief = Belief()
    belief.start(plane())
    assert belief.scale_sigma == 0.01
    belief.start(None)
    assert belief.scale_sigma == 0.5
    assert is_sure(plane())


def test_a_plane_that_only_says_what_was_expected_makes_nobody_surer_of_up():
    belief = Belief()
    before = belief.tilt_sigma
    expected = belief.expected(UP, 1.6)
    for _ in range(20):
        belief.weigh(Plane(UP, 1.6, np.hypot(belief.tilt_sigma, np.radians(1.0)), 0.1), UP, 1.6)
    assert belief.tilt_sigma == pytest.approx(before)
    told = Plane(UP, 1.6, expected.tilt_sigma * [1.0, 0.1], 0.1)
    belief.weigh(told, UP, 1.6)
    assert belief.tilt_sigma[0] == pytest.approx(before[0])
    assert belief.tilt_sigma[1] < 0.3 * before[1]
