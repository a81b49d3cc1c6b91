"""What a walker cannot have done is not believed: places that lift the eyes, strides through far worlds."""

import numpy as np
import pytest

from situ.perception.odometry import RgbOdometry
from situ.perception.odometry.features import Features
from situ.perception.odometry.tracking import PreparedImage
from situ.perception.odometry.two_view import TwoViews


@pytest.mark.parametrize(("half_way_m", "shift_m"), [(200.0, 0.125), (8.0, 0.96)])
def test_a_walker_s_pace_does_not_put_the_world_hundreds_of_metres_away(l_walk, camera, half_way_m, shift_m):
    """Distances are in units of the shift."""
    odometry = RgbOdometry(camera)
    odometry.step(*l_walk[0][0][:2])
    count = len(odometry.landmarks)
    depth, inliers = np.full(count, 1.0 / half_way_m), np.ones(count, np.bool_)
    structure = TwoViews(np.eye(3), np.array([0.0, 0.0, 1.0]), depth, 0.01 * depth, inliers)
    before = odometry.pose[:3, 3].copy()
    odometry._start_map(odometry.last, structure, None, 0.8)
    assert np.linalg.norm(odometry.pose[:3, 3] - before) == pytest.approx(shift_m, rel=0.1)


def test_the_guessed_shift_that_began_a_map_is_scaled_with_it(l_walk, camera):
    odometry = RgbOdometry(camera)
    for moment, image, *_ in l_walk[0][:4]:
        odometry.step(moment, image)
    assert not odometry.mapped
    odometry._still_step = 1
    count = len(odometry.landmarks)
    depth, inliers = np.full(count, 0.2), np.ones(count, np.bool_)
    structure = TwoViews(np.eye(3), np.array([0.0, 0.0, 1.0]), depth, 0.01 * depth, inliers)
    odometry._start_map(odometry.last, structure, None, 0.8)
    odometry.record(odometry.last.time, np.eye(6), 0.5, "ok")

    def shifted():
        return odometry.pose[:3, 3] - odometry.frame_poses.pose(1, odometry.keyframes)[:3, 3]

    guessed = shifted()
    odometry._rescale_walked(0.3)
    assert np.linalg.norm(guessed) > 0.5
    assert shifted() == pytest.approx(0.3 * guessed)


def test_a_place_that_lifts_the_eyes_is_another_unless_there_was_time_for_stairs(l_walk, camera):
    odometry = RgbOdometry(camera)
    for moment, image, *_ in l_walk[0][:30]:
        odometry.step(moment, image)
    now = odometry.last.time
    lifted = odometry.pose.copy()
    lifted[2, 3] += 1.0
    assert odometry.is_reachable(now + 0.3, odometry.pose)
    assert not odometry.is_reachable(now + 0.3, lifted)
    assert odometry.is_reachable(now + 5.0, lifted)


def test_places_are_recognised_only_where_the_camera_can_be(l_walk, camera):
    odometry = RgbOdometry(camera)
    for moment, image, *_ in l_walk[0][:30]:
        odometry.step(moment, image)
    odometry.finish()
    grey = PreparedImage.of(l_walk[0][20][1], camera).view(0.0, None).grey
    features = Features.of(grey)
    assert odometry.keyframes.relocalize(grey, features) is not None
    assert odometry.keyframes.relocalize(grey, features, possible=lambda pose: False) is None


def test_lifting_the_eyes_to_their_height_does_not_hide_that_a_walker_seems_to_sink(camera):
    odometry = RgbOdometry(camera, 1.6)
    odometry.keyframes.add(odometry.pose)
    down = np.array([0.1, 0.0, -0.01])
    for _ in range(20):
        odometry.update_velocity(down, 0.1)
        odometry.pose[:3, 3] += down
        odometry._correct(1.0, np.array([0.0, 0.0, 1.0]), 1.6)
    assert odometry.pose[2, 3] > 1.5  # lifted again and again
    assert odometry._recent_motion() == pytest.approx(20 * down)
    odometry._correct(1.2, np.array([0.0, 0.0, 1.0]), 1.6)
    assert odometry._recent_motion() == pytest.approx(1.2 * 20 * down)
