"""What odometry needs of a frame: a grey image of the camera's size, and whether it shows anything."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera

Grey = NDArray[np.uint8]

# Grey levels. A lens cap gives a mean below 10 and no contrast; a wall at night still has some of both.
_DARK_MEAN = 8.0
_FLAT_SPREAD = 2.0
# Sizes at which ORB looks for corners: each so much smaller than the last, and how many. Nearly the range of
# OpenCV's own eight, at two thirds of the cost.
ORB_LEVELS = 1.44, 4
# Motion blur wipes out fine detail: the frame is then far less sharp than its predecessors were.
_BLUR_RATIO = 0.12


def checked_camera(camera: Camera | None) -> Camera:
    """The camera itself, or an error that says how to describe one."""
    if camera is None:
        raise BadInput(
            "odometry needs the camera's field of view and none was given; pass "
            "Camera.from_fov(width, height, horizontal_fov_deg), about 65 to 75 degrees for a phone held "
            "upright, 80 to 110 for glasses, or the calibrated Camera(width, height, fx, fy, cx, cy)"
        )
    return camera


def grey_of(image: NDArray[np.uint8], camera: Camera) -> Grey:
    """The frame in grey. Raises if it is not an 8-bit image of the camera's size."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        raise BadInput(
            f"a frame must be 8-bit grey or RGB (height, width, 3), not {image.dtype} {image.shape}"
        )
    height, width = image.shape[:2]
    if (width, height) != (camera.width, camera.height):
        hint = (
            "turn the frame or the camera" if (height, width) == (camera.width, camera.height) else "resize"
        )
        raise BadInput(
            f"the frame is {width}x{height} but the camera is {camera.width}x{camera.height}; {hint} "
            "(Camera.resized gives the same view at another size)"
        )
    if image.ndim == 2:
        return image
    return cast(Grey, cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))


def halved(grey: Grey) -> Grey:
    """At half the size: enough to judge a frame by, at a quarter of the cost."""
    return cast(Grey, cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def sharpness(half: Grey) -> float:
    """Strength of fine detail: mean absolute Laplacian of the half-size image."""
    return float(cv2.norm(cv2.Laplacian(half, cv2.CV_16S), cv2.NORM_L1) / half.size)


def unusable_reason(half: Grey, usual_sharpness: float, sharp: float) -> str:
    """Why nothing can be tracked in this frame, given at half its size, or "" if something can."""
    mean, spread = cv2.meanStdDev(cv2.resize(half, (80, 60), interpolation=cv2.INTER_AREA))
    if float(mean[0, 0]) < _DARK_MEAN and float(spread[0, 0]) < 2 * _FLAT_SPREAD:
        return "black frame"
    if float(spread[0, 0]) < _FLAT_SPREAD:
        return "blank frame"
    if usual_sharpness > 0 and sharp < _BLUR_RATIO * usual_sharpness:
        return "blurred frame"
    return ""
