"""A path as six signals."""

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.narrate.motions import signals_of, unbroken


def path_of(poses: list[np.ndarray], fps: float = 10.0) -> Path:
    return Path(np.arange(len(poses)) / fps, np.stack(poses))


def test_a_walk_along_the_heading_is_travel_ahead() -> None:
    signals = signals_of(path_of([camera_pose((0, 0.1 * i, 1.6), 90.0, -20.0) for i in range(31)]))
    assert signals.values[-1] == pytest.approx([0, 0, 0, 3.0, 0, 0], abs=0.02)


def test_turns_have_the_signs_that_words_use() -> None:
    signals = signals_of(path_of([camera_pose((0, 0, 1.6), -2.0 * i, 0.5 * i, 0.25 * i) for i in range(31)]))
    assert signals.values[-1, :3] == pytest.approx([60, 15, 7.5], abs=0.5)


def test_a_camera_that_points_down_is_told_by_its_own_axes() -> None:
    """Turning about the camera's own upright axis is a pan, though its heading and its roll both change."""
    tilted = camera_pose((0, 0, 1.6), 0.0, -50.0)
    poses = []
    for i in range(31):
        turn = camera_pose((0, 0, 0), -2.0 * i)[:3, :3]
        own = camera_pose((0, 0, 0), 0.0)[:3, :3].T @ turn  # a turn to the right in the camera's own frame
        pose = tilted.copy()
        pose[:3, :3] = tilted[:3, :3] @ own
        poses.append(pose)
    pan, tilt, roll = signals_of(path_of(poses)).values[-1, :3]
    assert pan == pytest.approx(60, abs=1)
    assert abs(tilt) < 1
    assert abs(roll) < 1


def test_shake_is_measured_and_taken_out() -> None:
    rng = np.random.default_rng(0)
    still = signals_of(path_of([camera_pose((0, 0, 1.6), 0.0)] * 50))
    shaky = signals_of(path_of([camera_pose((0, 0, 1.6), *rng.normal(0, 1.0, 3)) for _ in range(50)]))
    assert still.shake_deg < 0.01 < 0.8 < shaky.shake_deg
    assert np.abs(shaky.channel("pan")).max() < 2.5


def test_a_path_is_cut_where_poses_are_missing() -> None:
    times = np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2])
    path = Path(times, np.stack([np.eye(4)] * 6))
    assert [len(part) for part in unbroken(path)] == [3, 3]


def test_one_frame_is_no_motion() -> None:
    with pytest.raises(BadInput, match="at least two poses, got 1"):
        unbroken(path_of([np.eye(4)]))
