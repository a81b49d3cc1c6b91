"""What a walker cannot have done is not believed: places that lift the eyes, and a step that nobody took."""

import numpy as np
import pytest

from situ.geometry.pose import camera_pose
from situ.perception.odometry import RgbOdometry
from situ.perception.odometry.features import Features
from situ.perception.odometry.following import Seen

NOTHING = np.diag([1e-4] * 6)
EYES = np.array([0.0, 0.0, 1.6])


def pose_at(x: float):
    return camera_pose([x, 0.0, 1.6], 0.0)


def begun(camera, after: str, seconds: float, ground_seen: bool = False):
    """Standing for two seconds, a shift of a metre that begins a map, and steps of one kind after it."""
    odometry = RgbOdometry(camera)
    odometry.pose = pose_at(0.0)
    odometry.keyframes.add(odometry.pose)
    for k in range(4):
        odometry.record(0.5 * k, NOTHING, 0.7, "rotation")
    odometry.keyframes.add(pose_at(1.0))
    odometry.pose = pose_at(1.0)
    odometry._walked_from, odometry.map_start = 4, 4
    odometry.record(2.0, NOTHING, 0.5, "ok", "map started")
    for moment in np.arange(2.25, 2.0 + seconds, 0.25):
        odometry.record(float(moment), NOTHING, 0.2, after)
    if ground_seen:
        odometry.belief.scale_sigma = 0.1
    odometry.take_back_start()
    return odometry


def test_a_shift_that_only_turns_came_after_was_none(camera):
    odometry = begun(camera, "rotation", 3.0)
    assert np.allclose(odometry.pose[:3, 3], EYES)
    assert np.allclose([step.T_world_camera[:3, 3] for step in odometry.steps], EYES)


@pytest.mark.parametrize(
    ("after", "seconds", "ground_seen"),
    [("ok", 3.0, False), ("rotation", 0.6, False), ("rotation", 3.0, True)],
)
def test_who_walked_on_or_saw_the_ground_or_had_no_time_did_walk(camera, after, seconds, ground_seen):
    odometry = begun(camera, after, seconds, ground_seen)
    assert np.allclose(odometry.pose[:3, 3], pose_at(1.0)[:3, 3])


def test_a_place_that_lifts_the_eyes_is_another_unless_there_was_time_for_stairs(l_walk, camera):
    odometry = RgbOdometry(camera)
    for moment, image, *_ in l_walk[0][:30]:
        odometry.step(moment, image)
    now = odometry.last.time
    lifted = odometry.pose.copy()
    lifted[2, 3] += 1.0
    assert odometry.can_be_at(now + 0.3, odometry.pose)
    assert not odometry.can_be_at(now + 0.3, lifted)
    assert odometry.can_be_at(now + 5.0, lifted)


def test_places_are_recognised_only_where_the_camera_can_be(l_walk, camera):
    odometry = RgbOdometry(camera)
    for moment, image, *_ in l_walk[0][:30]:
        odometry.step(moment, image)
    odometry.finish()
    grey = Seen.of(l_walk[0][20][1], camera).view(0.0, None).grey
    features = Features.of(grey)
    assert odometry.keyframes.recognise(grey, features) is not None
    assert odometry.keyframes.recognise(grey, features, possible=lambda pose: False) is None
