import numpy as np
import pytest

from real_data import real_data
from situ.errors import BadFormat, BadInput
from situ.geometry.pose import camera_pose, pitch_deg, yaw_deg
from situ.perception.imu import ImuStream, level_pose, read_imu

RATE = 200.0


def felt(poses, extra=None):
    """What an accelerometer in the camera feels: minus gravity, in its own axes."""
    up = np.array([0.0, 0.0, 9.81])
    rows = np.array([pose[:3, :3].T @ up for pose in poses])
    return rows if extra is None else rows + extra


def turning(degrees_per_s, seconds=2.0, pitch=-15.0):
    times = np.arange(0, seconds, 1 / RATE)
    poses = [camera_pose((0, 0, 1.6), degrees_per_s * t, pitch) for t in times]
    relative = [poses[i - 1][:3, :3].T @ poses[i][:3, :3] for i in range(1, len(poses))]
    rates = np.array([[r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]] for r in relative]) / 2 * RATE
    return times, poses, np.concatenate([rates[:1], rates])


def test_gravity_levels_the_first_camera() -> None:
    pose = camera_pose((0, 0, 0), 40.0, -22.0, 7.0)
    level = level_pose(ImuStream(np.arange(20) / RATE, felt([pose] * 20), None).up_at(0.0))
    assert pitch_deg(level) == pytest.approx(-22.0, abs=1e-6)
    assert yaw_deg(level) == pytest.approx(0.0, abs=1e-6)
    assert level[2, :3] == pytest.approx(pose[2, :3], abs=1e-9)  # up in the camera's axes is the same


def test_a_gyroscope_measures_a_turn() -> None:
    times, poses, rates = turning(60.0)
    imu = ImuStream(times, felt(poses), rates)
    turn = imu.turn_between(0.5, 1.5)
    i, j = (int(np.searchsorted(times, t)) for t in (0.5, 1.5))
    expected = poses[j][:3, :3].T @ poses[i][:3, :3]
    angle = np.degrees(np.arccos((np.trace(turn.T @ expected) - 1) / 2))
    assert angle < 0.5


def test_up_is_kept_while_steps_shake_the_accelerometer() -> None:
    times, poses, rates = turning(30.0, pitch=-10.0)
    rng = np.random.default_rng(0)
    shaken = felt(poses, rng.normal(0, 3.0, (len(times), 3)) * (times > 0.2)[:, None])
    up = ImuStream(times, shaken, rates).up_at(1.9)
    assert np.degrees(np.arccos(up @ poses[-1][2, :3])) < 2.0


def test_turning_on_the_spot_feels_nothing_but_gravity() -> None:
    times, poses, rates = turning(60.0)
    still = ImuStream(times, felt(poses), rates)
    steps = 2.5 * np.sin(2 * np.pi * 1.9 * times)[:, None] * np.array([0.0, 1.0, 0.0])
    walking = ImuStream(times, felt(poses, steps), rates)
    assert still.standing(0.0, 2.0)
    assert not walking.standing(0.0, 2.0)


def test_a_turned_sensor_is_brought_to_the_camera() -> None:
    pose = camera_pose((0, 0, 0), 0.0, -10.0)
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    stream = ImuStream(np.arange(5.0), felt([pose] * 5) @ turn, None).turned(turn)
    assert pitch_deg(level_pose(stream.up_at(0.0))) == pytest.approx(-10.0, abs=1e-6)


def test_files_that_break_a_rule_are_refused(tmp_path) -> None:
    file = tmp_path / "imu.csv"
    file.write_text("time,ax,ay\n0,1,2\n")
    with pytest.raises(BadFormat, match="ax, ay, az"):
        read_imu(file)
    file.write_text("0 1 2\n")
    with pytest.raises(BadFormat, match="time ax ay az"):
        read_imu(file)
    with pytest.raises(BadInput, match="cannot be read"):
        read_imu(tmp_path / "none.csv")
    with pytest.raises(BadInput, match="gyroscope"):
        ImuStream(np.arange(2.0), np.ones((2, 3)), None).turn_between(0, 1)


@pytest.mark.real
def test_real_streams_feel_gravity() -> None:
    aria = read_imu(real_data("aea_clip") / "imu_right.csv")
    kinect = read_imu(real_data("tum_fr1_rpy_mini") / "accelerometer.txt")
    for stream in (aria, kinect):
        assert np.median(np.linalg.norm(stream.accelerations, axis=1)) == pytest.approx(9.81, abs=1.0)
    assert np.median(np.diff(aria.times)) == pytest.approx(0.001, abs=2e-4)
    assert kinect.rates is None
