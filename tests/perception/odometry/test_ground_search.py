import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.pose import camera_pose
from situ.perception.odometry.ground_plane import GroundPlane, find_ground, inverse_depth_on


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
    expected = GroundPlane(camera_pose([0, 0, 1.6], 0, -5)[2, :3], 1.6, np.radians([4.0, 12.0]), 0.3)
    rays, depth, sigma, nearer = scene(rng, pose)
    found = find_ground(rays, depth, sigma, expected, rng)
    assert found is not None
    assert np.degrees(np.arccos(min(1, found.plane.up @ pose[2, :3]))) < 2.0
    assert found.plane.height == pytest.approx(height, rel=0.06)
    assert found.inliers[nearer].sum() < 0.2 * found.inliers.sum()


def test_of_two_planes_the_one_that_was_walked_along_is_the_ground():
    pose, other = camera_pose([0, 0, 1.6], 0, -8), camera_pose([0, 0, 1.6], 0, -22)
    expected = GroundPlane(camera_pose([0, 0, 1.6], 0, -5)[2, :3], 1.6, np.radians([4.0, 12.0]), 0.5)
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
    expected = GroundPlane(np.array([0.0, -1.0, 0.0]), 1.6, np.radians([2.0, 2.0]), 0.1)
    assert find_ground(rays, np.full(100, 0.9), np.full(100, 0.01), expected, rng) is None


def test_nothing_below_the_horizon_is_no_ground():
    rng = np.random.default_rng(0)
    rays = np.column_stack([rng.uniform(-0.8, 0.8, 50), rng.uniform(-0.7, -0.2, 50), np.ones(50)])
    expected = GroundPlane(np.array([0.0, -1.0, 0.0]), 1.6, np.radians([2.0, 2.0]), 0.1)
    assert find_ground(rays, np.full(50, 0.3), np.full(50, 0.01), expected, rng) is None


def off_by(motion):
    """Degrees, for each of 40 scenes. What stands on the ground ahead looks like a tilted continuation of it,
    and was taken for it: the tilted ground is expected, and surely."""
    pose, tilted = camera_pose([0, 0, 1.6], 0, -8), camera_pose([0, 0, 1.75], 0, -12)
    expected = GroundPlane(tilted[2, :3], 1.75, np.radians([1.0, 1.0]), 0.04)
    off = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rays, depth, sigma, _ = scene(rng, pose, count=300, clutter=0.0)
        ahead = (rays[:, 1] < 0.2) & (rng.random(300) < 0.5)
        depth = np.where(ahead, np.maximum(inverse_depth_on(tilted[2, :3], 1.75, rays), 0.01), depth)
        found = find_ground(rays, depth, sigma, expected, rng, pose[:3, :3].T @ np.array(motion))
        off.append(np.degrees(np.arccos(min(1, found.plane.up @ pose[2, :3]))))
    return np.array(off)


def test_a_straight_walk_puts_a_sure_but_tilted_ground_right():
    assert np.sum(off_by([1.6, 0.0, 0.01]) > 0.5) <= 3


@pytest.mark.parametrize("motion", [[0.0, 0.0, 0.0], [0.1, 0.0, 0.01], [1.0, 0.0, 0.8]])
def test_a_motion_too_short_or_too_steep_for_a_walk_tells_nothing_of_the_tilt(motion):
    assert off_by(motion).min() > 3
