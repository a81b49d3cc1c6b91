import cv2
import numpy as np
import pytest

from perception.odometry.walks import courtyard
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse
from situ.perception.odometry.corners import new_points
from situ.perception.odometry.features import Features, pose_from_features, ransac_pose
from situ.rendering import Renderer

CAMERA = Camera.from_fov(640, 480, 80)


def seen(scene, pose):
    frame = Renderer(scene, CAMERA).render(pose)
    return cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2GRAY), frame.depth


@pytest.fixture(scope="module")
def known():
    """Features at landmarks of one frame, with their places in its axes, and where it was."""
    scene, pose = courtyard(71), camera_pose((0, 0, 1.6), 20.0, -12.0)
    grey, depth = seen(scene, pose)
    pixels = new_points(grey, np.zeros((0, 2), np.float32))
    z = depth[pixels[:, 1].astype(int), pixels[:, 0].astype(int)]
    pixels, z = pixels[np.isfinite(z)], z[np.isfinite(z)]
    features = Features.of(grey)
    rows, points = features.near(pixels, CAMERA.backproject(pixels + 0.5, z))
    return scene, pose, features.only(rows), points


@pytest.mark.parametrize(("step", "turn"), [((0.0, 0.0, 0.0), 15.0), ((0.5, 0.3, 0.0), -10.0)])
def test_a_frame_from_some_way_off_is_placed(known, step, turn) -> None:
    scene, pose, features, points = known
    there = camera_pose(np.array([0, 0, 1.6]) + step, 20.0 + turn, -12.0)
    placed = pose_from_features(features, points, Features.of(seen(scene, there)[0]), CAMERA)
    assert placed.confident
    expected = inverse(there) @ pose
    assert np.linalg.norm(placed.T_now_then[:3, 3] - expected[:3, 3]) < 0.3  # things are 9 to 30 m away
    assert len(placed.pixels_now) == len(placed.points_then)


def test_another_place_is_not_taken_for_this_one(known) -> None:
    _, pose, features, points = known
    placed = pose_from_features(features, points, Features.of(seen(courtyard(72, "grass"), pose)[0]), CAMERA)
    assert placed is None or not placed.confident


def test_blank_pictures_and_equal_points_have_no_pose(known) -> None:
    _, _, features, points = known
    blank = Features.of(np.zeros((480, 640), np.uint8))
    assert pose_from_features(features, points, blank, CAMERA) is None
    same = np.repeat([[0.0, 0.0, 2.0]], 20, axis=0)
    found = ransac_pose(same, np.full((20, 2), 100.0), CAMERA, 3.0)
    assert found is None or np.isfinite(found[0]).all()
