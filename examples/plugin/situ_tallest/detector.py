"""A detector: the brightest spot of a picture, called a lamp."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from situ.plugins import DETECTORS, Detections


@DETECTORS.register("brightest", "the brightest spot of a picture, called a lamp")
class Brightest:
    """Made from the names that it is to look for; this one knows a single name."""

    def __init__(self, names: Sequence[str]) -> None:
        self._half = 8

    def detect(self, rgb: NDArray[np.uint8]) -> Detections:
        grey = rgb.astype(float).sum(axis=2)
        y, x = np.unravel_index(int(grey.argmax()), grey.shape)
        box = np.array([[x - self._half, y - self._half, x + self._half, y + self._half]], dtype=float)
        height, width = grey.shape
        return Detections(("lamp",), (0.9,), np.clip(box, 0, [width, height, width, height]))
