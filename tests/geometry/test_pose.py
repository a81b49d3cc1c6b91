import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.pose import (
    camera_pose,
    inverse,
    pitch_deg,
    pose_from_quat_wxyz,
    quat_wxyz,
    transform,
    wrap_deg,
    yaw_deg,
)

ANGLES = st.floats(-180.0, 180.0)
PITCHES = st.floats(-80.0, 80.0)


@given(ANGLES, PITCHES, st.floats(-60.0, 60.0))
def test_yaw_and_pitch_survive_the_round_trip_through_a_pose(yaw: float, pitch: float, roll: float) -> None:
    pose = camera_pose((1.0, 2.0, 3.0), yaw, pitch, roll)
    assert abs(wrap_deg(yaw_deg(pose) - yaw)) < 1e-6
    assert abs(pitch_deg(pose) - pitch) < 1e-6


@given(ANGLES, PITCHES, st.floats(-60.0, 60.0))
def test_quaternion_round_trip_and_inverse(yaw: float, pitch: float, roll: float) -> None:
    pose = camera_pose((1.0, -2.0, 0.5), yaw, pitch, roll)
    assert np.allclose(pose_from_quat_wxyz(quat_wxyz(pose), pose[:3, 3]), pose, atol=1e-12)
    assert np.allclose(inverse(pose) @ pose, np.eye(4), atol=1e-12)
    assert np.isclose(np.linalg.det(pose[:3, :3]), 1.0)


def test_a_level_camera_has_opencv_axes() -> None:
    pose = camera_pose((0.0, 0.0, 0.0), 0.0)
    ahead, right, down = transform(pose, [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    assert np.allclose(ahead, [1, 0, 0])
    assert np.allclose(right, [0, -1, 0])
    assert np.allclose(down, [0, 0, -1])


def test_looking_up_and_tilting_right_do_what_they_say() -> None:
    assert camera_pose((0, 0, 0), 0.0, pitch_deg=30.0)[2, 2] > 0.49
    tilted = camera_pose((0, 0, 0), 0.0, roll_deg=20.0)
    right_ear = transform(tilted, [1, 0, 0])
    assert right_ear[2] < -0.3


def test_heading_of_a_camera_that_looks_straight_down() -> None:
    assert abs(wrap_deg(yaw_deg(camera_pose((0, 0, 0), 40.0, pitch_deg=-90.0)) - 40.0)) < 1e-6
    assert abs(wrap_deg(yaw_deg(camera_pose((0, 0, 0), 40.0, pitch_deg=90.0)) - 40.0)) < 1e-6


def test_four_quarter_turns_come_back_exactly() -> None:
    assert (camera_pose((0, 0, 0), 360.0) == camera_pose((0, 0, 0), 0.0)).all()
