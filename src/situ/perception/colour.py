"""One everyday word for the colour of some pixels."""

import cv2
import numpy as np
from numpy.typing import NDArray

# Hues of OpenCV go from 0 to 180: where each name begins.
_HUES = (
    (0, "red"),
    (9, "orange"),
    (21, "yellow"),
    (36, "green"),
    (86, "blue"),
    (128, "purple"),
    (150, "pink"),
    (171, "red"),
)
_GREY_SATURATION, _PALE_SATURATION = 45.0, 110.0
_BLACK, _DARK, _WHITE = 50.0, 125.0, 185.0


def colour_name(rgb: NDArray[np.uint8]) -> str:
    """The name of the median colour of pixels (n, 3)."""
    if len(rgb) == 0:
        return "grey"
    hsv = cv2.cvtColor(np.median(rgb, axis=0).astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_RGB2HSV)[0, 0]
    hue, saturation, value = (float(v) for v in hsv)
    if value < _BLACK:
        return "black"
    if saturation < _GREY_SATURATION:
        return "white" if value > _WHITE else "grey"
    name = next(name for start, name in reversed(_HUES) if hue >= start)
    if name in ("orange", "yellow", "red") and value < _DARK:
        return "brown"
    if name == "orange" and saturation < _PALE_SATURATION:
        return "beige"
    return name
