"""Boxes and masks with depth, lifted to the world."""

import numpy as np
import pytest

from desk import CAMERA
from situ.errors import BadInput
from situ.geometry.pose import camera_pose, transform
from situ.perception import lift_boxes, lift_masks

POSE = camera_pose((1.0, 2.0, 1.5), yaw_deg=90.0)


def wall_with_a_thing(z: float) -> tuple[np.ndarray, tuple[float, float, float, float]]:
    depth = np.full((CAMERA.height, CAMERA.width), 5.0)
    box = (300.0, 200.0, 340.0, 260.0)
    depth[200:260, 300:340] = z
    return depth, box


@pytest.mark.parametrize("z", [1.0, 2.5])
def test_a_box_is_lifted_to_the_middle_of_the_thing(z: float) -> None:
    depth, box = wall_with_a_thing(z)
    (seen,) = lift_boxes(["cup"], [0.9], [box], depth, CAMERA, POSE, [{"colour": "red"}], [7])
    width = 40 / CAMERA.fx * z
    expected = transform(POSE, CAMERA.backproject([320.0, 230.0], z + width / 2))
    assert seen.position == pytest.approx(tuple(expected))
    assert seen.size == pytest.approx((width, width, 60 / CAMERA.fy * z))
    assert (seen.label, seen.track_id, seen.attributes) == ("cup", 7, {"colour": "red"})


def test_a_mask_and_its_box_agree() -> None:
    depth, box = wall_with_a_thing(2.0)
    mask = np.zeros((1, CAMERA.height, CAMERA.width), bool)
    mask[0, 200:260, 300:340] = True
    (by_box,) = lift_boxes(["cup"], [0.9], [box], depth, CAMERA, POSE)
    (by_mask,) = lift_masks(["cup"], [0.9], mask, depth, CAMERA, POSE)
    assert by_mask.position == pytest.approx(by_box.position)
    assert by_mask.box2d == by_box.box2d


def test_what_has_no_depth_is_left_out_and_lengths_must_agree() -> None:
    depth, box = wall_with_a_thing(2.0)
    depth[190:270, 290:350] = np.nan
    assert lift_boxes(["cup"], [0.9], [box], depth, CAMERA, POSE) == ()
    with pytest.raises(BadInput, match="2 labels"):
        lift_boxes(["cup", "mug"], [0.9], [box], depth, CAMERA, POSE)
