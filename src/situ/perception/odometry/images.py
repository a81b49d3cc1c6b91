"""Image preparation for odometry: grey images of the camera's size, quality checks, pixel coordinates."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix

Grey = NDArray[np.uint8]
Pixels = NDArray[np.float32]  # (n, 2): pixel centres are at integers
Mask = NDArray[np.bool_]

# Grey levels. A lens cap gives a mean below 10 and no contrast; a wall at night has more of both.
_DARK_MEAN = 8.0
_FLAT_SPREAD = 2.0
# Motion blur removes fine detail: such a frame is far less sharp than the frames before.
_BLUR_RATIO = 0.12


def checked_camera(camera: Camera | None) -> Camera:
    """The camera, or an error that explains how to specify one."""
    if camera is None:
        raise BadInput(
            "odometry needs the camera's field of view and none was given; pass "
            "Camera.from_fov(width, height, horizontal_fov_deg), about 65 to 75 degrees for a phone held "
            "upright, 80 to 110 for glasses, or the calibrated Camera(width, height, fx, fy, cx, cy)"
        )
    return camera


def grey_of(image: NDArray[np.uint8], camera: Camera) -> Grey:
    """The frame as a grey image. Raises BadInput if it is not an 8-bit image of the camera's size."""
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
    """The image at half size, for quality checks at a quarter of the cost."""
    return cast(Grey, cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def sharpness(half: Grey) -> float:
    """Strength of fine detail: mean absolute Laplacian of the half-size image."""
    return float(cv2.norm(cv2.Laplacian(half, cv2.CV_16S), cv2.NORM_L1) / half.size)


def unusable_reason(half: Grey, usual_sharpness: float, sharp: float) -> str:
    """Why a frame (given at half size) cannot be tracked, or ""."""
    mean, spread = cv2.meanStdDev(cv2.resize(half, (80, 60), interpolation=cv2.INTER_AREA))
    if float(mean[0, 0]) < _DARK_MEAN and float(spread[0, 0]) < 2 * _FLAT_SPREAD:
        return "black frame"
    if float(spread[0, 0]) < _FLAT_SPREAD:
        return "blank frame"
    if usual_sharpness > 0 and sharp < _BLUR_RATIO * usual_sharpness:
        return "blurred frame"
    return ""


def bearings(camera: Camera, points: Pixels) -> Matrix:
    """Image-plane coordinates (n, 2) at depth 1 of points whose pixel centres are at integers."""
    x, y = points.astype(float).T
    return np.stack([(x + 0.5 - camera.cx) / camera.fx, (y + 0.5 - camera.cy) / camera.fy], axis=1)


def pixels(camera: Camera, flat: Matrix) -> Pixels:
    """The inverse of `bearings`."""
    return np.stack(
        [flat[:, 0] * camera.fx + camera.cx - 0.5, flat[:, 1] * camera.fy + camera.cy - 0.5], axis=1
    ).astype(np.float32)
