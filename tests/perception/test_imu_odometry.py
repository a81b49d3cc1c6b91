"""A gyroscope beside odometry: it helps where nothing is seen, once its axes proved to be the camera's."""

import cv2
import numpy as np
import pytest

from perception.odometry.walks import Walk, courtyard, frames
from situ.geometry.camera import Camera
from situ.geometry.pose import pitch_deg
from situ.perception.imu import ImuStream
from situ.perception.odometry.inertial import ImuPreintegration
from situ.perception.odometry.resection import is_pure_rotation
from situ.perception.posing import OdometryPoses
from situ.perception.stages import InputFrame

CAMERA = Camera.from_fov(320, 240, 80)
BLACK = range(22, 26)


@pytest.fixture(scope="module")
def looked_around():
    """Frames, true poses and IMU data of a wearer who stands and looks around, with some black frames."""
    walk = Walk("look_around", seed=61)
    shown = list(frames(walk, courtyard(61), CAMERA, until=3.0))
    path = walk.path().until(3.0)
    turns = [a[:3, :3].T @ b[:3, :3] for a, b in zip(path.poses, path.poses[1:], strict=False)]
    gaps = np.diff(path.times)
    rates = np.array([cv2.Rodrigues(turn)[0][:, 0] / gap for turn, gap in zip(turns, gaps, strict=True)])
    # A sample holds for the time before it, as gyroscopes integrate; one more lies before the first frame.
    times = np.concatenate([[path.times[0] - 1.0], path.times])
    imu_motion = np.array([pose[:3, :3].T @ [0, 0, 9.81] for pose in path.poses])
    imu = ImuStream(
        times,
        np.concatenate([imu_motion[:1], imu_motion]),
        np.concatenate([rates[:1] * 0, rates[:1] * 0, rates]),
    )
    clip = [
        InputFrame(i, time, np.zeros_like(rgb) if i in BLACK else rgb, depth)
        for i, (time, rgb, depth) in enumerate(shown)
    ]
    return clip, path.poses, imu


def followed(clip, imu, with_depth=True):
    stage = OdometryPoses(CAMERA, 1.6, imu)
    found = [
        stage.locate(frame if with_depth else InputFrame(frame.index, frame.time, frame.rgb))
        for frame in clip
    ]
    return stage, found


def angle(a, b):
    return np.degrees(np.arccos(np.clip((np.trace(a[:3, :3].T @ b[:3, :3]) - 1) / 2, -1, 1)))


@pytest.mark.parametrize("with_depth", [True, False])
def test_a_turn_that_nobody_saw_is_felt(looked_around, with_depth) -> None:
    clip, truth, imu = looked_around
    stage, found = followed(clip, imu, with_depth)
    alone = followed(clip, None, with_depth)[1]
    for i in BLACK:
        assert alone[i].lost
        assert not found[i].lost
        turned = np.linalg.inv(found[BLACK[0] - 1].T_world_camera) @ found[i].T_world_camera
        true = np.linalg.inv(truth[BLACK[0] - 1]) @ truth[i]
        assert angle(turned, true) < 2.0
    assert stage.gravity_from == "imu"
    assert pitch_deg(found[0].T_world_camera) == pytest.approx(pitch_deg(truth[0]), abs=0.5)


def test_a_sensor_with_other_axes_is_never_believed(looked_around) -> None:
    clip, _, imu = looked_around
    twisted = ImuStream(imu.times, imu.accelerations, imu.rates[:, [1, 2, 0]])
    _, found = followed(clip, twisted)
    assert all(found[i].lost for i in BLACK)


def test_standing_takes_more_evidence_of_a_step() -> None:
    shift, covariance = np.array([0.1, 0.0, 0.0]), np.eye(3) * 0.01**2  # ten standard deviations
    assert not is_pure_rotation(shift, covariance)
    assert is_pure_rotation(shift, covariance, on_the_spot=True)
    assert not is_pure_rotation(2 * shift, covariance, on_the_spot=True)
    assert not ImuPreintegration(standing=True).on_the_spot  # nothing is believed that was never compared


def test_a_clock_of_its_own_starts_with_the_frames() -> None:
    stream = ImuStream(np.arange(86000.0, 86010.0), np.ones((10, 3)), None)
    assert stream.on_clock(0.0, 10.0).times[0] == 0.0
    assert stream.on_clock(86005.0, 10.0) is stream
