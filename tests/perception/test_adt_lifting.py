"""Aria Digital Twin: 2D boxes of a fisheye picture, lifted by depth, land in their true 3D boxes.

The sample holds no depth pictures, so depth is that of each thing's own true surface along the ray.
"""

import numpy as np
import pytest

from real_data import real_data
from situ.geometry.axes import z_up_from
from situ.geometry.camera import Camera
from situ.geometry.pose import inverse, transform
from situ.perception.lifting import lift_boxes
from situ.recording.formats.rectify import Rectifier
from situ.recording.formats.research.aria import RGB_STREAM, WIDEST_GAP_S
from situ.recording.formats.research.aria_files import (
    read_boxes_2d,
    read_boxes_3d,
    read_calibration,
    read_trajectory,
)
from situ.recording.formats.time_matching import pose_at

STEPS = np.arange(0.15, 9.0, 0.01)


@pytest.mark.real
def test_boxes_of_a_fisheye_picture_land_in_their_true_boxes() -> None:
    source = real_data("adt_apartment")
    trajectory = read_trajectory(source / "aria_trajectory.csv")
    sensor = read_calibration(source / "camera_calibration.json")
    upright = z_up_from(trajectory.up)
    things = read_boxes_3d(source, upright)
    seen = [box for box in read_boxes_2d(source / "2d_bounding_box.csv") if box.stream == RGB_STREAM]
    camera = Camera.from_fov(704, 704, 100)
    rectifier = Rectifier(sensor.lens, camera)
    inside = total = 0
    for box in (b for b in seen if b.time == seen[0].time and b.uid in things):
        device = pose_at(trajectory.times, trajectory.T_world_device, box.time, WIDEST_GAP_S)
        assert device is not None
        pose = rectifier.pose(upright @ device @ sensor.T_device_camera)
        left, right, top, bottom = box.edges
        corners = np.array([[left, top], [right, top], [left, bottom], [right, bottom]]) + 0.5
        pixels = rectifier.pixels(corners)
        if not np.isfinite(pixels).all() or pixels.min() < 0 or pixels.max() > 704:
            continue
        (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
        true = things[box.uid][0][1]
        ray = camera.backproject([(x0 + x1) / 2, (y0 + y1) / 2], 1.0)
        along = transform(pose, ray[None] * STEPS[:, None])
        hits = [i for i, point in enumerate(along) if true.contains(point)]
        if not hits:  # the middle of its outline shows what lies behind it
            continue
        depth = np.full((704, 704), STEPS[hits[0]], np.float32)
        (lifted,) = lift_boxes(["thing"], [1.0], [[x0, y0, x1, y1]], depth, camera, pose)
        total += 1
        inside += true.contains(lifted.position, 0.1)
        assert np.all(np.isfinite(transform(inverse(pose), lifted.position)))
    assert total >= 20
    assert inside >= 0.85 * total
