import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.perception.odometry.ground_plane import guess_ground_points, is_walkable, turn_between


@given(st.integers(0, 100))
def test_turn_between_takes_one_direction_to_the_other(seed):
    first, second = np.random.default_rng(seed).normal(size=(2, 3))
    first, second = first / np.linalg.norm(first), second / np.linalg.norm(second)
    assert np.allclose(turn_between(first, second) @ first, second)
    assert np.allclose(turn_between(first, first), np.eye(3))


def test_new_points_are_guessed_from_their_neighbours_below_the_horizon():
    up = np.array([0.0, -1.0, 0.0])
    neighbours = np.array([[x, y] for x in range(10, 200, 20) for y in (150, 170)], np.float32)
    left = neighbours[:, 0] < 100
    points = np.array([[30, 160], [180, 160], [30, 40]], np.float32)
    rays = np.column_stack([(points - 100) / 150, np.ones(3)])
    assert guess_ground_points(points, rays, up, neighbours, left).tolist() == [True, False, False]
    assert guess_ground_points(points, rays, up, neighbours[:0], left[:0]).tolist() == [False] * 3


def test_walking_goes_along_the_ground():
    up = np.array([0.0, 0.0, 1.0])
    assert is_walkable(up, np.array([1.0, 0.5, 0.1]))
    assert is_walkable(up, np.array([0.02, 0.0, 0.03]))  # a bob while standing
    assert not is_walkable(up, np.array([1.0, 0.0, 0.6]))
