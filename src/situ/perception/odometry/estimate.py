"""Odometry of a complete recording in one call."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.odometry.images import checked_camera
from situ.perception.odometry.result import OdometryResult
from situ.perception.odometry.rgb import RgbOdometry
from situ.perception.odometry.rgbd import RgbdOdometry

Frame = tuple[float, NDArray[np.uint8]] | tuple[float, NDArray[np.uint8], NDArray[np.floating] | None]


def estimate_path(
    frames: Iterable[Frame], camera: Camera | None, eye_height: float | None = None
) -> OdometryResult:
    """Camera path through frames of (time, image) or (time, image, depth).

    With depth, distances are in metres. Without depth they are in metres if `eye_height` is given; otherwise
    an eye height of 1.6 m is assumed and `scale_known` is False. Frames are read one at a time.
    """
    known = checked_camera(camera)
    odometry: RgbOdometry | RgbdOdometry | None = None
    for frame in frames:
        depth = frame[2] if len(frame) == 3 else None
        if odometry is None:
            odometry = RgbOdometry(known, eye_height) if depth is None else RgbdOdometry(known)
        odometry.step(frame[0], frame[1], depth)
    if odometry is None:
        raise BadInput("no frames were given; odometry needs at least one")
    return odometry.result()
