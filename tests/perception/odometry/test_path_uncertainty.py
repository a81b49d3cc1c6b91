"""What odometry says of its own doubt."""

import cv2
import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.perception.odometry import RgbOdometry
from situ.perception.odometry.path_uncertainty import path_uncertainty


def test_before_there_is_a_map_the_place_is_in_doubt() -> None:
    """Pictures that tell no depth say how the head turned, not how far it went."""
    camera = Camera.from_fov(160, 120, 70)
    odometry = RgbOdometry(camera)
    assert path_uncertainty(odometry, False) is None
    picture = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    for k in range(3):
        odometry.step(k / 2, picture)
    doubt = path_uncertainty(odometry, False)
    assert doubt is not None
    assert doubt.sigma[:, 1].max() > 0.01


def test_an_eye_height_that_nobody_stated_is_doubted_of_all_distances() -> None:
    camera = Camera.from_fov(160, 120, 70)
    picture = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    whole = []
    for stated in (False, True):
        odometry = RgbOdometry(camera, 1.6 if stated else None)
        odometry.step(0.0, picture)
        odometry.scale_filter.scale_sigma = 0.02  # the ground is in view,
        odometry.floor.confirmed = 20.0  # and somebody walks over it
        doubt = path_uncertainty(odometry, stated)
        assert doubt is not None
        whole.append(float(doubt.sigma[0, 2]))
    assert whole[0] > 0.2 > 0.1 > whole[1] > 0.05


STEP = np.radians(5.0)  # between two frames of a pan


def turned(count: int) -> RgbOdometry:
    """A camera that pans on the spot before a wide picture."""
    wide = np.random.default_rng(0).integers(0, 255, (24, 60, 3)).astype(np.uint8)
    picture = cv2.resize(wide, (600, 240), interpolation=cv2.INTER_CUBIC)
    camera = Camera.from_fov(160, 120, 70)
    odometry = RgbOdometry(camera)
    lens = np.array([[camera.fx, 0.0, 80.0], [0.0, camera.fy, 60.0], [0.0, 0.0, 1.0]])
    keyframe_of = np.array([[camera.fx, 0.0, 300.0], [0.0, camera.fy, 120.0], [0.0, 0.0, 1.0]])
    for k in range(count):
        turn = cv2.Rodrigues(np.array([0.0, -STEP * (k - count / 2), 0.0]))[0]
        odometry.step(
            k / 10, cv2.warpPerspective(picture, lens @ turn @ np.linalg.inv(keyframe_of), (160, 120))
        )
    return odometry


def yaw_doubt(odometry: RgbOdometry, lens_doubt: float = 0.0) -> float:
    doubt = path_uncertainty(odometry, False, lens_doubt)
    assert doubt is not None
    return float(np.linalg.norm(doubt.sigma[:, 0]))


def test_turns_are_in_doubt_until_something_shows_where_down_is() -> None:
    """A nod of a camera that leans is a turn of the head in part."""
    odometry = turned(9)
    unknown = yaw_doubt(odometry)
    odometry.gravity_known = True
    assert unknown > 1.3 * yaw_doubt(odometry)


def test_a_lens_that_is_off_makes_all_turns_too_large_or_too_small() -> None:
    odometry = turned(9)
    odometry.gravity_known = True
    sure, unsure = yaw_doubt(odometry), yaw_doubt(odometry, 0.2)
    assert np.sqrt(unsure**2 - sure**2) == pytest.approx(0.2 * 8 * STEP, rel=0.3)


def test_who_stands_is_known_to_stand() -> None:
    """Pictures that do not change leave no doubt about the place, though there is no map."""
    odometry = RgbOdometry(Camera.from_fov(160, 120, 70))
    noise = np.random.default_rng(0).integers(0, 255, (12, 16, 3)).astype(np.uint8)
    for k in range(12):
        odometry.step(k / 4, cv2.resize(noise, (160, 120), interpolation=cv2.INTER_CUBIC))
    doubt = path_uncertainty(odometry, False)
    assert doubt is not None
    assert np.linalg.norm(doubt.sigma[:, 1]) < 0.1
