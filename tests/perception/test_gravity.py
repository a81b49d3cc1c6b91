import numpy as np
import pytest

from perception.odometry.real_clips import hololens_walk
from perception.tabletop import CAMERA, view
from situ.perception.gravity import up_from_depth

LEVEL = np.array([0.0, -1.0, 0.0])


@pytest.mark.parametrize("pitch", [-10.0, -25.0, -40.0])
def test_floor_and_walls_say_which_way_is_up(pitch) -> None:
    _, depth, pose = view((0.3, 0.2, 1.6), 15.0, pitch, noise=0.001)
    up = up_from_depth(depth, CAMERA, LEVEL, np.random.default_rng(0))
    assert up is not None
    assert np.degrees(np.arccos(up.direction @ pose[2, :3])) < 1.0


def test_nothing_level_in_view_is_no_answer() -> None:
    empty = np.zeros((CAMERA.height, CAMERA.width), np.float32)
    assert up_from_depth(empty, CAMERA, LEVEL, np.random.default_rng(0)) is None
    wall = np.full_like(empty, 2.0)
    assert up_from_depth(wall, CAMERA, LEVEL, np.random.default_rng(0)) is None


@pytest.mark.real
def test_on_a_real_walk_up_is_right_to_a_degree() -> None:
    camera, clip, truth = hololens_walk()
    found = [
        (up_from_depth(clip[i][2], camera, LEVEL, np.random.default_rng(0)), truth.poses[i][2, :3])
        for i in range(0, 60, 10)
    ]
    errors = [
        np.degrees(np.arccos(np.clip(up.direction @ true, -1, 1))) for up, true in found if up is not None
    ]
    assert len(errors) >= 4
    assert max(errors) < 1.5
