import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.odometry.images import checked_camera, grey_of, halved, sharpness, unusable_reason

CAMERA = Camera.from_fov(64, 48, 80)


def textured(seed=0):
    return np.random.default_rng(seed).integers(0, 255, (48, 64, 3), dtype=np.uint8)


def test_a_missing_field_of_view_says_how_to_give_one():
    with pytest.raises(BadInput, match=r"field of view.*Camera\.from_fov"):
        checked_camera(None)
    assert checked_camera(CAMERA) is CAMERA


def test_a_frame_of_another_size_is_refused_and_a_turned_one_named():
    with pytest.raises(BadInput, match="resize"):
        grey_of(np.zeros((24, 32, 3), np.uint8), CAMERA)
    with pytest.raises(BadInput, match="turn the frame or the camera"):
        grey_of(np.zeros((64, 48, 3), np.uint8), CAMERA)
    with pytest.raises(BadInput, match="8-bit"):
        grey_of(np.zeros((48, 64, 3)), CAMERA)


def test_grey_frames_pass_as_they_are():
    grey = textured()[..., 0]
    assert grey_of(grey, CAMERA) is grey


def test_black_blank_and_blurred_frames_are_named():
    grey = halved(grey_of(textured(), CAMERA))
    usual = sharpness(grey)
    assert unusable_reason(grey, usual, usual) == ""
    assert unusable_reason(np.zeros_like(grey), usual, 0.0) == "black frame"
    assert unusable_reason(np.full_like(grey, 200), usual, 0.0) == "blank frame"
    smooth = halved(np.tile(np.linspace(0, 255, 64).astype(np.uint8), (48, 1)))
    assert unusable_reason(smooth, usual, sharpness(smooth)) == "blurred frame"
