import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.loops import correction_for, spread
from situ.perception.odometry.result import OdometryStep


def recognised(pose):
    return Recognised(0, pose, np.zeros((0, 2), np.float32), np.zeros((0, 3)))


def test_a_correction_takes_the_pose_to_the_place():
    pose, right = camera_pose([1.0, 0.2, 1.6], 95.0), camera_pose([1.1, 0.0, 1.6], 90.0)
    correction = correction_for(pose, recognised(right))
    assert correction is not None
    assert np.allclose(correction.share(1.0) @ pose, right)
    assert np.allclose(correction.share(0.0), np.eye(4))


@pytest.mark.parametrize("wrong", [camera_pose([3.0, 0, 1.6], 0), camera_pose([0, 0, 1.6], 40)])
def test_a_place_too_far_from_where_it_should_be_is_mistaken(wrong):
    assert correction_for(camera_pose([0, 0, 1.6], 0), recognised(wrong)) is None


def test_the_way_back_shares_the_drift_and_the_start_stays():
    camera = Camera.from_fov(64, 48, 80)
    poses = [camera_pose([0.02 * k, 0.05 * k, 1.6], 0) for k in range(11)]
    steps = [OdometryStep(float(k), pose, np.eye(6), 1.0, "ok") for k, pose in enumerate(poses)]
    keyframes = Keyframes(camera)
    for k in (0, 5, 10):
        keyframes.add(poses[k], k)
    correction = correction_for(poses[10], recognised(camera_pose([0.2, 0.0, 1.6], 0)))
    assert correction is not None
    spread(correction, 0, keyframes, steps, in_use={2})
    assert np.allclose(steps[0].T_world_camera, poses[0])
    sideways = [step.T_world_camera[1, 3] for step in steps]
    assert np.all(np.diff(sideways) < 0.05)
    assert abs(sideways[10]) < 0.06
    assert keyframes.poses[2][1, 3] == pytest.approx(0.0, abs=1e-9)
    assert keyframes.poses[1][1, 3] == pytest.approx(0.0, abs=0.03)
