"""Check of an imported Aria Digital Twin folder: 3D boxes must project into their 2D boxes."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from situ.geometry.axes import z_up_from
from situ.geometry.pose import inverse, transform
from situ.recording.formats.research.aria import RGB_STREAM, WIDEST_GAP_S
from situ.recording.formats.research.aria_files import (
    STATIC,
    read_boxes_2d,
    read_boxes_3d,
    read_calibration,
    read_trajectory,
)
from situ.recording.formats.time_matching import pose_at


class BoxAgreement(NamedTuple):
    """Number of projected box centres inside their 2D boxes."""

    inside: int
    total: int


def box_agreement(source: Path, frame: int | None = None) -> BoxAgreement:
    """Agreement over all moments with 2D boxes, or over one of them."""
    trajectory = read_trajectory(source / "aria_trajectory.csv")
    sensor = read_calibration(source / "camera_calibration.json")
    upright = z_up_from(trajectory.up)
    objects = read_boxes_3d(source, upright)
    seen = [box for box in read_boxes_2d(source / "2d_bounding_box.csv") if box.stream == RGB_STREAM]
    moments = sorted({box.time for box in seen})
    chosen = set(moments if frame is None else [moments[frame]])
    inside = total = 0
    for box in seen:
        pose = pose_at(trajectory.times, trajectory.T_world_device, box.time, WIDEST_GAP_S)
        if box.time not in chosen or box.uid not in objects or pose is None:
            continue
        placed = min(objects[box.uid], key=lambda item: 0.0 if item[0] == STATIC else abs(item[0] - box.time))
        center = transform(inverse(upright @ pose @ sensor.T_device_camera), placed[1].center)
        x, y = sensor.lens.project(center) - 0.5
        x_min, x_max, y_min, y_max = box.edges
        total += 1
        inside += bool(np.isfinite(x) and x_min <= x <= x_max and y_min <= y <= y_max)
    return BoxAgreement(inside, total)
