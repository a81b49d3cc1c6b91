import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.pose import camera_pose
from situ.perception.odometry.ground import (
    Plane,
    find_ground,
    guess_ground,
    inverse_depth_on,
    turn_between,
    walkable,
)


def scene(rng, pose, count=120, clutter=0.35, noise=0.03):
    """Rays in camera axes with inverse depths: ground points, and clutter that stands before it."""
    rays = np.column_stack([rng.uniform(-0.8, 0.8, count), rng.uniform(-0.1, 0.7, count), np.ones(count)])
    up = pose[2, :3]
    depth = inverse_depth_on(up, pose[2, 3], rays)
    nearer = rng.random(count) < clutter
    depth[nearer] = np.maximum(depth[nearer], 0.02) * rng.uniform(1.3, 4, nearer.sum())
    depth = np.maximum(depth, 0.01)
    sigma = noise * depth
    return rays, depth + rng.normal(0, sigma), sigma, nearer


@given(st.integers(0, 300), st.floats(-18, 6), st.floats(-5, 5), st.floats(1.2, 2.0))
def test_tilt_and_height_are_found_among_clutter(seed, pitch, roll, height):
    rng = np.random.default_rng(seed)
    pose = camera_pose([0, 0, height], 0, pitch, roll)
    expected = Plane(camera_pose([0, 0, 1.6], 0, -5)[2, :3], 1.6, np.radians([4.0, 12.0]), 0.3)
    rays, depth, sigma, nearer = scene(rng, pose)
    found = find_ground(rays, depth, sigma, expected, rng)
    assert found is not None
    assert np.degrees(np.arccos(min(1, found.plane.up @ pose[2, :3]))) < 2.0
    assert found.plane.height == pytest.approx(height, rel=0.06)
    assert found.inliers[nearer].sum() < 0.2 * found.inliers.sum()


def test_of_two_planes_the_one_that_was_walked_along_is_the_ground():
    pose, other = camera_pose([0, 0, 1.6], 0, -8), camera_pose([0, 0, 1.6], 0, -22)
    expected = Plane(camera_pose([0, 0, 1.6], 0, -5)[2, :3], 1.6, np.radians([4.0, 12.0]), 0.5)
    walked = pose[:3, :3].T @ np.array([0.5, 0.0, 0.01])

    def off_deg(seed, motion):
        rng = np.random.default_rng(seed)
        rays, depth, sigma, _ = scene(rng, pose, clutter=0.0)
        depth = np.where(rays[:, 1] < 0.3, np.maximum(inverse_depth_on(other[2, :3], 1.6, rays), 0.01), depth)
        found = find_ground(rays, depth, sigma, expected, rng, motion)
        return np.degrees(np.arccos(min(1, found.plane.up @ pose[2, :3])))

    assert np.median([off_deg(seed, np.zeros(3)) for seed in range(20)]) > 8
    assert np.sum([off_deg(seed, walked) > 2 for seed in range(20)]) <= 2


def test_a_wall_is_not_ground():
    rng = np.random.default_rng(0)
    rays = np.column_stack([rng.uniform(-0.8, 0.8, 100), rng.uniform(0, 0.7, 100), np.ones(100)])
    expected = Plane(np.array([0.0, -1.0, 0.0]), 1.6, np.radians([2.0, 2.0]), 0.1)
    assert find_ground(rays, np.full(100, 0.9), np.full(100, 0.01), expected, rng) is None


def test_nothing_below_the_horizon_is_no_ground():
    rng = np.random.default_rng(0)
    rays = np.column_stack([rng.uniform(-0.8, 0.8, 50), rng.uniform(-0.7, -0.2, 50), np.ones(50)])
    expected = Plane(np.array([0.0, -1.0, 0.0]), 1.6, np.radians([2.0, 2.0]), 0.1)
    assert find_ground(rays, np.full(50, 0.3), np.full(50, 0.01), expected, rng) is None


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
    assert guess_ground(points, rays, up, neighbours, left).tolist() == [True, False, False]
    assert guess_ground(points, rays, up, neighbours[:0], left[:0]).tolist() == [False] * 3


def test_walking_goes_along_the_ground():
    up = np.array([0.0, 0.0, 1.0])
    assert walkable(up, np.array([1.0, 0.5, 0.1]))
    assert walkable(up, np.array([0.02, 0.0, 0.03]))  # a bob while standing
    assert not walkable(up, np.array([1.0, 0.0, 0.6]))
