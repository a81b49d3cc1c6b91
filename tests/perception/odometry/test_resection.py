import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception.odometry.resection import PositionPrior, Sightings, solve_pose
from situ.perception.odometry.rotation import angle_deg

FOCAL = 400.0
ANCHOR = camera_pose([0, 0, 1.6], 0)


def sightings(rng, pose, sigma, count=150, noise_px=0.2, anchor=ANCHOR):
    """Random points before `anchor`, as seen from `pose`, with inverse depths known to `sigma` (relative)."""
    flat = rng.uniform(-0.6, 0.6, (count, 2))
    depth = rng.uniform(2, 12, count)
    rays = np.concatenate([flat, np.ones((count, 1))], axis=1)
    world = transform(anchor, rays * depth[:, None])
    here = transform(inverse(pose), world)
    seen = here[:, :2] / here[:, 2:] + rng.normal(0, noise_px / FOCAL, (count, 2))
    known = 1 / depth * (1 + sigma * rng.normal(0, 1, count))
    return Sightings(rays @ anchor[:3, :3].T, np.tile(anchor[:3, 3], (count, 1)), known, sigma / depth, seen)


def start():
    return ANCHOR[:3, :3].T, ANCHOR[:3, 3]


def walled(seed, step, far, guess, near=50, count=200):
    """Ground points of known depth and far points of unknown depth, seen from a `step` away.

    `guess`: inverse depth of the far points and its standard deviation.
    """
    rng = np.random.default_rng(seed)
    way = rng.normal(0, (1.0, 1.0, 0.2))
    pose = camera_pose(ANCHOR[:3, 3] + step * way / np.linalg.norm(way), rng.normal())
    ground, above = rng.uniform((-0.6, 0.25), (0.6, 0.5), (near, 2)), rng.uniform(-0.6, 0.1, (count, 2))
    flat = np.concatenate([ground, above])
    depth = np.concatenate([1.6 / ground[:, 1], rng.uniform(*far, count)])
    rays = np.concatenate([flat, np.ones((near + count, 1))], axis=1)
    here = transform(inverse(pose), transform(ANCHOR, rays * depth[:, None]))
    seen = here[:, :2] / here[:, 2:] + rng.normal(0, 0.1 / FOCAL, (near + count, 2))
    known = np.arange(near + count) < near
    inverse_depth, sigma = (
        np.where(known, a, b) for a, b in zip((1 / depth, 0.01 / depth), guess, strict=True)
    )
    anchors = np.tile(ANCHOR[:3, 3], (near + count, 1))
    return Sightings(rays @ ANCHOR[:3, :3].T, anchors, inverse_depth, sigma, seen), pose


@pytest.mark.parametrize(("far", "guess"), [((20, 30), (0.25, 0.5)), ((1, 1.5), (0.25, 2.0))])
@pytest.mark.parametrize("seed", range(8))
def test_a_wrong_guess_of_many_depths_does_not_bend_a_pose(seed, far, guess):
    seen, pose = walled(seed, 0.05, far, guess)
    near = solve_pose(seen.only(seen.sigma < 0.1), *start(), FOCAL, 0.3, None)
    fit = solve_pose(seen, near.R_camera_world, near.centre, FOCAL, 0.3, None)
    assert np.linalg.norm(fit.centre - pose[:3, 3]) < 0.01


@settings(max_examples=40)
@given(st.integers(0, 999), st.floats(-0.4, 0.4), st.floats(-0.3, 0.3), st.floats(-8, 8))
def test_known_depths_give_the_pose(seed, ahead, side, yaw):
    rng = np.random.default_rng(seed)
    pose = camera_pose([ahead, side, 1.6], yaw, 2.0)
    seen = sightings(rng, pose, 0.01)
    fit = solve_pose(seen, *start(), FOCAL, 0.3, None)
    assert np.linalg.norm(fit.centre - pose[:3, 3]) < 0.02
    assert angle_deg(fit.R_camera_world @ pose[:3, :3]) < 0.2
    assert fit.inliers.mean() > 0.9


def test_a_third_of_wrong_landmarks_is_rejected():
    rng = np.random.default_rng(1)
    pose = camera_pose([0.3, 0.1, 1.6], 4)
    seen = sightings(rng, pose, 0.01)
    seen.seen[:50] += rng.uniform(-0.2, 0.2, (50, 2))
    fit = solve_pose(seen, *start(), FOCAL, 0.3, None)
    assert np.linalg.norm(fit.centre - pose[:3, 3]) < 0.02
    assert fit.inliers[50:].mean() > 0.9
    assert fit.inliers[:50].mean() < 0.2


def test_unknown_depths_give_the_direction_and_admit_the_rest():
    rng = np.random.default_rng(2)
    pose = camera_pose([0.3, 0.15, 1.6], 3)
    seen = sightings(rng, pose, 1.0)
    seen = Sightings(seen.rays, seen.anchors, np.full(150, 0.2), np.full(150, 0.3), seen.seen)
    prior = PositionPrior(np.array([0.2, 0.0, 1.6]), np.eye(3) / 0.3**2)
    fit = solve_pose(seen, *start(), FOCAL, 0.3, prior)
    found, true = fit.centre - ANCHOR[:3, 3], pose[:3, 3] - ANCHOR[:3, 3]
    assert found @ true / np.linalg.norm(found) / np.linalg.norm(true) > np.cos(np.radians(6))
    along = true / np.linalg.norm(true)
    across = np.array([-along[1], along[0], 0])
    spread = fit.covariance[3:, 3:]
    assert along @ spread @ along > 3 * (across @ spread @ across)


def test_the_covariance_matches_the_errors_that_are_made():
    pose = camera_pose([0.2, 0.0, 1.6], 2)
    errors = []
    for seed in range(60):
        fit = solve_pose(sightings(np.random.default_rng(seed), pose, 0.005), *start(), FOCAL, 0.3, None)
        gap = fit.centre - pose[:3, 3]
        errors.append(gap @ np.linalg.solve(fit.covariance[3:, 3:], gap))
    assert 1.0 < np.mean(errors) < 9.0  # three for perfect calibration


def test_pixel_noise_is_measured():
    pose = camera_pose([0.2, 0.0, 1.6], 2)
    for noise in (0.15, 0.6):
        fit = solve_pose(
            sightings(np.random.default_rng(5), pose, 1e-4, noise_px=noise), *start(), FOCAL, 0.3, None
        )
        assert fit.noise_px == pytest.approx(noise, rel=0.25)


def test_points_beside_the_camera_spoil_no_pose():
    """Guesses of depth that put points beside the camera or behind it, which are seen almost anywhere."""
    for seed in range(300):
        rng, count = np.random.default_rng(seed), 60
        rays = np.column_stack([rng.normal(0, 0.5, (count, 2)), np.ones(count)])
        inverse_depth = rng.uniform(0.2, 1.5, count)
        anchors = np.tile([0.0, 0.0, -rng.uniform(0.5, 1.5)], (count, 1))
        points = rays / inverse_depth[:, None] + anchors
        ahead = np.where(np.abs(points[:, 2:]) < 0.02, 0.02, points[:, 2:])
        flat = points[:, :2] / ahead + rng.normal(0, 0.3, (count, 2))
        seen = Sightings(rays, anchors, inverse_depth, np.full(count, 0.6), flat)
        fit = solve_pose(seen, np.eye(3), np.zeros(3), FOCAL, 0.3, None)
        assert np.isfinite(fit.T_world_camera).all()
        assert np.isfinite(fit.covariance).all()
