import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.odometry.test_corners import texture
from situ.geometry.camera import Camera
from situ.perception.odometry import RgbOdometry
from situ.perception.odometry.orb import Corners
from situ.perception.odometry.rotation import (
    LEVEL,
    Thumbnail,
    angle_deg,
    coarse_turn,
    exp_rotation,
    fit_rotation,
    head_turns,
    matched_turn,
    nearest_rotation,
    searched_turns,
)

CAMERA = Camera.from_fov(320, 240, 80)


def turned_image(image, rotation):
    k = CAMERA.matrix
    return cv2.warpPerspective(image, k @ rotation @ np.linalg.inv(k), (320, 240))


@given(st.integers(0, 500), st.floats(-0.2, 0.2), st.floats(-0.1, 0.1), st.floats(-0.05, 0.05))
def test_rotation_is_found_among_points_that_moved(seed, yaw, pitch, roll):
    rng = np.random.default_rng(seed)
    rotation = exp_rotation(np.array([pitch, yaw, roll]))
    before = rng.uniform(-0.7, 0.7, (120, 2))
    after = np.concatenate([before, np.ones((120, 1))], axis=1) @ rotation.T
    after = after[:, :2] / after[:, 2:] + rng.normal(0, 0.0005, (120, 2))
    after[:30] += rng.uniform(-0.1, 0.1, (30, 2))
    found, residuals = fit_rotation(before, after, np.eye(3), CAMERA.fx)
    assert angle_deg(found @ rotation.T) < 0.1
    assert np.median(residuals[:30]) > np.median(residuals[30:])


@given(st.floats(-1.5, 1.5), st.floats(-0.5, 0.5), st.floats(-1.2, 1.2), st.floats(-0.4, 0.4))
def test_a_head_turns_about_the_vertical_and_nods(yaw, nod, pitch, roll):
    up = exp_rotation([pitch, 0.0, 0.0]) @ exp_rotation([0.0, 0.0, roll]) @ LEVEL
    (turn,) = head_turns(np.array([[yaw, nod]]), up)
    assert np.allclose(turn, exp_rotation([-nod, 0.0, 0.0]) @ exp_rotation(-yaw * up), atol=1e-12)


def looking_down(pitch_deg, yaw_deg):
    """`R_after_before` and the vertical of a camera that looks down while its wearer turns to the left."""
    up = exp_rotation(np.radians([pitch_deg, 0.0, 0.0])) @ LEVEL
    return exp_rotation(-np.radians(yaw_deg) * up), up


@pytest.mark.parametrize("degrees", [-40, -25, 18, 33])
def test_who_looks_down_and_turns_is_followed_by_matching_and_by_trying(degrees):
    rotation, up = looking_down(35, degrees)
    image = cv2.GaussianBlur(texture(), (0, 0), 4.0)
    pictures = image, turned_image(image, rotation)
    tried, *_ = searched_turns(*(Thumbnail.of(one, CAMERA) for one in pictures), up)
    assert angle_deg(tried @ rotation.T) < 2
    matched = matched_turn(
        *(Corners.of(one) for one in (texture(), turned_image(texture(), rotation))), CAMERA, up
    )
    assert matched is not None
    assert angle_deg(matched @ rotation.T) < 4


@pytest.mark.parametrize("degrees", [-25, -10, 0, 4, 18])
def test_coarse_turn_finds_large_turns_without_a_hint(degrees):
    rotation = exp_rotation(np.array([0.0, np.radians(degrees), 0.0]))
    image = cv2.GaussianBlur(texture(), (0, 0), 3.0)
    before, after = (Thumbnail.of(i, CAMERA) for i in (image, turned_image(image, rotation)))
    found, likeness = coarse_turn(before, after, np.eye(3))
    assert angle_deg(found @ rotation.T) < 2.5
    assert likeness > 0.7


def test_coarse_turn_takes_a_hint_that_is_right():
    rotation = exp_rotation(np.array([0.02, np.radians(12), 0.1]))
    image = cv2.GaussianBlur(texture(), (0, 0), 3.0)
    found, _ = coarse_turn(
        Thumbnail.of(image, CAMERA), Thumbnail.of(turned_image(image, rotation), CAMERA), rotation
    )
    assert np.allclose(found, rotation)


def test_different_images_are_unlike_under_any_turn():
    first, second = (Thumbnail.of(cv2.GaussianBlur(texture(s), (0, 0), 6.0), CAMERA) for s in (1, 2))
    assert coarse_turn(first, second, np.eye(3))[1] < 0.4


def test_matched_turn_finds_a_turn_of_half_the_view():
    rotation = exp_rotation(np.array([0.05, np.radians(38), 0.0]))
    found = matched_turn(Corners.of(texture()), Corners.of(turned_image(texture(), rotation)), CAMERA)
    assert found is not None
    assert angle_deg(found @ rotation.T) < 4


@pytest.mark.parametrize("degrees", [-55, -38, 5, 30, 48])
def test_a_turn_that_leaves_little_in_common_is_found_by_trying(degrees):
    rotation = exp_rotation(np.array([0.02, np.radians(degrees), 0.0]))
    image = cv2.GaussianBlur(texture(), (0, 0), 6.0)
    found, *_ = searched_turns(*(Thumbnail.of(i, CAMERA) for i in (image, turned_image(image, rotation))))
    assert angle_deg(found @ rotation.T) < 4


def test_who_turns_quickly_at_few_frames_a_second_is_not_lost():
    """Each turn leaves behind what was followed, but never all of the frame before."""
    wide = Camera.from_fov(2400, 400, 150)
    wall = cv2.GaussianBlur(np.random.default_rng(4).integers(0, 255, (400, 2400), np.uint8), (0, 0), 2.0)
    wall = cv2.normalize(wall, None, 0, 255, cv2.NORM_MINMAX)
    yaws = np.cumsum([-60, 1, 1, 10, 22, 28, 22, 10, 1, 15, 1])
    odometry = RgbOdometry(CAMERA)
    steps = []
    for k, yaw in enumerate(np.radians(yaws)):
        homography = CAMERA.matrix @ exp_rotation(np.array([0.0, -yaw, 0.0])) @ np.linalg.inv(wide.matrix)
        steps.append(odometry.step(k / 4, np.dstack([cv2.warpPerspective(wall, homography, (320, 240))] * 3)))
    assert [step.status for step in steps] == ["rotation"] * len(yaws)
    turned = steps[0].T_world_camera[:3, :3].T @ steps[-1].T_world_camera[:3, :3]
    assert angle_deg(turned) == pytest.approx(yaws[-1] - yaws[0], abs=1.0)


def test_matched_turn_gives_up_on_blank_images():
    blank = np.full((240, 320), 50, np.uint8)
    assert matched_turn(Corners.of(blank), Corners.of(blank), CAMERA) is None


def test_rounding_does_not_grow_when_turns_are_chained_through_transposes():
    rng = np.random.default_rng(0)
    before = rng.uniform(-0.7, 0.7, (40, 2))
    pose = np.eye(3)
    for _ in range(60):
        turned, _ = fit_rotation(before, before, pose.T @ pose, 300.0)
        pose = pose @ turned.T
    assert np.allclose(pose @ pose.T, np.eye(3), atol=1e-9)
    assert np.allclose(
        nearest_rotation(1.3 * exp_rotation(np.array([0.1, 0.2, 0.3]))), exp_rotation([0.1, 0.2, 0.3])
    )
